import { isRecord } from '../values.js';
import { REST } from './fields.js';

/**
 * @import { Shape } from './fields.js'
 * @import { Names } from './names.js'
 */

/**
 * What a shape reads of a value, with other names. What is of another type than it should be stays
 * as it is, for the engine to refuse; nothing is changed in place.
 * @param {Shape} shape
 * @param {any} value
 * @param {Names} names
 * @returns {any}
 */
export function read(shape, value, names) {
  if (typeof shape === 'function') return shape(value, names);
  if (isList(shape))
    return Array.isArray(value) ? value.map((item) => read(shape[0], item, names)) : value;
  return isRecord(value) ? fieldsOf(shape, value, names) : value;
}

/**
 * @param {{ readonly [field: string]: any, readonly [REST]?: any }} shape
 * @param {Record<string, any>} record
 * @param {Names} names
 */
function fieldsOf(shape, record, names) {
  /** @type {Record<string, any>} */
  const result = {};
  for (const [field, item] of Object.entries(record)) {
    const part = Object.hasOwn(shape, field) ? shape[field] : shape[REST];
    const kept = part && item !== undefined ? read(part, item, names) : undefined;
    if (kept !== undefined) result[field] = kept;
  }
  return result;
}

/**
 * @param {Shape} shape
 * @returns {shape is readonly [any]}
 */
function isList(shape) {
  return Array.isArray(shape);
}
