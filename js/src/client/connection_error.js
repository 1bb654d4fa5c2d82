/** The error of requests without a response. */
import { StowageError } from '../kubernetes/errors.js';

/** @import { Status } from '../kubernetes/types.js' */

/**
 * There is no response, or only a part of it. `code` is `ConnectionRefused`, `ConnectionReset`
 * (also if the server ended it in the middle), `Timeout`, or `Network` for everything else.
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
