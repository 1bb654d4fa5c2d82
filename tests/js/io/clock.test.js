import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock, virtualClock } from '../../../js/src/index.js';
import { after } from '../../../js/src/runtimes/system_clock.js';

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

test('the system’s clock goes on where the time of day is set back, or forward', async (t) => {
  const clock = systemClock();
  const now = Date.now.bind(Date);
  let offset = 0;
  t.mock.method(Date, 'now', () => now() + offset);
  const start = clock.now();
  offset = -3_600_000;
  const asleep = [
    clock.sleep(start + 20),
    new Promise((resolve) => void after(20, () => resolve(0))),
  ];
  await Promise.all(asleep);
  const back = clock.now() - start;
  assert.ok(back >= 20 && back < 10_000, `${back} ms`);
  assert.ok(Math.abs(systemClock().now() - clock.now()) < 1000, 'the same for all');
  offset = 0;
  const again = clock.now() - start;
  assert.ok(again >= back && again < 10_000, `${again} ms`);
  offset = 5000;
  assert.ok(clock.now() - start >= 5000);
});
