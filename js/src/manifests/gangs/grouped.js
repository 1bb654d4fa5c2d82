/**
 * Groups values by a key, in the order of the first of each. `Map.groupBy` is not in Node 20.
 * @template T
 * @param {Iterable<T>} values
 * @param {(value: T) => string} keyOf
 * @returns {Map<string, T[]>}
 */
export function grouped(values, keyOf) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
