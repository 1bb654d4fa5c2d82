/** Limits the duration of operations. */
import { failure } from '../kubernetes/status_errors.js';
import { StowageError } from '../kubernetes/errors.js';
import { inTime } from '../io/in_time.js';

/** @import { Clock } from '../engine/types.js' */

/**
 * Runs an operation. On a timeout its signal aborts, and its result is ignored.
 * @template T
 * @param {{ clock: Clock, timeoutMs: number, signal?: AbortSignal, code?: number, what?: string }}
 *   bounds `code` and `what` of the refusal
 * @param {(signal: AbortSignal) => Promise<T>} make
 * @returns {Promise<T>}
 * @throws {import('../kubernetes/api_error.js').ApiError} Timeout
 */
export async function inTimeOrTimeout(
  { clock, timeoutMs, signal, code = 504, what = 'the answer' },
  make,
) {
  const until = clock.now() + timeoutMs;
  try {
    return await inTime({ clock, until, signal }, make);
  } catch (cause) {
    if (cause instanceof StowageError || clock.now() < until) throw cause;
    throw failure(code, 'Timeout', `${what} took more than ${timeoutMs} ms`);
  }
}
