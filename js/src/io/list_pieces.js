/**
 * Cuts long lists into shorter ones: sinks limit the size of an input, and other tasks can run in
 * between.
 */
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  endOfValue,
  malformed,
  OPEN_BRACKET,
  skipSpaces,
  startOfMember,
} from './json_scan.js';

/**
 * Yields Lists with the same members and some of the items each: of about that size at most, but
 * with at least one item. A list within that size is returned unchanged and unread.
 * @param {Uint8Array} bytes a list's JSON
 * @param {number} size bytes
 * @returns {Generator<Uint8Array>}
 * @throws {InputError} `MalformedJson` if it has no items or is truncated
 */
export function* listPieces(bytes, size) {
  if (bytes.length <= size) {
    yield bytes;
    return;
  }
  const { start, cuts, end } = itemsOf(bytes, size);
  const head = bytes.subarray(0, start);
  const tail = bytes.subarray(end);
  let begin = start;
  for (const cut of cuts) {
    yield joined(head, bytes.subarray(begin, cut), tail);
    begin = cut + 1;
  }
  yield joined(head, bytes.subarray(begin, end), tail);
}

/**
 * Finds the items, and the commas at which to cut them.
 * @param {Uint8Array} bytes
 * @param {number} size
 */
function itemsOf(bytes, size) {
  const bracket = startOfMember(bytes, 'items');
  if (bytes[bracket] !== OPEN_BRACKET) throw malformed('a list without items');
  const items = scanItems(bytes, bracket, size);
  let at = skipSpaces(bytes, items.end + 1);
  while (bytes[at] === COMMA) at = endOfValue(bytes, at + 1);
  if (bytes[at] === CLOSE_BRACE && skipSpaces(bytes, at + 1) === bytes.length) return items;
  throw malformed('a list that does not end, or has text after its end');
}

/**
 * @param {Uint8Array} bytes
 * @param {number} bracket the opening one
 * @param {number} size of a piece
 * @returns {{ start: number, cuts: number[], end: number }} `end`: the position of the closing
 *   bracket
 */
function scanItems(bytes, bracket, size) {
  const start = bracket + 1;
  const cuts = [];
  let begin = start;
  let last = -1;
  for (let at = start; ; at += 1) {
    at = endOfValue(bytes, at);
    // Another item would exceed the size, so the items before it become a piece.
    if (at - begin > size && last > begin) {
      cuts.push(last);
      begin = last + 1;
    }
    if (bytes[at] === CLOSE_BRACKET) return { start, cuts, end: at };
    if (bytes[at] !== COMMA) throw malformed('items that do not end');
    last = at;
  }
}

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
