/** The refusal of an API server, for clients that receive it and servers that send it. */
import { StowageError } from './errors.js';

/** @import { Status } from './types.js' */

/**
 * A refusal in the API server's own words: its `metav1.Status`. `code` is the reason, such as
 * `NotFound`, `Conflict` or `Expired`, and `Unknown` if the server gives none. Source:
 * apimachinery/pkg/api/errors/errors.go, v1.36.
 */
export class ApiError extends StowageError {
  /** @override */
  name = 'ApiError';

  #status;

  /**
   * @param {Status} status a Failure
   * @param {{ retryAfterSeconds?: number, cause?: unknown }} [options] the response's
   *   `Retry-After`, which takes precedence over the Status
   */
  constructor(status, { retryAfterSeconds, cause } = {}) {
    super(status.reason || 'Unknown', status.message || statusWords(status), { cause });
    this.#status = status;
    /** The HTTP status. */
    this.status = status.code ?? 500;
    /** The object that it concerns: kind, name, causes. */
    this.details = status.details;
    /** Undefined if the server does not suggest a retry. */
    this.retryAfterSeconds = retryAfterSeconds ?? status.details?.retryAfterSeconds;
    /**
     * For `Expired` lists: a token that continues with an inconsistent list.
     * @type {string | undefined}
     */
    this.continue = /** @type {{ continue?: string }} */ (status.metadata)?.continue;
  }

  /** The Status as received. @override */
  toStatus() {
    return this.#status;
  }
}

/** @param {Status} status */
function statusWords({ reason, code }) {
  return reason || `the server responded with the status code ${code ?? 'unknown'}`;
}

/**
 * Returns the function's result, or the refusal that it throws.
 * @template T
 * @param {() => T} make
 * @returns {{ made: T, refusal?: undefined } | { made?: undefined, refusal: string }}
 */
export function admitted(make) {
  try {
    return { made: make() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { refusal: error.message };
  }
}
