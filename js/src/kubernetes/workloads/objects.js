/** @import { KubernetesObject } from '../types.js' */

/**
 * Milliseconds since the epoch; null of a time that is absent.
 * @param {string | null | undefined} time
 */
export function timeOf(time) {
  return time ? Date.parse(time) : null;
}

/**
 * Whether two values mean the same: what is empty, as '', {} and [] are, is as what is absent.
 * Counterpart: k8s.io/apimachinery/pkg/api/equality, v1.36 (Semantic.DeepEqual).
 * @param {any} left
 * @param {any} right
 * @returns {boolean}
 */
export function semanticEqual(left, right) {
  if (left === right || (isEmpty(left) && isEmpty(right))) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (Array.isArray(left) && left.length !== right.length) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) if (!semanticEqual(left[key], right[key])) return false;
  return true;
}

/**
 * Go's zero values of fields that are left out.
 * @param {any} value
 */
function isEmpty(value) {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * A count of a percentage, or a number as it is.
 * Counterpart: k8s.io/apimachinery/pkg/util/intstr, v1.36 (GetScaledValueFromIntOrPercent).
 * @param {number | string | null | undefined} value
 * @param {number} total
 * @param {boolean} roundUp
 * @returns {number} NaN of what is neither
 */
export function scaledValue(value, total, roundUp) {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value ?? '0%');
  if (!percent) return NaN;
  const exact = (Number(percent[1]) * total) / 100;
  return roundUp ? Math.ceil(exact) : Math.floor(exact);
}

/**
 * A status without the counts that are 0, which Go leaves out, and without what has no value.
 * @param {Record<string, any>} status
 * @param {string[]} kept counts that Go writes always
 * @returns {Record<string, any>}
 */
export function withoutZeros(status, kept) {
  return Object.fromEntries(
    Object.entries(status).filter(
      ([key, value]) => value !== undefined && (value !== 0 || kept.includes(key)),
    ),
  );
}
