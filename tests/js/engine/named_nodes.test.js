// Goal: a pod of a manifest that names its node is never "Fits" unasked: what the kubelet of that
// node asks is asked of the engine, for that node alone.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { startWasm } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startWasm();
const loadEngine = async () => engine;
const { file } = await makeFolder();

const taint = (effect) => ({ key: 'k', value: 'v', effect });
const port = [{ name: 'c', image: 'app:v1', ports: [{ containerPort: 80, hostPort: 80 }] }];
const cpuAndPort = { containers: [{ ...port[0], resources: { requests: { cpu: '1' } } }] };
const cluster = await file(
  'cluster.json',
  makeList(
    makeNode('n1', { cpu: '5', labels: { disk: 'ssd' } }),
    makeNode('cordoned', { spec: { unschedulable: true, taints: [taint('NoSchedule')] } }),
    makeNode('evicting', { spec: { taints: [taint('NoExecute')] } }),
    storedPod('there', {
      spec: { nodeName: 'n1', schedulerName: 'default-scheduler', ...cpuAndPort },
    }),
    storedPod('done', { cpu: '4', spec: { nodeName: 'n1' }, status: { phase: 'Succeeded' } }),
  ),
);
const TAKES = (node) => `names its node ${node} and is not scheduled; the kubelet there takes it`;
const REFUSES = (node, reasons) =>
  `names its node ${node} and is not scheduled; the kubelet there refuses it: ${reasons}`;

let count = 0;
/** @param {object[]} objects of the manifest */
async function check(objects) {
  const manifest = await file(`manifest-${(count += 1)}.json`, makeList(...objects));
  const argv = ['check', '-f', manifest, '--cluster', cluster, '-o', 'json'];
  const { code, stdout } = await runCli(argv, { loadEngine });
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const results = document.workloads.map(({ result, placed, messages }) => [
    result,
    placed,
    messages.map(({ message }) => message).join(),
  ]);
  return { code, results };
}

/** @param {string} nodeName @param {object} [spec] */
const on = (nodeName, spec = {}, name = 'p') => makePod(name, { spec: { nodeName, ...spec } });
const cpu = (text) => ({
  containers: [{ name: 'c', image: 'app:v1', resources: { requests: { cpu: text } } }],
});

test('a named node is checked as the kubelet does', async () => {
  const cases = [
    [on('n1'), 'Fits', TAKES('n1')],
    [on('n1', cpu('5')), 'DoesNotFit', REFUSES('n1', 'Insufficient cpu')],
    [
      on('n1', { nodeSelector: { disk: 'hdd' } }),
      'DoesNotFit',
      REFUSES('n1', "node(s) didn't match Pod's node affinity/selector"),
    ],
    [on('n1', { nodeSelector: { disk: 'ssd' } }), 'Fits', TAKES('n1')],
    [
      on('n1', { containers: port }),
      'DoesNotFit',
      REFUSES('n1', "node(s) didn't have free ports for the requested pod ports"),
    ],
    [on('cordoned'), 'Fits', TAKES('cordoned')],
    [on('evicting'), 'DoesNotFit', REFUSES('evicting', 'node(s) had untolerated taint(s)')],
    [on('evicting', { tolerations: [{ operator: 'Exists' }] }), 'Fits', TAKES('evicting')],
    [on('n1', { schedulerName: 'other' }), 'Fits', TAKES('n1')],
    [on('nowhere'), 'DoesNotFit', 'names the node nowhere, which is not in the cluster'],
  ];
  for (const [pod, result, message] of cases) {
    const { code, results } = await check([pod]);
    const placed = result === 'Fits' ? 1 : 0;
    assert.deepEqual(results, [[result, placed, message]]);
    assert.equal(code, 1 - placed);
  }
});

test('a placed pod takes room from the next one, a refused pod takes none', async () => {
  const pods = ['3', '2', '1'].map((text, index) => on('n1', cpu(text), `p-${index}`));
  const { results } = await check([on('n1', cpu('9'), 'huge'), ...pods]);
  assert.deepEqual(
    results.map(([result]) => result),
    ['DoesNotFit', 'Fits', 'DoesNotFit', 'Fits'],
  );
});

test('a template that names its node', async () => {
  const workload = (kind, spec) => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: on('n1', cpu('2')).spec },
      ...spec,
    },
  });
  const { code, results } = await check([workload('Deployment', { replicas: 3 })]);
  assert.equal(code, 1);
  const [[result, placed, message]] = results;
  assert.deepEqual([result, placed], ['DoesNotFit', 2]);
  assert.ok(message.startsWith(REFUSES('n1', 'Insufficient cpu')), message);
});

test('explain asks the same', async () => {
  const manifest = await file(
    'explained.json',
    makeList(on('n1', cpu('5'), 'big'), on('n1', {}, 'small'), on('nowhere', {}, 'lost')),
  );
  const ask = (pod, ...flags) =>
    runCli(['explain', pod, '-f', manifest, '--cluster', cluster, ...flags], { loadEngine });
  const big = await ask('big');
  assert.equal(big.code, 1);
  assert.ok(big.stdout.startsWith(`default/big: ${REFUSES('n1', 'Insufficient cpu')}\n`));
  assert.match(big.stdout, /^n1 +refused +<none> +Insufficient cpu$/m);
  const small = await ask('small');
  assert.deepEqual([small.code, small.stdout.split('\n')[0]], [0, `default/small: ${TAKES('n1')}`]);
  assert.equal((await ask('small', '--node', 'n1')).code, 0);
  assert.equal((await ask('small', '--node', 'cordoned')).code, 1);
  const lost = await ask('lost');
  assert.deepEqual(
    [lost.code, lost.stdout],
    [1, 'default/lost: names the node nowhere, which is not in the cluster\n'],
  );
  for (const pod of ['big', 'small', 'lost']) {
    const { stdout } = await ask(pod, '-o', 'json');
    const document = JSON.parse(stdout);
    assert.deepEqual(validate(schema, document), []);
    assert.equal(document.node, pod === 'small' ? 'n1' : null);
  }
});

test('explain of a bound pod reports the node that it would get', async () => {
  const { stdout } = await runCli(['explain', 'there', cluster], { loadEngine });
  assert.match(stdout, /^default\/there: would be on n1$/m);
});
