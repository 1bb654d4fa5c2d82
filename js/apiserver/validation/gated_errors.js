/** The errors that depend on feature gates. */
import { invalidValue } from '../../src/kubernetes/field_errors.js';

/** @import { FieldError } from '../../src/kubernetes/field_errors.js' */

/**
 * Returns the errors without those that feature gates allow, or that the stored object has in use.
 * If a gate allows a comparison, its operand must be an integer.
 * @param {FieldError[]} errors
 * @param {Readonly<Record<string, boolean>>} on whether a gate is on
 * @param {() => FieldError[]} [ofOld] the errors of the stored object
 * @returns {FieldError[]}
 */
export function inForce(errors, on, ofOld = () => []) {
  if (!errors.some(({ gate }) => gate)) return errors;
  const used = new Set(ofOld().map(({ gate }) => gate));
  return errors.flatMap((error) => {
    const { gate } = error;
    if (!gate || !(on[gate] || used.has(gate))) return [error];
    return 'operand' in error ? integerErrors(error) : [];
  });
}

/** @param {FieldError} error @returns {FieldError[]} */
function integerErrors({ field, operand = '' }) {
  if (/^(0|-?[1-9]\d*)$/.test(operand)) return [];
  const detail = operand
    ? 'must be a valid decimal integer in canonical form'
    : 'must be non-empty';
  return [invalidValue(field.replace(/operator$/, 'value'), operand, detail)];
}
