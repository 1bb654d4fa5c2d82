// Goal: silence ends a request, and nothing else does; nothing is left behind. Method: a clock
// moved by hand, iterators that hear or do not hear of their end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TimedIterator } from '../../../js/src/informer/timed_iterator.js';
import { settle, steppedClock } from '../support/stepped_clock.js';

/** Gives numbers, each when `next` is called; never hears of the signal. */
function prepare({ signal = new AbortController().signal, idleMs = 1000 } = {}) {
  const clock = steppedClock(0);
  const ends = [];
  const gates = [];
  const begin = (end) => {
    end.addEventListener('abort', () => ends.push(end.reason));
    return (async function* numbers() {
      for (let count = 1; ; count += 1) {
        await new Promise((resolve, reject) => gates.push({ resolve, reject }));
        if (count === 4) return;
        yield count;
      }
    })();
  };
  const pieces = new TimedIterator(begin, { clock, signal, idleMs });
  const give = async () => {
    await settle();
    gates.shift().resolve();
  };
  return { clock, pieces, ends, gates, give };
}

test('it lasts as long as something comes in time', async () => {
  const { clock, pieces, ends, give } = prepare();
  for (const want of [1, 2, 3, undefined]) {
    const next = pieces.next();
    await clock.advance(999);
    await give();
    assert.equal(await next, want);
  }
  assert.equal(pieces.count, 3);
  assert.equal(pieces.isIdle, false);
  pieces.close();
  await settle();
  assert.equal(ends.length, 1);
  assert.deepEqual(clock.sleeping(), []);
});

test('silence ends it, even if the other side does not hear', async () => {
  const { clock, pieces, ends } = prepare();
  const next = assert.rejects(pieces.next(), {
    ...{ name: 'ConnectionError', code: 'Timeout' },
    message: 'nothing came for 1 seconds',
  });
  await clock.advance(1000);
  await next;
  assert.equal(pieces.isIdle, true);
  assert.equal(ends[0].code, 'Timeout');
  await assert.rejects(pieces.next(), { code: 'Timeout' });
  assert.deepEqual(clock.sleeping(), []);
});

test('the timeout can be longer, and unread data is no silence', async () => {
  const { clock, pieces, give } = prepare();
  const first = pieces.next();
  await give();
  assert.equal(await first, 1);
  pieces.idleMs = 5000;
  await clock.advance(4000);
  const second = pieces.next();
  await clock.advance(4000);
  await give();
  assert.equal(await second, 2);
  pieces.close();
});

test('unread data is returned first', async () => {
  const { pieces, give } = prepare();
  pieces.unread(9);
  assert.equal(await pieces.next(), 9);
  const next = pieces.next();
  await give();
  assert.equal(await next, 1);
  assert.equal(pieces.count, 1);
  pieces.close();
});

test('a signal ends it, also one from before the start', async () => {
  const stop = new AbortController();
  const { pieces, clock, ends } = prepare({ signal: stop.signal });
  const next = assert.rejects(pieces.next(), /enough/);
  stop.abort(new Error('enough'));
  await next;
  assert.deepEqual(ends.map(String), ['Error: enough']);
  pieces.close();
  await settle();
  assert.deepEqual(clock.sleeping(), []);
  const late = prepare({ signal: stop.signal });
  await assert.rejects(late.pieces.next(), /enough/);
  assert.equal(late.gates.length, 0);
  late.pieces.close();
});

test('an error of the iterator is thrown', async () => {
  const { pieces, gates } = prepare();
  const next = assert.rejects(pieces.next(), /broken/);
  await settle();
  gates.shift().reject(new Error('broken'));
  await next;
  pieces.close();
});
