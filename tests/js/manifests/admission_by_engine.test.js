// Goal: check, capacity, simulate and explain decide on pods after admission, and report its
// refusals. Method: a cluster with a LimitRange and a RuntimeClass, on the engine.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod } from '../support/objects.js';
import { startWasm } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startWasm();
const { file } = await makeFolder();
const stored = (/** @type {string} */ name, metadata = {}) => ({
  name,
  uid: `u-${name}`,
  creationTimestamp: '2026-01-10T08:00:00Z',
  ...metadata,
});
const limitRange = (/** @type {object} */ item) => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: stored('defaults', { namespace: 'default' }),
  spec: { limits: [{ type: 'Container', ...item }] },
});
const runtimeClass = {
  apiVersion: 'node.k8s.io/v1',
  kind: 'RuntimeClass',
  metadata: stored('kata'),
  handler: 'kata',
  overhead: { podFixed: { cpu: '3', memory: '1Gi' } },
  scheduling: { nodeSelector: { kata: 'true' } },
};
const nodes = [makeNode('plain'), makeNode('kata', { labels: { kata: 'true' } })];
const large = { defaultRequest: { cpu: '6' }, default: { cpu: '6' } };
const cluster = await file('cluster.json', makeList(...nodes, runtimeClass, limitRange(large)));
const bounded = await file(
  'bounded.json',
  makeList(...nodes, runtimeClass, limitRange({ min: { cpu: '500m' } })),
);

/** @param {string} name @param {object} [spec] @param {object} [resources] */
const silent = (name, spec = {}, resources = {}) =>
  makePod(name, { spec: { containers: [{ name: 'c', image: 'x', resources }], ...spec } });

/** @param {string} name @param {any} pod @param {number} replicas */
const deployment = (name, pod, replicas) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: pod.spec },
  },
});

/** @param {string[]} argv */
const run = (argv) => runCli(argv, { loadEngine: async () => engine });

/** @param {string} manifest @param {string} into */
async function verdicts(manifest, into) {
  const argv = ['check', '-f', manifest, '--cluster', into, '-o', 'json', '-q'];
  const { code, stdout } = await run(argv);
  const report = JSON.parse(stdout);
  assert.deepEqual(validate(schema, report), []);
  const shown = report.workloads.map(
    (/** @type {any} */ { result, replicas, placed, messages }) => [
      result,
      replicas,
      placed,
      messages[0]?.message.split(' no new claims')[0],
    ],
  );
  return { code, shown };
}

test('check decides with the requests of a LimitRange and the overhead of a class', async () => {
  const tooLarge = '0/2 nodes are available: 2 Insufficient cpu.';
  const pods = await file(
    'pods.json',
    makeList(silent('silent'), deployment('web', silent(''), 2)),
  );
  assert.deepEqual(await verdicts(pods, cluster), {
    code: 1,
    shown: [
      ['DoesNotFit', 1, 0, tooLarge],
      ['DoesNotFit', 2, 0, tooLarge],
    ],
  });
  const one = silent('', { runtimeClassName: 'kata' }, { requests: { cpu: '1' } });
  const kata = await file('kata.json', makeList(deployment('sandbox', one, 2)));
  const plain = await file('plain.json', makeList(...nodes, runtimeClass));
  const afterOne =
    '0/2 nodes are available: 1 Insufficient cpu, ' +
    "1 node(s) didn't match Pod's node affinity/selector.";
  assert.deepEqual(await verdicts(kata, plain), {
    code: 1,
    shown: [['DoesNotFit', 2, 1, afterOne]],
  });
});

test('check reports refusals by admission in the words of the API server', async () => {
  const small = silent('small', {}, { requests: { cpu: '100m' } });
  const strange = silent('strange', { runtimeClassName: 'gvisor' }, { requests: { cpu: '1' } });
  const manifests = await file(
    'refused.json',
    makeList(
      small,
      deployment('web', small, 3),
      strange,
      silent('fine', {}, { requests: { cpu: '1' } }),
    ),
  );
  const tooSmall = 'minimum cpu usage per Container is 500m, but request is 100m';
  const { code, shown } = await verdicts(manifests, bounded);
  assert.equal(code, 1);
  assert.deepEqual(shown[0], ['DoesNotFit', 1, 0, `pods "small" is forbidden: ${tooSmall}`]);
  const [result, replicas, placed, message] = shown[1];
  assert.deepEqual([result, replicas, placed], ['DoesNotFit', 3, 0]);
  assert.match(message, new RegExp(`^pods "web-[a-z0-9]+-0" is forbidden: ${tooSmall}$`));
  assert.deepEqual(shown.slice(2), [
    [
      'DoesNotFit',
      1,
      0,
      'pods "strange" is forbidden: pod rejected: RuntimeClass "gvisor" not found',
    ],
    ['Fits', 1, 1, undefined],
  ]);
});

test('capacity, simulate and explain admit the same pods', async () => {
  const manifest = await file('silent.json', makeList(silent('silent')));
  const counted = await run(['capacity', '-f', manifest, '--cluster', cluster]);
  assert.match(counted.stdout, /^0 more like default\/silent fit\n.*2 Insufficient cpu/);
  const simulated = await run(['simulate', cluster, '-f', manifest, '-o', 'json']);
  const [pod] = JSON.parse(simulated.stdout).pods;
  assert.match(pod.message, /^0\/2 nodes are available: 2 Insufficient cpu\. /);
  const explained = await run(['explain', 'silent', '-f', manifest, '--cluster', cluster]);
  assert.match(explained.stdout, /plain +refused .*Insufficient cpu/);
});

test('capacity and explain refuse a pod that admission refuses; simulate goes on', async () => {
  const small = silent('', {}, { requests: { cpu: '100m' } });
  const manifest = await file('small.json', makeList(deployment('web', small, 2)));
  const refusal =
    /pods "web-[a-z0-9]+-0" is forbidden: minimum cpu usage per Container is 500m, but request is/;
  const counted = await run(['capacity', '-f', manifest, '--cluster', bounded]);
  assert.match(counted.stderr, refusal);
  assert.equal(counted.code, 2);
  const explained = await run(['explain', 'deployment/web', '-f', manifest, '--cluster', bounded]);
  assert.match(explained.stderr, refusal);
  assert.equal(explained.code, 2);
  const simulated = await run(['simulate', bounded, '-f', manifest, '-o', 'json']);
  assert.match(simulated.stderr, refusal);
  assert.equal(simulated.code, 1);
  const document = JSON.parse(simulated.stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.match(document.warnings[0], refusal);
});

const computed = (/** @type {number} */ value) =>
  `must not be provided in pod spec; priority admission controller computed ${value} from the ` +
  'given PriorityClass name';
const priorityClass = (/** @type {string} */ name, /** @type {object} */ more) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: stored(name),
  ...more,
});
const ranked = await file(
  'ranked.json',
  makeList(
    ...nodes,
    priorityClass('batch', { value: 7 }),
    priorityClass('usual', { value: 9, globalDefault: true, preemptionPolicy: 'Never' }),
    makePod('written', { spec: { priority: 5 } }),
    makePod('old', { metadata: stored('old', { namespace: 'default' }), spec: { priority: 5 } }),
  ),
);

test('check refuses a priority that is not that of the class', async () => {
  const known = makePod('exported', {
    metadata: stored('exported', { namespace: 'default' }),
    spec: { priority: 5 },
  });
  const list = (/** @type {any[]} */ ...objects) => file('ranks.json', makeList(...objects));
  const five = makePod('five', { spec: { priority: 5 } });
  const first = await verdicts(await list(five, deployment('web', five, 2), known), ranked);
  assert.equal(first.code, 1);
  assert.deepEqual(first.shown[0], [
    'DoesNotFit',
    1,
    0,
    `pods "five" is forbidden: the integer value of priority (5) ${computed(9)}`,
  ]);
  const [result, replicas, placed, message] = first.shown[1];
  assert.deepEqual([result, replicas, placed], ['DoesNotFit', 2, 0]);
  assert.match(
    message,
    /^pods "web-[a-z0-9]+-0" is forbidden: the integer value of priority \(5\)/,
  );
  assert.deepEqual(first.shown[2], ['Fits', 1, 1, undefined], 'it was admitted');

  const bare = await file('bare.json', makeList(...nodes));
  const alone = await verdicts(await list(five, makePod('zero', { spec: { priority: 0 } })), bare);
  assert.match(alone.shown[0][3], /computed 0 from/);
  assert.equal(alone.shown[1][0], 'Fits');

  const batch = { priorityClassName: 'batch' };
  const others = [
    makePod('same', { spec: { ...batch, priority: 7 } }),
    makePod('usual', { spec: { priority: 9 } }),
    makePod('unknown', { spec: { priorityClassName: 'elsewhere', priority: 3 } }),
    makePod('other', { spec: { ...batch, priority: 8 } }),
    makePod('policy', { spec: { ...batch, preemptionPolicy: 'Never' } }),
  ];
  const { shown } = await verdicts(await list(...others), ranked);
  assert.deepEqual(
    shown.map(([fits]) => fits),
    ['Fits', 'Fits', 'Fits', 'DoesNotFit', 'DoesNotFit'],
  );
  assert.match(shown[3][3], /priority \(8\) .* computed 7 from/);
  assert.match(shown[4][3], /PreemptionPolicy \(Never\) .* computed PreemptLowerPriority from/);
});

test('capacity and explain refuse it too; stored pods of a cluster stay unchanged', async () => {
  const five = makePod('five', { spec: { priority: 5 } });
  const manifest = await file('five.json', makeList(five));
  const refusal = /pods "five" is forbidden: the integer value of priority \(5\)/;
  for (const argv of [
    ['capacity', '-f', manifest, '--cluster', ranked],
    ['explain', 'five', '-f', manifest, '--cluster', ranked],
  ]) {
    const { code, stderr } = await run(argv);
    assert.match(stderr, refusal, argv[0]);
    assert.equal(code, 2, argv[0]);
  }
  const whole = await file('five-deployed.json', makeList(deployment('web', five, 2)));
  const counted = await run(['capacity', '-f', whole, '--cluster', ranked]);
  assert.match(
    counted.stderr,
    /pods "web-[a-z0-9]+-0" is forbidden: the integer value of priority/,
  );
  const { code, stdout } = await run(['simulate', ranked, '-o', 'json']);
  const pods = JSON.parse(stdout).pods.map((/** @type {any} */ { pod }) => pod);
  assert.deepEqual([code, pods.sort()], [0, ['default/old', 'default/written']]);
});
