/**
 * Reads a large JSON List from its bytes, item by item: it may be longer than a string can be, and
 * a caller that keeps little of each item needs little memory.
 */
import {
  CLOSE_BRACKET,
  endOfValue,
  malformed,
  OPEN_BRACE,
  OPEN_BRACKET,
  parsedJson,
  skipSpaces,
  startOfMember,
} from '../io/json_scan.js';
import { duplicateJsonKeys } from './duplicate_keys.js';
import { JsonScanner } from './json_text.js';
import { ByteLines } from './text_lines.js';

/**
 * @import { Origin } from './documents.js'
 * @import { DuplicateKey } from './duplicate_keys.js'
 */

/**
 * @param {Uint8Array} bytes UTF-8
 * @returns {{ list: any, items: Iterable<any>, origin: Origin } | undefined} `list` has no items;
 *   undefined if the bytes are not one JSON object with a list `items`
 * @throws {import('../kubernetes/errors.js').InputError} `MalformedJson`, without a position; also
 *   while the items are iterated
 */
export function jsonList(bytes) {
  const bracket = bytes[skipSpaces(bytes, 0)] === OPEN_BRACE ? startOfMember(bytes, 'items') : -1;
  if (bytes[bracket] !== OPEN_BRACKET) return undefined;
  const spans = spansOf(bytes, bracket);
  const end = spans[spans.length - 1];
  const list = withoutItems(bytes.subarray(0, bracket), bytes.subarray(end));
  return list && { list, items: itemsOf(bytes, spans), origin: originOf(bytes, spans) };
}

/**
 * Returns where each item starts, and last where the list ends. An item ends before the next one.
 * @param {Uint8Array} bytes
 * @param {number} bracket the opening one
 * @returns {number[]}
 */
function spansOf(bytes, bracket) {
  const first = skipSpaces(bytes, bracket + 1);
  if (bytes[first] === CLOSE_BRACKET) return [first + 1];
  const spans = [first];
  for (let at = endOfValue(bytes, first); ; at = endOfValue(bytes, at + 1)) {
    spans.push(at + 1);
    if (bytes[at] === CLOSE_BRACKET) return spans;
  }
}

/**
 * @param {Uint8Array} head
 * @param {Uint8Array} tail
 * @returns {any} undefined if there is another member `items`, which would count
 */
function withoutItems(head, tail) {
  const [start, end] = [head, tail].map((part) => new TextDecoder().decode(part));
  const valueOf = (/** @type {string} */ text) => parsedJson(new TextEncoder().encode(text));
  const list = valueOf(`${start}[]${end}`);
  return 'items' in valueOf(`{"":0${end}`) ? undefined : list;
}

/**
 * @param {Uint8Array} bytes
 * @param {number[]} spans
 */
function* itemsOf(bytes, spans) {
  for (let index = 0; index + 1 < spans.length; index += 1)
    yield parsedJson(itemIn(bytes, spans, index));
}

/**
 * @param {Uint8Array} bytes
 * @param {number[]} spans
 * @param {number} index
 */
function itemIn(bytes, spans, index) {
  return bytes.subarray(spans[index], spans[index + 1] - 1);
}

/**
 * The offsets of this origin are those of bytes.
 * @param {Uint8Array} bytes
 * @param {number[]} spans
 * @returns {Origin}
 */
function originOf(bytes, spans) {
  const decoder = new TextDecoder();
  const textOf = (/** @type {number} */ index) => decoder.decode(itemIn(bytes, spans, index));
  const offsetIn = (/** @type {number} */ index, /** @type {string} */ before) =>
    spans[index] + new TextEncoder().encode(before).byteLength;
  /** @type {DuplicateKey[] | undefined} */
  let duplicates;
  return {
    lines: new ByteLines(bytes),
    document: 1,
    path: [],
    find: ([, index, ...path]) => {
      if (typeof index !== 'number') return 0;
      const text = textOf(index);
      const scanner = new JsonScanner(text);
      scanner.find(path);
      return offsetIn(index, text.slice(0, scanner.at));
    },
    duplicates: () => (duplicates ??= [...spans.slice(1).keys()].flatMap(duplicatesIn)),
  };

  /** @param {number} index */
  function duplicatesIn(index) {
    const text = textOf(index);
    return duplicateJsonKeys(text, 0).map(({ path, offset }) => ({
      path: ['items', index, ...path],
      offset: offsetIn(index, text.slice(0, offset)),
    }));
  }
}
