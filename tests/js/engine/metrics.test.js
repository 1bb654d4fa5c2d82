// Goal: the engine's metrics come out alike on all targets, and only where they were asked for.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../../js/src/index.js';
import { metricsText } from '../../../js/src/live/metrics_text.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

/** The metrics as text, by target. @type {Map<string, string>} */
const texts = new Map();

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();

  test(`metrics: ${target} counts attempts and the events that caused them`, async (t) => {
    /** @type {string[]} */
    const log = [];
    const scheduler = engine.createScheduler({
      metrics: true,
      log: (/** @type {string} */ line) => log.push(line),
    });
    t.after(() => scheduler.dispose());
    scheduler.apply([makeNode('n1', { cpu: '2' }), makeNode('n2', { cpu: '2' })]);
    scheduler.apply([makePod('small'), makePod('too-big', { cpu: '9' })]);
    scheduler.schedule();
    const { families } = scheduler.inspect({ metrics: true }).metrics;
    const text = metricsText(families);
    for (const line of [
      'scheduler_schedule_attempts_total{profile="default-scheduler",result="scheduled"} 1',
      'scheduler_schedule_attempts_total{profile="default-scheduler",result="unschedulable"} 1',
      'scheduler_pending_pods{queue="unschedulable"} 1',
      'scheduler_preemption_attempts_total 1',
      'scheduler_pod_scheduling_attempts_bucket{le="1"} 1',
      'scheduler_unschedulable_pods{plugin="NodeResourcesFit",profile="default-scheduler"} 1',
      'scheduler_plugin_evaluation_total' +
        '{extension_point="Filter",plugin="NodeResourcesFit",profile="default-scheduler"} 4',
    ])
      assert.ok(text.includes(`${line}\n`), `${line}\n\n${text}`);
    texts.set(target, text);
    const again = await engine.replay(log);
    t.after(() => again.dispose());
    assert.deepEqual(again.inspect({ metrics: true }).metrics.families, families);
  });

  test(`metrics: ${target} has none unless they are enabled`, (t) => {
    const scheduler = engine.createScheduler();
    t.after(() => scheduler.dispose());
    assert.throws(
      () => scheduler.inspect({ metrics: true }),
      (error) =>
        error instanceof InputError &&
        error.message === 'metrics: the scheduler was created without them',
    );
  });
}

test('metrics: all targets count alike', () => {
  assert.ok(texts.size >= 2);
  assert.equal(new Set(texts.values()).size, 1);
});
