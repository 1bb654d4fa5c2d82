/**
 * Returns the links whose removal leaves a graph without cycles: those that lead back to a node on
 * the current path. The path is an array, so its length is limited by memory alone.
 * @template T
 * @param {Iterable<T>} starts only cycles reachable from these are found
 * @param {(node: T) => Iterable<T>} nextOf the nodes that a node leads to
 * @returns {[T, T][]}
 */
export function closingLinks(starts, nextOf) {
  /** @type {[T, T][]} */
  const links = [];
  const seen = new Set();
  for (const start of starts) {
    const onPath = new Set();
    /** @type {{ node: T, rest: Iterator<T> }[]} */
    const path = [];
    const enter = (/** @type {T} */ node) => {
      seen.add(node);
      onPath.add(node);
      path.push({ node, rest: nextOf(node)[Symbol.iterator]() });
    };
    if (!seen.has(start)) enter(start);
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const { value, done } = last.rest.next();
      if (done) {
        onPath.delete(last.node);
        path.pop();
      } else if (onPath.has(value)) links.push([last.node, value]);
      else if (!seen.has(value)) enter(value);
    }
  }
  return links;
}
