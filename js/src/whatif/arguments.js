/** Checks the arguments of questions. */
import { InputError } from '../kubernetes/errors.js';

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} detail
 */
export function badArgument(field, value, detail) {
  return new InputError({ code: 'FieldValueInvalid', field, value, detail });
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {number} least
 * @throws {InputError} unless the value is a whole number from there
 */
export function checkCount(field, value, least) {
  if (Number.isSafeInteger(value) && Number(value) >= least) return;
  throw badArgument(field, value, `must be a whole number from ${least}`);
}
