/** Bodies of answers on a bad connection: in pieces cut anywhere, late, broken off, or silent. */

/** @import { Clock } from '../../../js/src/engine/types.js' */
/** @import { Random } from '../../sim/random.js' */

/**
 * How the body ends before its end: with an error, as if it were whole, or not at all.
 * @typedef {'reset' | 'close' | 'silence'} Breach
 */

/**
 * @typedef {object} BodyFate
 * @property {Random} random
 * @property {Clock} clock
 * @property {AbortController} connection ends it; its reason is what the reader gets
 * @property {() => Promise<void> | undefined} gate before each piece is heard
 * @property {number} [delayMs] the longest time that a piece is late by; default 0
 * @property {number} [pieces] into how many the server's chunks are cut, at most; default 1
 * @property {number} [chunks] how many of the server's chunks come whole; default: all of them
 * @property {Breach} [breach] and what happens then, somewhere in the next one
 * @property {Uint8Array} [last] what comes behind them first
 * @property {(at: { isWithinLine: boolean }) => void} [onBreach]
 */

const LINE_FEED = 10;

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {BodyFate} fate
 * @returns {ReadableStream<Uint8Array>}
 */
export function flakyBody(body, fate) {
  const { connection } = fate;
  const { signal } = connection;
  const reader = body.getReader();
  const pieces = piecesOf(reader, fate);
  return new ReadableStream(
    {
      start(controller) {
        const end = () => {
          // An error after the end of a stream has no effect.
          controller.error(signal.reason);
          void reader.cancel(signal.reason);
        };
        signal.addEventListener('abort', end, { once: true });
      },
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (signal.aborted) return;
          if (!done) return void controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        connection.abort(connectionReset());
      },
      cancel: (reason) => connection.abort(reason),
    },
    { highWaterMark: 0 },
  );
}

/**
 * @param {ReadableStreamDefaultReader<Uint8Array>} reader
 * @param {BodyFate} fate
 */
async function* piecesOf(reader, { chunks = Infinity, breach, last, onBreach, ...fate }) {
  const { signal } = fate.connection;
  for (let count = 0; ; count += 1) {
    const { done, value } = await reader.read();
    if (done) return;
    if (count < chunks) {
      yield* cut(value, fate);
      continue;
    }
    if (last) yield last;
    const end = breach ? breachIn(value, fate.random) : 0;
    yield* cut(value.subarray(0, end), fate);
    onBreach?.({ isWithinLine: end > 0 && value[end - 1] !== LINE_FEED });
    if (breach === 'reset') throw connectionReset();
    if (breach === 'silence') await hang(signal);
    return;
  }
}

/**
 * Anywhere; seldom enough that is between two lines by chance.
 * @param {Uint8Array} chunk
 * @param {Random} random
 */
function breachIn(chunk, random) {
  return random.chance(0.2) ? chunk.length : random.below(chunk.length + 1);
}

/**
 * @param {Uint8Array} chunk
 * @param {Omit<BodyFate, 'chunks' | 'breach' | 'last' | 'onBreach'>} fate
 */
async function* cut(chunk, { random, clock, connection, gate, delayMs = 0, pieces = 1 }) {
  const { signal } = connection;
  for (let left = pieces, begin = 0; begin < chunk.length; left -= 1) {
    const end = left > 1 ? begin + 1 + random.below(chunk.length - begin) : chunk.length;
    if (delayMs > 0) await clock.sleep(clock.now() + random.below(delayMs), signal);
    await gate();
    yield chunk.subarray(begin, end);
    begin = end;
  }
}

/** Settles only when the signal aborts. @param {AbortSignal} signal */
export function hang(signal) {
  return /** @type {Promise<never>} */ (
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
    })
  );
}

/** As Node's fetch says it. */
export function connectionReset() {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('terminated', { cause });
}

/** As Node's fetch says it. */
export function connectionRefused() {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  return new TypeError('fetch failed', { cause });
}
