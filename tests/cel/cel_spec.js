/**
 * CEL's conformance tests (@bufbuild/cel-spec) in the form that tests/cel/stowage_cel_spec.cc reads
 * and prints.
 */
import { Buffer } from 'node:buffer';

/**
 * @typedef {{name?: string, expr: string, value?: any, evalError?: any, typeEnv?: any[],
 *   bindings?: Record<string, {value: any}>, container?: string, disableCheck?: boolean,
 *   checkOnly?: boolean, typedResult?: {result?: any, deducedType?: any}}} SpecTest
 * @typedef {{original: SpecTest, type?: string, error?: string}} SpecEntry
 * @typedef {{name: string, suites?: Suite[], tests?: SpecEntry[]}} Suite
 * @typedef {{value?: any, type?: string, error?: string, issues?: string}} Answer
 */

/**
 * Every test with its path ("string_ext/char_at/middle_index").
 *
 * @param {Suite} suite @param {string[]} [above]
 * @returns {Generator<{path: string, entry: SpecEntry}>}
 */
export function* testsOf(suite, above = []) {
  for (const entry of suite.tests ?? []) {
    yield { path: [...above, entry.original.name ?? entry.original.expr].join('/'), entry };
  }
  for (const inner of suite.suites ?? []) yield* testsOf(inner, [...above, inner.name]);
}

const hex = (/** @type {Uint8Array} */ bytes) => Buffer.from(bytes).toString('hex');
export const textOf = (/** @type {string} */ digits) => Buffer.from(digits, 'hex').toString();

/** @param {number | string} value @returns {string} the bits of the double */
function bitsOf(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(Number(value));
  return bytes.readBigUInt64BE().toString();
}

const NANOS = 1_000_000_000n;

/** @param {string} text "1.5s" @returns {bigint} nanoseconds */
function nanosOf(text) {
  const [, sign, whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?s$/.exec(text) ?? [];
  const nanos = BigInt(whole) * NANOS + BigInt(fraction.padEnd(9, '0'));
  return sign ? -nanos : nanos;
}

/** @param {string} text RFC 3339 @returns {string} "seconds.nanos" */
function secondsOf(text) {
  const [, head, fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return `${Date.parse(`${head}Z`) / 1000}.${BigInt(fraction.padEnd(9, '0'))}`;
}

/** A protobuf message among the values. @param {any} message */
function expectedMessage(message) {
  const name = String(message['@type']).replace('type.googleapis.com/', '');
  if (name === 'google.protobuf.Timestamp') return { timestamp: secondsOf(message.value) };
  if (name === 'google.protobuf.Duration') return { duration: String(nanosOf(message.value)) };
  throw new Error(`a message ${name}`);
}

/** Two doubles that are no numbers are equal. */
const NAN_BITS = bitsOf('NaN');

/**
 * The value of a test as the program prints it.
 *
 * @param {any} value
 * @returns {any}
 */
export function expectedValue(value) {
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case 'nullValue':
      return { null: true };
    case 'boolValue':
      return { bool: content };
    case 'int64Value':
      return { int: String(content) };
    case 'uint64Value':
      return { uint: String(content) };
    case 'doubleValue':
      return { double: bitsOf(content) };
    case 'stringValue':
      return { string: hex(Buffer.from(content)) };
    case 'bytesValue':
      return { bytes: hex(Buffer.from(content, 'base64')) };
    case 'typeValue':
      return { type: content };
    case 'listValue':
      return { list: (content.values ?? []).map(expectedValue) };
    case 'mapValue':
      return {
        map: (content.entries ?? []).map((/** @type {any} */ entry) => [
          expectedValue(entry.key),
          expectedValue(entry.value),
        ]),
      };
    case 'objectValue':
      return expectedMessage(content);
    default:
      throw new Error(`a value of kind ${kind}`);
  }
}

/** Entries of maps in one order, one NaN. @param {any} value @returns {any} */
export function normalized(value) {
  if (Array.isArray(value?.list)) return { list: value.list.map(normalized) };
  if (Array.isArray(value?.map)) {
    const entries = value.map.map((/** @type {any[]} */ entry) => entry.map(normalized));
    const keyOf = (/** @type {any[]} */ entry) => JSON.stringify(entry[0]);
    entries.sort((/** @type {any} */ a, /** @type {any} */ b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    return { map: entries };
  }
  if (value?.optional) return { optional: normalized(value.optional) };
  // Every NaN has all bits of its exponent and one of the rest.
  const bits = value?.double === undefined ? 0n : BigInt(value.double) & 0x7fffffffffffffffn;
  return bits > 0x7ff0000000000000n ? { double: NAN_BITS } : value;
}

/** @param {any} value @returns {string} an expression for the value of a binding */
function expressionOf(value) {
  const [[kind, content]] = Object.entries(value);
  switch (kind) {
    case 'nullValue':
      return 'null';
    case 'boolValue':
      return String(content);
    case 'int64Value':
      return String(content);
    case 'uint64Value':
      return `${content}u`;
    case 'doubleValue':
      return `double("${content}")`;
    case 'stringValue':
      return JSON.stringify(content);
    case 'bytesValue': {
      const digits = hex(Buffer.from(content, 'base64'));
      return `b"${digits.replace(/../g, '\\x$&')}"`;
    }
    case 'typeValue':
      return content;
    case 'listValue':
      return `[${(content.values ?? []).map(expressionOf).join(', ')}]`;
    case 'mapValue': {
      const entries = (content.entries ?? []).map(
        (/** @type {any} */ { key, value: inner }) =>
          `${expressionOf(key)}: ${expressionOf(inner)}`,
      );
      return `{${entries.join(', ')}}`;
    }
    default: {
      const { value: text } = content;
      return `${/^-?\d.*s$/.test(text) ? 'duration' : 'timestamp'}("${text}")`;
    }
  }
}

/** @type {Record<string, string>} */
const PRIMITIVES = { BOOL: 'b', INT64: 'i', UINT64: 'u', DOUBLE: 'd', STRING: 's', BYTES: 'y' };

/** @param {any} type @returns {string} in the letters of core/cel/type.h */
function lettersOf(type) {
  if ('primitive' in type) return PRIMITIVES[type.primitive];
  if ('dyn' in type) return '*';
  if ('null' in type) return 'n';
  if ('wellKnown' in type) return type.wellKnown === 'DURATION' ? 'r' : 't';
  if (type.listType) return `l${lettersOf(type.listType.elemType)}`;
  if (type.mapType)
    return `m${lettersOf(type.mapType.keyType)}${lettersOf(type.mapType.valueType)}`;
  if (type.messageType === 'google.protobuf.Timestamp') return 't';
  if (type.messageType === 'google.protobuf.Duration') return 'r';
  throw new Error(`a type ${JSON.stringify(type)}`);
}

/** @type {Record<string, string>} */
const TYPE_NAMES = { i: 'int', b: 'bool', u: 'uint', d: 'double', s: 'string', y: 'bytes' };

/** @param {any} type @returns {string} as messages write it */
export function typeText(type) {
  if (type.listType) return `list(${typeText(type.listType.elemType)})`;
  if (type.mapType) {
    return `map(${typeText(type.mapType.keyType)}, ${typeText(type.mapType.valueType)})`;
  }
  if (type.abstractType) {
    const { name, parameterTypes = [] } = type.abstractType;
    return `${name}(${parameterTypes.map(typeText).join(', ')})`;
  }
  if ('dyn' in type) return 'dyn';
  if ('null' in type) return 'null';
  if ('wellKnown' in type) return String(type.wellKnown).toLowerCase();
  if ('type' in type) return `type(${typeText(type.type)})`;
  return TYPE_NAMES[lettersOf(type)];
}

/** The line that the program reads. @param {SpecTest} test */
export function requestOf({ expr, typeEnv = [], bindings = {}, disableCheck }) {
  const options = ['dynamic', 'escaped', ...(disableCheck ? ['unchecked'] : [])].join(',');
  const fields = [options, expr];
  for (const { name, ident } of typeEnv) {
    const binding = bindings[name]?.value;
    fields.push(name, lettersOf(ident.type), binding ? expressionOf(binding) : 'null');
  }
  return fields.map(encodeURIComponent).join('\t');
}
