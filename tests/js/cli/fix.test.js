import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../js/src/manifests.js';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();
const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: makePod('x', { cpu: '1500m' }).spec },
  },
};
const cluster = await file(
  'cluster.json',
  makeList(
    makeNode('a', { cpu: '2' }),
    makeNode('b', { cpu: '8', spec: { taints } }),
    storedPod('fits', { cpu: '100m' }),
    storedPod('picky', { cpu: '100m', spec: { nodeSelector: { disk: 'ssd' } } }),
  ),
);
const web = await file('web.json', makeList(deployment));

/** @param {string[]} argv */
const fix = (...argv) => runCli(['fix', ...argv]);

test('each way has its sentence, its node and its commands', async () => {
  const { code, stdout, stderr } = await fix('pod/picky', cluster, '--limit', '2');
  assert.equal(
    stdout,
    [
      "default/picky: 0/2 nodes are available: 1 node(s) didn't match Pod's node " +
        'affinity/selector, 1 node(s) had untolerated taint(s). no new claims to deallocate, ' +
        'preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
      '',
      "1. Drop disk=ssd from the pod's nodeSelector.",
      '   It then goes to a.',
      '   kubectl get pod picky -n default -o yaml | kubectl patch --local -f - -p ' +
        `'{"spec":{"nodeSelector":null}}' -o yaml | kubectl replace --force -f -`,
      '',
      '2. Label node a with disk=ssd.',
      '   It then goes to a.',
      `   kubectl patch node a -p '{"metadata":{"labels":{"disk":"ssd"}}}'`,
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
});

test('a workload is patched in its template, and its own pods are not removed', async () => {
  const { code, stdout } = await fix('deployment/web', web, '--cluster', cluster, '-q');
  assert.equal(code, 0);
  assert.match(stdout, /\n1\. Lower the pod's request for cpu from 1500m to 400m\.\n/);
  assert.doesNotMatch(stdout, /Remove pod default\/web|PriorityClass|kubectl/);
  const json = await fix('deployment/web', web, '--cluster', cluster, '-o', 'json');
  const [{ changes }] = JSON.parse(json.stdout).offers;
  assert.deepEqual(changes, [
    {
      action: 'patch',
      target: { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' },
      patch: {
        spec: {
          template: {
            spec: { containers: [{ name: 'main', resources: { requests: { cpu: '400m' } } }] },
          },
        },
      },
      inPlace: true,
    },
  ]);
});

test('a node of a pool is one of the ways', async () => {
  const pool = await file('pool.json', makeNode('large', { cpu: '64', labels: { disk: 'ssd' } }));
  const { stdout } = await fix('picky', cluster, '--pool', pool);
  assert.match(stdout, /\n\d\. Add a node like large\.\n {3}It then goes to large-new-1\.\n/);
});

test('formats', async () => {
  const document = JSON.parse((await fix('picky', cluster, '-o', 'json')).stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual(parse((await fix('picky', cluster, '-o', 'yaml')).stdout), [document]);
  const { code, stdout } = await fix('fits', cluster);
  assert.deepEqual([code, stdout], [0, 'default/fits fits: it goes to a\n']);
});

test('exit code 1 if there is no way', async () => {
  const full = makeNode('a', { cpu: '2' });
  full.status.allocatable.pods = '0';
  const hopeless = await file('full.json', makeList(full, storedPod('p')));
  const { code, stdout } = await fix('p', hopeless);
  assert.equal(code, 1);
  const [, ...lines] = stdout.split('\n');
  assert.deepEqual(lines, [
    'never: no node takes it even if no other pod existed',
    '- Too many pods on 1 node (a): the node is too small even when it is empty',
    '',
    'no change was found',
    '',
  ]);
});

test('bad input is exit code 2', async () => {
  const cases = [
    [[], /fix needs a pod/],
    [['picky'], /fix needs a cluster/],
    [['none', cluster], /there is no pod none/],
    [['picky', cluster, '--limit', '0'], /--limit is a whole number from 1/],
    [['picky', cluster, '--pool', web], /a pool is one Node with status\.allocatable/],
  ];
  for (const [argv, expected] of /** @type {[string[], RegExp][]} */ (cases)) {
    const { code, stdout, stderr } = await fix(...argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});
