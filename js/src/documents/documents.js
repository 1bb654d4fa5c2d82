/** Reads the documents of a text, YAML or JSON, with the positions of their values. */
import { LineCounter, isMap, isNode, isScalar, isSeq } from 'yaml';

import { InputError } from '../kubernetes/errors.js';
import { duplicateJsonKeys, duplicateYamlKeys } from './duplicate_keys.js';
import { JsonScanner, JsonSyntaxError } from './json_text.js';
import { TextLines } from './text_lines.js';
import { checkAliases, resolveAliases } from './yaml_aliases.js';
import { composeDocuments } from './yaml_composer.js';
import { withGoMerge } from './yaml_merge.js';
import { NUMBER_TAGS } from './yaml_numbers.js';

/**
 * @import { Document, Pair, Tags, YAMLMap } from 'yaml'
 * @import { Position } from '../kubernetes/types.js'
 * @import { DuplicateKey } from './duplicate_keys.js'
 */

/** A key, or an index in a list. @typedef {string | number} Step */

/**
 * The origin of a value: the lines of the text, the number of its document, the path inside it, and
 * functions that return the offset of a path in the text, that of the last key of a path, and the
 * keys that the document contains twice.
 * @typedef {{ lines: Pick<TextLines, 'positionOf'>, document: number, path: Step[], find: (path:
 *   Step[]) => number, findKey?: (path: Step[]) => number, duplicates?: () => DuplicateKey[] }}
 *   Origin
 */

/** @typedef {{ value?: any, error?: InputError, origin: Origin }} ReadDocument */

/** The maximum depth of an object, as in the engine, and the depth of Lists around it. */
export const DEPTH_MAX = 64;

/**
 * How the library `yaml` reads and writes values as kubectl does: version 1.1, with Go's numbers
 * and without times. Integers are bigints.
 */
export const YAML_OPTIONS = Object.freeze({
  version: /** @type {const} */ ('1.1'),
  customTags: (/** @type {Tags} */ tags) => [
    ...NUMBER_TAGS,
    ...withGoMerge(tags).filter(
      (tag) => typeof tag === 'string' || !/:(int|float|timestamp)$/.test(tag.tag),
    ),
  ],
});

/**
 * Reads the documents of a text, YAML or JSON. YAML is read as kubectl reads it: version 1.1,
 * without times and base-60 numbers; of duplicate keys the last one counts.
 * @param {string} text
 * @returns {ReadDocument[]} in the order of the text; an unreadable document has an error
 */
export function documentsOf(text) {
  if (!/^\s*[{[]/.test(text)) return yamlDocuments(text, false);
  try {
    return [jsonDocument(text, new TextLines(text), { start: 0, value: JSON.parse(text) })];
  } catch {
    return /^---/m.test(text) ? yamlDocuments(text, false) : jsonOrYaml(text);
  }
}

/**
 * Reads a text that begins like JSON. If it breaks in one of the first two documents, it may be
 * YAML all the same, such as KYAML. Counterpart: YAMLOrJSONDecoder of
 * apimachinery/pkg/util/yaml/decoder.go, v1.36.
 * @param {string} text
 * @returns {ReadDocument[]}
 */
function jsonOrYaml(text) {
  const json = jsonDocuments(text);
  const { error, origin } = json[json.length - 1];
  if (!error || json.length > 2) return json;
  // Nothing closes what was cut, so it is no YAML either; reading it as YAML takes much longer.
  const isCut = json.length === 1 && !/[\]}]/.test(text.slice(origin.find([])));
  if (isCut) return json;
  const yaml = yamlDocuments(text, false);
  return yaml.some((document) => document.error) ? json : yaml;
}

/**
 * Reads one YAML or JSON document without duplicate keys: a configuration. Empty documents may
 * follow it.
 * @param {string} text
 * @returns {any}
 * @throws {InputError}
 */
export function parseSingle(text) {
  const [first, ...rest] = yamlDocuments(text, true);
  if (first?.error) throw first.error;
  const other = rest.find(({ value }) => value !== null);
  if (other) {
    const { lines, find } = other.origin;
    const detail = 'one document is expected, there are more';
    throw new InputError({ code: 'MalformedYaml', detail, ...lines.positionOf(find([])) });
  }
  return first?.value;
}

/**
 * Reads consecutive JSON documents, up to the first broken one.
 * @param {string} text
 * @returns {ReadDocument[]}
 */
function jsonDocuments(text) {
  const lines = new TextLines(text);
  const scanner = new JsonScanner(text);
  /** @type {ReadDocument[]} */
  const documents = [];
  try {
    while (scanner.skipSpace()) {
      const start = scanner.at;
      scanner.skipValue();
      const value = JSON.parse(text.slice(start, scanner.at));
      const number = documents.length + 1;
      documents.push(jsonDocument(text, lines, { start, value, number }));
    }
  } catch (cause) {
    const offset = cause instanceof JsonSyntaxError ? cause.offset : scanner.at;
    const detail = cause instanceof Error ? cause.message : String(cause);
    const document = documents.length + 1;
    const error = new InputError(
      { code: 'MalformedJson', detail, document, ...lines.positionOf(offset) },
      { cause },
    );
    const broken = jsonDocument(text, lines, { start: offset, value: null, number: document });
    documents.push({ ...broken, error });
  }
  return documents;
}

/**
 * @param {string} text
 * @param {TextLines} lines of the text
 * @param {{ start: number, value: unknown, number?: number }} its
 * @returns {ReadDocument}
 */
function jsonDocument(text, lines, { start, value, number = 1 }) {
  /** @type {JsonScanner | undefined} */
  let scanner;
  /** @param {Step[]} path */
  const find = (path) => {
    scanner ??= new JsonScanner(text);
    scanner.at = start;
    scanner.find(path);
    return scanner.at;
  };
  const duplicates = once(() => duplicateJsonKeys(text, start));
  return { value, origin: { lines, document: number, path: [], find, duplicates } };
}

/**
 * @param {string} text
 * @param {boolean} uniqueKeys
 * @returns {ReadDocument[]}
 */
function yamlDocuments(text, uniqueKeys) {
  const lineCounter = new LineCounter();
  const { documents, tooDeepAt } = composeDocuments(text, {
    ...YAML_OPTIONS,
    // The library compares each key with all others.
    uniqueKeys: false,
    lineCounter,
    logLevel: 'error',
  });
  const lines = new TextLines(text);
  const read = documents.map((document, index) =>
    yamlDocument(lines, document, { number: index + 1, uniqueKeys, text }),
  );
  if (tooDeepAt === undefined) return read;
  const document = documents.length + 1;
  const error = tooDeep({ document, ...lines.positionOf(tooDeepAt) });
  return [...read, { error, origin: { lines, document, path: [], find: () => tooDeepAt } }];
}

/**
 * @param {TextLines} lines
 * @param {Document.Parsed} document
 * @param {{ number: number, uniqueKeys: boolean, text: string }} its
 * @returns {ReadDocument}
 */
function yamlDocument(lines, document, { number, uniqueKeys, text }) {
  const { find, findKey } = yamlFinder(document);
  const duplicates = once(() => duplicateYamlKeys(document.contents));
  const origin = { lines, document: number, path: [], find, findKey, duplicates };
  const hasAliases = text.includes('*');
  // The library's error has no position.
  const stray = hasAliases ? resolveAliases(document) : undefined;
  try {
    const [error] = document.errors;
    if (error) throw error;
    const [again] = uniqueKeys ? duplicates() : [];
    if (again) throw Object.assign(new Error('Map keys must be unique'), { pos: [again.offset] });
    if (hasAliases && !stray) checkAliases(document);
    return {
      value: document.toJS({
        maxAliasCount: -1,
        reviver: (_key, value) => safeInteger(value),
      }),
      origin,
    };
  } catch (cause) {
    const range = /** @type {any} */ (cause).pos ?? stray?.range ?? document.range;
    const where = { document: number, ...lines.positionOf(range[0]) };
    return { origin, error: yamlError(cause, where) };
  }
}

/**
 * @param {unknown} cause
 * @param {Position} where
 */
function yamlError(cause, where) {
  const message = cause instanceof Error ? cause.message : String(cause);
  // The library recurses, and passes on the runtime's stack overflow error.
  if (/call stack/.test(message)) return tooDeep(where);
  const detail = message.replace(/ at line \d+, column \d+:[^]*$/, '');
  return new InputError({ code: 'MalformedYaml', detail, ...where }, { cause });
}

/**
 * @param {Position} where
 * @returns {InputError}
 */
export function tooDeep(where) {
  return new InputError({
    code: 'TooDeep',
    detail: `nested deeper than ${DEPTH_MAX} levels`,
    ...where,
  });
}

/**
 * Integers that JavaScript cannot represent exactly stay text.
 * @param {unknown} value
 */
function safeInteger(value) {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/**
 * Returns a function that finds the offset of a path, or of its deepest existing part, and the
 * offset of the key there. It indexes the keys of a mapping once: the library searches all of them
 * for each path.
 * @param {Document.Parsed} document
 * @returns {{ find: (path: Step[]) => number, findKey: (path: Step[]) => number }}
 */
function yamlFinder({ contents, range }) {
  /** @type {Map<unknown, Map<unknown, Pair>>} */
  const members = new Map();
  /** @param {unknown} node @param {Step} step */
  const pairOf = (node, step) => {
    let known = members.get(node);
    if (!known) members.set(node, (known = pairsByKey(/** @type {YAMLMap} */ (node))));
    return known.get(step);
  };
  /** @param {unknown} node @param {Step} step */
  const childOf = (node, step) => {
    if (isSeq(node)) return typeof step === 'number' ? node.items[step] : undefined;
    return isMap(node) ? pairOf(node, step)?.value : undefined;
  };
  /** @param {Step[]} path */
  const follow = (path) => {
    let offset = contents?.range?.[0] ?? range[0];
    /** @type {unknown} */
    let node = contents;
    for (const step of path) {
      node = childOf(node, step);
      if (isNode(node) && node.range) [offset] = node.range;
    }
    return { node, offset };
  };
  return {
    find: (path) => follow(path).offset,
    findKey: (path) => {
      const { node } = follow(path.slice(0, -1));
      const key = isMap(node) && pairOf(node, path[path.length - 1])?.key;
      return isNode(key) && key.range ? key.range[0] : follow(path).offset;
    },
  };
}

/**
 * @param {YAMLMap} mapping
 * @returns {Map<unknown, Pair>} for a duplicate key the first pair
 */
function pairsByKey({ items }) {
  const pairs = new Map();
  for (const pair of items) {
    const text = isScalar(pair.key) ? pair.key.value : pair.key;
    if (!pairs.has(text)) pairs.set(text, pair);
  }
  return pairs;
}

/**
 * Returns a function that computes its result on the first call only.
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}
