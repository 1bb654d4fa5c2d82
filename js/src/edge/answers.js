/** Answers over HTTP. */
import { internalError } from '../kubernetes/status_errors.js';
import { ConfigurationError, StowageError } from '../kubernetes/errors.js';
import { wordsOf } from '../kubernetes/values.js';
import { isNoneMatch } from './etag.js';

/**
 * @import { Status } from '../kubernetes/types.js'
 * @import { Cluster } from './cluster.js'
 */

const HEADERS = { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' };

/** What depends on the body of the question is nobody else's. */
const NOT_KEPT = { 'Cache-Control': 'no-store' };

/**
 * @param {object} document
 * @param {{ status?: number, headers?: Record<string, string> }} [options]
 */
export function jsonAnswer(document, { status = 200, headers = NOT_KEPT } = {}) {
  return new Response(JSON.stringify(document), { status, headers: { ...HEADERS, ...headers } });
}

/**
 * A document that a client may have already.
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
 * What the answer's snapshot is, for who does not read the answer.
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
 * A refusal as the Status that it is.
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
 * What is wrong with the handler itself is not the fault of who asks.
 * @param {unknown} error
 * @returns {Status}
 */
export function statusOf(error) {
  const isOurs = error instanceof ConfigurationError || !(error instanceof StowageError);
  return isOurs ? internalError(wordsOf(error)).toStatus() : error.toStatus();
}
