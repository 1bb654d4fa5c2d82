/** Expands one object into many that differ in a number, such as the nodes of a large cluster. */
import { isRecord } from '../../../js/src/kubernetes.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

export const MOST_REPEATS = 5000;

/** @param {Record<string, unknown>} item of a list of objects */
export function isRepeat(item) {
  return 'repeat' in item;
}

/**
 * Copies of an object. In each copy `{n}` is replaced, in every string, with the copy's number from
 * 1.
 * @param {number} count
 * @param {KubernetesObject} object
 * @returns {KubernetesObject[]}
 */
export function repeated(count, object) {
  return Array.from({ length: count }, (_, index) => numbered(object, String(index + 1)));
}

/**
 * @param {any} value
 * @param {string} number
 * @returns {any}
 */
function numbered(value, number) {
  if (typeof value === 'string') return value.replaceAll('{n}', number);
  if (Array.isArray(value)) return value.map((one) => numbered(one, number));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, numbered(one, number)]),
  );
}
