/** Numbers of nodes per pool, in the order of their price. */

/** @import { Pool } from './pools.js' */

/** The number of nodes of each pool. @typedef {readonly number[]} Mix */

/** Prices are sums of floating-point numbers: closer ones are equal. */
const PRECISION = 1e-9;

/**
 * @param {Mix} mix
 * @param {readonly Pool[]} pools
 */
export function priceOf(mix, pools) {
  return mix.reduce((sum, count, index) => sum + count * pools[index].price, 0);
}

/** @param {Mix} mix */
export function nodesIn(mix) {
  return mix.reduce((sum, count) => sum + count, 0);
}

/**
 * @param {number} price
 * @param {number} other
 */
export function isCheaper(price, other) {
  return price < other - PRECISION * Math.max(1, Math.abs(other));
}

/**
 * Yields every mix once, the cheapest first; of equal prices the one with fewer nodes, then the one
 * with more nodes of the first pools.
 * @param {readonly Pool[]} pools
 * @param {number} maxNodes of all pools together
 * @returns {Generator<Mix, void>}
 */
export function* mixesByPrice(pools, maxNodes) {
  /** @type {Entry[]} */
  const heap = [];
  push(heap, { price: 0, nodes: 0, mix: pools.map(() => 0), last: 0 });
  for (let next = pop(heap); next; next = pop(heap)) {
    yield next.mix;
    const { mix, last, nodes } = next;
    if (nodes === maxNodes) continue;
    // Each mix has one predecessor: the one with a node less of its last pool.
    for (let index = last; index < pools.length; index++) {
      if (mix[index] >= (pools[index].max ?? Infinity)) continue;
      const more = mix.map((count, pool) => (pool === index ? count + 1 : count));
      push(heap, { price: priceOf(more, pools), nodes: nodes + 1, mix: more, last: index });
    }
  }
}

/** @typedef {{ price: number, nodes: number, mix: Mix, last: number }} Entry */

/**
 * @param {Entry} left
 * @param {Entry} right
 */
function isBefore(left, right) {
  if (left.price !== right.price) return left.price < right.price;
  if (left.nodes !== right.nodes) return left.nodes < right.nodes;
  const index = left.mix.findIndex((count, pool) => count !== right.mix[pool]);
  return index >= 0 && left.mix[index] > right.mix[index];
}

/**
 * @param {Entry[]} heap
 * @param {Entry} entry
 */
function push(heap, entry) {
  heap.push(entry);
  for (let child = heap.length - 1; child > 0;) {
    const parent = (child - 1) >> 1;
    if (!isBefore(heap[child], heap[parent])) return;
    [heap[child], heap[parent]] = [heap[parent], heap[child]];
    child = parent;
  }
}

/**
 * @param {Entry[]} heap
 * @returns {Entry | undefined}
 */
function pop(heap) {
  const first = heap[0];
  const last = heap.pop();
  if (heap.length === 0 || last === undefined) return first;
  heap[0] = last;
  for (let parent = 0; ;) {
    const [left, right] = [2 * parent + 1, 2 * parent + 2];
    if (left >= heap.length) return first;
    const child = right < heap.length && isBefore(heap[right], heap[left]) ? right : left;
    if (!isBefore(heap[child], heap[parent])) return first;
    [heap[child], heap[parent]] = [heap[parent], heap[child]];
    parent = child;
  }
}
