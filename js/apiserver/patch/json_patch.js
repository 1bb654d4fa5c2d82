/**
 * JSON Patch, RFC 6902, with the deviations of kube-apiserver's library (evanphx/json-patch v4):
 * indices may be negative, `replace` of an absent member adds it, and `test` of an absent member
 * equals null. No npm package supports them, so this is our own.
 */
import { isEqual } from '../frozen.js';
import { isDeeperThan, isRecord } from '../../src/kubernetes/values.js';
import { LEVELS_MAX } from '../../src/kubernetes/nesting.js';
import { failure, requestEntityTooLarge } from '../../src/kubernetes/status_errors.js';
import { cannotDecode } from './patch_errors.js';

const OPERATIONS_MAX = 10_000;
/**
 * The maximum number of bytes that all copies of a patch may add, and the maximum size of its
 * result, as for a body.
 */
const BYTES_MAX = 3 * 1024 * 1024;
/** The maximum number of list elements that all insertions and removals may move together. */
const MOVED_MAX = 50_000_000;

/** @typedef {{ op?: unknown, path?: unknown, from?: unknown, value?: unknown }} Operation */
/**
 * The parent of the whole value, so that an operation can replace it.
 * @typedef {{ document: any, copiedBytes: number, moved: number }} Root
 */

/** The operation cannot be applied. The client does not get the reason, as with upstream. */
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
    throw tooLarge(`${limit}, got ${patch.length}`);
  }
  const root = { document: structuredClone(current), copiedBytes: 0, moved: 0 };
  try {
    for (const operation of patch) perform(root, operation);
    if (measured(root.document, BYTES_MAX) > BYTES_MAX) throw requestEntityTooLarge(BYTES_MAX);
    checkDepth(root.document);
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
      return add(root, pointer(path), copied(root, get(root, pointer(from)) ?? null));
    case 'test':
      if (isEqual(get(root, pointer(path)) ?? null, value ?? null)) return undefined;
      throw new DoesNotApply(`testing value ${path} failed`);
    default:
      throw new DoesNotApply(`Unexpected kind: ${op}`);
  }
}

/**
 * Returns a copy and adds its size to that of earlier ones: repeated copies of copies would exhaust
 * the memory.
 * @param {Root} root
 * @param {unknown} value
 */
function copied(root, value) {
  root.copiedBytes += measured(value, BYTES_MAX - root.copiedBytes);
  if (root.copiedBytes > BYTES_MAX) {
    const size = `the accumulated size increase of copy is ${root.copiedBytes}`;
    throw tooLarge(`Unable to complete the copy, ${size}, exceeding the limit ${BYTES_MAX}`);
  }
  checkDepth(value);
  return structuredClone(value);
}

/** @param {Root} root @param {number} count the number of elements after a position in a list */
function countMoved(root, count) {
  root.moved += count;
  if (root.moved <= MOVED_MAX) return;
  throw tooLarge(`The allowed maximum of list elements that a JSON patch moves is ${MOVED_MAX}`);
}

/** @param {unknown} value */
function checkDepth(value) {
  if (!isDeeperThan(value, LEVELS_MAX)) return;
  throw tooLarge(`The allowed maximum depth of a JSON document is ${LEVELS_MAX} levels`);
}

/** @param {string} limit */
function tooLarge(limit) {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${limit}`);
}

/**
 * Returns the size of a value's JSON in bytes; stops counting once it exceeds the limit.
 * @param {unknown} value
 * @param {number} most
 */
function measured(value, most) {
  const encoder = new TextEncoder();
  const rest = [value];
  let bytes = 0;
  while (rest.length > 0 && bytes <= most) {
    const each = rest.pop();
    if (typeof each !== 'object' || each === null) {
      bytes += encoder.encode(JSON.stringify(each ?? null)).length;
      continue;
    }
    const keys = Array.isArray(each) ? [] : Object.keys(each);
    const parts = Object.values(each);
    bytes += Math.max(2, 1 + parts.length);
    for (const key of keys) bytes += encoder.encode(JSON.stringify(key)).length + 1;
    for (const part of parts) rest.push(part);
  }
  return bytes;
}

/** @param {unknown} text @returns {string[]} the tokens of a JSON pointer */
function pointer(text) {
  if (typeof text !== 'string') throw new DoesNotApply('operation missing path field');
  const [start, ...tokens] = text.split('/');
  if (start !== '') throw new DoesNotApply(`doc is missing path: ${text}`);
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/**
 * Returns the container and the key at the end of a pointer.
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

/** @param {string} token @param {number} length @param {number} end the first index out of range */
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
    const index = indexOf(key, length, length);
    countMoved(root, length - index);
    container.splice(index, 0, value);
  }
}

/** @param {Root} root @param {string[]} tokens @returns {unknown} the removed value */
function remove(root, tokens) {
  if (tokens.length === 0) throw new DoesNotApply('doc is missing path');
  const { container, key } = placeOf(root, tokens);
  const removed = memberOf(container, key);
  if (Array.isArray(container)) {
    const index = indexOf(key, container.length, container.length);
    countMoved(root, container.length - index);
    container.splice(index, 1);
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
 * Sets a member of any name, including `__proto__`.
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
