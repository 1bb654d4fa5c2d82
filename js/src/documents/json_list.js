/**
 * Reads a large JSON List from its bytes, a group of items at a time: it may be longer than a
 * string can be, and a caller that keeps little of each item needs little memory.
 */
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  endOfString,
  endOfValue,
  malformed,
  OPEN_BRACE,
  OPEN_BRACKET,
  parsedJson,
  QUOTE,
  skipSpaces,
  startOfMember,
} from '../io/json_scan.js';
import { bytesOfUnits } from './converted_offsets.js';
import { duplicateJsonKeys } from './duplicate_keys.js';
import { JsonScanner } from './json_text.js';
import { ByteLines } from './text_lines.js';

/**
 * @import { Origin, Step } from './documents.js'
 * @import { DuplicateKey } from './duplicate_keys.js'
 */

/**
 * Items that are parsed together. `start` and `end`: their bytes, from the first item to what
 * follows the last one. `first`: the index of the first item.
 * @typedef {{ start: number, end: number, first: number }} Group
 */

/** The size of a group in bytes: few calls of the parser, and its values are soon collected. */
const GROUP = 512 << 10;

/**
 * @param {Uint8Array} bytes UTF-8
 * @returns {{ items: Iterable<any>, list: () => any, origin: Origin } | undefined} `items` may be
 *   iterated once; `list` returns the List without items, or undefined if it has another member
 *   `items`, which would count. Undefined if the bytes are not one JSON object with a list `items`
 * @throws {import('../kubernetes/errors.js').InputError} `MalformedJson`, without a position; also
 *   while the items are iterated, and by `list`
 */
export function jsonList(bytes) {
  const bracket = bytes[skipSpaces(bytes, 0)] === OPEN_BRACE ? startOfMember(bytes, 'items') : -1;
  if (bytes[bracket] !== OPEN_BRACKET) return undefined;
  const groups = new ItemGroups(bytes, bracket);
  const list = () => withoutItems(bytes.subarray(0, bracket), bytes.subarray(groups.listEnd));
  return { items: groups.items(), list, origin: originOf(bytes, groups) };
}

/** ItemGroups cuts the items of a list into groups. */
class ItemGroups {
  #bytes;
  #opening;
  #start;
  /** @type {Group[]} */
  #groups = [];
  /** @type {number | undefined} */
  #listEnd;

  /**
   * @param {Uint8Array} bytes
   * @param {number} bracket the opening one
   */
  constructor(bytes, bracket) {
    this.#bytes = bytes;
    this.#start = skipSpaces(bytes, bracket + 1);
    this.#opening = bytes.subarray(bracket + 1, endOfOpening(bytes, this.#start));
  }

  /** @returns {Generator<any>} */
  *items() {
    const bytes = this.#bytes;
    let first = 0;
    let end = this.#start;
    if (bytes[end] !== CLOSE_BRACKET) end -= 1;
    while (bytes[end] !== CLOSE_BRACKET) {
      const start = end + 1;
      const group = this.#guessed(start) ?? this.#scanned(start);
      this.#groups.push({ start, end: group.end, first });
      for (const value of group.values) yield value;
      first += group.values.length;
      end = group.end;
    }
    this.#listEnd = end + 1;
  }

  /**
   * A list that a program wrote has the same text where items begin, and not inside of items. If
   * what is before such a place can be parsed, it ends between two items: otherwise a string or
   * brackets would be open.
   * @param {number} start
   * @returns {{ end: number, values: any[] } | undefined}
   */
  #guessed(start) {
    const bytes = this.#bytes;
    if (start + GROUP >= bytes.length) return undefined;
    let end = bytes.lastIndexOf(COMMA, start + GROUP);
    while (end > start && !this.#separatesItems(end)) end = bytes.lastIndexOf(COMMA, end - 1);
    if (end <= start) return undefined;
    try {
      return { end, values: parsedItems(bytes.subarray(start, end)) };
    } catch {
      return undefined;
    }
  }

  /** @param {number} comma */
  #separatesItems(comma) {
    const bytes = this.#bytes;
    if (bytes[comma - 1] !== CLOSE_BRACE) return false;
    const opening = this.#opening;
    for (let at = 0; at < opening.length; at += 1)
      if (bytes[comma + 1 + at] !== opening[at]) return false;
    return true;
  }

  /**
   * @param {number} start
   * @returns {{ end: number, values: any[] }}
   */
  #scanned(start) {
    const bytes = this.#bytes;
    let end = endOfItem(bytes, start);
    while (bytes[end] === COMMA && end - start < GROUP) end = endOfItem(bytes, end + 1);
    return { end, values: parsedItems(bytes.subarray(start, end)) };
  }

  /** The position after the list. */
  get listEnd() {
    if (this.#listEnd !== undefined) return this.#listEnd;
    const bytes = this.#bytes;
    let end = this.#groups.at(-1)?.end ?? this.#start;
    if (this.#groups.length === 0 && bytes[end] !== CLOSE_BRACKET) end = endOfItem(bytes, end);
    while (bytes[end] === COMMA) end = endOfItem(bytes, end + 1);
    return (this.#listEnd = end + 1);
  }

  /**
   * @param {number} index of an item that was iterated
   * @returns {Group}
   */
  of(index) {
    const after = this.#groups.findIndex(({ first }) => first > index);
    return /** @type {Group} */ (this.#groups.at(after < 0 ? -1 : after - 1));
  }

  /** Those that were iterated. */
  get iterated() {
    return this.#groups;
  }
}

/**
 * Returns where the first key of the first item ends, or the place of an item without one.
 * @param {Uint8Array} bytes
 * @param {number} start of the item
 */
function endOfOpening(bytes, start) {
  if (bytes[start] !== OPEN_BRACE) return start;
  const key = skipSpaces(bytes, start + 1);
  return bytes[key] === QUOTE ? endOfString(bytes, key) : start + 1;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} start
 * @returns {number} the position of the comma or bracket after the item
 */
function endOfItem(bytes, start) {
  const end = endOfValue(bytes, start);
  if (bytes[end] === CLOSE_BRACE) throw malformed('a list that does not end');
  return end;
}

/**
 * @param {Uint8Array} bytes items with commas between them
 * @returns {any[]}
 */
function parsedItems(bytes) {
  return parsedJson(bytes, (text) => `[${text}]`);
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
 * The offsets of this origin are those of bytes.
 * @param {Uint8Array} bytes
 * @param {ItemGroups} groups
 * @returns {Origin}
 */
function originOf(bytes, groups) {
  /** @type {GroupText | undefined} */
  let latest;
  const textOf = (/** @type {Group} */ group) => {
    if (latest?.group !== group) latest = new GroupText(bytes, group);
    return latest;
  };
  /** @type {DuplicateKey[] | undefined} */
  let duplicates;
  return {
    lines: new ByteLines(bytes),
    document: 1,
    path: [],
    find: ([, index, ...path]) =>
      typeof index === 'number' ? textOf(groups.of(index)).find([index, ...path]) : 0,
    duplicates: () =>
      (duplicates ??= groups.iterated.flatMap((group) => textOf(group).duplicates())),
  };
}

/** The text of a group, in which positions are looked up. */
class GroupText {
  #text;
  #scanner;
  #bytes;

  /**
   * @param {Uint8Array} bytes
   * @param {Group} group
   */
  constructor(bytes, group) {
    this.group = group;
    const { start, end } = group;
    this.#text = `[${new TextDecoder().decode(bytes.subarray(start, end))}]`;
    this.#scanner = new JsonScanner(this.#text);
    const isAscii = this.#text.length === end - start + 2;
    this.#bytes = isAscii ? undefined : bytesOfUnits(this.#text);
  }

  /**
   * @param {[number, ...Step[]]} path of an item's part: the item's index in the list comes first
   * @returns {number} bytes
   */
  find([index, ...path]) {
    this.#scanner.at = 0;
    this.#scanner.find([index - this.group.first, ...path]);
    return this.#offsetOf(this.#scanner.at);
  }

  /** @returns {DuplicateKey[]} */
  duplicates() {
    return duplicateJsonKeys(this.#text, 0).map(({ path: [index, ...path], offset }) => ({
      path: ['items', this.group.first + Number(index), ...path],
      offset: this.#offsetOf(offset),
    }));
  }

  /** @param {number} at a position in the text, after its bracket */
  #offsetOf(at) {
    return this.group.start + (this.#bytes?.between(1, at) ?? at - 1);
  }
}
