/**
 * Encodes objects as client-go's protobuf: every field of a struct is written, zero or not, except
 * absent pointers. The inverse of js/apiserver/schema/protobuf.js.
 */
import { shapeOf } from '../../../js/apiserver/schema/types.js';

/** @import { Field, Shape } from '../../../js/apiserver/schema/types.js' */

const MAGIC = [0x6b, 0x38, 0x73, 0x00];
const VARINT = 0;
const BYTES = 2;

const text = (/** @type {string} */ value) => [...new TextEncoder().encode(value)];

/** @param {any} object with its kind and apiVersion @returns {Uint8Array} */
export function encodeProtobuf(object) {
  const { apiVersion, kind } = object;
  const typeMeta = [...bytesField(1, text(apiVersion)), ...bytesField(2, text(kind))];
  const raw = message(shapeOf(apiVersion, kind), object);
  return new Uint8Array([...MAGIC, ...bytesField(1, typeMeta), ...bytesField(2, raw)]);
}

/** @param {number | bigint} value @returns {number[]} */
function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

/** @param {number} number @param {number[]} bytes */
const bytesField = (number, bytes) => [
  ...varint((number << 3) | BYTES),
  ...varint(bytes.length),
  ...bytes,
];

/** @param {Shape} shape a struct's @param {any} value @returns {number[]} */
function message(shape, value) {
  if (shape.kind !== 'struct') throw new Error('no struct');
  return [...shape.struct.fields.values()].flatMap((field) => member(field, value?.[field.name]));
}

/** @param {Field} field @param {any} value @returns {number[]} */
function member({ shape, isPointer, protobuf: [number, ...inner] }, value) {
  if (number === undefined || (value === undefined && isPointer)) return [];
  if (inner.length > 0) return bytesField(number, one(inner[0], shape, value));
  if (shape.kind === 'list')
    return (value ?? []).flatMap((/** @type {any} */ item) => one(number, shape.element, item));
  if (shape.kind !== 'map') return one(number, shape, value);
  const { element } = shape;
  return Object.entries(value ?? {}).flatMap(([key, item]) =>
    bytesField(number, [...bytesField(1, text(key)), ...one(2, element, item)]),
  );
}

/** @param {number} number @param {Shape} shape @param {any} value @returns {number[]} */
function one(number, shape, value) {
  if (shape.kind === 'struct') return bytesField(number, message(shape, value));
  if (shape.kind === 'any') return bytesField(number, bytesField(1, text(JSON.stringify(value))));
  if (shape.kind !== 'scalar') throw new Error(`no field may be a ${shape.kind}`);
  switch (shape.basic) {
    case 'bool':
    case 'int32':
    case 'int64':
      return [...varint((number << 3) | VARINT), ...varint(Number(value ?? 0))];
    case 'Quantity':
      return bytesField(number, bytesField(1, text(value ?? '0')));
    case 'Time':
    case 'MicroTime':
      return bytesField(number, time(value));
    case 'IntOrString':
      return bytesField(number, intOrString(value ?? 0));
    case 'string':
      return bytesField(number, text(value ?? ''));
    default:
      throw new Error(`no ${shape.basic} is sent here`);
  }
}

/** @param {string | undefined} value */
function time(value) {
  if (value === undefined || value === null) return [];
  const micros = Number(/\.(\d{6})/.exec(value)?.[1] ?? 0);
  const seconds = Math.floor(Date.parse(value) / 1000);
  return [
    ...[(1 << 3) | VARINT, ...varint(seconds)],
    ...[(2 << 3) | VARINT, ...varint(micros * 1000)],
  ];
}

/** @param {string | number} value */
function intOrString(value) {
  const isText = typeof value === 'string';
  return [
    ...[(1 << 3) | VARINT, ...varint(Number(isText))],
    ...[(2 << 3) | VARINT, ...varint(isText ? 0 : value)],
    ...bytesField(3, text(isText ? value : '')),
  ];
}
