/** What a mix of nodes must offer at least, before the scheduler is asked. */
import { mixesByPrice, priceOf } from './mixes.js';

/**
 * @import { Mix } from './mixes.js'
 * @import { Pool } from './pools.js'
 * @import { Amounts, Shape } from './shapes.js'
 */

/**
 * The nodes of a mix must offer `need` together, of which a node of each pool offers `offered`.
 * @typedef {{ need: number, offered: number[] }} Constraint
 */

/** Groups of takers beyond this number only count in the sum over all pods. */
const MOST_GROUPS = 32;

/** The number of mixes among which the cheapest sufficient one is looked for. */
const MOST_MIXES = 100_000;

/**
 * Bound excludes mixes that are too small: pods take at least what they request, on the nodes that
 * do not refuse them for good, and the free room of existing nodes counts in full. Every mix that
 * leaves nothing pending satisfies its constraints.
 */
export class Bound {
  #pools;
  #maxNodes;
  #constraints;

  /**
   * @param {Shape[]} shapes with takers
   * @param {{ pools: readonly Pool[], samples: string[], maxNodes: number, room: Map<string,
   *   Amounts>, resources: string[] }} cluster `samples`: a node of each pool; `room`: of these and
   *   of all existing nodes; `resources`: the scarce ones
   */
  constructor(shapes, { pools, samples, maxNodes, room, resources }) {
    this.#pools = pools;
    this.#maxNodes = maxNodes;
    this.#constraints = constraintsFor(shapes, { samples, room, resources });
  }

  /** Whether a mix is not excluded. @param {Mix} mix */
  allows(mix) {
    return this.#constraints.every(
      ({ need, offered }) =>
        mix.reduce((sum, count, index) => sum + count * offered[index], 0) >= need,
    );
  }

  /** Whether no mix is allowed, however many nodes it has. */
  get excludesAll() {
    return this.#constraints.some(({ offered }) => offered.every((amount) => amount <= 0));
  }

  /**
   * Returns the cheapest allowed mix, if it can be found among the first ones.
   * @returns {Mix | undefined}
   */
  cheapest() {
    let count = 0;
    for (const mix of mixesByPrice(this.#pools, this.#maxNodes)) {
      if (this.allows(mix)) return mix;
      if (++count === MOST_MIXES) return undefined;
    }
    return undefined;
  }

  /** Returns a price below which no mix is allowed. */
  price() {
    const mix = this.cheapest();
    if (mix) return priceOf(mix, this.#pools);
    const prices = this.#constraints.map(({ need, offered }) =>
      Math.min(
        ...offered.map((amount, index) =>
          amount > 0 ? (need / amount) * this.#pools[index].price : Infinity,
        ),
      ),
    );
    return Math.max(0, ...prices);
  }
}

/**
 * @param {Shape[]} shapes
 * @param {{ samples: string[], room: Map<string, Amounts>, resources: string[] }} cluster
 * @returns {Constraint[]} those that existing nodes do not satisfy
 */
function constraintsFor(shapes, { samples, room, resources }) {
  const existing = [...room.keys()].filter((node) => !samples.includes(node));
  const offerOf = (/** @type {string} */ node, /** @type {string} */ resource) =>
    Math.max(0, room.get(node)?.get(resource) ?? 0);
  /** @type {Constraint[]} */
  const constraints = [];
  for (const { takers, members } of groupsOf(shapes)) {
    for (const resource of resources) {
      const asked = sum(members, ({ amounts, pods }) => (amounts.get(resource) ?? 0) * pods.length);
      const offered = (/** @type {string} */ node) =>
        takers.has(node) ? offerOf(node, resource) : 0;
      constraints.push({
        need: asked - sum(existing, offered),
        offered: samples.map(offered),
      });
    }
  }
  for (const { amounts, takers, pods } of shapes) {
    const counted = resources.filter((resource) => (amounts.get(resource) ?? 0) > 0);
    if (counted.length === 0) continue;
    const fitting = (/** @type {string} */ node) => {
      const counts = counted.map((resource) =>
        Math.floor(offerOf(node, resource) / Number(amounts.get(resource))),
      );
      return takers.has(node) ? Math.min(...counts) : 0;
    };
    const need = pods.length - sum(existing, fitting);
    constraints.push({ need, offered: samples.map(fitting) });
  }
  return constraints.filter(({ need }) => need > 0);
}

/**
 * Returns for each set of takers the shapes that have no others, and for the union all shapes.
 * @param {Shape[]} shapes
 * @returns {{ takers: Set<string>, members: Shape[] }[]}
 */
function groupsOf(shapes) {
  const union = new Set(shapes.flatMap(({ takers }) => [...takers]));
  const all = { takers: union, members: shapes };
  /** @type {Map<string, Set<string>>} */
  const sets = new Map();
  for (const { takers } of shapes) {
    sets.set([...takers].join('\n'), takers);
    if (sets.size > MOST_GROUPS) return [all];
  }
  const groups = [...sets.values()].map((takers) => ({
    takers,
    members: shapes.filter((shape) => isWithin(shape.takers, takers)),
  }));
  return [all, ...groups];
}

/**
 * @param {Set<string>} part
 * @param {Set<string>} whole
 */
function isWithin(part, whole) {
  if (part.size > whole.size) return false;
  for (const name of part) if (!whole.has(name)) return false;
  return true;
}

/**
 * @template T
 * @param {readonly T[]} items
 * @param {(item: T) => number} amountOf
 */
function sum(items, amountOf) {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
