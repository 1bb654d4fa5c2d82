/**
 * JSON Patch, RFC 6902, with the liberties of the library that kube-apiserver uses
 * (evanphx/json-patch v4): indices may be negative, `replace` of an absent member adds it, `test`
 * of an absent member is true of null. None of the packages that npm has takes them, hence our own.
 */
import { isEqual } from '../frozen.js';
import { isRecord } from '../../values.js';
import { failure } from '../status_errors.js';
import { cannotDecode } from './patch_errors.js';

const OPERATIONS_MAX = 10_000;

/** @typedef {{ op?: unknown, path?: unknown, from?: unknown, value?: unknown }} Operation */
/** @typedef {{ document: any }} Root what an operation may replace as a whole */

/** An operation that does not apply; told to the client without its reason, as upstream does. */
class DoesNotApply extends Error {}

/**
 * @template {object} T
 * @param {T} current not changed
 * @param {unknown} patch a list of operations
 * @returns {T}
 */
export function applyJsonPatch(current, patch) {
  if (!Array.isArray(patch)) throw cannotDecode(patch, '[]handlers.jsonPatchOp');
  const other = patch.find((operation) => !isRecord(operation));
  if (other !== undefined) throw cannotDecode(other, 'handlers.jsonPatchOp');
  if (patch.length > OPERATIONS_MAX) {
    const limit = `The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}`;
    const message = `Request entity too large: ${limit}, got ${patch.length}`;
    throw failure(413, 'RequestEntityTooLarge', message);
  }
  const root = { document: structuredClone(current) };
  try {
    for (const operation of patch) perform(root, operation);
    if (!isRecord(root.document)) throw new DoesNotApply('the result is no object');
  } catch (error) {
    if (!(error instanceof DoesNotApply)) throw error;
    const message = 'the server rejected our request due to an error in our request';
    throw failure(422, 'Invalid', message, {});
  }
  return root.document;
}

/** @param {Root} root @param {Operation} operation */
function perform(root, { op, path, from, value }) {
  switch (op) {
    case 'add':
      return add(root, pointer(path), structuredClone(value ?? null));
    case 'remove':
      return void remove(root, pointer(path));
    case 'replace':
      return replace(root, pointer(path), structuredClone(value ?? null));
    case 'move':
      return add(root, pointer(path), remove(root, pointer(from)));
    case 'copy':
      return add(root, pointer(path), structuredClone(get(root, pointer(from)) ?? null));
    case 'test':
      if (isEqual(get(root, pointer(path)) ?? null, value ?? null)) return undefined;
      throw new DoesNotApply(`testing value ${path} failed`);
    default:
      throw new DoesNotApply(`Unexpected kind: ${op}`);
  }
}

/** @param {unknown} text @returns {string[]} the tokens of a JSON pointer */
function pointer(text) {
  if (typeof text !== 'string') throw new DoesNotApply('operation missing path field');
  const [start, ...tokens] = text.split('/');
  if (start !== '') throw new DoesNotApply(`doc is missing path: ${text}`);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * What holds the last token's place, and that token.
 * @param {Root} root
 * @param {string[]} tokens
 */
function placeOf(root, tokens) {
  const container = tokens.slice(0, -1).reduce(memberOf, root.document);
  if (typeof container !== 'object' || container === null) throw new DoesNotApply('missing path');
  return { container, key: tokens[tokens.length - 1] };
}

/** @param {any} container @param {string} token */
function memberOf(container, token) {
  if (Array.isArray(container))
    return container[indexOf(token, container.length, container.length)];
  if (!isRecord(container)) throw new DoesNotApply('missing path');
  return Object.hasOwn(container, token) ? container[token] : undefined;
}

/** @param {string} token @param {number} length @param {number} end the first index too far */
function indexOf(token, length, end) {
  if (!/^[+-]?\d+$/.test(token)) throw new DoesNotApply(`not a proper array index: ${token}`);
  const index = Number(token) < 0 ? Number(token) + length : Number(token);
  if (index < 0 || index >= end) throw new DoesNotApply(`invalid index: ${token}`);
  return index;
}

/** @param {Root} root @param {string[]} tokens */
function get(root, tokens) {
  return tokens.reduce(memberOf, root.document);
}

/** @param {Root} root @param {string[]} tokens @param {unknown} value */
function add(root, tokens, value) {
  if (tokens.length === 0) throw new DoesNotApply('doc is missing path');
  const { container, key } = placeOf(root, tokens);
  if (!Array.isArray(container)) setMember(container, key, value);
  else if (key === '-') container.push(value);
  else {
    const length = container.length + 1;
    container.splice(indexOf(key, length, length), 0, value);
  }
}

/** @param {Root} root @param {string[]} tokens @returns {unknown} what was there */
function remove(root, tokens) {
  if (tokens.length === 0) throw new DoesNotApply('doc is missing path');
  const { container, key } = placeOf(root, tokens);
  const removed = memberOf(container, key);
  if (Array.isArray(container)) {
    container.splice(indexOf(key, container.length, container.length), 1);
  } else {
    if (!Object.hasOwn(container, key)) throw new DoesNotApply(`nonexistent key: ${key}`);
    delete container[key];
  }
  return removed;
}

/** @param {Root} root @param {string[]} tokens @param {unknown} value */
function replace(root, tokens, value) {
  if (tokens.length === 0) {
    root.document = value;
    return;
  }
  const { container, key } = placeOf(root, tokens);
  if (Array.isArray(container)) {
    container[indexOf(key, container.length, container.length)] = value;
  } else setMember(container, key, value);
}

/**
 * A member of any name, `__proto__` included.
 * @param {any} container
 * @param {string} key
 * @param {unknown} value
 */
function setMember(container, key, value) {
  Object.defineProperty(container, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
