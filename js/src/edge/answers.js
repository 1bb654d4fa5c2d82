/** Builds HTTP responses. */
import { internalError } from '../kubernetes/status_errors.js';
import { ConfigurationError, StowageError } from '../kubernetes/errors.js';
import { wordsOf } from '../kubernetes/values.js';
import { isNoneMatch } from './etag.js';

/**
 * @import { Status } from '../kubernetes/types.js'
 * @import { Cluster } from './cluster.js'
 */

const HEADERS = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

/** Responses to a POST depend on its body, so caches must not store them. */
const NOT_KEPT = { 'Cache-Control': 'no-store' };

/**
 * @param {object} document
 * @param {{ status?: number, headers?: Record<string, string> }} [options]
 */
export function jsonAnswer(document, { status = 200, headers = NOT_KEPT } = {}) {
  return new Response(JSON.stringify(document), { status, headers: { ...HEADERS, ...headers } });
}

/**
 * Returns a document, or 304 if the client has it already.
 * @param {Request} request
 * @param {() => object} document
 * @param {{ etag: string, headers: Record<string, string> }} options
 */
export function conditionalAnswer(request, document, { etag, headers }) {
  const all = { ETag: etag, ...headers };
  if (isNoneMatch(request.headers.get('If-None-Match'), etag))
    return jsonAnswer(document(), { headers: all });
  return new Response(null, { status: 304, headers: all });
}

/**
 * Describes the answer's snapshot in headers, for clients that do not read the body.
 * @param {Cluster} cluster
 * @param {number} now milliseconds since the epoch
 * @returns {Record<string, string>}
 */
export function snapshotHeaders(cluster, now) {
  return {
    ETag: cluster.etag,
    Age: String(cluster.ageSeconds(now)),
    'Last-Modified': new Date(cluster.time).toUTCString(),
  };
}

/**
 * Returns a refusal as its Status.
 * @param {unknown} error
 * @param {Record<string, string>} [headers]
 */
export function errorAnswer(error, headers = {}) {
  const status = statusOf(error);
  const challenge = status.code === 401 && { 'WWW-Authenticate': 'Bearer realm="stowage"' };
  return jsonAnswer(status, {
    status: status.code,
    headers: { ...NOT_KEPT, ...challenge, ...headers },
  });
}

/**
 * A fault of the handler itself is 500: it is not the client's fault.
 * @param {unknown} error
 * @returns {Status}
 */
export function statusOf(error) {
  const isOurs = error instanceof ConfigurationError || !(error instanceof StowageError);
  return isOurs ? internalError(wordsOf(error)).toStatus() : error.toStatus();
}
