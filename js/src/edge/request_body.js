/** Reads bodies of requests: JSON, of bounded size, in bounded time. */
import { parseJson } from '../kubernetes/nesting.js';
import { badRequest, failure, requestEntityTooLarge } from '../kubernetes/status_errors.js';
import { InputError } from '../kubernetes/errors.js';
import { wordsOf } from '../kubernetes/values.js';
import { readAll } from '../io/read_all.js';
import { inTimeOrTimeout } from './time_limit.js';

/** @import { Clock } from '../engine/types.js' */

/** The only valid `charset` of JSON is UTF-8. */
const JSON_TYPE = /^application\/json *(; *charset *= *"?utf-8"? *)?$/i;

/**
 * @param {Request} request
 * @param {{ limit: number, clock: Clock, timeoutMs: number }} bounds `limit` in bytes
 * @returns {Promise<Uint8Array>}
 * @throws {import('../kubernetes/api_error.js').ApiError} BadRequest, RequestEntityTooLarge,
 *   UnsupportedMediaType, Timeout
 */
export async function bodyBytes(request, { limit, clock, timeoutMs }) {
  const { headers, body, signal } = request;
  checkTypes(headers);
  const declared = declaredLength(headers);
  if (declared !== undefined && declared > limit) throw requestEntityTooLarge(limit);
  if (!body) throw badRequest('the request has no body');
  const bounds = { clock, timeoutMs, signal, code: 408, what: 'the body of the request' };
  const bytes = await inTimeOrTimeout(bounds, async (end) => {
    try {
      return await readAll(body, { limit, expected: declared, signal: end });
    } catch (cause) {
      if (cause instanceof InputError) throw requestEntityTooLarge(limit);
      if (end.aborted) throw cause;
      throw badRequest(`the body breaks off: ${wordsOf(cause)}`);
    }
  });
  if (bytes.length === 0) throw badRequest('the request has no body');
  return bytes;
}

/**
 * @param {Uint8Array} bytes
 * @returns {unknown}
 * @throws {import('../kubernetes/api_error.js').ApiError} BadRequest
 */
export function jsonOf(bytes) {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw badRequest(`the body is not JSON: ${wordsOf(cause)}`);
  }
}

/** @param {Headers} headers */
function checkTypes(headers) {
  const type = headers.get('Content-Type');
  if (type === null || !JSON_TYPE.test(type)) {
    const message = `the body is ${type ?? 'of no type'}: only application/json is accepted`;
    throw failure(415, 'UnsupportedMediaType', message);
  }
  const encoding = headers.get('Content-Encoding') ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  const message = `the body is encoded as ${encoding}: only identity is accepted`;
  throw failure(415, 'UnsupportedMediaType', message);
}

/** @param {Headers} headers */
function declaredLength(headers) {
  const text = headers.get('Content-Length');
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw badRequest('Content-Length is not a number of bytes');
  return Number(text);
}
