/** Reads input that may be a large JSON List in bytes. */
import { jsonList } from '../documents/json_list.js';
import { isList, listItems } from '../engine/batch.js';
import { malformed } from '../io/json_scan.js';
import { InputError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';
import { announce, collect, nothingYet, read, settled } from './parse.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Found, ParseOptions } from './parse.js'
 */

/**
 * Reads text as `parse`, or UTF-8 bytes.
 * @param {string | Uint8Array} text
 * @param {ParseOptions} [options]
 * @returns {KubernetesObject[]}
 * @throws {import('../kubernetes/errors.js').BatchError} as `parse`
 */
export function parseInput(text, options = {}) {
  if (typeof text !== 'string') return settled(readBytes(text, options), options);
  const found = read(text, options);
  const errors = text.includes('{{') ? found.errors.map(withTemplateHint) : found.errors;
  return settled({ ...found, errors }, options);
}

/**
 * Charts are found beside manifests, and the syntax error of a template does not tell its cause.
 * @param {InputError} error of a text with `{{`
 */
function withTemplateHint(error) {
  if (error.code !== 'MalformedYaml' && error.code !== 'MalformedJson') return error;
  const detail = `${error.detail}; render a template with {{ }} first, as "helm template" does`;
  return new InputError({ ...error.toJSON(), message: undefined, detail });
}

/**
 * Bytes that are not one JSON List are read as text, which also finds the position of an error.
 * @param {Uint8Array} bytes
 * @param {ParseOptions} options
 */
function readBytes(bytes, options) {
  const found = nothingYet(options);
  const fault = readList(bytes, found);
  if (!fault) return found;
  try {
    return read(new TextDecoder('utf-8', { fatal: true }).decode(bytes), options);
  } catch {
    return { ...nothingYet(options), errors: [fault] };
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {Found} found
 * @returns {InputError | undefined} why they cannot be read
 */
function readList(bytes, found) {
  try {
    const read = jsonList(bytes);
    if (!read) return malformed('a List is expected');
    let index = 0;
    for (const item of read.items) {
      // Items without a kind have the List's, which may come after them.
      const isComplete = !isRecord(item) || item.kind;
      const value = isComplete ? item : listItems({ ...read.list(), items: [item] })[0];
      collect(value, { ...read.origin, path: ['items', index] }, found);
      index += 1;
    }
    const list = read.list();
    if (!list || !isList({ ...list, items: [] })) return malformed('a List is expected');
    announce(list, found);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
