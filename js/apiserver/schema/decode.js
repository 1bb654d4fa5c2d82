/**
 * Reads objects by their types. Values of the wrong type are refused and unknown fields reported.
 * The result is what Go's types would write: only those empty fields that Go always writes,
 * canonical quantities and times, fields in the order of the types.
 */
import { remembered } from '../../src/kubernetes/remembered.js';
import { isRecord } from '../../src/kubernetes/values.js';
import { canonicalQuantity } from '../../src/kubernetes/canonical_quantity.js';
import { zeroValue } from './zero.js';

/** @import { Basic, Field, Shape, Struct } from './types.js' */

/** What cannot be read at all. The message is that of Go's decoder. */
export class DecodeError extends Error {
  /** What should have been there, and what was, of a wrong type. @type {Shape | null} */
  shape = null;
  /** @type {unknown} */
  given = undefined;
  /** The path of the field, as in `spec.containers[0].name`. */
  field = '';
}

/** Resources are known in thousandths. */
const MILLI = -3;

/** Go's RFC3339: letters are capital, a fraction may stand behind a comma. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(Z|([+-])(\d\d):(\d\d))$/;

/**
 * @param {Shape} shape
 * @param {unknown} value
 * @returns {{ value: any, unknownFields: string[] }} `unknownFields`: their paths, as in
 *   `spec.containers[0].imag`
 * @throws {DecodeError}
 */
export function decode(shape, value) {
  const decoder = new Decoder();
  try {
    return { value: decoder.decode(shape, value), unknownFields: decoder.unknownFields };
  } catch (cause) {
    if (cause instanceof DecodeError) cause.field = decoder.field;
    throw cause;
  }
}

/** @typedef {string | number | { key: string }} PathPart */

class Decoder {
  /** @type {string[]} */
  unknownFields = [];
  /** Where it is, or where it ended. */
  get field() {
    return pathText(this.#path);
  }

  /** Names of fields, indices, and keys of maps. @type {PathPart[]} */
  #path = [];
  /** Those around. @type {Struct[]} */
  #structs = [];

  /**
   * @param {Shape} shape
   * @param {any} value
   * @returns {any}
   */
  decode(shape, value) {
    switch (shape.kind) {
      case 'any':
        return value;
      case 'scalar':
        return this.#scalar(shape, value);
      case 'struct':
        return this.#struct(shape, value);
      case 'list':
        if (!Array.isArray(value)) throw this.#mismatch(shape, value);
        return value.map((element, index) => this.#at(index, shape.element, element));
      case 'map': {
        if (!isRecord(value)) throw this.#mismatch(shape, value);
        const entries = Object.entries(value).map(([key, element]) => [
          key,
          isQuantity(shape.element)
            ? this.#within({ key }, () => this.#quantity(element ?? 0, MILLI))
            : this.#at({ key }, shape.element, element),
        ]);
        return Object.fromEntries(entries);
      }
    }
  }

  /**
   * @param {Extract<Shape, { kind: 'struct' }>} shape
   * @param {any} value
   */
  #struct(shape, value) {
    if (!isRecord(value)) throw this.#mismatch(shape, value);
    const { struct } = shape;
    /** @type {Record<string, any>} */
    const result = {};
    this.#structs.push(struct);
    for (const field of fieldsOf(struct, value)) {
      // No field is named like what every object has.
      const given = value[field.name];
      if (given === undefined || given === null) {
        if (field.isAlwaysWritten) {
          result[field.name] = field.isPointer ? null : zeroValue(field.shape);
        }
        continue;
      }
      const decoded = this.#at(field.name, field.shape, given);
      if (field.isPointer || field.isAlwaysWritten || !isEmpty(decoded)) {
        result[field.name] = decoded;
      }
    }
    this.#structs.pop();
    for (const name of Object.keys(value)) {
      if (!struct.fields.has(name)) this.unknownFields.push(pathText([...this.#path, name]));
    }
    return result;
  }

  /**
   * @param {PathPart} part
   * @param {Shape} shape
   * @param {any} value
   */
  #at(part, shape, value) {
    return this.#within(part, () =>
      value === null ? zeroValue(shape) : this.decode(shape, value),
    );
  }

  /**
   * What cannot be read ends the decoding: the path then stays that of its field.
   * @template T
   * @param {PathPart} part
   * @param {() => T} read
   * @returns {T}
   */
  #within(part, read) {
    this.#path.push(part);
    const value = read();
    this.#path.pop();
    return value;
  }

  /**
   * @param {Extract<Shape, { kind: 'scalar' }>} shape
   * @param {any} value
   */
  #scalar(shape, value) {
    const { basic } = shape;
    switch (basic) {
      case 'Quantity':
        return this.#quantity(value);
      case 'Time':
      case 'MicroTime':
        if (typeof value !== 'string') throw this.#mismatch(shape, value);
        return time(value, basic);
      case 'IntOrString':
        if (typeof value === 'string' || Number.isInteger(value)) return value;
        throw this.#mismatch(shape, value);
      case 'string':
      case 'bytes':
        if (typeof value === 'string') return value;
        throw this.#mismatch(shape, value);
      case 'bool':
        if (typeof value === 'boolean') return value;
        throw this.#mismatch(shape, value);
      case 'float64':
        if (typeof value === 'number') return value;
        throw this.#mismatch(shape, value);
      default:
        if (Number.isInteger(value) && isInRange(value, basic)) return value;
        throw this.#mismatch(shape, value);
    }
  }

  /**
   * @param {unknown} value
   * @param {number} [smallest]
   */
  #quantity(value, smallest) {
    const isText = typeof value === 'string' || typeof value === 'number';
    try {
      return canonicalQuantity(isText ? value : JSON.stringify(value), smallest);
    } catch (cause) {
      throw new DecodeError(/** @type {Error} */ (cause).message);
    }
  }

  /**
   * @param {Shape} shape
   * @param {unknown} value
   */
  #mismatch(shape, value) {
    const fields = this.#path.filter((part) => typeof part === 'string');
    const path = fields.join('.');
    const struct = this.#structs[this.#structs.length - 1];
    const place = struct === undefined ? 'value' : `struct field ${struct.goName}.${path}`;
    const isNumber = typeof value === 'number' && isInteger(shape);
    const kind = isNumber ? `number ${value}` : jsonKind(value);
    const what = `cannot unmarshal ${kind} into Go ${place} of type ${declaredType(shape)}`;
    const error = new DecodeError(`json: ${what}`);
    return Object.assign(error, { shape, given: value });
  }
}

/**
 * The fields that are given or always written, in their order: an object has few of those that its
 * type has.
 * @param {Struct} struct
 * @param {Record<string, unknown>} value
 */
function fieldsOf({ fields, alwaysWritten }, value) {
  /** @type {Field[]} */
  const found = [];
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    if (field !== undefined) insert(found, field);
  }
  for (const field of alwaysWritten) {
    if (!Object.hasOwn(value, field.name)) insert(found, field);
  }
  return found;
}

/**
 * @param {Field[]} fields in their order; mostly the next one is the last
 * @param {Field} field
 */
function insert(fields, field) {
  let at = fields.length;
  for (; at > 0 && fields[at - 1].place > field.place; at -= 1) fields[at] = fields[at - 1];
  fields[at] = field;
}

/** @param {Shape} shape */
function isQuantity(shape) {
  return shape.kind === 'scalar' && shape.basic === 'Quantity';
}

/**
 * @param {number} value
 * @param {Basic} basic
 */
function isInRange(value, basic) {
  return basic !== 'int32' || Math.abs(value) < 2 ** 31;
}

/**
 * What Go leaves out with `omitempty` or `omitzero`.
 * @param {any} value
 */
function isEmpty(value) {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return !value;
}

/**
 * @param {string} text
 * @param {'Time' | 'MicroTime'} basic
 */
function time(text, basic) {
  const seconds = secondsOf(text);
  if (seconds === undefined) {
    const layout =
      basic === 'Time' ? '2006-01-02T15:04:05Z07:00' : '2006-01-02T15:04:05.000000Z07:00';
    throw new DecodeError(
      `parsing time "${text}" as "${layout}": cannot parse "${text}" as "2006"`,
    );
  }
  if (basic === 'Time') return `${seconds}Z`;
  const [, fraction = ''] = /[.,](\d+)/.exec(text) ?? [];
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/**
 * In UTC, without a fraction and a zone; undefined: it is no time. Many objects have the same.
 * @type {(text: string) => string | undefined}
 */
const secondsOf = remembered((text) => {
  const [match, ...parts] = RFC3339.exec(text) ?? [];
  if (match === undefined) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(0, 6).map(Number);
  const [hours, minutes] = parts.slice(9).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 59 || hours > 24 || minutes > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const ahead = (parts[8] === '-' ? -1 : 1) * (hours * 60 + minutes);
  date.setUTCHours(hour, minute - ahead, second);
  const shown = date.toISOString();
  return shown.length === ISO_LENGTH ? shown.slice(0, 19) : undefined;
});

/** Of years with four digits. */
const ISO_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** @param {unknown} value @returns {string} as Go's decoder names it: `array`, `bool`, `string`… */
export function jsonKind(value) {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** @param {Shape} shape */
function isInteger(shape) {
  return shape.kind === 'scalar' && ['int32', 'int64', 'byte'].includes(shape.basic);
}

/**
 * @param {Shape} shape
 * @returns {string}
 */
function declaredType(shape) {
  switch (shape.kind) {
    case 'list':
      return `[]${declaredType(shape.element)}`;
    case 'map':
      return `map[string]${declaredType(shape.element)}`;
    case 'struct':
      return shape.struct.name.slice(shape.struct.name.lastIndexOf('/') + 1);
    case 'any':
      return 'runtime.RawExtension';
    case 'scalar':
      return GO_TYPES.get(shape.basic) ?? shape.basic;
  }
}

/** @type {Map<Basic, string>} */
const GO_TYPES = new Map([
  ['bytes', '[]uint8'],
  ['byte', 'uint8'],
  ['IntOrString', 'intstr.IntOrString'],
  ['Quantity', 'resource.Quantity'],
  ['Time', 'v1.Time'],
  ['MicroTime', 'v1.MicroTime'],
]);

/** @param {PathPart[]} path */
function pathText(path) {
  return path.reduce((/** @type {string} */ text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = typeof part === 'string' ? part : part.key;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
