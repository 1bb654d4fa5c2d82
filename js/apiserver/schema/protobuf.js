/**
 * Decodes Kubernetes' protobuf by the types into plain data as in JSON. kubectl sends objects that
 * it creates itself in this form from v1.33 on; responses are JSON all the same. Source:
 * "Kubernetes Protobuf encoding" of the API concepts; the tags of k8s.io/api v0.36.
 */
import { parseJson } from '../../src/kubernetes/nesting.js';
import { base64 } from '../base64.js';
import { DecodeError } from './decode.js';
import { EMPTY, WireError, bytesOf, fieldsOf, numberOf, partsOf, varint } from './protobuf_wire.js';

/** @import { Basic, Field, Shape, Struct } from './types.js' */

/** Every message starts with "k8s" and a zero byte. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00];

const TEXT = new TextDecoder();

/** The maximum number of levels of messages, far more than any object has. */
const DEPTH_MAX = 64;

/**
 * Decodes the object in the envelope of a body.
 * @param {Uint8Array} bytes
 * @param {(apiVersion: string, kind: string) => Shape} shapeOf
 * @returns {any} with its kind and apiVersion
 * @throws {DecodeError}
 */
export function decodeProtobuf(bytes, shapeOf) {
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) {
    throw new DecodeError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  try {
    const envelope = fieldsOf(bytes.subarray(MAGIC.length), { 1: 'typeMeta', 2: 'raw' });
    const typeMeta = fieldsOf(envelope.typeMeta, { 1: 'apiVersion', 2: 'kind' });
    const [apiVersion, kind] = [TEXT.decode(typeMeta.apiVersion), TEXT.decode(typeMeta.kind)];
    const shape = shapeOf(apiVersion, kind);
    if (shape.kind !== 'struct') throw new WireError(`no type ${kind} of ${apiVersion}`);
    return { kind, apiVersion, ...message(shape.struct, envelope.raw, 0) };
  } catch (cause) {
    if (cause instanceof WireError) throw new DecodeError(cause.message);
    throw cause;
  }
}

/** Fields by the numbers that lead to them. @type {WeakMap<Struct, Map<number, Node>>} */
const TREES = new WeakMap();

/** @typedef {{ field?: Field, parts: Map<number, Node> }} Node */

/** @param {Struct} struct */
function treeOf(struct) {
  let tree = TREES.get(struct);
  if (!tree) {
    tree = new Map();
    for (const field of struct.fields.values()) insert(tree, field.protobuf, field);
    TREES.set(struct, tree);
  }
  return tree;
}

/**
 * @param {Map<number, Node>} tree
 * @param {number[]} path
 * @param {Field} field
 */
function insert(tree, [number, ...rest], field) {
  if (number === undefined) return;
  /** @type {Node} */
  const node = tree.get(number) ?? { parts: new Map() };
  tree.set(number, node);
  if (rest.length === 0) node.field = field;
  else insert(node.parts, rest, field);
}

/**
 * @param {Struct} struct
 * @param {Uint8Array} bytes
 * @param {number} depth
 */
function message(struct, bytes, depth) {
  if (depth > DEPTH_MAX) throw new WireError('a message that is too deep');
  /** @type {Record<string, any>} */
  const result = {};
  collect(result, treeOf(struct), bytes, depth);
  return result;
}

/**
 * @param {Record<string, any>} result
 * @param {Map<number, Node>} tree
 * @param {Uint8Array} bytes
 * @param {number} depth
 */
function collect(result, tree, bytes, depth) {
  for (const { number, value } of partsOf(bytes)) {
    const node = tree.get(number);
    if (node?.field) add(result, node.field, value, depth);
    else if (node) collect(result, node.parts, bytesOf(value), depth);
  }
}

/**
 * @param {Record<string, any>} result
 * @param {Field} field
 * @param {bigint | Uint8Array} value
 * @param {number} depth
 */
function add(result, { name, shape }, value, depth) {
  if (shape.kind === 'list') {
    const list = (result[name] ??= []);
    for (const element of elements(shape.element, value, depth)) list.push(element);
  } else if (shape.kind === 'map') {
    const [key, element] = entry(shape.element, bytesOf(value), depth);
    // Without a prototype, because a key may be `__proto__`.
    (result[name] ??= Object.create(null))[key] = element;
  } else {
    result[name] = single(shape, value, depth);
  }
}

/**
 * Numbers may be packed.
 * @param {Shape} shape
 * @param {bigint | Uint8Array} value
 * @param {number} depth
 */
function elements(shape, value, depth) {
  const isPacked = shape.kind === 'scalar' && isNumeric(shape.basic) && typeof value !== 'bigint';
  if (!isPacked) return [single(shape, value, depth)];
  const reader = { bytes: bytesOf(value), at: 0 };
  const numbers = [];
  while (reader.at < reader.bytes.length) numbers.push(single(shape, varint(reader), depth));
  return numbers;
}

/** @param {Basic} basic */
function isNumeric(basic) {
  return basic === 'int32' || basic === 'int64' || basic === 'bool';
}

/**
 * @param {Shape} shape
 * @param {Uint8Array} bytes
 * @param {number} depth
 * @returns {[string, any]}
 */
function entry(shape, bytes, depth) {
  let key = '';
  /** @type {any} */
  let element;
  for (const { number, value } of partsOf(bytes)) {
    if (number === 1) key = TEXT.decode(bytesOf(value));
    else if (number === 2) element = single(shape, value, depth);
  }
  return [key, element ?? single(shape, EMPTY, depth)];
}

/**
 * @param {Shape} shape
 * @param {bigint | Uint8Array} value
 * @param {number} depth
 * @returns {any}
 */
function single(shape, value, depth) {
  switch (shape.kind) {
    case 'struct':
      return message(shape.struct, bytesOf(value), depth + 1);
    case 'scalar':
      return scalar(shape.basic, value);
    case 'any':
      return wrappedJson(bytesOf(value));
    case 'list':
      // A list inside of a map or list is the only field of a message.
      return [...partsOf(bytesOf(value))].flatMap((part) =>
        elements(shape.element, part.value, depth + 1),
      );
    case 'map':
      throw new WireError('a map in a map or a list');
  }
}

/**
 * @param {Basic} basic
 * @param {bigint | Uint8Array} value
 */
function scalar(basic, value) {
  switch (basic) {
    case 'string':
      return TEXT.decode(bytesOf(value));
    case 'bytes':
      return base64(bytesOf(value));
    case 'bool':
      return numberOf(value) !== 0;
    case 'int32':
    case 'int64':
      return numberOf(value);
    case 'float64':
      return double(numberBits(value));
    case 'Quantity':
      return TEXT.decode(fieldsOf(bytesOf(value), { 1: 'text' }).text);
    case 'Time':
    case 'MicroTime':
      return time(bytesOf(value));
    case 'IntOrString':
      return intOrString(bytesOf(value));
  }
}

/**
 * Seconds since the epoch, and nanoseconds; an empty message is an absent time.
 * @param {Uint8Array} bytes
 */
function time(bytes) {
  if (bytes.length === 0) return null;
  let [seconds, nanos] = [0, 0];
  for (const { number, value } of partsOf(bytes)) {
    if (number === 1) seconds = numberOf(value);
    else if (number === 2) nanos = numberOf(value);
  }
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw new WireError(`a time out of range: ${seconds} seconds`);
  const text = date.toISOString().slice(0, 19);
  const micros = String(Math.floor(nanos / 1000)).padStart(6, '0');
  return nanos === 0 ? `${text}Z` : `${text}.${micros}Z`;
}

/** @param {Uint8Array} bytes */
function intOrString(bytes) {
  let [isString, integer, text] = [false, 0, ''];
  for (const { number, value } of partsOf(bytes)) {
    if (number === 1) isString = numberOf(value) !== 0;
    else if (number === 2) integer = numberOf(value);
    else if (number === 3) text = TEXT.decode(bytesOf(value));
  }
  return isString ? text : integer;
}

/** JSON inside of a message. @param {Uint8Array} bytes */
function wrappedJson(bytes) {
  const { raw } = fieldsOf(bytes, { 1: 'raw' });
  try {
    return raw.length === 0 ? null : parseJson(TEXT.decode(raw));
  } catch (cause) {
    throw new WireError(`JSON in protobuf that cannot be read: ${cause}`);
  }
}

/** @param {bigint | Uint8Array} value */
function numberBits(value) {
  const bytes = bytesOf(value);
  if (bytes.length !== 8) throw new WireError('proto: wrong wireType');
  return bytes;
}

/** @param {Uint8Array} bytes eight, the lowest first */
function double(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
}
