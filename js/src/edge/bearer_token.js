/** Checks shared secrets in Bearer tokens. Source: RFC 6750, 2.1 and 3. */
import { failure } from '../kubernetes/status_errors.js';

/** What a header can carry as one word: printable ASCII without spaces. */
const TOKEN = /^[\x21-\x7e]+$/;
const BEARER = /^Bearer +([\x21-\x7e]+)$/i;

/** @param {unknown} secret @returns {secret is string} */
export function isToken(secret) {
  return typeof secret === 'string' && TOKEN.test(secret);
}

/**
 * @param {Headers} headers
 * @param {string} secret
 * @param {(text: string) => Promise<ArrayLike<number>>} [digest] has the same length for all texts
 * @throws {import('../kubernetes/api_error.js').ApiError} Unauthorized
 */
export async function checkBearerToken(headers, secret, digest = sha256) {
  const given = BEARER.exec(headers.get('Authorization') ?? '')?.[1];
  if (given === undefined) throw failure(401, 'Unauthorized', 'a Bearer token is expected');
  const [one, other] = await Promise.all([digest(given), digest(secret)]);
  if (!areEqual(one, other))
    throw failure(401, 'Unauthorized', 'the Bearer token is not the right one');
}

/**
 * Compares all characters, so that the time does not depend on the first difference.
 * @param {ArrayLike<number>} one
 * @param {ArrayLike<number>} other as long as `one`
 */
function areEqual(one, other) {
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one[at] ^ other[at];
  return difference === 0;
}

/** @param {string} text */
async function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
