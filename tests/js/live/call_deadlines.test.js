// Goal: each call has a timeout from its own start, and no caller waits longer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallDeadlines } from '../../../js/src/live/call_deadlines.js';
import { ManualClock, settle } from '../support/manual_clock.js';

function make() {
  const clock = new ManualClock();
  const end = new AbortController();
  const deadlines = new CallDeadlines({ clock, timeout: 1000, signal: end.signal });
  /** A call without an answer, and its outcome. */
  const silent = () => {
    const call = { outcome: 'waits' };
    deadlines
      .run(() => new Promise(() => {}))
      .catch((cause) => void (call.outcome = cause.message));
    return call;
  };
  return { clock, end, deadlines, silent };
}

test('an answer in time is returned unchanged', async () => {
  const { clock, deadlines } = make();
  assert.equal(await deadlines.run(async () => 'yes'), 'yes');
  const reset = () => Promise.reject(new Error('reset'));
  await assert.rejects(deadlines.run(reset), /reset/);
  await clock.advance(1000);
  assert.equal(clock.sleepers, 0);
});

test('each has its own time', async () => {
  const { clock, silent } = make();
  const first = silent();
  await clock.advance(400);
  const second = silent();
  await clock.advance(599);
  assert.equal(first.outcome, 'waits');
  await clock.advance(1);
  assert.equal(first.outcome, 'no answer in time');
  assert.equal(second.outcome, 'waits');
  await clock.advance(399);
  assert.equal(second.outcome, 'waits');
  await clock.advance(1);
  assert.equal(second.outcome, 'no answer in time');
  assert.equal(clock.sleepers, 0);
  const third = silent();
  await clock.advance(1000);
  assert.equal(third.outcome, 'no answer in time');
});

test('one sleep is enough for many, and is over with the last of them', async () => {
  const { clock, deadlines } = make();
  const answers = /** @type {((answer: unknown) => void)[]} */ ([]);
  const calls = [1, 2, 3].map(() =>
    deadlines.run(() => new Promise((resolve) => answers.push(resolve))),
  );
  await settle();
  assert.equal(clock.sleepers, 1);
  for (const answer of answers) answer('yes');
  assert.deepEqual(await Promise.all(calls), ['yes', 'yes', 'yes']);
  await clock.advance(1000);
  assert.equal(clock.sleepers, 0);
});

test('no sleep is left at the end', async () => {
  const { clock, end, silent } = make();
  const call = silent();
  await settle();
  end.abort();
  await settle();
  assert.equal(clock.sleepers, 0);
  assert.equal(call.outcome, 'waits');
});
