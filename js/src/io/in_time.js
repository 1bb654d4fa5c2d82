/** @import { Clock } from './clock.js' */

/**
 * Why a timer is over: without a reason an error would be made, with its stack, that nobody sees.
 */
const DONE = 'done';

/**
 * What is made, unless its time is over first, or the signal comes: then its own signal ends, and
 * nobody waits for it any more, whether or not it heeds that.
 * @template T
 * @param {{ clock: Clock, until: number, signal?: AbortSignal }} bounds
 * @param {(signal: AbortSignal) => Promise<T>} make is not called when its time is over already
 * @returns {Promise<T>} rejected with the signal's reason, or with an Error when it is too late
 */
export async function inTime({ clock, until, signal }, make) {
  signal?.throwIfAborted();
  const late = () => new Error('no answer in time');
  if (clock.now() >= until) throw late();
  const end = new AbortController();
  const done = new AbortController();
  const stop = () => end.abort(signal?.reason);
  clock.sleep(until, done.signal).then(
    () => end.abort(late()),
    () => {},
  );
  signal?.addEventListener('abort', stop);
  try {
    return await new Promise((resolve, reject) => {
      end.signal.addEventListener('abort', () => reject(end.signal.reason), { once: true });
      make(end.signal).then(resolve, reject);
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    done.abort(DONE);
  }
}

/**
 * @param {Clock} clock
 * @param {number} until
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>} resolved at that time, or when the signal comes
 */
export async function sleepOrStop(clock, until, signal) {
  try {
    await clock.sleep(until, signal);
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
}
