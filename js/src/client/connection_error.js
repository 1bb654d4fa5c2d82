/** What becomes of requests that never get an answer. */
import { StowageError } from '../kubernetes/errors.js';

/** @import { Status } from '../kubernetes/types.js' */

/**
 * There is no answer, or not all of it. `code` is `ConnectionRefused`, `ConnectionReset` (also when
 * the other side ended it in the middle), `Timeout`, or `Network` for all else.
 */
export class ConnectionError extends StowageError {
  /** @override */
  name = 'ConnectionError';

  /**
   * @param {'ConnectionRefused' | 'ConnectionReset' | 'Timeout' | 'Network'} code
   * @param {string} message
   * @param {{ cause?: unknown }} [options]
   */
  constructor(code, message, options) {
    super(code, message, options);
  }

  /** @override @returns {Status} */
  toStatus() {
    const [code, reason] = this.code === 'Timeout' ? [504, 'Timeout'] : [503, 'ServiceUnavailable'];
    return {
      apiVersion: 'v1',
      kind: 'Status',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: String(reason),
      code: Number(code),
    };
  }
}
