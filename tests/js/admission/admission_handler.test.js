// Goal: the handler answers in time whatever the cluster does, and requests do not affect each
// other. Method: a clock that the test moves, and clusters that are slow, absent, or change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdmissionHandler } from '../../../js/src/admission.js';
import { ManualClock } from '../support/manual_clock.js';
import { post, recordedPod, refused, responseTo, reviewOf, standIn } from './reviews.js';

const review = reviewOf(recordedPod());

/** Never answers, and keeps the signal that it got. */
function silentCluster() {
  /** @type {AbortSignal[]} */
  const signals = [];
  return {
    signals,
    evaluateAsync(/** @type {unknown} */ _pod, /** @type {any} */ { signal }) {
      signals.push(signal);
      return /** @type {Promise<any>} */ (new Promise(() => {}));
    },
  };
}

test('a slow cluster is waited for as long as the options and the query allow', async () => {
  /** @type {[string, number | undefined, number][]} */
  const table = [
    ['', undefined, 5000],
    ['', 800, 800],
    ['?timeout=30s', undefined, 5000],
    ['?timeout=2s', undefined, 1800],
    ['?timeout=2s', 800, 800],
  ];
  for (const [query, timeoutMs, want] of table) {
    const clock = new ManualClock();
    const cluster = silentCluster();
    const handler = createAdmissionHandler({ cluster, mode: 'warn', timeoutMs, clock });
    let isAnswered = false;
    const answer = responseTo(handler, review, { query }).finally(() => {
      isAnswered = true;
    });
    await clock.advance(want - 1);
    assert.deepEqual([isAnswered, cluster.signals[0].aborted], [false, false], `${query} ${want}`);
    await clock.advance(1);
    assert.equal(isAnswered, true);
    const { allowed, auditAnnotations } = await answer;
    assert.deepEqual(auditAnnotations, {
      failure: 'no answer in time',
      'failure-policy': 'Ignore',
    });
    assert.deepEqual([allowed, cluster.signals[0].aborted], [true, true]);
  }
});

test('fails closed with a Timeout, where the policy says so', async () => {
  const clock = new ManualClock();
  const options = { cluster: silentCluster(), mode: /** @type {const} */ ('warn'), clock };
  const handler = createAdmissionHandler({ ...options, failurePolicy: 'Fail' });
  const answer = responseTo(handler, review);
  await clock.advance(5000);
  const { allowed, status } = await answer;
  assert.deepEqual([allowed, status.code, status.reason], [false, 504, 'Timeout']);
  assert.match(status.message, /no answer in time$/);
});

test('the cluster may be given by a function, anew for each request, and late', async () => {
  const clusters = [standIn(), standIn(refused('NotNow'))];
  const given = clusters.values();
  const handler = createAdmissionHandler({
    cluster: async () => given.next().value ?? /** @type {any} */ (null),
    mode: 'warn',
  });
  assert.equal((await responseTo(handler, review)).auditAnnotations.fits, 'Now');
  assert.equal((await responseTo(handler, review)).auditAnnotations.fits, 'NotNow');
  const none = await responseTo(handler, review);
  assert.equal(none.allowed, true);
  assert.match(none.auditAnnotations.failure, /no cluster/);

  const clock = new ManualClock();
  const unsynced = createAdmissionHandler({
    cluster: () => /** @type {Promise<any>} */ (new Promise(() => {})),
    mode: 'warn',
    clock,
  });
  const late = responseTo(unsynced, review);
  await clock.advance(5000);
  assert.equal((await late).auditAnnotations.failure, 'no answer in time');
});

test('a cluster that comes when the time is over is not asked any more', async () => {
  const clock = new ManualClock();
  const cluster = standIn();
  const find = async () => {
    await clock.sleep(clock.now() + 6000);
    return cluster;
  };
  const handler = createAdmissionHandler({ cluster: find, mode: 'warn', clock });
  const answer = responseTo(handler, review);
  await clock.advance(10_000);
  assert.equal((await answer).auditAnnotations.failure, 'no answer in time');
  assert.deepEqual(cluster.asked, []);
});

test('concurrent requests get independent answers', async () => {
  const cluster = {
    evaluateAsync: async (/** @type {any} */ pod) => {
      await Promise.resolve();
      const { name } = pod.metadata;
      return /** @type {any} */ ({ result: 'scheduled', node: name, fits: 'Now', numAllNodes: 1 });
    },
  };
  const handler = createAdmissionHandler({ cluster, mode: 'warn' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      post(
        handler,
        reviewOf(recordedPod({ metadata: { name: `p${number}` } }), { uid: `u${number}` }),
      ),
    ),
  );
  answers.forEach(({ body: { response } }, number) => {
    assert.equal(response.uid, `u${number}`);
    assert.equal(response.auditAnnotations.node, `p${number}`);
  });
});

test('the answer waits for the nearest node for half of the time that is left', async () => {
  /** @type {[() => Promise<any>, string][]} */
  const table = [
    [() => new Promise(() => {}), 'no answer in time'],
    [() => Promise.reject(new Error('too many steps')), 'too many steps'],
  ];
  for (const [fail, words] of table) {
    const clock = new ManualClock();
    const first = standIn(refused('Never'));
    /** @type {any[]} */
    const asked = [];
    const cluster = {
      evaluateAsync(/** @type {any} */ pod, /** @type {any} */ options) {
        asked.push(options);
        return options.culprits ? fail() : first.evaluateAsync(pod, options);
      },
    };
    /** @type {string[]} */
    const errors = [];
    const onError = (/** @type {any} */ error) => errors.push(error.message);
    const options = { cluster: /** @type {any} */ (cluster), clock, onError, timeoutMs: 1000 };
    const handler = createAdmissionHandler({ ...options, mode: 'deny' });
    const answer = responseTo(handler, review);
    await clock.advance(500);
    const { allowed, warnings, auditAnnotations } = await answer;
    assert.deepEqual([allowed, warnings, auditAnnotations.nearest], [false, undefined, undefined]);
    assert.deepEqual(errors, [words]);
    assert.equal(asked[1].maxSteps, asked[0].maxSteps / 2);
  }
});

test('a fault of the handler’s own surroundings is a 500, not a rejection', async () => {
  const errors = [];
  const clock = {
    now() {
      throw new Error('no time');
    },
    sleep: () => Promise.resolve(),
  };
  const onError = (/** @type {unknown} */ error) => errors.push(error);
  const handler = createAdmissionHandler({ cluster: standIn(), mode: 'warn', clock, onError });
  const { status, body } = await post(handler, review);
  assert.deepEqual([status, body.kind, body.reason], [500, 'Status', 'InternalError']);
  assert.equal(errors.length, 1);
});
