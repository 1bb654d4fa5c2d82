/** What plain data is, and what is none. */

/**
 * An object with fields: neither a list nor null.
 * @param {unknown} value
 * @returns {value is Record<string, any>}
 */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns a record's own member. A name from the input may be `constructor`, which every object
 * inherits and no record holds.
 * @param {any} record
 * @param {string} name
 * @returns {any} undefined where there is neither the name nor a record
 */
export function own(record, name) {
  return isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * What a list holds. Where something else stands, which is for the engine to refuse: nothing.
 * @param {unknown} value
 * @returns {any[]}
 */
export function itemsIn(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * What a thrown value says. It may be anything, also what has no words.
 * @param {unknown} cause
 * @returns {string}
 */
export function wordsOf(cause) {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return typeof cause;
  }
}

/**
 * Whether there are more levels than allowed; it goes no deeper than that itself. Every value of
 * the input comes by here, so nothing is allocated.
 * @param {any} value
 * @param {number} allowed
 * @returns {boolean}
 */
export function isDeeperThan(value, allowed) {
  if (typeof value !== 'object' || value === null) return false;
  if (allowed === 0) return true;
  for (const key in value) if (isDeeperThan(value[key], allowed - 1)) return true;
  return false;
}
