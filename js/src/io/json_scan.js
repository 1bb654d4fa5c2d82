/** Scans JSON bytes for the ends of strings and values, without parsing them. */
import { InputError } from '../kubernetes/errors.js';
import { wordsOf } from '../kubernetes/values.js';

const [BACKSLASH, COLON] = codesOf('\\:');
export const QUOTE = codesOf('"')[0];
export const [COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = codesOf(',{}[]');
const SPACES = new Set(codesOf(' \t\r\n'));

/** @param {string} text */
function codesOf(text) {
  return [...text].map((character) => character.charCodeAt(0));
}

/** @param {Uint8Array} bytes @param {number} at */
export function skipSpaces(bytes, at) {
  while (SPACES.has(bytes[at])) at += 1;
  return at;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start of the opening quote
 * @returns {number} the position after the closing one
 * @throws {InputError} `MalformedJson`
 */
export function endOfString(bytes, start) {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  throw malformed('a string that does not end');
}

/**
 * Finds the end of a value. It does not validate the value; the reader does that.
 * @param {Uint8Array} bytes
 * @param {number} start
 * @returns {number} the position after the value
 * @throws {InputError} `MalformedJson`
 */
export function endOfValue(bytes, start) {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at) - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) return at;
      depth -= 1;
    } else if (byte === COMMA && depth === 0) {
      return at;
    }
  }
  throw malformed('a list that does not end');
}

/**
 * Finds the start of a member's value; bytes after it are not read.
 * @param {Uint8Array} bytes a list
 * @param {string} name
 * @returns {number} -1 if there is no such member
 * @throws {InputError} `MalformedJson`
 */
export function startOfMember(bytes, name) {
  let at = skipSpaces(bytes, 0);
  if (bytes[at] !== OPEN_BRACE) throw malformed('a list is expected');
  for (at = skipSpaces(bytes, at + 1); bytes[at] === QUOTE; at = skipSpaces(bytes, at + 1)) {
    const keyEnd = endOfString(bytes, at);
    const key = parsedJson(bytes.subarray(at, keyEnd));
    at = skipSpaces(bytes, keyEnd);
    if (bytes[at] !== COLON) break;
    const start = skipSpaces(bytes, at + 1);
    if (key === name) return start;
    at = skipSpaces(bytes, endOfValue(bytes, start));
    if (bytes[at] !== COMMA) break;
  }
  return -1;
}

/**
 * @param {Uint8Array} bytes
 * @param {(text: string) => string} [completed] returns JSON that has the text of the bytes in it
 * @returns {any}
 * @throws {InputError} `MalformedJson`
 */
export function parsedJson(bytes, completed = (text) => text) {
  try {
    return JSON.parse(completed(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw malformed(wordsOf(cause));
  }
}

/** @param {string} detail */
export function malformed(detail) {
  return new InputError({ code: 'MalformedJson', detail });
}
