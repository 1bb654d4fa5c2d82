/**
 * Shared secrets as Bearer tokens.
 * Source: RFC 6750, 2.1 and 3.
 */
import { failure } from '../embedded_apiserver/status_errors.js';

/** What a header can carry as one word. */
const TOKEN = /^[\x21-\x7e]+$/;
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** @param {unknown} secret @returns {secret is string} */
export function isToken(secret) {
  return typeof secret === 'string' && TOKEN.test(secret);
}

/**
 * @param {Headers} headers
 * @param {string} secret
 * @throws {import('../api_error.js').ApiError} Unauthorized
 */
export async function checkBearerToken(headers, secret) {
  const given = BEARER.exec(headers.get('Authorization') ?? '')?.[1];
  if (given === undefined) throw failure(401, 'Unauthorized', 'a Bearer token is expected');
  if (!(await areEqual(given, secret)))
    throw failure(401, 'Unauthorized', 'the Bearer token is not the right one');
}

/**
 * Takes the same time wherever they differ, as it compares digests, whole.
 * @param {string} given
 * @param {string} wanted
 */
async function areEqual(given, wanted) {
  const [one, other] = await Promise.all([digest(given), digest(wanted)]);
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one[at] ^ other[at];
  return difference === 0;
}

/** @param {string} text */
async function digest(text) {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
