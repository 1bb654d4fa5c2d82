// Goal: the handler predicts the scheduler's decision for real pods in a real cluster, and no
// evaluation changes that cluster. Method: the recorded cluster, the built engine, and its own
// evaluations to compare with.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { virtualClock } from '../../../js/src/io/clock.js';
import { exchange } from '../apiserver/recorded_exchanges.js';
import { ManualClock } from '../support/manual_clock.js';
import { makeNode, makePod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { recordedPod, responseTo, reviewOf, stored } from './reviews.js';

const { engine } = await startNative();

/** @param {any} objects @param {object} [options] */
function makeCluster(objects, options) {
  const cluster = engine.createScheduler({ api: 'host', ...options });
  after(() => cluster.dispose());
  cluster.apply(objects);
  return cluster;
}

const recorded = ['list-nodes', ...[1, 2, 3].map((page) => `list-pods-page-${page}`)].flatMap(
  (name) => {
    const { kind, items } = exchange(name).response.body;
    return items.map((/** @type {any} */ item) => ({
      apiVersion: 'v1',
      kind: kind.replace('List', ''),
      ...item,
    }));
  },
);

/** @param {string} cpu */
const asking = (cpu) => ({ containers: [{ name: 'c', resources: { requests: { cpu } } }] });

/** @param {any} cluster @param {any} object @param {object} [options] */
function respond(cluster, object, options) {
  const handler = createAdmissionHandler({ cluster, mode: 'warn', ...options });
  return responseTo(handler, reviewOf(object));
}

test('a real pod in a real cluster', async () => {
  const cluster = makeCluster(recorded, { clock: virtualClock() });
  const before = cluster.inspect({ cache: true });
  const pod = recordedPod({ spec: asking('1m') });
  const { warnings, auditAnnotations } = await respond(cluster, pod);
  assert.equal(warnings, undefined);
  assert.equal(auditAnnotations.fits, 'Now');
  assert.equal(auditAnnotations.node, cluster.evaluate(pod).node);

  const { name } = pod.metadata;
  for (const [refused, fits, predicate] of /** @type {const} */ ([
    [recordedPod(), 'NotNow', 'would be unschedulable'],
    [
      recordedPod({ spec: asking('1000') }),
      'Never',
      'would be unschedulable even in an empty cluster',
    ],
  ])) {
    const { warnings: [warning] = [], auditAnnotations: found } = await respond(cluster, refused);
    const { message = '' } = cluster.evaluate(refused);
    assert.match(message, /^0\/5 nodes are available: .*Insufficient cpu/);
    const sentence = `pod "${name}" ${predicate}: ${message}`;
    assert.deepEqual([found.fits, found.message], [fits, sentence]);
    assert.equal(warning, `${sentence.slice(0, 255)}…`);
  }
  assert.deepEqual(cluster.inspect({ cache: true }), before);
});

test('the handler predicts what the release of the cluster would do', async () => {
  const taints = [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }];
  for (const [kubernetesVersion, reason] of [
    ['1.33', 'had untolerated taint {gpu: yes}'],
    ['1.34', 'had untolerated taint(s)'],
  ]) {
    const cluster = makeCluster(makeNode('a', { spec: { taints } }), { kubernetesVersion });
    const { auditAnnotations } = await respond(cluster, makePod('p'));
    assert.ok(auditAnnotations.message.includes(reason), auditAnnotations.message);
  }
});

test('pods that are not this scheduler’s to place', async () => {
  const cluster = makeCluster(makeNode('a'));
  const gates = { schedulingGates: [{ name: 'x.io/quota' }] };
  /** @type {[object, string][]} */
  const table = [
    [{ schedulerName: 'other' }, 'no profile has the name "other"'],
    [gates, 'held back by SchedulingGates'],
  ];
  for (const [spec, skipped] of table) {
    const { allowed, auditAnnotations } = await respond(cluster, recordedPod({ spec }));
    assert.deepEqual([allowed, auditAnnotations], [true, { skipped }]);
  }
});

test('an inconclusive evaluation is a failure', async () => {
  const bad = { containers: [{ name: 'c', resources: { requests: { cpu: 'much' } } }] };
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`);
  const gone = makeCluster(makeNode('a'));
  gone.dispose();
  /** @type {[any, object, RegExp][]} */
  const table = [
    [makeCluster([]), {}, /no node of the cluster is known yet/],
    [makeCluster(makeNode('a')), { spec: bad }, /spec\.containers\[0\]\.resources\.requests/],
    [makeCluster(makeNode('a')), { spec: { affinity: deep } }, /deep/i],
    [gone, {}, /disposed of/],
  ];
  for (const [cluster, changes, failure] of table) {
    const { allowed, auditAnnotations } = await respond(cluster, recordedPod(changes));
    assert.equal(allowed, true);
    assert.match(auditAnnotations.failure, failure);
    const closed = await respond(cluster, recordedPod(changes), { failurePolicy: 'Fail' });
    assert.equal(closed.allowed, false);
    assert.match(closed.status.message, failure);
  }
});

test('a workload in a real cluster', async () => {
  const cluster = makeCluster([makeNode('a', { cpu: '2' }), makeNode('b', { cpu: '1' })]);
  /** @param {string} cpu @param {object} [more] */
  const deployment = async (cpu, more) =>
    stored({
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { ...makePod('p', { cpu }).spec, ...more },
        },
      },
    });
  const fits = await respond(cluster, await deployment('1'));
  assert.deepEqual([fits.warnings, fits.auditAnnotations], [undefined, { fits: 'Now', node: 'a' }]);
  const second = await respond(cluster, await deployment('2'));
  assert.match(
    second.warnings[0],
    /^pod 2 of 3 of Deployment "web" would be unschedulable: 0\/2 nodes are available: 2 Insuff/,
  );
  assert.equal(second.auditAnnotations.fits, 'NotNow');
  assert.equal(second.warnings.length, 1, 'no hint: the nearest node depends on the first pod');
  const { warnings } = await respond(cluster, await deployment('3', { priorityClassName: 'new' }));
  const sentence =
    'the first of 3 pods of Deployment "web" would be unschedulable even in an empty cluster: ' +
    '0/2 nodes are available: 2 Insufficient cpu. ';
  assert.ok(warnings[0].startsWith(sentence), warnings[0]);
});

test('claims that come later keep no pod from being schedulable', async () => {
  const cluster = makeCluster(makeNode('a'));
  const set = await stored({
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { metadata: { labels: { app: 'db' } }, spec: makePod('p').spec },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  });
  assert.equal((await respond(cluster, set)).auditAnnotations.fits, 'Now');
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const volume = { name: 'v', ephemeral: { volumeClaimTemplate: { spec: claim } } };
  const ephemeral = recordedPod({ spec: { volumes: [volume] } });
  assert.equal((await respond(cluster, ephemeral)).auditAnnotations.fits, 'Now');
  const resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }];
  const device = recordedPod({ spec: { resourceClaims } });
  assert.equal((await respond(cluster, device)).auditAnnotations.fits, 'Now');
  const named = { name: 'v', persistentVolumeClaim: { claimName: 'none' } };
  const absent = await respond(cluster, recordedPod({ spec: { volumes: [named] } }));
  assert.match(absent.auditAnnotations.message, /persistentvolumeclaim "none" not found/);
});

const gpu = { labels: { gpu: 'yes' } };
const taints = [{ key: 'dedicated', effect: 'NoSchedule' }];

/**
 * Some nodes match the GPU daemon of 2 CPU and have room, some match without room, some do not
 * match.
 */
const gpuNodes = [
  makeNode('free-1', gpu),
  makeNode('free-2', gpu),
  makeNode('cordoned', { ...gpu, spec: { unschedulable: true } }),
  makeNode('small-1', { ...gpu, cpu: '1' }),
  makeNode('small-2', { ...gpu, cpu: '1' }),
  makeNode('tainted', { ...gpu, cpu: '1', spec: { taints } }),
  makeNode('other', { cpu: '1' }),
];

/** @param {object} spec of its pods */
const daemonSet = (spec) =>
  stored({
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: {
        metadata: { labels: { app: 'agent' } },
        spec: { ...makePod('p', { cpu: '2' }).spec, ...spec },
      },
    },
  });

/** @param {string} name */
function onNode(name) {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
  };
}

test('a DaemonSet on nodes that want its pods, do not, and cannot take them', async () => {
  const cluster = makeCluster(gpuNodes);
  const told = (/** @type {string} */ text) => `pods of DaemonSet "agent" would be ${text}.`;
  /** @type {[object, object][]} */
  const table = [
    [
      { nodeSelector: { gpu: 'yes' } },
      { fits: 'Now', message: told('unschedulable on 2 of 5 nodes: 2 Insufficient cpu') },
    ],
    [{}, { fits: 'Now', message: told('unschedulable on 3 of 6 nodes: 3 Insufficient cpu') }],
    [{ nodeSelector: { gpu: 'no' } }, { skipped: 'no node is to run its pods now' }],
    [onNode('free-1'), { fits: 'Now' }],
    [
      onNode('small-1'),
      {
        fits: 'Never',
        message: told('unschedulable even in an empty cluster on 1 of 1 nodes: 1 Insufficient cpu'),
      },
    ],
    [onNode('tainted'), { skipped: 'no node is to run its pods now' }],
    [onNode('none'), { skipped: 'no node is to run its pods now' }],
  ];
  for (const [spec, want] of table) {
    const { auditAnnotations } = await respond(cluster, await daemonSet(spec));
    assert.deepEqual(auditAnnotations, want);
  }
});

test('an extender that does not answer is waited for as long as there is time', async () => {
  const clock = new ManualClock();
  const urlPrefix = 'http://slow.example';
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    extenders: [{ urlPrefix, filterVerb: 'filter', httpTimeout: '30s' }],
  };
  let answer = () => /** @type {any} */ (new Promise(() => {}));
  const extenders = { [urlPrefix]: { filter: () => answer() } };
  const cluster = makeCluster(makeNode('a'), { configuration, extenders, clock });
  const late = respond(cluster, recordedPod(), { clock, timeoutMs: 300 });
  await clock.advance(300);
  assert.equal((await late).auditAnnotations.failure, 'no answer in time');

  answer = async () => ({ nodenames: [], failedNodes: { a: 'no licence' } });
  const { auditAnnotations } = await respond(cluster, recordedPod(), { clock });
  assert.match(auditAnnotations.message, /1 no licence/);
});

test('an evaluation that takes too long is answered as the failure policy says', async () => {
  const clock = new ManualClock();
  const cluster = makeCluster(makeNode('a'), { clock });
  const required = Array.from({ length: 5_000 }, (_, index) => ({
    topologyKey: 'kubernetes.io/hostname',
    labelSelector: { matchLabels: { app: `a${index}` } },
  }));
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
  const large = recordedPod({ spec: { affinity: { podAntiAffinity } } });
  const options = { clock, timeoutMs: 1 };
  const failed = await respond(cluster, large, { ...options, failurePolicy: 'Fail' });
  assert.equal(failed.allowed, false);
  assert.deepEqual([failed.status.code, failed.status.reason], [504, 'Timeout']);
  assert.match(failed.auditAnnotations.failure, /takes more than 4000$/);
  const ignored = await respond(cluster, large, { ...options, failurePolicy: 'Ignore' });
  assert.equal(ignored.allowed, true);
  assert.equal(ignored.auditAnnotations['failure-policy'], 'Ignore');
  const small = await respond(cluster, recordedPod({ spec: asking('1m') }), options);
  assert.equal(small.auditAnnotations.fits, 'Now');
});
