// Goal: work is done in its order, and however much there is, everything else has its turn, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../js/src/index.js';
import { FairTurns } from '../../../js/src/informer/fair_turns.js';

/** @param {number} ms */
function beBusy(ms) {
  for (const end = Date.now() + ms; Date.now() < end;);
}

test('turns are granted in the order of requests', async () => {
  const turns = new FairTurns(systemClock());
  const done = [];
  const all = [1, 2, 3].map((number) => turns.take(() => done.push(number)));
  await assert.rejects(
    turns.take(() => {
      throw new Error('bad');
    }),
    /bad/,
  );
  assert.equal(await turns.take(() => 'good'), 'good');
  await Promise.all(all);
  assert.deepEqual(done, [1, 2, 3]);
});

test('a timer comes in between, however many streams want to go on', async () => {
  const turns = new FairTurns(systemClock());
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const done = Array.from({ length: 20 }, () => 0);
  const streams = done.map(async (_, index) => {
    for (let count = 0; count < 5; count += 1) {
      await turns.take(() => beBusy(1));
      done[index] += 1;
      assert.ok(Math.max(...done) - Math.min(...done) <= 1, 'a stream is left behind');
    }
  });
  await Promise.all(streams);
  clearInterval(timer);
  assert.ok(ticks >= 5, `${ticks} ticks in 100 ms of work`);
});

test('little work does not wait', async () => {
  const turns = new FairTurns(systemClock());
  let isLater = false;
  setImmediate(() => (isLater = true));
  for (let count = 0; count < 100; count += 1) await turns.take(() => {});
  assert.equal(isLater, false);
});
