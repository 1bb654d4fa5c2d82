/** Reads responses: the requested JSON, or the refusal. */
import { InputError } from '../kubernetes/errors.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';
import { ApiError } from '../kubernetes/api_error.js';
import { genericStatus } from '../kubernetes/generic_status.js';
import { retryAfter } from './retry_after.js';

/** @import { AnyResponse } from './api_client.js' */

/** @typedef {{ method: string, path: string }} About the request */

/**
 * @param {About} about
 * @param {AnyResponse} response
 * @param {Uint8Array} bytes its body
 * @returns {any}
 * @throws {ApiError} of a refusal
 * @throws {InputError} `MalformedJson`
 */
export function answeredJson(about, response, bytes) {
  if (!response.ok) throw refusalOf(about, response, bytes);
  try {
    return JSON.parse(textOf(bytes));
  } catch (cause) {
    const detail = `the answer to ${about.method} ${about.path} is no JSON: ${wordsOf(cause)}`;
    throw new InputError({ code: 'MalformedJson', detail }, { cause });
  }
}

/**
 * @param {About} about
 * @param {AnyResponse} response
 * @param {Uint8Array} bytes its body
 * @returns {ApiError}
 */
export function refusalOf(about, response, bytes) {
  const { status: code } = response;
  const status = statusIn(bytes) ?? genericStatus(code, { ...about, text: textOf(bytes) });
  return new ApiError({ ...status, code }, { retryAfterSeconds: retryAfter(response) });
}

/** @param {Uint8Array} bytes */
function statusIn(bytes) {
  try {
    const body = JSON.parse(textOf(bytes));
    return isRecord(body) && body.kind === 'Status' && body.status !== 'Success'
      ? /** @type {import('../kubernetes/types.js').Status} */ (body)
      : undefined;
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  return new TextDecoder().decode(bytes);
}
