/**
 * Evaluates a requirement of a label selector, a node selector term, a toleration, or the scope
 * selector of a quota. Counterpart: Requirement.Matches of apimachinery/pkg/labels/selector.go,
 * v1.36.
 */
import { int64Of } from './int64.js';

/** @typedef {'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt'} Operator */

/**
 * @param {string | undefined} value undefined for an absent label
 * @param {{ operator: Operator, values: readonly string[] }} requirement
 * @returns {boolean}
 */
export function meets(value, { operator, values }) {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return isBeyond(operator, int64Of(value), int64Of(values[0]));
  }
}

/**
 * @param {'Gt' | 'Lt'} operator
 * @param {bigint | undefined} value undefined if it is not an int64, which neither operator accepts
 * @param {bigint | undefined} bound
 * @returns {boolean}
 */
export function isBeyond(operator, value, bound) {
  if (value === undefined || bound === undefined) return false;
  return operator === 'Gt' ? value > bound : value < bound;
}
