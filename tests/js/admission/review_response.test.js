// Goal: the mode and the policy turn a verdict into an answer in the API server's shape. Method:
// verdicts of a stand-in for the cluster, and the answers to real pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { InputError } from '../../../js/src/kubernetes/errors.js';
import { applyJsonPatch } from '../../../js/apiserver/patch/json_patch.js';
import { recordedPod, refused, responseTo, reviewOf, standIn } from './reviews.js';

const FIT_ERROR = '0/3 nodes are available: 3 Insufficient cpu.';

/** @param {any} options @param {any} [evaluation] @param {any} [pod] */
function respond({ mode, ...options }, evaluation, pod = recordedPod()) {
  const handler = createAdmissionHandler({ cluster: standIn(evaluation), mode, ...options });
  return responseTo(handler, reviewOf(pod));
}

const preempting = {
  ...refused('WithPreemption'),
  preemption: { nominatedNode: 'n2', victims: ['batch/a'] },
};

test('the mode and denyWhen determine the answer to a pod', async () => {
  /** @type {[any, any, 'silent' | 'warned' | 'denied'][]} */
  const table = [
    [{ mode: 'warn' }, {}, 'silent'],
    [{ mode: 'warn' }, preempting, 'warned'],
    [{ mode: 'warn' }, refused('NotNow'), 'warned'],
    [{ mode: 'warn', denyWhen: 'Never' }, refused('Never'), 'warned'],
    [{ mode: 'deny' }, {}, 'silent'],
    [{ mode: 'deny' }, preempting, 'warned'],
    [{ mode: 'deny' }, refused('NotNow'), 'warned'],
    [{ mode: 'deny' }, refused('Never'), 'denied'],
    [{ mode: 'deny', denyWhen: 'NotNow' }, {}, 'silent'],
    [{ mode: 'deny', denyWhen: 'NotNow' }, preempting, 'warned'],
    [{ mode: 'deny', denyWhen: 'NotNow' }, refused('NotNow'), 'denied'],
    [{ mode: 'deny', denyWhen: 'NotNow' }, refused('Never'), 'denied'],
  ];
  for (const [options, evaluation, want] of table) {
    const { allowed, warnings, status, patch } = await respond(options, evaluation);
    assert.equal(allowed ? (warnings ? 'warned' : 'silent') : 'denied', want);
    assert.equal(status !== undefined, want === 'denied');
    assert.equal(patch, undefined, 'a validating webhook may not patch');
  }
});

test('a denial is a Status that names the field', async () => {
  const { status } = await respond({ mode: 'deny' }, refused('Never'));
  const { name } = recordedPod().metadata;
  const message = `pod "${name}" would be unschedulable even in an empty cluster: ${FIT_ERROR}`;
  assert.deepEqual(status, {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Invalid',
    details: {
      name,
      kind: 'Pod',
      causes: [{ reason: 'FieldValueInvalid', message, field: 'spec' }],
    },
    code: 422,
  });
});

test('a warning has 256 characters at most and none that a header cannot have', async () => {
  const long = `0/3 nodes are available: ${'🦊 says\nno, '.repeat(60)}`;
  const { warnings, auditAnnotations } = await respond({ mode: 'warn' }, refused('NotNow', long));
  const [warning, ...others] = warnings;
  assert.deepEqual(others, []);
  assert.equal([...warning].length, 256);
  assert.match(warning, /^pod ".*" would be unschedulable: 0\/3 .*🦊 says no.*…$/u);
  assert.ok(auditAnnotations.message.endsWith(long), 'the full text');

  const pod = recordedPod({ metadata: { name: 'w' } });
  const start = 'pod "w" would be unschedulable: ';
  const exact = '🦊'.repeat(256 - start.length);
  const uncut = await respond({ mode: 'warn' }, refused('NotNow', exact), pod);
  assert.deepEqual(uncut.warnings, [start + exact]);
});

/** @param {object} [more] of the culprit */
const culprit = (more) => ({
  node: 'n1',
  plugin: 'NodeResourcesFit',
  reasons: ['Insufficient cpu'],
  resources: [{ resource: 'cpu', asked: '5', allocatable: '4', taken: '0', missing: '1', ...more }],
});
const NEAREST = 'nearest node of pod "w": n1: the pod asks for 5 cpu, 0 of 4 are taken: 1 missing';

test('a second warning names what the nearest node lacks for a pod that fits nowhere', async () => {
  const pod = recordedPod({ metadata: { name: 'w' } });
  /** @type {[any, any, string[] | undefined][]} */
  const table = [
    [{ mode: 'warn' }, refused('Never'), ['pod "w" would', NEAREST]],
    [{ mode: 'warn' }, refused('NotNow'), ['pod "w" would', NEAREST]],
    [{ mode: 'deny' }, refused('NotNow'), ['pod "w" would', NEAREST]],
    [{ mode: 'deny' }, refused('Never'), [NEAREST]],
    [{ mode: 'warn' }, preempting, ['pod "w" would']],
    [{ mode: 'warn' }, {}, undefined],
    [{ mode: 'annotate' }, refused('Never'), undefined],
  ];
  for (const [options, evaluation, want] of table) {
    const cluster = standIn({ ...evaluation, culprits: [culprit()] });
    const handler = createAdmissionHandler({ cluster, ...options });
    const { warnings, auditAnnotations } = await responseTo(handler, reviewOf(pod));
    const says = want?.includes(NEAREST) ?? false;
    assert.deepEqual(
      warnings?.map((/** @type {string} */ it) => (it === NEAREST ? it : it.slice(0, 13))),
      want,
    );
    assert.equal(auditAnnotations.nearest, says ? NEAREST.replace(/^.*?: /, '') : undefined);
    assert.equal(cluster.asked.length, says ? 2 : 1, 'it is only asked after a refusal');
    assert.equal(cluster.asked[0].options.culprits, undefined);
  }
  const long = await respond(
    { mode: 'warn' },
    { ...refused('Never'), culprits: [culprit({ resource: 'x'.repeat(400) })] },
    pod,
  );
  assert.equal([...long.warnings[1]].length, 256);
  const none = await respond({ mode: 'warn' }, { ...refused('Never'), culprits: [] }, pod);
  assert.equal(none.warnings.length, 1);
});

test('names of audit annotations are such as an API server can prefix', async () => {
  const { auditAnnotations } = await respond({ mode: 'warn' }, preempting);
  assert.deepEqual(Object.keys(auditAnnotations), ['fits', 'node', 'message']);
  for (const [name, value] of Object.entries(auditAnnotations)) {
    assert.match(name, /^[a-z]([a-z-]*[a-z])?$/);
    assert.equal(typeof value, 'string');
  }
});

/** @param {any} pod @param {any} response */
function patched(pod, { allowed, patchType, patch, warnings }) {
  assert.deepEqual([allowed, patchType, warnings], [true, 'JSONPatch', undefined]);
  return applyJsonPatch(pod, JSON.parse(Buffer.from(patch, 'base64').toString('utf8')));
}

test('annotations say the node and the reason, and nothing else is touched', async () => {
  const stale = { 'stowage/predicted-node': 'old', 'stowage/predicted-reason': 'old', mine: '1' };
  const message = (/** @type {string} */ text) => `pod "w" would be unschedulable: ${text}`;
  /** @type {[string, any, any, any][]} */
  const table = [
    ['none there', undefined, {}, { 'stowage/predicted-node': 'n1' }],
    ['null there', null, {}, { 'stowage/predicted-node': 'n1' }],
    ['others there', { mine: '1' }, {}, { mine: '1', 'stowage/predicted-node': 'n1' }],
    ['a stale reason', stale, {}, { mine: '1', 'stowage/predicted-node': 'n1' }],
    [
      'a stale node',
      stale,
      refused('NotNow', 'größer als 5 ≥ 4'),
      { mine: '1', 'stowage/predicted-reason': message('größer als 5 ≥ 4') },
    ],
    [
      'preemption',
      {},
      preempting,
      {
        'stowage/predicted-node': 'n2',
        'stowage/predicted-reason': `pod "w" would have to preempt batch/a on n2: ${FIT_ERROR}`,
      },
    ],
  ];
  for (const [what, annotations, evaluation, want] of table) {
    const pod = recordedPod({ metadata: { name: 'w', annotations } });
    const response = await respond({ mode: 'annotate' }, evaluation, pod);
    const { metadata, ...rest } = patched(pod, response);
    assert.deepEqual(metadata, { ...pod.metadata, annotations: want }, what);
    assert.deepEqual(rest, { ...rest, spec: pod.spec });
  }
});

test('an answer without annotations has no patch', async () => {
  const pod = recordedPod({ spec: { nodeName: 'n1' } });
  const { patch, patchType, allowed } = await respond({ mode: 'annotate' }, {}, pod);
  assert.deepEqual([allowed, patch, patchType], [true, undefined, undefined]);
});

test('failurePolicy allows or denies a failed evaluation, and onError gets it', async () => {
  const broken = (/** @type {unknown} */ cause) => ({ evaluateAsync: () => Promise.reject(cause) });
  const badCpu = new InputError({
    code: 'FieldValueInvalid',
    kind: 'Pod',
    field: 'spec',
    detail: 'x',
  });
  /** @type {[unknown, number, string][]} */
  const table = [
    [new TypeError('boom'), 500, 'InternalError'],
    ['boom', 500, 'InternalError'],
    [badCpu, 422, 'Invalid'],
  ];
  for (const [cause, code, reason] of table) {
    const errors = [];
    const onError = (/** @type {unknown} */ error) => errors.push(error);
    const options = { cluster: broken(cause), mode: /** @type {const} */ ('warn'), onError };
    const open = await responseTo(createAdmissionHandler(options), reviewOf(recordedPod()));
    const text = cause instanceof Error ? cause.message : cause;
    assert.deepEqual(open, {
      allowed: true,
      auditAnnotations: { failure: text, 'failure-policy': 'Ignore' },
    });
    const closed = await responseTo(
      createAdmissionHandler({ ...options, failurePolicy: 'Fail' }),
      reviewOf(recordedPod()),
    );
    assert.equal(closed.allowed, false);
    assert.deepEqual([closed.status.code, closed.status.reason], [code, reason]);
    assert.equal(
      closed.status.message,
      `it is not known whether this Pod could be scheduled: ${text}`,
    );
    assert.equal(closed.auditAnnotations['failure-policy'], 'Fail');
    assert.deepEqual(errors, [cause, cause]);
  }
});
