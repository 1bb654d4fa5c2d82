/**
 * Decodes objects by their types. Values of the wrong type are rejected and unknown fields
 * reported. The result is that of Go's encoder: empty fields only if Go always writes them,
 * canonical quantities and times, fields in the order of the types.
 */
import { BEYOND_EXACT } from '../../src/kubernetes/int64.js';
import { remembered } from '../../src/kubernetes/remembered.js';
import { isRecord } from '../../src/kubernetes/values.js';
import { canonicalQuantity } from '../../src/kubernetes/canonical_quantity.js';
import { zeroValue } from './zero.js';

/** @import { Basic, Shape, Struct } from './types.js' */

/** The value cannot be decoded. The message is that of Go's decoder. */
export class DecodeError extends Error {
  /** The expected shape, if the type is wrong. @type {Shape | null} */
  shape = null;
  /** The given value. @type {unknown} */
  given = undefined;
  /** The path of the field, as in `spec.containers[0].resources.requests[cpu]`. */
  field = '';
}

/** Quantities of resources are rounded up to thousandths. */
const MILLI = -3;

/** @type {Extract<Shape, { kind: 'scalar' }>} */
const AMOUNT = { kind: 'scalar', basic: 'Quantity' };

/** Go's RFC3339: capital letters, and a fraction may follow a comma. */
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
  /** The present path, or that of the error. */
  get field() {
    return pathText(this.#path, ({ key }) => `[${key}]`);
  }

  /** Names of fields, indices, and keys of maps. @type {PathPart[]} */
  #path = [];
  /** The enclosing structs. @type {Struct[]} */
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
      case 'map':
        if (!isRecord(value)) throw this.#mismatch(shape, value);
        return this.#map(shape.element, value);
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
    const { fields, unknown } = struct.layoutOf(value);
    for (const field of fields) {
      // No field has the name of an inherited member, so this lookup is safe.
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
    for (const name of unknown) this.unknownFields.push(pathText([...this.#path, name]));
    return result;
  }

  /**
   * @param {Shape} shape of the elements
   * @param {Record<string, any>} value
   */
  #map(shape, value) {
    const element = isQuantity(shape) ? AMOUNT : shape;
    const entries = Object.entries(value);
    for (const entry of entries) {
      const given = entry[1] ?? (element === AMOUNT ? 0 : null);
      if (!isPlainText(element, given)) entry[1] = this.#at({ key: entry[0] }, element, given);
    }
    return Object.fromEntries(entries);
  }

  /**
   * An error ends the decoding, so the path stays that of its field.
   * @param {PathPart} part
   * @param {Shape} shape
   * @param {any} value
   */
  #at(part, shape, value) {
    if (value === null) return zeroValue(shape);
    if (isPlainText(shape, value)) return value;
    this.#path.push(part);
    const decoded = this.decode(shape, value);
    this.#path.pop();
    return decoded;
  }

  /**
   * @param {Extract<Shape, { kind: 'scalar' }>} shape
   * @param {any} value
   */
  #scalar(shape, value) {
    const { basic } = shape;
    switch (basic) {
      case 'Quantity':
        return this.#quantity(value, shape === AMOUNT ? MILLI : undefined);
      case 'Time':
      case 'MicroTime':
        if (typeof value !== 'string') throw this.#mismatch(shape, value);
        return time(value, basic);
      case 'IntOrString':
        if (typeof value === 'string' || isInRange(value, 'int32')) return value;
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
        if (isInRange(value, basic)) return value;
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
      const error = new DecodeError(/** @type {Error} */ (cause).message);
      throw Object.assign(error, { given: value });
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
    const isLarge = isInteger(shape) && isLargeInteger(value);
    const isNumber = isLarge || (typeof value === 'number' && isInteger(shape));
    const kind = isNumber ? `number ${value}` : jsonKind(value);
    const type = declaredType(shape);
    const what = `cannot unmarshal ${kind} into Go ${place} of type ${type}`;
    const error = new DecodeError(
      `json: ${what}${isLarge && type === 'int64' ? `: ${BEYOND_EXACT}` : ''}`,
    );
    return Object.assign(error, { shape, given: value });
  }
}

/**
 * Most values are texts.
 * @param {Shape} shape
 * @param {unknown} value
 */
function isPlainText(shape, value) {
  return typeof value === 'string' && shape.kind === 'scalar' && shape.basic === 'string';
}

/** @param {Shape} shape */
function isQuantity(shape) {
  return shape.kind === 'scalar' && shape.basic === 'Quantity';
}

/**
 * Whether it is an integer that JSON.parse has rounded, or that the reading of YAML left as text.
 * @param {any} value
 */
function isLargeInteger(value) {
  return /^-?\d{16,}$/.test(value) && !Number.isSafeInteger(Number(value));
}

/**
 * DIVERGENCE(large-integers): an int64 beyond 2^53 is refused, because JSON.parse has rounded it.
 * @param {any} value
 * @param {Basic} basic of an integer
 */
function isInRange(value, basic) {
  return basic === 'int32' ? value === (value | 0) : Number.isSafeInteger(value);
}

/**
 * Values that Go omits with `omitempty` or `omitzero`.
 * @param {any} value
 */
function isEmpty(value) {
  if (typeof value !== 'object' || value === null) return !value;
  if (Array.isArray(value)) return value.length === 0;
  for (const _name in value) return false;
  return true;
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
    const why = `parsing time "${text}" as "${layout}": cannot parse "${text}" as "2006"`;
    throw Object.assign(new DecodeError(why), { given: text });
  }
  if (basic === 'Time') return `${seconds}Z`;
  const [, fraction = ''] = /[.,](\d+)/.exec(text) ?? [];
  return `${seconds}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/**
 * In UTC, without a fraction and a zone; undefined if it is not a time. Cached, because many
 * objects have the same time.
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

/** The length for years with four digits. */
const ISO_LENGTH = '2026-01-01T00:00:00.000Z'.length;

/** @param {unknown} value @returns {string} Go's name for it: `array`, `bool`, `string`… */
export function jsonKind(value) {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** @param {Shape} shape */
function isInteger(shape) {
  return shape.kind === 'scalar' && ['int32', 'int64'].includes(shape.basic);
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
  ['IntOrString', 'intstr.IntOrString'],
  ['Quantity', 'resource.Quantity'],
  ['Time', 'v1.Time'],
  ['MicroTime', 'v1.MicroTime'],
]);

/**
 * @param {PathPart[]} path
 * @param {(part: { key: string }) => string} [keyText] how a map's key is added; Go's decoder names
 *   unknown fields with a point before it, Kubernetes' field errors have it in brackets
 */
function pathText(path, keyText = ({ key }) => `.${key}`) {
  const whole = path.reduce((/** @type {string} */ text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text + (typeof part === 'string' ? `.${part}` : keyText(part));
  }, '');
  return whole.replace(/^\./, '');
}
