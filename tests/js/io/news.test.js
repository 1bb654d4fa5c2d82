import assert from 'node:assert/strict';
import { test } from 'node:test';

import { virtualClock } from '../../../js/src/index.js';
import { News } from '../../../js/src/io/news.js';

/** A clock on which nothing comes to pass. */
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

test('news wakes all current waiters, and no later ones', async () => {
  const news = new News();
  const first = Promise.all([news.next(), news.next()]);
  news.tell();
  await first;
  let isAwake = false;
  const later = news.next().then(() => {
    isAwake = true;
  });
  await new Promise(setImmediate);
  assert.equal(isAwake, false);
  news.tell();
  await later;
});

test('a sleeper wakes with the time or with news, and the clock is let go', async () => {
  const news = new News();
  const clock = virtualClock(0);
  await news.sleep(clock, 500);
  assert.equal(clock.now(), 500);
  const stuck = stuckClock();
  const sleeping = news.sleep(stuck, 500);
  news.tell();
  await sleeping;
  assert.equal(stuck.slept[0].aborted, true);
});

test('the signal ends every wait with its reason', async () => {
  const news = new News();
  const reason = new Error('enough');
  const ending = new AbortController();
  const waits = [news.next(ending.signal), news.sleep(stuckClock(), 500, ending.signal)];
  ending.abort(reason);
  for (const wait of waits) await assert.rejects(wait, reason);
  await assert.rejects(news.next(ending.signal), reason);
  await assert.rejects(news.sleep(virtualClock(0), 500, ending.signal), reason);
});
