// Goal: a failure that is proven to leave no pod pending leaves none when it is run. Method: all
// failures of clusters by seed, of plain pods and of others, are run in the plain form.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasOnlyInTreeFilters, Population, sweep } from '../../../js/src/whatif.js';
import { Failures, parseFailures } from '../../../js/src/whatif/sweep/failures.js';
import { Room } from '../../../js/src/whatif/sweep/room.js';
import { SweepTasks } from '../../../js/src/whatif/sweep/tasks.js';
import { failingCluster, RACK } from '../support/failing_clusters.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';

const { engine } = await startNative();
const START = Date.UTC(2026, 0, 1);
const FAILURES = 'nodes:1,zones:1,racks:1,pairs,zones:2';

/** A cluster in which no pod waits. @param {object[]} objects */
async function settled(objects) {
  const first = engine.createScheduler({ startTime: START });
  first.apply(objects);
  await first.schedule({ until: START + 240_000 });
  const { items } = first.snapshot();
  first.dispose();
  const scheduler = engine.createScheduler({ startTime: START });
  scheduler.apply(items.filter(({ kind, spec }) => kind === 'Node' || spec.nodeName));
  await scheduler.schedule();
  return { scheduler, population: new Population(scheduler) };
}

test('what is proven of clusters by seed is what the scheduler does', async () => {
  const counts = { proven: 0, placed: 0, pending: 0 };
  for (let seed = 1; seed <= 30; seed += 1) {
    const options = { nodes: 8, pods: 10 + (seed % 3) * 6, plain: seed % 5 > 0 };
    const { scheduler, population } = await settled(failingCluster(seed, options));
    const question = { failures: FAILURES, topologyKey: RACK };
    const tasks = new SweepTasks(scheduler, question, { population });
    const sets = parseFailures(FAILURES, question);
    const failures = new Failures(sets, { scheduler, population });
    const room = new Room(scheduler, population);
    for (let index = 0; index < failures.length; index += 1) {
      const { name, parts } = failures.at(index);
      const isProven = room.isEnough(parts);
      const report = await tasks.run(index);
      if (isProven) assert.equal(report, null, `seed ${seed}, ${name}`);
      counts[isProven ? 'proven' : report ? 'pending' : 'placed'] += 1;
    }
    tasks.dispose();
    const shortened = await sweep(scheduler, FAILURES, { topologyKey: RACK, onlyInTree: true });
    assert.deepEqual(shortened, await sweep(scheduler, FAILURES, { topologyKey: RACK }));
    scheduler.dispose();
  }
  for (const [kind, count] of Object.entries(counts)) assert.ok(count > 50, `${kind}: ${count}`);
});

/** @param {object} pod of node a @param {object[]} [others] */
async function isProven(pod, others = []) {
  const nodes = ['a', 'b', 'c'].map((name) => makeNode(name, { cpu: '8' }));
  const { scheduler, population } = await settled([...nodes, pod, ...others]);
  const room = new Room(scheduler, population);
  const enough = room.isEnough([{ name: 'node/a', nodes: ['a'] }]);
  scheduler.dispose();
  return enough;
}

test('only plain pods are proven to find a node', async () => {
  const labelSelector = { matchLabels: { app: 'x' } };
  const topologyKey = 'kubernetes.io/hostname';
  const required = [{ labelSelector, topologyKey }];
  const term = { requiredDuringSchedulingIgnoredDuringExecution: required };
  const weighted = [{ weight: 1, podAffinityTerm: required[0] }];
  const preferred = { preferredDuringSchedulingIgnoredDuringExecution: weighted };
  const spread = { maxSkew: 1, topologyKey, labelSelector };
  const container = (more) => [{ name: 'main', image: 'app:v1', ...more }];
  const cases = [
    ['plain', {}, true],
    ['preferred affinity', { affinity: { podAffinity: preferred } }, true],
    [
      'soft spread',
      { topologySpreadConstraints: [{ ...spread, whenUnsatisfiable: 'ScheduleAnyway' }] },
      true,
    ],
    ['a ConfigMap', { volumes: [{ name: 'v', configMap: { name: 'c' } }] }, true],
    ['a selector', { nodeSelector: { [topologyKey]: 'a' } }, false],
    ['required anti-affinity', { affinity: { podAntiAffinity: term } }, false],
    [
      'hard spread',
      { topologySpreadConstraints: [{ ...spread, whenUnsatisfiable: 'DoNotSchedule' }] },
      false,
    ],
    [
      'a host port',
      { containers: container({ ports: [{ containerPort: 80, hostPort: 80 }] }) },
      false,
    ],
    ['the network of the host', { hostNetwork: true }, false],
    ['a disk', { volumes: [{ name: 'v', gcePersistentDisk: { pdName: 'd' } }] }, false],
    ['another scheduler', { schedulerName: 'other' }, false],
    ['too much', { containers: container({ resources: { requests: { cpu: '9' } } }) }, false],
  ];
  for (const [name, spec, expected] of cases) {
    const pod = storedPod('asked', { cpu: '1', spec: { nodeName: 'a', ...spec } });
    assert.equal(await isProven(pod), expected, name);
  }
});

test('anti-affinity of pods that stay excludes their nodes', async () => {
  const labels = { app: 'x' };
  const term = { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const guards = ['b', 'c'].map((nodeName) =>
    storedPod(`guard-${nodeName}`, { spec: { nodeName, affinity: { podAntiAffinity } } }),
  );
  const asked = storedPod('asked', { metadata: { labels }, spec: { nodeName: 'a' } });
  assert.equal(await isProven(asked, guards), false);
  assert.equal(await isProven(asked, guards.slice(1)), true);
});

test('a pod that needs a feature of its node is not proven by a pod that needs none', async () => {
  const asking = (/** @type {string} */ name, /** @type {object} */ more) => {
    const resources = { requests: { cpu: '1' } };
    const containers = [{ name: 'main', image: 'app:v1', resources, ...more }];
    return storedPod(name, { spec: { nodeName: 'a', restartPolicy: 'Never', containers } });
  };
  const exitCodes = { operator: 'In', values: [1] };
  const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes }];
  const declaring = makeNode('a');
  declaring.status.declaredFeatures = ['RestartAllContainersOnContainerExits'];
  for (const [needing, plain] of ['xy', 'yx']) {
    const pods = [asking(needing, { restartPolicyRules }), asking(plain, {})];
    const nodes = [declaring, makeNode('b'), makeNode('c')];
    const { scheduler } = await settled([...nodes, ...pods]);
    const answer = await sweep(scheduler, 'nodes:1', { onlyInTree: true });
    assert.deepEqual(answer, await sweep(scheduler, 'nodes:1'));
    assert.deepEqual(
      answer.failures.map(({ failure, waiting }) => [failure, waiting]),
      [['node/a', 1]],
    );
    scheduler.dispose();
  }
});

test('the options of a scheduler say whether failures can be proven harmless', () => {
  const spread = { name: 'PodTopologySpread', args: {} };
  const cases = [
    [{}, true],
    [{ configuration: '' }, true],
    [{ configuration: { profiles: [{ pluginConfig: [{ name: 'NodeAffinity' }] }] } }, true],
    [{ configuration: { profiles: [{}, { pluginConfig: [spread] }] } }, false],
    [{ configuration: { extenders: [{ urlPrefix: 'http://x' }] } }, false],
    [{ configuration: 'kind: KubeSchedulerConfiguration' }, false],
    [{ plugins: [{ name: 'Mine' }] }, false],
  ];
  for (const [options, expected] of cases)
    assert.equal(hasOnlyInTreeFilters(options), expected, JSON.stringify(options));
});

test('nothing is proven while a pod waits', async () => {
  const scheduler = engine.createScheduler({ startTime: START });
  scheduler.apply([makeNode('a'), makeNode('b'), storedPod('big', { cpu: '9' })]);
  await scheduler.schedule();
  const answer = await sweep(scheduler, 'nodes:1', { onlyInTree: true });
  assert.deepEqual(answer, await sweep(scheduler, 'nodes:1'));
  scheduler.dispose();
});
