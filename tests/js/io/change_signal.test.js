import assert from 'node:assert/strict';
import { test } from 'node:test';

import { virtualClock } from '../../../js/src/index.js';
import { ChangeSignal } from '../../../js/src/io/change_signal.js';

/** A clock whose sleeps never end by themselves. */
function stuckClock() {
  const slept = /** @type {AbortSignal[]} */ ([]);
  return {
    slept,
    now: () => 0,
    sleep: (/** @type {number} */ _until, /** @type {AbortSignal} */ signal) => {
      slept.push(signal);
      return /** @type {Promise<void>} */ (
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        })
      );
    },
  };
}

test('ChangeSignal.notify wakes the present waiters, and no later ones', async () => {
  const changes = new ChangeSignal();
  const first = Promise.all([changes.next(), changes.next()]);
  changes.notify();
  await first;
  let isAwake = false;
  const later = changes.next().then(() => {
    isAwake = true;
  });
  await new Promise(setImmediate);
  assert.equal(isAwake, false);
  changes.notify();
  await later;
});

test('ChangeSignal.sleep ends with the time or a change', async () => {
  const changes = new ChangeSignal();
  const clock = virtualClock(0);
  await changes.sleep(clock, 500);
  assert.equal(clock.now(), 500);
  const stuck = stuckClock();
  const sleeping = changes.sleep(stuck, 500);
  changes.notify();
  await sleeping;
  assert.equal(stuck.slept[0].aborted, true);
});

test('ChangeSignal rejects every wait with the reason of its signal', async () => {
  const changes = new ChangeSignal();
  const reason = new Error('enough');
  const ending = new AbortController();
  const waits = [changes.next(ending.signal), changes.sleep(stuckClock(), 500, ending.signal)];
  ending.abort(reason);
  for (const wait of waits) await assert.rejects(wait, reason);
  await assert.rejects(changes.next(ending.signal), reason);
  await assert.rejects(changes.sleep(virtualClock(0), 500, ending.signal), reason);
});
