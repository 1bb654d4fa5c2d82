/**
 * Caches the result for the latest object only: all watches send the same object one after the
 * other. With thousands of objects, keeping each result for as long as its object exists costs more
 * than computing it again.
 * @template {object} T
 * @template R
 * @param {(object: T) => R} make
 * @returns {(object: T) => R} for objects that do not change
 */
export function ofLatest(make) {
  /** @type {{ object: T, made: R } | undefined} */
  let latest;
  return (object) => {
    if (latest?.object !== object) latest = { object, made: make(object) };
    return latest.made;
  };
}
