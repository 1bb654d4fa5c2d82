// Goal: a workload is asked about by its first pod, as its controllers would make it, and the
// answer says how many stand behind it. Method: workloads as the API server stores them, and what
// a stand-in for the cluster was asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { refused, responseTo, reviewOf, standIn, stored } from './reviews.js';

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
 * What the cluster was asked, and what the client is told.
 * @param {any} object
 * @param {object} [options]
 */
async function ask(object, options) {
  const cluster = standIn(refused('Never', 'no.'));
  const handler = createAdmissionHandler({ cluster, mode: 'deny', ...options });
  const { status, auditAnnotations } = await responseTo(handler, reviewOf(object));
  assert.equal(cluster.asked.length, auditAnnotations.skipped ? 0 : 1);
  return { ...cluster.asked[0], status, auditAnnotations };
}

const NEVER = 'would be unschedulable even in an empty cluster: no.';

test('the first pod stands for all', async () => {
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
