import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock, virtualClock } from '../../../js/src/index.js';

test('a virtual clock jumps, and never goes back', async () => {
  const clock = virtualClock(new Date(1000));
  assert.equal(clock.now(), 1000);
  await clock.sleep(5000);
  assert.equal(clock.now(), 5000);
  clock.advanceTo(3000);
  assert.equal(clock.now(), 5000);
  clock.advanceTo(new Date(7000));
  assert.equal(clock.now(), 7000);
  await assert.rejects(clock.sleep(8000, AbortSignal.abort()), { name: 'AbortError' });
});

test('the system’s clock sleeps until it is woken', async () => {
  const clock = systemClock();
  await clock.sleep(clock.now());
  const controller = new AbortController();
  const asleep = clock.sleep(clock.now() + 1e6, controller.signal);
  controller.abort();
  await assert.rejects(asleep, { name: 'AbortError' });
  await assert.rejects(clock.sleep(0, AbortSignal.abort()), { name: 'AbortError' });
});
