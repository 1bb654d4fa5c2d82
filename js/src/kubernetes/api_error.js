/** What an API server refuses with: for clients that get it, and for servers that say it. */
import { StowageError } from './errors.js';

/** @import { Status } from './types.js' */

/**
 * A refusal in the API server's own words: its `metav1.Status`. `code` is the reason, such as
 * `NotFound`, `Conflict` or `Expired`, and `Unknown` where the server gives none.
 * Source: apimachinery/pkg/api/errors/errors.go, v1.36.
 */
export class ApiError extends StowageError {
  /** @override */
  name = 'ApiError';

  #status;

  /**
   * @param {Status} status a Failure
   * @param {{ retryAfterSeconds?: number, cause?: unknown }} [options] the answer's `Retry-After`,
   *   which goes before what the Status says
   */
  constructor(status, { retryAfterSeconds, cause } = {}) {
    super(status.reason || 'Unknown', status.message || statusWords(status), { cause });
    this.#status = status;
    /** The HTTP status. */
    this.status = status.code ?? 500;
    /** What it is about: kind, name, causes. */
    this.details = status.details;
    /** Undefined: the server says nothing about another attempt. */
    this.retryAfterSeconds = retryAfterSeconds ?? status.details?.retryAfterSeconds;
    /**
     * With `Expired` of a list: the token that goes on, inconsistently.
     * @type {string | undefined}
     */
    this.continue = /** @type {{ continue?: string }} */ (status.metadata)?.continue;
  }

  /** The Status as it came. @override */
  toStatus() {
    return this.#status;
  }
}

/** @param {Status} status */
function statusWords({ reason, code }) {
  return reason || `the server responded with the status code ${code ?? 'unknown'}`;
}
