/** Checks and reads plain data. */

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
 * @returns {any} undefined if the value is not a record or lacks the name
 */
export function own(record, name) {
  return isRecord(record) && Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * Returns the items of a list. For any other value, which the engine rejects, returns an empty
 * list.
 * @param {unknown} value
 * @returns {any[]}
 */
export function itemsIn(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * Returns the message of a thrown value, which may be of any type.
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
 * @param {any} value
 * @returns {value is PromiseLike<any>}
 */
export function isPromise(value) {
  return typeof value?.then === 'function';
}

/**
 * Returns a value as JSON that the engine reads: half of a surrogate pair, which is left of a text
 * that was cut inside a character, becomes U+FFFD, as in Go.
 * @param {unknown} value one that JSON has
 * @returns {string}
 */
export function wellFormedJson(value) {
  return JSON.stringify(value).replace(/\\(ud[89a-f]..|.)/g, (escape) =>
    escape.length > 2 ? '\\ufffd' : escape,
  );
}

/**
 * Whether there are more levels than allowed; it recurses only that deep itself. Every input value
 * passes through here, so it allocates no memory.
 * @param {any} value
 * @param {number} allowed
 * @returns {boolean}
 */
export function isDeeperThan(value, allowed) {
  if (typeof value !== 'object' || value === null) return false;
  if (allowed === 0) return true;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1)
      if (isDeeperThan(value[at], allowed - 1)) return true;
    return false;
  }
  for (const key in value) if (isDeeperThan(value[key], allowed - 1)) return true;
  return false;
}
