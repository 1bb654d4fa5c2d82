/**
 * The wire format of protobuf.
 * Source: https://protobuf.dev/programming-guides/encoding.
 */

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** The content of a field without a value. */
export const EMPTY = new Uint8Array();

/** The bytes are not protobuf. */
export class WireError extends Error {}

/**
 * One field of a message: a number, or the bytes of its content.
 * @typedef {{ number: number, value: bigint | Uint8Array }} Part
 */

/**
 * Returns the last occurrence of each bytes field, by name; empty if it is absent.
 * @template {string} T
 * @param {Uint8Array} bytes
 * @param {Record<number, T>} names
 * @returns {Record<T, Uint8Array>}
 */
export function fieldsOf(bytes, names) {
  /** @type {Record<string, Uint8Array>} */
  const found = Object.fromEntries(Object.values(names).map((name) => [name, EMPTY]));
  for (const { number, value } of partsOf(bytes)) {
    if (names[number]) found[names[number]] = bytesOf(value);
  }
  return /** @type {Record<T, Uint8Array>} */ (found);
}

/**
 * @param {Uint8Array} bytes
 * @returns {Generator<Part>}
 */
export function* partsOf(bytes) {
  const reader = { bytes, at: 0 };
  while (reader.at < bytes.length) {
    const tag = Number(varint(reader));
    yield { number: tag >>> 3, value: part(reader, tag & 7) };
  }
}

/**
 * @param {{ bytes: Uint8Array, at: number }} reader
 * @param {number} type
 */
function part(reader, type) {
  switch (type) {
    case VARINT:
      return varint(reader);
    case FIXED64:
      return take(reader, 8);
    case BYTES:
      return take(reader, Number(varint(reader)));
    case FIXED32:
      return take(reader, 4);
    default:
      throw new WireError(`proto: illegal wireType ${type}`);
  }
}

/**
 * @param {{ bytes: Uint8Array, at: number }} reader
 * @param {number} length
 */
function take(reader, length) {
  // Going back, the reader would never end.
  if (length < 0) throw new WireError('proto: negative length found during unmarshaling');
  const end = reader.at + length;
  if (!(end <= reader.bytes.length)) throw unexpectedEnd();
  const taken = reader.bytes.subarray(reader.at, end);
  reader.at = end;
  return taken;
}

/** @param {{ bytes: Uint8Array, at: number }} reader */
export function varint(reader) {
  let value = 0n;
  for (let shift = 0n; shift < 70n; shift += 7n) {
    if (reader.at >= reader.bytes.length) throw unexpectedEnd();
    const byte = reader.bytes[reader.at++];
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return BigInt.asIntN(64, value);
  }
  throw new WireError('proto: integer overflow');
}

function unexpectedEnd() {
  return new WireError('unexpected EOF');
}

/** @param {bigint | Uint8Array} value */
export function numberOf(value) {
  if (typeof value !== 'bigint') throw new WireError('proto: wrong wireType');
  return Number(value);
}

/** @param {bigint | Uint8Array} value */
export function bytesOf(value) {
  if (typeof value === 'bigint') throw new WireError('proto: wrong wireType');
  return value;
}
