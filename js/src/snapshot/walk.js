import { isRecord } from '../kubernetes/values.js';
import { emptied } from './roles.js';
import { DIGEST, REST } from './shape.js';

/**
 * @import { Shape } from './shape.js'
 * @import { Names } from './names.js'
 */

/**
 * Returns the parts of a value that a shape names, with new names. Other parts are dropped; a value
 * of the wrong type becomes an empty one of that type, for the engine to reject. The argument is
 * not changed.
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
