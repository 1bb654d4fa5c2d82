import { itemsIn } from './values.js';

/**
 * One entry of `status.conditions`.
 * @typedef {{ type: string, status: string, reason?: string, message?: string, [field: string]:
 *   any }} Condition
 */

/**
 * @param {any} status of an object
 * @param {string} type
 * @returns {Condition | undefined}
 */
export function conditionOf(status, type) {
  return itemsIn(status?.conditions).find((condition) => condition?.type === type);
}

/**
 * Whether the condition exists and is true.
 * @param {any} status
 * @param {string} type
 */
export function isConditionTrue(status, type) {
  return conditionOf(status, type)?.status === 'True';
}

/**
 * Returns the conditions with one replaced, or appended if it was missing.
 * @param {Condition[] | undefined} conditions
 * @param {Condition} condition
 */
export function withCondition(conditions = [], condition) {
  const at = conditions.findIndex(({ type }) => type === condition.type);
  return at < 0 ? [...conditions, condition] : conditions.with(at, condition);
}

/**
 * @param {Condition[] | undefined} conditions
 * @param {string} type
 */
export function withoutCondition(conditions = [], type) {
  return conditions.filter((condition) => condition.type !== type);
}
