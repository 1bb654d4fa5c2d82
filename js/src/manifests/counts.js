/** Reads the counts of a workload. */
import { fieldError } from './shapes.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** The maximum number of pods per workload: more than the largest clusters have. */
const MOST_PODS = 200_000;

/** The maximum of Kubernetes' counts, which are int32. */
export const INT32_MAX = 2 ** 31 - 1;

/**
 * Reads a count in a workload's spec.
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {number} missing the meaning of an absent count
 * @throws {import('../kubernetes/errors.js').InputError} unless it is one
 */
export function countOf(object, field, missing) {
  return wholeNumber(object, `spec.${field}`, object.spec[field] ?? missing, MOST_PODS);
}

/**
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {any} value
 * @param {number} most
 * @returns {number}
 * @throws {import('../kubernetes/errors.js').InputError} unless the value is one
 */
export function wholeNumber(object, field, value, most) {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  const detail = `a whole number from 0 to ${most} is expected, not ${JSON.stringify(value)}`;
  throw fieldError(object, field, 'FieldValueInvalid', detail);
}
