/**
 * Finds the cursor's place in a YAML text that is being written, and may be incomplete or invalid.
 */
import { isMap, isPair, isScalar, parseDocument, visit } from 'yaml';

import { isRecord } from '../../../js/src/kubernetes.js';

/**
 * @import { Document, Node, Pair } from 'yaml'
 * @import { Step } from '../../../js/src/manifests.js'
 */

/**
 * @typedef {object} Cursor
 * @property {any} document the value of its document, without the word that is being written
 * @property {Step[]} path of the object, list or value at the cursor; for a value it ends with the
 *   value's key
 * @property {boolean} isKey true if a key may stand here (or an item of a list)
 * @property {number} from offset at which the word at the cursor begins
 * @property {number} indent columns in front of the key
 * @property {boolean} isBlock true if the key begins a line or a list item
 * @property {boolean} isItem true if a `-` stands in front of it
 * @property {boolean} hasColon true if a colon already follows the key
 */

/** Replaces the word at the cursor before parsing. No real text contains it. */
const MARK = '\uE000';

const BETWEEN_WORDS = /[\s,{}[\]"']/;
const REST = /^[^\s,{}[\]"':]*/;
const BEGINNING = /^\s*((?:- +)*)$/;

/**
 * @param {string} text
 * @param {number} offset
 * @returns {Cursor | null} null in comments, and where the text is too broken to parse
 */
export function cursorAt(text, offset) {
  const { start, end } = documentAround(text, offset);
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  if (/(^|\s)#/.test(before)) return null;
  const word = wordBefore(before);
  const lead = before.slice(0, before.length - word.length);
  const lineEnd = text.indexOf('\n', offset);
  const line = text.slice(offset, lineEnd < 0 ? text.length : lineEnd);
  const behind = line.slice(REST.exec(line)?.[0].length);
  const beginning = BEGINNING.exec(lead);
  const hasColon = /^\s*:/.test(behind);
  const isOpen = beginning !== null && behind.trim() === '';
  const written = `${MARK}${isOpen ? ':' : ''}`;
  const marked =
    text.slice(start, offset - word.length) +
    written +
    text.slice(offset + line.length - behind.length, end);
  const found = markedPlace(marked);
  return (
    found && {
      ...found,
      from: offset - word.length,
      indent: lead.length,
      isBlock: beginning !== null,
      isItem: Boolean(beginning?.[1]),
      hasColon,
    }
  );
}

/**
 * The word at the end of a line. It includes colons, except one at its end.
 * @param {string} line
 */
function wordBefore(line) {
  let start = line.length;
  const isWord = (/** @type {string} */ character) =>
    character === ':' ? start < line.length : !BETWEEN_WORDS.test(character);
  while (start > 0 && isWord(line[start - 1])) start -= 1;
  return line.slice(start);
}

/**
 * @param {string} text
 * @param {number} offset
 */
function documentAround(text, offset) {
  let start = 0;
  for (const { index, 0: line } of text.matchAll(/^---.*\n?/gm)) {
    if (index >= offset) return { start, end: index };
    start = index + line.length;
  }
  return { start, end: text.length };
}

/**
 * @param {string} text
 * @returns {Pick<Cursor, 'document' | 'path' | 'isKey'> | null}
 */
function markedPlace(text) {
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent' });
  /** @type {{ path: Step[], isKey: boolean } | null} */
  let found = null;
  visit(document, {
    Scalar(key, node, ancestors) {
      if (typeof node.value !== 'string' || !node.value.includes(MARK)) return undefined;
      const isKey = key === 'key';
      const nodes = [...ancestors, node];
      found = { isKey, path: pathOf(isKey ? nodes.slice(0, -2) : nodes, text) };
      return visit.BREAK;
    },
  });
  if (!found) return null;
  return { document: withoutMark(valueOf(document)), .../** @type {any} */ (found) };
}

/**
 * @param {readonly (Document | Node | Pair)[]} nodes from the document down
 * @param {string} text
 * @returns {Step[]}
 */
function pathOf(nodes, text) {
  return nodes.flatMap((node, index) => {
    const parent = nodes[index - 1];
    if (isPair(node)) return [keyOf(node, text)];
    // A map needs no step of its own: the key of its pair is the step.
    if (!parent || isPair(parent) || isMap(parent) || !('items' in parent)) return [];
    return [/** @type {any} */ (parent).items.indexOf(node)];
  });
}

/**
 * YAML reads a line without a colon as the beginning of the next line's key; only the last line is
 * the key.
 * @param {Pair} pair
 * @param {string} text
 */
function keyOf({ key }, text) {
  if (!isScalar(key) || !key.range) return String(key);
  const [start, end] = key.range;
  const lines = text.slice(start, end).trimEnd().split('\n');
  return lines.length > 1 ? lines[lines.length - 1].trim() : String(key.value);
}

/** @param {Document} document */
function valueOf(document) {
  try {
    return document.toJS();
  } catch {
    return null;
  }
}

/**
 * @param {any} value
 * @returns {any}
 */
function withoutMark(value) {
  if (typeof value === 'string') return value.includes(MARK) ? null : value;
  if (Array.isArray(value)) return value.map(withoutMark);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !key.includes(MARK))
      .map(([key, one]) => [key, withoutMark(one)]),
  );
}
