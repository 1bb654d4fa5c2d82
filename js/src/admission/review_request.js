/**
 * Reads the requests of an API server to a webhook: an AdmissionReview v1 with the new object.
 * Source: k8s.io/api/admission/v1/types.go; extensible admission controllers, "Request".
 */
import { parseJson } from '../kubernetes/nesting.js';
import { badRequest, failure, requestEntityTooLarge } from '../kubernetes/status_errors.js';
import { InputError } from '../kubernetes/errors.js';
import { parseDuration } from '../kubernetes/duration.js';
import { readAll } from '../io/read_all.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** The only supported version. */
export const REVIEW = Object.freeze({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
});

/**
 * The fields of an `AdmissionRequest` that are read.
 * @typedef {object} AdmissionRequest
 * @property {string} uid
 * @property {{ group?: string, version: string, kind: string }} kind
 * @property {string} operation `CREATE`, `UPDATE`, `DELETE` or `CONNECT`
 * @property {string} [subResource]
 * @property {string} [name]
 * @property {string} [namespace]
 * @property {KubernetesObject | null} [object]
 */

/** The share of the API server's timeout that is used; the rest is for the way back. */
const TIME_SHARE = 0.9;

/**
 * Returns the time limit of a request: the API server's query contains its timeout.
 * @param {Request} request
 * @param {number} timeoutMs
 * @returns {number} milliseconds
 * @throws {import('../kubernetes/api_error.js').ApiError} BadRequest
 */
export function timeOf(request, timeoutMs) {
  const text = new URL(request.url).searchParams.get('timeout');
  if (text === null) return timeoutMs;
  try {
    const given = parseDuration(text, 'timeout');
    if (given > 0) return Math.min(timeoutMs, given * TIME_SHARE);
  } catch (cause) {
    throw badRequest(wordsOf(cause));
  }
  throw badRequest(`timeout: Invalid value: "${text}": must be more than 0`);
}

/**
 * @param {Request} request
 * @throws {import('../kubernetes/api_error.js').ApiError} MethodNotAllowed, UnsupportedMediaType
 */
export function checkHead({ method, headers }) {
  if (method !== 'POST')
    throw failure(405, 'MethodNotAllowed', `an AdmissionReview is a POST, not a ${method}`);
  const [type] = (headers.get('Content-Type') ?? '').split(';');
  if (type.trim().toLowerCase() === 'application/json') return;
  const message = `the body of the request is in the media type "${type}", not application/json`;
  throw failure(415, 'UnsupportedMediaType', message);
}

/**
 * Returns the request in the AdmissionReview of a body.
 * @param {Request} request
 * @param {number} maxBodyBytes the maximum size
 * @param {AbortSignal} end aborts when the time is up
 * @returns {Promise<AdmissionRequest>}
 * @throws {import('../kubernetes/api_error.js').ApiError} BadRequest, RequestEntityTooLarge
 */
export async function readReview({ headers, body }, maxBodyBytes, end) {
  const declared = Number(headers.get('Content-Length') ?? 0);
  if (declared > maxBodyBytes) throw requestEntityTooLarge(maxBodyBytes);
  return requestOf(parsed(await bytesOf(body ?? '', maxBodyBytes, end)));
}

/**
 * @param {ReadableStream<Uint8Array> | string} body
 * @param {number} limit
 * @param {AbortSignal} signal
 */
async function bytesOf(body, limit, signal) {
  try {
    return await readAll(body, { limit, signal });
  } catch (cause) {
    throw cause instanceof InputError ? requestEntityTooLarge(limit) : cause;
  }
}

/** @param {Uint8Array} bytes */
function parsed(bytes) {
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw badRequest(`the body is not JSON: ${wordsOf(cause)}`);
  }
}

/**
 * @param {unknown} review
 * @returns {AdmissionRequest}
 */
function requestOf(review) {
  if (!isRecord(review)) throw badRequest('the body is not an AdmissionReview');
  const { apiVersion, kind, request } = review;
  if (apiVersion !== REVIEW.apiVersion || kind !== REVIEW.kind) {
    const given = `apiVersion ${shown(apiVersion)}, kind ${shown(kind)}`;
    throw badRequest(`expected an AdmissionReview of ${REVIEW.apiVersion}, got ${given}`);
  }
  if (!isRecord(request)) throw missing('request');
  if (!isText(request.uid)) throw missing('request.uid');
  if (!isText(request.operation)) throw missing('request.operation');
  if (!isText(request.kind?.kind) || !isText(request.kind?.version)) throw missing('request.kind');
  if (request.operation === 'CREATE' && !isRecord(request.object)) throw missing('request.object');
  return /** @type {any} */ (request);
}

/** @param {string} field */
function missing(field) {
  return badRequest(`${field}: Required value`);
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string' && value !== '';
}

/** @param {unknown} value */
function shown(value) {
  return (JSON.stringify(value) ?? 'undefined').slice(0, 80);
}
