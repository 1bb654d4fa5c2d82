// Goal: check, capacity, simulate and explain decide on the pods that admission makes of manifests,
// and say what it refuses. Method: a cluster with a LimitRange and a RuntimeClass, on the engine.
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

test('check reports what admission refuses in the words of the API server', async () => {
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

test('capacity, simulate and explain know the same pods', async () => {
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
