/**
 * Errors of fields, in Kubernetes' words. Counterpart:
 * apimachinery/pkg/util/validation/field/errors.go, v1.36.
 */

/**
 * @typedef {object} FieldError
 * @property {string} field `spec.containers[0].name`
 * @property {string} reason `FieldValueRequired`…
 * @property {string} body the sentence without the field
 * @property {string} [gate] the feature gate that allows this
 * @property {string} [operand] what is compared if the gate allows a comparison
 */

/**
 * @param {string} field
 * @param {string} [detail]
 * @returns {FieldError}
 */
export function required(field, detail) {
  return { field, reason: 'FieldValueRequired', body: sentence('Required value', detail) };
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} detail
 * @returns {FieldError}
 */
export function invalidValue(field, value, detail) {
  const body = sentence(`Invalid value: ${inWords(value)}`, detail);
  return { field, reason: 'FieldValueInvalid', body };
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {readonly string[]} supported
 * @returns {FieldError}
 */
export function notSupported(field, value, supported) {
  const list = supported.map((one) => JSON.stringify(one)).join(', ');
  const body = sentence(`Unsupported value: ${inWords(value)}`, `supported values: ${list}`);
  return { field, reason: 'FieldValueNotSupported', body };
}

/**
 * @param {string} field
 * @param {string} detail
 * @returns {FieldError}
 */
export function forbiddenField(field, detail) {
  return { field, reason: 'FieldValueForbidden', body: sentence('Forbidden', detail) };
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} [detail]
 * @returns {FieldError}
 */
export function duplicate(field, value, detail) {
  const body = sentence(`Duplicate value: ${inWords(value)}`, detail);
  return { field, reason: 'FieldValueDuplicate', body };
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} [detail]
 * @returns {FieldError}
 */
export function notFoundValue(field, value, detail) {
  const body = sentence(`Not found: ${inWords(value)}`, detail);
  return { field, reason: 'FieldValueNotFound', body };
}

/**
 * @param {string} field
 * @param {number} longest
 * @returns {FieldError}
 */
export function tooLong(field, longest) {
  const body = `Too long: may not be more than ${longest} bytes`;
  return { field, reason: 'FieldValueTooLong', body };
}

/**
 * @param {string} field
 * @param {number} count of the entries
 * @param {number} most
 * @returns {FieldError}
 */
export function tooMany(field, count, most) {
  const body = `Too many: ${count}: must have at most ${most} ${most === 1 ? 'item' : 'items'}`;
  return { field, reason: 'FieldValueTooMany', body };
}

/** @param {unknown} value */
function inWords(value) {
  return value === undefined ? 'null' : JSON.stringify(value);
}

/**
 * @param {string} start
 * @param {string} [detail]
 */
function sentence(start, detail) {
  return detail ? `${start}: ${detail}` : start;
}
