// Goal: any number of pods may wait in Permit, and be allowed at once. Method: a plugin that makes
// each pod wait, on the WebAssembly module, within limits of time, memory and stack.
import assert from 'node:assert/strict';

import { wait } from '../../../js/src/index.js';
import { node, pod, settle, Tally, testMany, times } from './many.js';

const WAITING = 10_000;

/**
 * A scheduler whose plugin Gate makes every pod wait in Permit.
 * @param {any} engine
 * @param {object} options
 */
function gated(engine, options) {
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Gate' }] } } }],
  };
  const plugins = [{ name: 'Gate', create: () => ({ permit: () => wait(600_000) }) }];
  return engine.createScheduler({ configuration, plugins, ...options });
}

/** @param {any} scheduler @param {number} count @param {(call: any) => void} [answer] */
function fillPermit(scheduler, count, answer) {
  scheduler.apply([
    node('a', { allocatable: { cpu: String(count) } }),
    ...times(count, (index) => pod(`waits-${index}`)),
  ]);
  const { counts } = new Tally().add(settle(scheduler, answer));
  assert.deepEqual(counts, { scheduled: count });
  assert.equal(scheduler.inspect().waiting.length, count);
}

testMany(
  `${WAITING} pods wait in Permit and are allowed one by one`,
  { ms: 8000, mib: 128 },
  (engine) => {
    const scheduler = gated(engine, {});
    fillPermit(scheduler, WAITING);
    const tally = new Tally();
    for (let index = 0; index < WAITING; index += 1) {
      scheduler.apply({ type: 'ALLOW_WAITING_POD', uid: `waits-${index}`, plugin: 'Gate' });
      tally.add(scheduler.run().records);
    }
    assert.deepEqual(tally.counts, { bound: WAITING });
  },
);

testMany(
  `${WAITING} pods wait in Permit and are allowed at once`,
  { ms: 4000, mib: 128 },
  (engine) => {
    const scheduler = gated(engine, {});
    fillPermit(scheduler, WAITING);
    scheduler.apply(
      times(WAITING, (index) => ({
        type: 'ALLOW_WAITING_POD',
        uid: `waits-${index}`,
        plugin: 'Gate',
      })),
    );
    assert.deepEqual(new Tally().add(settle(scheduler)).counts, { bound: WAITING });
  },
);

testMany(`${WAITING} pods time out in Permit`, { ms: 8000, mib: 256 }, async (engine) => {
  const scheduler = gated(engine, {});
  fillPermit(scheduler, WAITING);
  const records = scheduler.records({ kinds: ['BindingResult'] });
  await scheduler.schedule({ until: 600_000, maxAttempts: 1 });
  const { value } = await records.next();
  assert.equal(value.result, 'bindFailed');
});

testMany(`${WAITING} pods that wait in Permit are preempted`, { ms: 8000, mib: 320 }, (engine) => {
  const scheduler = gated(engine, { api: 'host' });
  const answer = (/** @type {any} */ { id }) => scheduler.complete(id, { status: 200, body: '{}' });
  fillPermit(scheduler, WAITING, answer);
  scheduler.apply(pod('preemptor', { cpu: String(WAITING), spec: { priority: 1000 } }));
  const { counts } = new Tally().add(settle(scheduler, answer));
  assert.equal(counts.bindFailed, WAITING);
});
