/**
 * When a request is made again by itself.
 * Source: client-go/rest/with_retry.go and request.go, v1.36.
 */
import { ConnectionError } from './connection_error.js';

/** @import { AnyResponse } from './api_client.js' */

/** How often a request is made again, at most: client-go's `maxRetries`. */
export const MOST_RETRIES = 10;

/** Seconds before a request is made again whose connection was lost. */
const AFTER_LOST_CONNECTION = 1;

/**
 * Seconds to wait before another attempt, as the server says it with 429 and 5xx; it has not done
 * then what it was asked for, so that this holds for every method. A date, as HTTP allows it, is
 * not what API servers send, and is no answer.
 * @param {AnyResponse} response
 * @returns {number | undefined} undefined: no other attempt
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
 * Seconds to wait after a fault of the connection. Only reads are retried: a write may
 * have been applied.
 * @param {ConnectionError} error
 * @param {{ method: string, isWatch: boolean }} request
 * @returns {number | undefined} undefined: no other attempt
 */
export function secondsAfterFault({ code }, { method, isWatch }) {
  const isTransient = code === 'ConnectionReset' || (isWatch && code === 'Timeout');
  return method === 'GET' && isTransient ? AFTER_LOST_CONNECTION : undefined;
}
