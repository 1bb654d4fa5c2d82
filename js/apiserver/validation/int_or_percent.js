/**
 * Fields that are a number or a percentage.
 * Counterpart: `ValidatePositiveIntOrPercent` and its siblings of pkg/apis/apps/validation, v1.36.
 */
import { invalidValue } from '../../src/kubernetes/field_errors.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const PERCENTAGE = /^[0-9]+%$/;

const NO_PERCENTAGE =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or " +
  "'93%', regex used for validation is '[0-9]+%')";

/**
 * @param {number | string} value
 * @param {string} field
 * @returns {FieldError[]}
 */
export function intOrPercentErrors(value, field) {
  if (typeof value === 'string')
    return PERCENTAGE.test(value) ? [] : [invalidValue(field, value, NO_PERCENTAGE)];
  return value >= 0 ? [] : [invalidValue(field, value, 'must be greater than or equal to 0')];
}

/**
 * @param {number | string} value
 * @param {string} field
 * @returns {FieldError[]}
 */
export function atMostAllErrors(value, field) {
  const isMore = PERCENTAGE.test(String(value)) && amountOf(value) > 100;
  return isMore ? [invalidValue(field, value, 'must not be greater than 100%')] : [];
}

/**
 * Returns the number, of a percentage too. A text that is neither counts as 0.
 * @param {number | string} value
 */
export function amountOf(value) {
  if (typeof value === 'number') return value;
  return /^[+-]?[0-9]+%?$/.test(value) ? Number.parseInt(value, 10) : 0;
}
