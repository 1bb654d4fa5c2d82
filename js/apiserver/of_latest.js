/**
 * What is made of an object, remembered until another one is asked for: all who watch are told of
 * the same object one after the other. To remember it for as long as there is the object costs
 * more, with thousands of them, than to make it again.
 * @template {object} T
 * @template R
 * @param {(object: T) => R} make
 * @returns {(object: T) => R} of objects that do not change
 */
export function ofLatest(make) {
  /** @type {{ object: T, made: R } | undefined} */
  let latest;
  return (object) => {
    if (latest?.object !== object) latest = { object, made: make(object) };
    return latest.made;
  };
}
