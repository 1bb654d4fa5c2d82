// Goal: a workload is evaluated by its first pod, as its controllers would create it, and the
// answer names the number of its pods. Method: workloads as the API server stores them, and the
// questions that a stand-in for the cluster gets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { podsOf } from '../../../js/src/manifests.js';
import { recordedPod, refused, responseTo, reviewOf, standIn, stored } from './reviews.js';

const containers = [{ name: 'c', image: 'c', resources: { requests: { cpu: '1' } } }];

/** @param {object} [spec] of its pods */
const template = (spec) => ({
  metadata: { labels: { app: 'a' } },
  spec: { containers, ...spec },
});
const selector = { matchLabels: { app: 'a' } };
const once = { ...template({ restartPolicy: 'Never' }), metadata: {} };

/** @param {string} kind @param {object} spec */
const named = (kind, spec) => ({ kind, metadata: { name: 'w' }, spec });

/**
 * Returns the cluster's questions and the client's answer.
 * @param {any} object
 * @param {object} [options]
 */
async function ask(object, options) {
  const cluster = standIn(refused('Never', 'no.'));
  const handler = createAdmissionHandler({ cluster, mode: 'deny', ...options });
  const { status, auditAnnotations } = await responseTo(handler, reviewOf(object));
  assert.ok(auditAnnotations.skipped ? cluster.asked.length === 0 : cluster.asked.length > 0);
  return { ...cluster.asked[0], status, auditAnnotations };
}

const NEVER = 'would be unschedulable even in an empty cluster: no.';

test('the first pod stands for all in a cluster without fork', async () => {
  /** @type {[any, string, string][]} */
  const table = [
    [
      named('Deployment', { replicas: 3, selector, template: template() }),
      'the first of 3 pods of Deployment "w"',
      'Deployment',
    ],
    [
      named('ReplicaSet', { selector, template: template() }),
      'the pod of ReplicaSet "w"',
      'ReplicaSet',
    ],
    [
      named('ReplicationController', { replicas: 200_000, template: template() }),
      'the first of 200000 pods of ReplicationController "w"',
      'ReplicationController',
    ],
    [
      named('StatefulSet', { replicas: 2, serviceName: 's', selector, template: template() }),
      'the first of 2 pods of StatefulSet "w"',
      'StatefulSet',
    ],
    [
      named('Job', { parallelism: 5, completions: 3, template: once }),
      'the first of 3 pods of Job "w"',
      'Job',
    ],
    [
      named('Job', { completions: 9, completionMode: 'Indexed', template: once }),
      'the pod of Job "w"',
      'Job',
    ],
  ];
  for (const [object, subject, kind] of table) {
    const { pod, status, options } = await ask(await stored(object));
    assert.equal(status.message, `${subject} ${NEVER}`);
    assert.deepEqual(
      status.details.causes.map((/** @type {any} */ { field }) => field),
      ['spec.template.spec'],
    );
    assert.equal(status.details.kind, kind);
    assert.deepEqual([pod.kind, pod.metadata.namespace], ['Pod', 'default']);
    assert.deepEqual(pod.spec.containers[0].resources.requests, { cpu: '1' });
    assert.equal(options.everyNode, undefined);
    assert.equal(options.detail, 'summary');
  }
});

test('a CronJob’s Job is asked about as if its time were now', async () => {
  const jobTemplate = { spec: { parallelism: 2, template: once } };
  const cronJob = {
    ...named('CronJob', { schedule: '0 3 * * *', jobTemplate }),
    apiVersion: 'batch/v1',
  };
  const { pod, status } = await ask(cronJob);
  assert.equal(status.message, `the first of 2 pods of CronJob "w" ${NEVER}`);
  assert.equal(status.details.causes[0].field, 'spec.jobTemplate.spec.template.spec');
  assert.equal(pod.spec.containers[0].name, 'c');
});

test('a DaemonSet is asked about on every node, with the tolerations of daemons', async () => {
  const daemonSet = await stored(named('DaemonSet', { selector, template: template() }));
  const { pod, options } = await ask(daemonSet);
  assert.equal(options.everyNode, true);
  assert.equal(options.detail, undefined);
  assert.match(pod.metadata.labels['controller-revision-hash'], /^\w{5,10}$/);
  assert.equal(pod.metadata.labels['pod-template-generation'], '1');
  assert.ok(
    pod.spec.tolerations.some(
      (/** @type {any} */ { key, effect }) =>
        key === 'node.kubernetes.io/unschedulable' && effect === 'NoSchedule',
    ),
  );
});

test('a workload that has no pods now passes by', async () => {
  const job = { suspend: true, template: once };
  const cronJob = { suspend: true, schedule: '@daily', jobTemplate: { spec: { template: once } } };
  for (const object of [
    named('Deployment', { replicas: 0, selector, template: template() }),
    named('Job', job),
    named('Job', { parallelism: 0, template: once }),
    named('CronJob', cronJob),
    named('CronJob', { ...cronJob, suspend: false, jobTemplate: { spec: job } }),
  ]) {
    const { auditAnnotations } = await ask(object);
    assert.deepEqual(auditAnnotations, { skipped: 'it has no pods now' });
  }
});

test('claims that are made with the pods are not waited for', async () => {
  const data = { name: 'data', persistentVolumeClaim: { claimName: 'shared' } };
  const set = named('StatefulSet', {
    serviceName: 's',
    selector,
    template: template({ volumes: [data] }),
    volumeClaimTemplates: [{ metadata: { name: 'log' }, spec: {} }],
  });
  const { pod } = await ask(set);
  assert.deepEqual(pod.spec.volumes, [data]);
});

test('the priority is of the template’s class, and of an unknown one the highest', async () => {
  const priorityClasses = [
    { metadata: { name: 'batch' }, value: -10, preemptionPolicy: 'Never' },
    { metadata: { name: 'usual' }, value: 5, globalDefault: true },
  ];
  /** @type {[string | undefined, number, string][]} */
  const table = [
    ['batch', -10, 'Never'],
    [undefined, 5, 'PreemptLowerPriority'],
    ['system-node-critical', 2_000_001_000, 'PreemptLowerPriority'],
    ['unknown', 1_000_000_000, 'PreemptLowerPriority'],
  ];
  for (const [priorityClassName, priority, preemptionPolicy] of table) {
    const spec = { selector, template: template({ priorityClassName }) };
    const { pod } = await ask(named('Deployment', spec), { priorityClasses });
    assert.deepEqual([pod.spec.priority, pod.spec.preemptionPolicy], [priority, preemptionPolicy]);
  }
});

test('classes may change while the handler is there', async () => {
  const classes = new Map();
  const object = named('Job', { template: { spec: { ...once.spec, priorityClassName: 'batch' } } });
  const options = { priorityClasses: { [Symbol.iterator]: () => classes.values() } };
  assert.equal((await ask(object, options)).pod.spec.priority, 1_000_000_000);
  classes.set('batch', { metadata: { name: 'batch' }, value: 3 });
  assert.equal((await ask(object, options)).pod.spec.priority, 3);
});

const limitRange = {
  metadata: { name: 'sizes', namespace: 'default' },
  spec: { limits: [{ type: 'Container', defaultRequest: { memory: '1Gi' }, max: { cpu: '2' } }] },
};
const elsewhere = { ...limitRange, metadata: { name: 'sizes', namespace: 'other' } };
const runtimeClass = {
  metadata: { name: 'kata' },
  handler: 'kata',
  overhead: { podFixed: { cpu: '250m' } },
  scheduling: { nodeSelector: { runtime: 'kata' }, tolerations: [{ key: 'kata' }] },
};
const lists = { limitRanges: [limitRange, elsewhere], runtimeClasses: [runtimeClass] };

/** A template within the bounds of the LimitRange, and of the RuntimeClass. */
const bounded = template({
  runtimeClassName: 'kata',
  containers: [{ name: 'c', resources: { requests: { cpu: '1' }, limits: { cpu: '1' } } }],
});

test('LimitRanges and RuntimeClasses change a template as in expand', async () => {
  const jobTemplate = { spec: { template: bounded } };
  for (const object of [
    named('Deployment', { replicas: 2, selector, template: bounded }),
    named('StatefulSet', { selector, template: bounded }),
    named('DaemonSet', { selector, template: bounded }),
    named('Job', { template: bounded }),
    named('CronJob', { schedule: '@daily', jobTemplate }),
  ]) {
    const { pod } = await ask(object, lists);
    const [expanded] = podsOf({ ...object, kind: 'Job', spec: { template: bounded } }, lists);
    const { resources } = pod.spec.containers[0];
    assert.deepEqual(resources.requests, { cpu: '1', memory: '1Gi' }, object.kind);
    assert.deepEqual(resources, expanded.spec.containers[0].resources, object.kind);
    assert.deepEqual(pod.spec.overhead, { cpu: '250m' }, object.kind);
    assert.deepEqual(pod.spec.nodeSelector, { runtime: 'kata' }, object.kind);
    assert.ok(pod.spec.tolerations.some((/** @type {any} */ { key }) => key === 'kata'));
  }
  const plain = await ask(named('Job', { template: bounded }));
  assert.deepEqual([plain.pod.spec.overhead, plain.pod.spec.nodeSelector], [undefined, undefined]);
});

test('a pod under review has passed admission, and stays unchanged', async () => {
  const classes = [{ metadata: { name: 'usual' }, value: 5, globalDefault: true }];
  const pod = recordedPod({ spec: { containers, runtimeClassName: 'other', overhead: {} } });
  const asked = await ask(pod, { ...lists, priorityClasses: classes });
  assert.deepEqual(asked.pod.spec, pod.spec);
});

test('a refusal by admission becomes a warning, in the API server’s words', async () => {
  const large = template({
    containers: [{ name: 'c', resources: { limits: { cpu: '3', memory: '2Gi' } } }],
  });
  const tooLarge = 'maximum cpu usage per Container is 2, but limit is 3';
  const gone = template({ runtimeClassName: 'gone' });
  const notFound = 'pod rejected: RuntimeClass "gone" not found';
  /** @type {[any, object, RegExp][]} */
  const table = [
    [
      named('Deployment', { replicas: 3, selector, template: large }),
      lists,
      new RegExp(`^the first of 3 pods of Deployment "w" would be refused: pods "w-\\w+-0" is `),
    ],
    [
      named('DaemonSet', { selector, template: large }),
      lists,
      new RegExp(`^pods of DaemonSet "w" would be refused: pods "w-0" is forbidden: ${tooLarge}$`),
    ],
    [
      named('Job', { template: gone }),
      { runtimeClasses: [] },
      new RegExp(`^the pod of Job "w" would be refused: pods "w-0" is forbidden: ${notFound}$`),
    ],
  ];
  for (const [object, options, message] of table) {
    const cluster = standIn(refused('Never', 'no.'));
    const denying = createAdmissionHandler({
      cluster,
      mode: 'deny',
      denyWhen: 'NotNow',
      ...options,
    });
    const { allowed, warnings, auditAnnotations } = await responseTo(denying, reviewOf(object));
    assert.deepEqual([allowed, auditAnnotations.fits], [true, 'Refused']);
    assert.match(auditAnnotations.message, message);
    assert.deepEqual(warnings, [auditAnnotations.message]);
    const annotating = createAdmissionHandler({ cluster, mode: 'annotate', ...options });
    const { patch } = await responseTo(annotating, reviewOf(object));
    assert.equal(JSON.parse(atob(patch)).at(-1).value, auditAnnotations.message);
    assert.deepEqual(cluster.asked, []);
  }
});

test('a list may be a function, which is called when the cluster is known', async () => {
  const caches = {
    priorityClasses: /** @type {any[]} */ ([]),
    limitRanges: /** @type {any[]} */ ([]),
    runtimeClasses: /** @type {any[]} */ ([]),
  };
  const cluster = standIn();
  const handler = createAdmissionHandler({
    cluster: async () => {
      caches.priorityClasses = [{ metadata: { name: 'batch' }, value: 3 }];
      caches.limitRanges = lists.limitRanges;
      caches.runtimeClasses = lists.runtimeClasses;
      return cluster;
    },
    mode: 'warn',
    priorityClasses: () => caches.priorityClasses,
    limitRanges: () => caches.limitRanges,
    runtimeClasses: () => caches.runtimeClasses,
  });
  const spec = { ...bounded.spec, priorityClassName: 'batch' };
  await responseTo(handler, reviewOf(named('Job', { template: { spec } })));
  const [{ pod }] = cluster.asked;
  assert.equal(pod.spec.priority, 3);
  assert.equal(pod.spec.containers[0].resources.requests.memory, '1Gi');
  assert.deepEqual(pod.spec.overhead, { cpu: '250m' });
});

test('a template that no pod can be made of is a failure', async () => {
  const errors = [];
  const onError = (/** @type {any} */ error) => errors.push(error);
  const handler = createAdmissionHandler({ cluster: standIn(), mode: 'warn', onError });
  for (const [kind, spec] of /** @type {[string, any][]} */ ([
    ['Deployment', undefined],
    ['Deployment', { template: { spec: 'none' } }],
    ['Deployment', { replicas: -1, template: template() }],
    ['StatefulSet', { replicas: '3', template: template() }],
    ['DaemonSet', { template: null }],
    ['Job', { parallelism: 1.5, template: once }],
    ['CronJob', { jobTemplate: { spec: null } }],
  ])) {
    const { allowed, auditAnnotations } = await responseTo(handler, reviewOf(named(kind, spec)));
    assert.equal(allowed, true);
    assert.match(auditAnnotations.failure, new RegExp(`^(${kind}|Job|ReplicaSet) default/w: spec`));
    assert.equal(errors.pop().name, 'InputError');
  }
});
