// Goal: an evaluation costs the same number of steps on both targets, is refused beyond its budget
// with a typed error, and the scheduler goes on as if it had not been asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const ZONE = 'topology.kubernetes.io/zone';

/** @param {number} terms */
function podWithTerms(terms) {
  const required = Array.from({ length: terms }, (_, index) => ({
    topologyKey: ZONE,
    labelSelector: { matchLabels: { app: `a${index}` } },
  }));
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
  return makePod('web', { spec: { affinity: { podAntiAffinity } } });
}

/** @param {() => Promise<import('../support/real_engine.js').RealEngine>} start */
async function makeScheduler(start) {
  const { engine } = await start();
  const scheduler = engine.createScheduler();
  scheduler.apply([0, 1, 2, 3].map((index) => makeNode(`n${index}`, { labels: { [ZONE]: 'z' } })));
  return scheduler;
}

test('both targets count the same steps, more for more terms', async (t) => {
  const schedulers = await Promise.all(Object.values(TARGETS).map(makeScheduler));
  t.after(() => schedulers.forEach((scheduler) => scheduler.dispose()));
  for (const options of [{}, { detail: 'summary' }, { allPlugins: true, classify: true }]) {
    const counts = [1, 100, 200].map((terms) =>
      schedulers.map(
        (scheduler) =>
          scheduler.evaluate(podWithTerms(terms), { ...options, maxSteps: 1e9 }).steps ?? 0,
      ),
    );
    for (const [wasm, native] of counts) assert.equal(wasm, native);
    assert.ok(counts[1][0] > counts[0][0] + 100 * 4, JSON.stringify(counts));
    assert.ok(counts[2][0] <= 2 * counts[1][0], JSON.stringify(counts));
  }
});

for (const [name, start] of Object.entries(TARGETS)) {
  test(`${name}: beyond its budget a question is refused, and the next one answered`, async (t) => {
    const scheduler = await makeScheduler(start);
    t.after(() => scheduler.dispose());
    const pod = podWithTerms(1_000);
    const want = scheduler.evaluate(pod);
    const state = JSON.stringify(scheduler.inspect({ cache: true }));
    for (const maxSteps of [1, 100, 5_000, 10_000]) {
      assert.throws(
        () => scheduler.evaluate(pod, { maxSteps }),
        (error) => {
          assert.ok(error instanceof InputError);
          const { code, kind, objectName, field, detail } = error;
          assert.deepEqual([code, kind], ['TooManySteps', 'Pod']);
          assert.deepEqual([objectName, field], ['web', 'maxSteps']);
          assert.equal(detail, `Too many steps: the evaluation takes more than ${maxSteps}`);
          assert.deepEqual([error.toStatus().code, error.toStatus().reason], [504, 'Timeout']);
          return true;
        },
      );
      assert.equal(JSON.stringify(scheduler.inspect({ cache: true })), state);
      assert.deepEqual(scheduler.evaluate(pod), want);
    }
    assert.throws(() => scheduler.evaluate(pod, { maxSteps: 0 }), { code: 'FieldValueInvalid' });
    assert.throws(() => scheduler.evaluate(pod, { maxSteps: 1.5 }), InputError);
    for (const maxSteps of [NaN, -Infinity])
      assert.throws(() => scheduler.evaluate(pod, { maxSteps }), { field: 'maxSteps' });
    assert.equal(typeof scheduler.evaluate(pod, { maxSteps: Infinity }).steps, 'undefined');
  });
}
