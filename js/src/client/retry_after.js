/**
 * Decides when a request is retried. Source: client-go/rest/with_retry.go and request.go, v1.36.
 */
import { ConnectionError } from './connection_error.js';

/** @import { AnyResponse } from './api_client.js' */

/** The maximum number of retries: client-go's `maxRetries`. */
export const MOST_RETRIES = 10;

/** Seconds before a request is retried whose connection was lost. */
const AFTER_LOST_CONNECTION = 1;

/**
 * Returns the seconds of Retry-After in 429 and 5xx responses. The server has then not executed the
 * request, so all methods can be retried. Dates, which HTTP allows, are ignored: API servers do not
 * send them.
 * @param {AnyResponse} response
 * @returns {number | undefined} undefined if the request is not retried
 */
export function secondsToWait(response) {
  return response.status === 429 || response.status >= 500 ? retryAfter(response) : undefined;
}

/**
 * @param {AnyResponse} response
 * @returns {number | undefined} seconds
 */
export function retryAfter({ headers }) {
  const text = headers.get('Retry-After') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns the seconds to wait after a fault of the connection. Only reads are retried: a write may
 * have been applied.
 * @param {ConnectionError} error
 * @param {{ method: string, isWatch: boolean }} request
 * @returns {number | undefined} undefined if the request is not retried
 */
export function secondsAfterFault({ code }, { method, isWatch }) {
  const isTransient = code === 'ConnectionReset' || (isWatch && code === 'Timeout');
  return method === 'GET' && isTransient ? AFTER_LOST_CONNECTION : undefined;
}
