/** @import { Clock } from './clock.js' */

/**
 * The reason with which a timer is aborted: without one, abort() would create an error with its
 * stack that is never used.
 */
const DONE = 'done';

/**
 * Runs an operation. If its time ends or the signal aborts first, its own signal aborts, and its
 * result is ignored, even if it does not react to that signal.
 * @template T
 * @param {{ clock: Clock, until: number, signal?: AbortSignal }} bounds
 * @param {(signal: AbortSignal) => Promise<T>} make not called if the time has already passed
 * @returns {Promise<T>} rejected with the signal's reason, or with an Error on a timeout
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
 * @returns {Promise<void>} resolved at that time, or when the signal aborts
 */
export async function sleepOrStop(clock, until, signal) {
  try {
    await clock.sleep(until, signal);
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
}
