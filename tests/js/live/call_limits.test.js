// Goal: calls wait in their order for a place, and for the rate that the configuration has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallLimits } from '../../../js/src/live/call_limits.js';
import { ManualClock, settle } from '../support/manual_clock.js';

/** @param {object} limits */
function make(limits) {
  const clock = new ManualClock();
  const end = new AbortController();
  const made = new CallLimits({ concurrency: 100, clock, signal: end.signal, ...limits });
  const began = /** @type {number[]} */ ([]);
  const answers = /** @type {Map<number, (answer: any) => void>} */ (new Map());
  const never = new AbortController().signal;
  const call = (/** @type {number} */ number, signal = never) =>
    made.run(signal, () => {
      began.push(number);
      return new Promise((resolve) => answers.set(number, resolve));
    });
  return { clock, end, limits: made, began, answers, call };
}

test('at most so many are under way, and the others wait in their order', async () => {
  const { limits, began, answers, call } = make({ concurrency: 2 });
  const calls = [1, 2, 3, 4].map((number) => call(number));
  await settle();
  assert.deepEqual(began, [1, 2]);
  assert.equal(limits.waiting, 2);
  answers.get(2)?.('two');
  assert.equal(await calls[1], 'two');
  await settle();
  assert.deepEqual(began, [1, 2, 3]);
  for (const number of [1, 3]) answers.get(number)?.(number);
  await settle();
  answers.get(4)?.(4);
  assert.deepEqual(await Promise.all(calls), [1, 'two', 3, 4]);
});

test('a call that failed leaves its place to another', async () => {
  const { limits, began, call } = make({ concurrency: 1 });
  const never = new AbortController().signal;
  await assert.rejects(
    limits.run(never, () => Promise.reject(new Error('reset'))),
    /reset/,
  );
  void call(1);
  await settle();
  assert.deepEqual(began, [1]);
});

test('a waiter that aborts leaves the queue', async () => {
  const { limits, began, answers, call } = make({ concurrency: 1 });
  const first = call(1);
  const stop = new AbortController();
  const second = call(2, stop.signal);
  const third = call(3);
  await settle();
  stop.abort(new Error('enough'));
  await assert.rejects(second, /enough/);
  await assert.rejects(call(4, stop.signal), /enough/);
  assert.equal(limits.waiting, 1);
  answers.get(1)?.(1);
  await first;
  await settle();
  assert.deepEqual(began, [1, 3]);
  answers.get(3)?.(3);
  await third;
});

test('those that left in any place are skipped, and the places of the others stay', async () => {
  const { limits, began, answers, call } = make({ concurrency: 1 });
  void call(0);
  const stops = Array.from({ length: 9 }, () => new AbortController());
  const calls = stops.map(({ signal }, index) => call(index + 1, signal).catch(() => 'left'));
  for (const number of [1, 4, 5, 9]) stops[number - 1].abort(new Error('left'));
  for (const number of [0, 2, 3, 6, 7]) {
    await settle();
    answers.get(number)?.(number);
  }
  await settle();
  assert.deepEqual(began, [0, 2, 3, 6, 7, 8]);
  assert.equal(limits.waiting, 0);
  answers.get(8)?.(8);
  assert.deepEqual(await Promise.all(calls), ['left', 2, 3, 'left', 'left', 6, 7, 8, 'left']);
});

test('a rate: the burst at once, then so many per second', async () => {
  const { clock, end, began, call } = make({ rate: { qps: 10, burst: 3 } });
  for (let number = 1; number <= 6; number += 1) void call(number).catch(() => {});
  await settle();
  assert.deepEqual(began, [1, 2, 3]);
  await clock.advance(99);
  assert.deepEqual(began, [1, 2, 3]);
  await clock.advance(1);
  assert.deepEqual(began, [1, 2, 3, 4]);
  await clock.advance(200);
  assert.deepEqual(began, [1, 2, 3, 4, 5, 6]);
  await clock.advance(60_000);
  for (let number = 7; number <= 12; number += 1) void call(number).catch(() => {});
  await settle();
  assert.deepEqual(began.slice(6), [7, 8, 9], 'no more than the burst was saved up');
  end.abort();
  await settle();
  assert.equal(clock.sleepers, 0);
  await clock.advance(1000);
  assert.deepEqual(began.slice(6), [7, 8, 9]);
});
