/**
 * Encodes the position at which a list continues; opaque to clients. Counterpart:
 * apiserver/pkg/storage/continue.go, v1.36.
 */
import { badRequest } from '../src/kubernetes/status_errors.js';
import { base64 } from './base64.js';

const VERSION = 'meta.k8s.io/v1';

/** Marks a list that continues with the present objects. */
export const INCONSISTENT = -1;

/**
 * @param {number} resourceVersion
 * @param {string} key of the last listed object
 */
export function continueAfter(resourceVersion, key) {
  return encode({ v: VERSION, rv: resourceVersion, start: `${key}\u0000` });
}

/**
 * Returns a token for the same position, with the present objects.
 * @param {string} token
 */
export function inconsistentToken(token) {
  return encode({ ...decode(token), rv: INCONSISTENT });
}

/**
 * @param {string} token
 * @returns {{ resourceVersion: number, start: string }} the smallest key that may follow
 * @throws {import('../src/kubernetes/api_error.js').ApiError} BadRequest
 */
export function parseContinue(token) {
  const { v, rv, start } = decode(token);
  if (v !== VERSION)
    throw invalidToken(`server does not recognize this encoded version ${quoted(v)}`);
  if (!Number.isInteger(rv) || rv === 0) {
    throw invalidToken(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof start !== 'string' || start === '') {
    throw invalidToken(`encoded start key empty (version ${VERSION})`);
  }
  return { resourceVersion: rv, start: start.replace(/^\//, '') };
}

/** @param {object} parts */
function encode(parts) {
  const text = base64(new TextEncoder().encode(JSON.stringify(parts)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} token */
function decode(token) {
  try {
    const binary = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const parts = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof parts === 'object' && parts !== null) return parts;
  } catch {
    // Reported below.
  }
  throw invalidToken('illegal base64 data or JSON');
}

/** @param {string} why */
function invalidToken(why) {
  return badRequest(`continue key is not valid: ${why}`);
}

/** @param {unknown} value */
function quoted(value) {
  return JSON.stringify(value ?? '');
}
