import { LineCounter, isMap, isNode, isScalar, isSeq } from 'yaml';
import { isList, listItems } from '../engine/batch.js';
import { BatchError, InputError } from '../kubernetes/errors.js';
import { isDeeperThan } from '../kubernetes/values.js';
import { duplicateJsonKeys, duplicateYamlKeys } from './duplicate_keys.js';
import { JsonScanner, JsonSyntaxError } from './json_text.js';
import { setOrigin } from './positions.js';
import { TextLines } from './text_lines.js';
import { composeDocuments } from './yaml_documents.js';

/** @import { Document, Pair, YAMLMap } from 'yaml' */
/** @import { KubernetesObject, Position } from '../kubernetes/types.js' */
/** @import { Origin, Step } from './positions.js' */

/** How many aliases a document may unfold: more is an attack, not a manifest. */
const ALIASES = 100;

/** How many levels an object may have, as in the engine, and how far inside of Lists it may be. */
const DEPTH = 64;

/** How much of a wrong value is shown: characters. */
const BRIEF = 100;

/**
 * Reads manifests: YAML or JSON, any number of documents, Lists taken apart (also the bare NodeList
 * or PodList of the API, whose items have no kind). YAML is read as kubectl does, in version 1.1
 * without times and numbers to the base of 60; duplicate keys: the last wins.
 * @param {string} text
 * @param {{ onError?: (error: InputError) => void, onList?: (kind: string) => void }} [options]
 *   `onList` is called for each List of a single kind: with Pod for a PodList
 * @returns {KubernetesObject[]} in the order of the text
 * @throws {BatchError} when documents cannot be read and there is no `onError`; `result` holds the
 *   objects of the others
 */
export function parse(text, { onError, onList = () => {} } = {}) {
  /** @type {InputError[]} */
  const errors = [];
  /** @type {KubernetesObject[]} */
  const objects = [];
  for (const { value, error, origin } of documentsOf(text)) {
    if (error) errors.push(error);
    else collect(value, origin, { objects, errors, onList });
  }
  if (onError) errors.forEach(onError);
  else if (errors.length > 0) throw new BatchError(errors, objects);
  return objects;
}

/**
 * Reads one YAML or JSON document in which no key may appear twice: a configuration.
 * @param {string} text
 * @returns {any}
 * @throws {InputError}
 */
export function parseSingle(text) {
  const [first, ...rest] = yamlDocuments(text, true);
  if (first?.error) throw first.error;
  if (rest.length > 0)
    throw new InputError({
      code: 'MalformedYaml',
      detail: 'one document is expected, there are more',
    });
  return first?.value;
}

/** @typedef {{ value?: any, error?: InputError, origin: Origin }} ReadDocument */

/**
 * @param {string} text
 * @returns {ReadDocument[]}
 */
function documentsOf(text) {
  if (!/^\s*[{[]/.test(text)) return yamlDocuments(text, false);
  try {
    return [jsonDocument(text, new TextLines(text), 0, JSON.parse(text), 1)];
  } catch {
    return /^---/m.test(text) ? yamlDocuments(text, false) : jsonDocuments(text);
  }
}

/**
 * JSON documents that follow one another, up to the first that is broken.
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
      documents.push(jsonDocument(text, lines, start, value, documents.length + 1));
    }
  } catch (cause) {
    const offset = cause instanceof JsonSyntaxError ? cause.offset : scanner.at;
    const detail = cause instanceof Error ? cause.message : String(cause);
    const document = documents.length + 1;
    const error = new InputError(
      { code: 'MalformedJson', detail, document, ...lines.positionOf(offset) },
      { cause },
    );
    documents.push({ ...jsonDocument(text, lines, offset, null, document), error });
  }
  return documents;
}

/**
 * @param {string} text
 * @param {TextLines} lines of it
 * @param {number} start
 * @param {unknown} value
 * @param {number} number
 * @returns {ReadDocument}
 */
function jsonDocument(text, lines, start, value, number) {
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
    version: '1.1',
    uniqueKeys,
    intAsBigInt: true,
    lineCounter,
    logLevel: 'error',
    customTags: (tags) =>
      tags.filter(
        (tag) =>
          typeof tag === 'string' || (tag.format !== 'TIME' && !tag.tag.endsWith(':timestamp')),
      ),
  });
  const lines = new TextLines(text);
  const read = documents.map((document, index) => yamlDocument(lines, document, index + 1));
  if (tooDeepAt === undefined) return read;
  const document = documents.length + 1;
  const error = tooDeep({ document, ...lines.positionOf(tooDeepAt) });
  return [...read, { error, origin: { lines, document, path: [], find: () => tooDeepAt } }];
}

/**
 * @param {TextLines} lines
 * @param {Document.Parsed} document
 * @param {number} number
 * @returns {ReadDocument}
 */
function yamlDocument(lines, document, number) {
  const { find, findKey } = yamlFinder(document);
  const duplicates = once(() => duplicateYamlKeys(document.contents));
  const origin = { lines, document: number, path: [], find, findKey, duplicates };
  try {
    const [error] = document.errors;
    if (error) throw error;
    return {
      value: document.toJS({
        maxAliasCount: ALIASES,
        reviver: (_key, value) => safeInteger(value),
      }),
      origin,
    };
  } catch (cause) {
    const position = /** @type {any} */ (cause).pos?.[0] ?? document.range[0];
    const where = { document: number, ...lines.positionOf(position) };
    return { origin, error: yamlError(cause, where) };
  }
}

/**
 * @param {unknown} cause
 * @param {Position} where
 */
function yamlError(cause, where) {
  const message = cause instanceof Error ? cause.message : String(cause);
  // The library recurses, and passes on what the runtime says to that.
  if (/call stack/.test(message)) return tooDeep(where);
  const detail = message.replace(/ at line \d+, column \d+:[^]*$/, '');
  return new InputError({ code: 'MalformedYaml', detail, ...where }, { cause });
}

/** @param {Position} where */
function tooDeep(where) {
  return new InputError({
    code: 'TooDeep',
    detail: `nested deeper than ${DEPTH} levels`,
    ...where,
  });
}

/**
 * Numbers that JavaScript cannot hold exactly stay the text that they were.
 * @param {unknown} value
 */
function safeInteger(value) {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/**
 * What finds the offset of a path, or as far along it as there is something, and the offset of the
 * key there. Keys of a mapping are read once: the library's own search goes through all of them for
 * each path.
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
 * @returns {Map<unknown, Pair>} of a key that is there twice the first pair
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
 * A function that asks another one the first time only.
 * @template T
 * @param {() => T} make
 * @returns {() => T}
 */
function once(make) {
  /** @type {T | undefined} */
  let made;
  return () => (made ??= make());
}

/**
 * A value that is no object, as JSON, cut when long.
 * @param {unknown} value
 */
function brief(value) {
  const text = JSON.stringify(value);
  return text.length > BRIEF ? `${text.slice(0, BRIEF)}…` : text;
}

/**
 * @param {unknown} value
 * @param {Origin} origin
 * @param {{ objects: KubernetesObject[], errors: InputError[], onList: (kind: string) => void }}
 *   found
 */
function collect(value, origin, found) {
  const { objects, errors, onList } = found;
  const { lines, document, path, find } = origin;
  const where = () => ({ document, ...lines.positionOf(find(path)) });
  /** @param {any[]} items @param {Step[]} prefix */
  const collectItems = (items, prefix) =>
    items.forEach((item, index) =>
      collect(item, { ...origin, path: [...path, ...prefix, index] }, found),
    );
  if (path.length > DEPTH) {
    errors.push(tooDeep(where()));
  } else if (isList(value)) {
    if (value.kind && value.kind !== 'List') onList(value.kind.slice(0, -'List'.length));
    collectItems(listItems(value), ['items']);
  } else if (Array.isArray(value)) {
    collectItems(value, []);
  } else if (typeof value === 'object' && value !== null) {
    if (isDeeperThan(value, DEPTH)) errors.push(tooDeep(where()));
    else {
      setOrigin(value, origin);
      objects.push(value);
    }
  } else if (path.length > 0 || (value !== null && value !== undefined)) {
    // An empty document is none; what stands in a List is meant.
    const hint = typeof value === 'string' ? '; kubectl prints objects with -o json' : '';
    const detail = `an object is expected, not ${brief(value)}${hint}`;
    errors.push(new InputError({ code: 'FieldValueTypeInvalid', detail, ...where() }));
  }
}
