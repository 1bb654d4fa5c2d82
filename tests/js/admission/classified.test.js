// Goal: the engine distinguishes pods that fit now, after preemption, on no node now, and on no
// node even if it were empty, and each has its own answer. Method: a node of 4 CPU with pods on it.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { makeNode, storedPod } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { recordedPod, responseTo, reviewOf } from './reviews.js';

const { engine } = await startNative();

const cluster = engine.createScheduler({ api: 'host' });
after(() => cluster.dispose());
cluster.apply([
  makeNode('a', { cpu: '4' }),
  storedPod('batch', { cpu: '2', spec: { nodeName: 'a', priority: 0 } }),
  storedPod('core', { cpu: '1', spec: { nodeName: 'a', priority: 1000 } }),
]);

/** @param {string} cpu @param {number} [priority] @param {object} [more] */
const pod = (cpu, priority = 0, more = {}) =>
  recordedPod({
    metadata: { name: 'web' },
    spec: {
      priority,
      containers: [{ name: 'c', image: 'c', resources: { requests: { cpu } } }],
      ...more,
    },
  });

const affinity = {
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'cache' } } },
    ],
  },
};

/** @type {[string, any, string, RegExp | null][]} */
const TABLE = [
  ['room', pod('1'), 'Now', null],
  [
    'room after preemption',
    pod('2', 10),
    'WithPreemption',
    /^pod "web" would have to preempt default\/batch on a: 0\/1 /,
  ],
  [
    'no room, and no right to preempt',
    pod('2'),
    'NotNow',
    /^pod "web" would be unschedulable: 0\/1 /,
  ],
  [
    'no room even with all that may go',
    pod('4', 10),
    'NotNow',
    /^pod "web" would be unschedulable: 0\/1 /,
  ],
  [
    'a pod to be beside that may come',
    pod('1', 0, { affinity }),
    'NotNow',
    /^pod "web" would be unschedulable: 0\/1 /,
  ],
  [
    'more than the node has',
    pod('5', 10),
    'Never',
    /^pod "web" would be unschedulable even in an empty cluster: 0\/1 /,
  ],
  [
    'no such node',
    pod('1', 0, { nodeSelector: { zone: 'z' } }),
    'Never',
    /even in an empty cluster: 0\/1 .*didn't match Pod's node affinity\/selector/,
  ],
];

test('each distance from a node has its own answer', async () => {
  for (const [what, object, fits, message] of TABLE) {
    const never = createAdmissionHandler({ cluster, mode: 'deny' });
    const notNow = createAdmissionHandler({ cluster, mode: 'deny', denyWhen: 'NotNow' });
    const response = await responseTo(never, reviewOf(object));
    assert.equal(response.auditAnnotations.fits, fits, what);
    assert.equal(response.allowed, fits !== 'Never', what);
    const strict = await responseTo(notNow, reviewOf(object));
    assert.equal(strict.allowed, fits === 'Now' || fits === 'WithPreemption', what);
    if (message) assert.match(response.auditAnnotations.message, message, what);
    else assert.deepEqual(response.auditAnnotations, { fits, node: 'a' });
  }
});

test('the answer to a pod that fits nowhere names the nearest node', async () => {
  const handler = createAdmissionHandler({ cluster, mode: 'warn' });
  const { warnings } = await responseTo(handler, reviewOf(pod('2')));
  assert.equal(warnings.length, 2);
  assert.match(
    warnings[1],
    /^nearest node of pod "web": a: the pod asks for 2 cpu, 3 of 4 are taken, .*: 1 missing$/,
  );
});

test('a class that is not known denies nothing that preemption could help', async () => {
  const spec = { ...pod('2').spec, priorityClassName: 'urgent' };
  delete spec.priority;
  const job = { kind: 'Job', metadata: { name: 'train' }, spec: { template: { spec } } };
  const options = {
    cluster,
    mode: /** @type {const} */ ('deny'),
    denyWhen: /** @type {const} */ ('NotNow'),
  };
  const unknown = await responseTo(createAdmissionHandler(options), reviewOf(job));
  assert.deepEqual([unknown.allowed, unknown.auditAnnotations.fits], [true, 'WithPreemption']);
  const priorityClasses = [{ metadata: { name: 'urgent' }, value: -5 }];
  const known = createAdmissionHandler({ ...options, priorityClasses });
  assert.equal((await responseTo(known, reviewOf(job))).allowed, false);
});
