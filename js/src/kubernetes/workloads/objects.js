/**
 * Returns milliseconds since the epoch; null for an absent time.
 * @param {string | null | undefined} time
 */
export function timeOf(time) {
  return time ? Date.parse(time) : null;
}

/**
 * Whether two values are semantically equal: empty values ('', {} and []) equal absent ones.
 * Counterpart: k8s.io/apimachinery/pkg/api/equality, v1.36 (Semantic.DeepEqual).
 * @param {any} left
 * @param {any} right
 * @returns {boolean}
 */
export function semanticEqual(left, right) {
  if (left === right || (isEmpty(left) && isEmpty(right))) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  if (Array.isArray(left) && left.length !== right.length) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  for (const key of keys) if (!semanticEqual(left[key], right[key])) return false;
  return true;
}

/**
 * Go's zero values of omitted fields.
 * @param {any} value
 */
function isEmpty(value) {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/**
 * Returns the count of a percentage, or a number unchanged. Counterpart:
 * k8s.io/apimachinery/pkg/util/intstr, v1.36 (GetScaledValueFromIntOrPercent).
 * @param {number | string | null | undefined} value
 * @param {number} total
 * @param {boolean} roundUp
 * @returns {number} NaN if it is neither
 */
export function scaledValue(value, total, roundUp) {
  if (typeof value === 'number') return value;
  const percent = /^(\d+)%$/.exec(value ?? '0%');
  if (!percent) return NaN;
  const exact = (Number(percent[1]) * total) / 100;
  return roundUp ? Math.ceil(exact) : Math.floor(exact);
}

/**
 * Returns a status without undefined values and without counts of 0, which Go omits.
 * @param {Record<string, any>} status
 * @param {string[]} kept counts that Go always writes
 * @returns {Record<string, any>}
 */
export function withoutZeros(status, kept) {
  return Object.fromEntries(
    Object.entries(status).filter(
      ([key, value]) => value !== undefined && (value !== 0 || kept.includes(key)),
    ),
  );
}
