import { isRecord } from '../kubernetes/values.js';
import { emptied } from './roles.js';
import { DIGEST, REST } from './shape.js';

/**
 * @import { Shape } from './shape.js'
 * @import { Names } from './names.js'
 */

/**
 * What a shape reads of a value, with other names. What no shape names is not read; what is of
 * another type than it should be stays of that type, empty, for the engine to refuse; nothing is
 * changed in place.
 * @param {Shape} shape
 * @param {any} value
 * @param {Names} names
 * @returns {any}
 */
export function read(shape, value, names) {
  if (typeof shape === 'function') return shape(value, names);
  if (isList(shape))
    return Array.isArray(value) ? value.map((item) => read(shape[0], item, names)) : emptied(value);
  return isRecord(value) ? fieldsOf(shape, value, names) : emptied(value);
}

/**
 * @param {{ readonly [field: string]: any, readonly [REST]?: any, readonly [DIGEST]?: string }}
 *   shape
 * @param {Record<string, any>} record
 * @param {Names} names
 */
function fieldsOf(shape, record, names) {
  /** @type {[string, unknown][]} */
  const fields = [];
  /** @type {[string, unknown][]} */
  const others = [];
  for (const [field, item] of Object.entries(record)) {
    const isNamed = Object.hasOwn(shape, field);
    const part = isNamed ? shape[field] : shape[REST];
    if (!isNamed) others.push([field, item]);
    const kept = part && item !== undefined ? read(part, item, names) : undefined;
    if (kept !== undefined) fields.push([field, kept]);
  }
  const digest = shape[DIGEST];
  if (digest !== undefined && others.length > 0)
    fields.push([digest, names.digest(JSON.stringify(Object.fromEntries(others)))]);
  return Object.fromEntries(fields);
}

/**
 * @param {Shape} shape
 * @returns {shape is readonly [any]}
 */
function isList(shape) {
  return Array.isArray(shape);
}
