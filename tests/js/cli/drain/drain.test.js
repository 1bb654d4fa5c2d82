import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { parse } from '../../../../js/src/manifests.js';
import { makeFolder } from '../../support/folder.js';
import { validate } from '../../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const { file } = await makeFolder();
const running = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
const web = (name, node) =>
  storedPod(name, {
    metadata: {
      labels: { app: 'web' },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u-web', controller: true },
      ],
    },
    spec: { nodeName: node },
    status: running,
  });
const set = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { namespace: 'default', name: 'web', uid: 'u-web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: makePod('p').spec },
  },
};
const budget = (spec) => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { namespace: 'default', name: 'web', uid: 'b' },
  spec: { selector: { matchLabels: { app: 'web' } }, ...spec },
});
const nodes = [makeNode('a', { cpu: '2' }), makeNode('b', { cpu: '2' })];
const pods = [set, web('web-x', 'a'), web('web-y', 'a')];
const cluster = await file(
  'cluster.json',
  makeList(...nodes, ...pods, budget({ maxUnavailable: 1 })),
);

/** @param {string[]} argv */
const drain = (...argv) => runCli(['drain', ...argv]);

test('drain reports the rounds and where pods land', async () => {
  const { code, stdout, stderr } = await drain('a', '--cluster', cluster, '--ready-seconds', '5');
  assert.equal(
    stdout,
    [
      'a can be drained: 2 rounds, 70 seconds at most',
      '',
      'ROUND   NODE   POD             BUDGET        AFTER   MESSAGE',
      '1       a      default/web-x   default/web   b',
      '2       a      default/web-y   default/web   b',
      '',
    ].join('\n'),
  );
  assert.deepEqual([code, stderr], [0, '']);
  const quiet = await drain('a', '-f', cluster, '-q');
  assert.equal(quiet.stdout, 'a can be drained: 2 rounds, 60 seconds at most\n');
});

test('a budget that blocks is exit code 1, with its figures', async () => {
  const strict = await file(
    'strict.json',
    makeList(...nodes, ...pods, budget({ minAvailable: 2 })),
  );
  const { code, stdout } = await drain('a', '--cluster', strict, '--no-headers');
  assert.equal(code, 1);
  assert.equal(
    stdout,
    [
      'a cannot be drained: 0 rounds, 0 seconds at most; budgets block 2 pods',
      '',
      ...['x', 'y'].map(
        (name) =>
          `default/web-${name}   a   default/web (allows 0: 2 healthy, needs 2)   ` +
          'The disruption budget web needs 2 healthy pods and has 2 currently',
      ),
      '',
    ].join('\n'),
  );
});

test('pods that wait, and pods that kubectl refuses', async () => {
  const full = await file('full.json', makeList(nodes[0], makeNode('b', { cpu: '1' }), ...pods));
  const waits = await drain('a', '--cluster', full);
  assert.equal(waits.code, 1);
  assert.match(waits.stdout, /^a can be drained: 1 round, 30 seconds at most; 1 pod would wait\n/);
  assert.match(waits.stdout, /default\/web-y {3}<none> {3}<waits> {3}0\/2 nodes are available: /);
  const bare = await file(
    'bare.json',
    makeList(...nodes, storedPod('bare', { spec: { nodeName: 'a' } })),
  );
  const refused = await drain('a', '--cluster', bare);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /^a cannot be drained: .*; 1 pod would be refused\n/);
  assert.match(refused.stdout, /use --force to override/);
  const forced = await drain('a', '--cluster', bare, '--force', '--ignore-daemonsets');
  assert.equal(forced.code, 0);
  assert.match(forced.stdout, /default\/bare {3}<none> {3}<ends>\n/);
});

test('documents', async () => {
  const { stdout } = await drain('a', '--cluster', cluster, '-o', 'json');
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.deepEqual([document.kind, document.isDrained, document.isPlaced], ['Drain', true, true]);
  const yaml = await drain('a', '--cluster', cluster, '-o', 'yaml');
  assert.deepEqual(parse(yaml.stdout), [document]);
});

test('bad input is exit code 2', async () => {
  const cases = [
    [['--cluster', cluster], /drain needs the name of a node/],
    [['a'], /drain needs a cluster/],
    [['z', '--cluster', cluster], /there is no node "z" in the cluster/],
    [['a', '--cluster', cluster, '--ready-seconds', 'x'], /--ready-seconds is a whole number/],
  ];
  for (const [argv, expected] of cases) {
    const { code, stdout, stderr } = await drain(...argv);
    assert.deepEqual([code, stdout], [2, ''], argv.join(' '));
    assert.match(stderr, expected);
  }
});

test('a pod whose DaemonSet is gone is refused, if the input has the DaemonSets', async () => {
  const daemon = storedPod('agent-x', {
    metadata: {
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'u', controller: true },
      ],
    },
    spec: { nodeName: 'a' },
    status: running,
  });
  const dump = await file('daemons.json', makeList(...nodes, ...pods, daemon));
  const unknown = await drain('a', '--cluster', dump);
  assert.match(unknown.stdout, /^a can be drained: .*\n1 pod of DaemonSets and static pods stay\n/);
  const none = { apiVersion: 'apps/v1', kind: 'DaemonSetList', items: [] };
  const known = ['--cluster', dump, '--cluster', await file('none.json', none)];
  const refused = await drain('a', ...known);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /default\/agent-x .* daemonsets\.apps "agent" not found\n/);
  const forced = await drain('a', ...known, '--force');
  assert.match(forced.stdout, /default\/agent-x +<none> +<ends>/);
});
