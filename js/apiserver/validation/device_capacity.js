/**
 * The capacities of devices, and the policies by which requests consume them.
 * Counterpart: `validateRequestPolicy` of pkg/apis/resource/validation, v1.36.
 */
import {
  duplicate,
  forbiddenField,
  invalidValue,
  required,
  tooMany,
} from '../../src/kubernetes/field_errors.js';
import { quantityText } from '../../src/kubernetes/canonical_quantity.js';
import { parseQuantity } from '../../src/kubernetes/quantity.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

const MOST_VALUES = 10;
const NOT_BOTH =
  'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the ' +
  'same time';

/**
 * @param {any} capacity
 * @param {string} path
 * @param {boolean} isShared whether several claims may have parts of the device
 * @returns {FieldError[]}
 */
export function capacityErrors({ value = '0', requestPolicy: policy }, path, isShared) {
  const field = `${path}.requestPolicy`;
  if (!policy) return [];
  if (!isShared) return [forbiddenField(field, 'allowMultipleAllocations must be true')];
  const { default: preset, validValues = [], validRange } = policy;
  if (validValues.length > 0 && validRange) return [forbiddenField(field, NOT_BOTH)];
  const kind = (validValues.length > 0 && 'validValues') || (validRange && 'validRange');
  if (!kind) return [];
  if (preset == null) return [required(`${field}.default`, `required when ${kind} is defined`)];
  if (kind === 'validValues')
    return valuesErrors(validValues, `${field}.validValues`, { preset, most: value });
  return rangeErrors(validRange, `${field}.validRange`, { preset, most: value });
}

/**
 * @param {string[]} values
 * @param {string} field
 * @param {{ preset: string, most: string }} amounts the default, and the whole capacity
 * @returns {FieldError[]}
 */
function valuesErrors(values, field, { preset, most }) {
  const amounts = values.map(amountOf);
  const known = new Set();
  /** @type {FieldError[]} */
  const errors = [];
  const refuse = (/** @type {number} */ index, /** @type {string} */ detail) =>
    errors.push(invalidValue(`${field}[${index}]`, values[index], detail));
  for (const [index, amount] of amounts.entries())
    if (index > 0 && amount < amounts[index - 1])
      refuse(index, 'values must be sorted in ascending order');
  if (values.length > MOST_VALUES) return [...errors, tooMany(field, values.length, MOST_VALUES)];
  for (const [index, amount] of amounts.entries())
    if (amount > amountOf(most)) refuse(index, `option is larger than capacity value: ${most}`);
  for (const [index, amount] of amounts.entries()) {
    if (known.has(amount)) errors.push(duplicate(`${field}[${index}]`, values[index]));
    known.add(amount);
  }
  if (known.has(amountOf(preset))) return errors;
  const detail = 'default value is not valid according to the requestPolicy';
  return [...errors, invalidValue(field, preset, detail)];
}

/**
 * @param {{ min?: string, max?: string, step?: string }} range
 * @param {string} path
 * @param {{ preset: string, most: string }} amounts the default, and the whole capacity
 * @returns {FieldError[]}
 */
function rangeErrors({ min, max, step }, path, { preset, most }) {
  if (min === undefined) return [required(`${path}.min`, 'required when validRange is defined')];
  const [least, whole, usual] = [min, most, preset].map(amountOf);
  const rules = /** @type {[boolean, string, string, string][]} */ ([
    [least > whole, 'min', min, `min is larger than capacity value: ${most}`],
    [usual < least, 'default', preset, `default is less than min: ${min}`],
  ]);
  if (max !== undefined)
    rules.push(
      [least > amountOf(max), 'max', min, `min is larger than max: ${max}`],
      [amountOf(max) > whole, 'max', max, `max is larger than capacity value: ${most}`],
      [usual > amountOf(max), 'default', preset, `default is more than max: ${max}`],
    );
  const errors = rules
    .filter(([isBroken]) => isBroken)
    .map(([, name, value, detail]) => invalidValue(`${path}.${name}`, value, detail));
  return [...errors, ...stepErrors({ min, max, step }, path, { preset, most })];
}

/**
 * @param {{ min: string, max?: string, step?: string }} range
 * @param {string} path
 * @param {{ preset: string, most: string }} amounts
 * @returns {FieldError[]}
 */
function stepErrors({ min, max, step }, path, { preset, most }) {
  const field = `${path}.step`;
  if (step === undefined) return [];
  const [least, width] = [min, step].map(amountOf);
  if (width <= 0n) return [invalidValue(field, step, 'must be greater than zero')];
  const first = quantityText(least + width, min.endsWith('i'));
  const reached = [preset, ...(max === undefined ? [] : [max])];
  return [
    ...(least + width > amountOf(most)
      ? [invalidValue(field, step, `one step ${first} is larger than capacity value: ${most}`)]
      : []),
    ...reached
      .filter((value) => (amountOf(value) - least) % width !== 0n)
      .map((value) => {
        const detail = `value is not a multiple of a given step (${step}) from (${min})`;
        return invalidValue(field, value, detail);
      }),
  ];
}

/** @param {string} quantity */
function amountOf(quantity) {
  return parseQuantity(quantity) ?? 0n;
}
