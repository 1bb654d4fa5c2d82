/** Stored objects are shared, so they are frozen. */

/**
 * Freezes plain data recursively. Frozen parts are skipped: stored objects share parts with earlier
 * ones. Parts come first, because the fields of a frozen object are read more slowly.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function deepFreeze(value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) value.forEach(deepFreeze);
  else for (const name in value) if (typeof value[name] === 'object') deepFreeze(value[name]);
  return Object.freeze(value);
}

/**
 * Whether two pieces of plain data are equal. An undefined field counts as absent.
 * @param {any} a
 * @param {any} b
 * @returns {boolean}
 */
export function isEqual(a, b) {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a)) {
    return a.length === b.length && a.every((part, at) => isEqual(part, b[at]));
  }
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const count = Object.keys(b).filter((key) => b[key] !== undefined).length;
  return keys.length === count && keys.every((key) => isEqual(a[key], b[key]));
}
