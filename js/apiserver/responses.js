/** Creates HTTP responses. */
import { ApiError } from '../src/kubernetes/api_error.js';
import { StowageError } from '../src/kubernetes/errors.js';
import { PlainResponse } from '../src/io/plain_http.js';
import { wordsOf } from '../src/kubernetes/values.js';
import { internalError } from '../src/kubernetes/status_errors.js';

const HEADERS = { 'cache-control': 'no-cache, private' };
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json' };

/**
 * @param {string} text
 * @param {{ status?: number, warnings?: string[], headers?: Record<string, string> }} [options]
 *   `headers` by names in lower case
 */
export function jsonResponse(text, { status = 200, warnings = [], headers = {} } = {}) {
  const warning = warnings.length > 0 && { warning: warnings.map(warningText).join(', ') };
  return new PlainResponse(text, { status, headers: { ...JSON_HEADERS, ...headers, ...warning } });
}

/** @param {ReadableStream<Uint8Array>} stream of JSON lines */
export function streamResponse(stream) {
  return new PlainResponse(stream, { status: 200, headers: JSON_HEADERS });
}

/**
 * Returns a refusal as its Status. Other errors become an internal server error.
 * @param {unknown} error
 */
export function errorResponse(error) {
  const status = statusOf(error);
  const retryAfter = status.details?.retryAfterSeconds;
  return jsonResponse(JSON.stringify(status), {
    status: status.code,
    headers: retryAfter ? { 'retry-after': String(retryAfter) } : {},
  });
}

/** @param {string} text */
export function textResponse(text) {
  const headers = { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' };
  return new PlainResponse(text, { status: 200, headers });
}

/** @param {unknown} error */
function statusOf(error) {
  if (error instanceof ApiError || error instanceof StowageError) return error.toStatus();
  return internalError(wordsOf(error)).toStatus();
}

/** RFC 7234, 5.5: code 299, no agent. @param {string} text */
function warningText(text) {
  const plain = text.replace(/[^\x20-\x7e]/g, ' ');
  return `299 - "${plain.replace(/[\\"]/g, '\\$&')}"`;
}
