/** How well a configuration did on pods. */
import { roomOn } from '../plan/shapes.js';
import { Population } from '../population.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Amounts } from '../plan/shapes.js'
 */

/** Pods with equal requests. @typedef {{ amounts: Amounts, count: number }} Requests */

/**
 * How a configuration did. `fragmentation`: the share of the free room that is on nodes without
 * room for a pod, as a mean over the pods.
 * @typedef {{ pods: number, placed: number, fragmentation: number }} TuneScore
 */

/**
 * Orders scores, the best first.
 * @param {TuneScore} left
 * @param {TuneScore} right
 */
export function byScore(left, right) {
  return right.placed - left.placed || left.fragmentation - right.fragmentation;
}

/** What the nodes of a cluster have left: a column for each resource, with a row for each node. */
export class FreeRoom {
  #rows;
  #columns;

  /**
   * @param {Map<string, number>} rows by node
   * @param {Map<string, Float64Array>} columns by resource
   */
  constructor(rows, columns) {
    this.#rows = rows;
    this.#columns = columns;
  }

  /**
   * @param {Scheduler} scheduler
   * @returns {FreeRoom}
   */
  static of(scheduler) {
    const room = roomOn(scheduler, new Population(scheduler).nodes);
    const rows = new Map([...room.keys()].map((node, row) => [node, row]));
    const names = new Set([...room.values()].flatMap((amounts) => [...amounts.keys()]));
    const columnOf = (/** @type {string} */ name) =>
      Float64Array.from(room.values(), (amounts) => amounts.get(name) ?? 0);
    return new FreeRoom(rows, new Map([...names].map((name) => [name, columnOf(name)])));
  }

  copy() {
    const columns = [...this.#columns].map(([name, column]) => [name, column.slice()]);
    return new FreeRoom(this.#rows, new Map(/** @type {[string, Float64Array][]} */ (columns)));
  }

  /**
   * Takes what a pod requests off a node.
   * @param {string} node
   * @param {Amounts} amounts
   */
  take(node, amounts) {
    const row = /** @type {number} */ (this.#rows.get(node));
    for (const [name, amount] of amounts) {
      const column = this.#columns.get(name);
      if (column) column[row] -= amount;
    }
  }

  /**
   * Returns the share of the free room that is on nodes without room for a pod, as a mean over the
   * pods.
   * @param {Requests[]} requests of all pods
   */
  fragmentationFor(requests) {
    let pods = 0;
    let sum = 0;
    for (const { amounts, count } of requests) {
      pods += count;
      sum += count * this.#strandedFor(amounts);
    }
    return Math.round((1e6 * sum) / pods) / 1e6;
  }

  /**
   * The share for one pod: the mean of its resources.
   * @param {Amounts} amounts
   */
  #strandedFor(amounts) {
    const isFull = this.#fullFor(amounts);
    let sum = 0;
    let resources = 0;
    for (const name of amounts.keys()) {
      if (name === 'pods') continue;
      let total = 0;
      let stranded = 0;
      const column = this.#columns.get(name) ?? [];
      for (let row = 0; row < column.length; row++) {
        const amount = column[row];
        if (amount <= 0) continue;
        total += amount;
        if (isFull[row]) stranded += amount;
      }
      if (total === 0) continue;
      sum += stranded / total;
      resources += 1;
    }
    return resources > 0 ? sum / resources : 0;
  }

  /**
   * Returns 1 for each node without room for a pod.
   * @param {Amounts} amounts
   */
  #fullFor(amounts) {
    const isFull = new Uint8Array(this.#rows.size);
    for (const [name, amount] of amounts) {
      const column = this.#columns.get(name);
      if (!column) return isFull.fill(1);
      for (let row = 0; row < column.length; row++) if (column[row] < amount) isFull[row] = 1;
    }
    return isFull;
  }
}
