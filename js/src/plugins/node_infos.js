/**
 * The nodes as plugins see them. The contents of a node are fetched from the engine when a plugin
 * first reads them, and cached until the engine reports a change.
 */

/** @import { NodeInfo } from './types.js' */

/** A node of the snapshot; it and its contents are frozen. @implements {NodeInfo} */
class RowInfo {
  #row;
  #inspect;
  /** @type {any} */
  #members;
  /** @type {any} */
  #pods;

  /** @param {number} row @param {(query: object) => any} inspect */
  constructor(row, inspect) {
    this.#row = row;
    this.#inspect = inspect;
  }

  get name() {
    return this.#read().name;
  }

  get node() {
    return this.#read().node;
  }

  get allocatable() {
    return this.#read().allocatable;
  }

  get requested() {
    return this.#read().requested;
  }

  get pods() {
    this.#pods ??= deepFreeze(this.#inspect({ row: this.#row, pods: true }));
    return this.#pods;
  }

  #read() {
    this.#members ??= deepFreeze(this.#inspect({ row: this.#row }));
    return this.#members;
  }
}

export class NodeTable {
  /** @type {RowInfo[]} */
  #rows = [];
  #inspect;

  /** @param {(query: object) => any} inspect */
  constructor(inspect) {
    this.#inspect = inspect;
  }

  /**
   * Applies a request's changes of the rows.
   * @param {{ rows?: number, changed?: number[] }} request
   */
  update({ rows, changed = [] }) {
    if (rows !== undefined) this.#rows = Array.from({ length: rows }, (_, row) => this.#made(row));
    for (const row of changed) this.#rows[row] = this.#made(row);
  }

  /** @param {number} row @returns {NodeInfo} */
  at(row) {
    return this.#rows[row];
  }

  /** Returns all nodes, in the order in which cycles visit them. @returns {NodeInfo[]} */
  all() {
    return [...this.#rows];
  }

  /** @param {number[]} rows @returns {NodeInfo[]} */
  some(rows) {
    return rows.map((row) => this.#rows[row]);
  }

  /**
   * Returns the node that a request names or contains.
   * @param {{ row?: number, nodeInfo?: NodeInfo }} request
   * @returns {NodeInfo}
   */
  node({ row, nodeInfo }) {
    return row === undefined ? deepFreeze(/** @type {NodeInfo} */ (nodeInfo)) : this.#rows[row];
  }

  /**
   * Returns each node's status, by the node's name.
   * @param {{ statuses: object[], statusOfRow: number[] }} request
   * @returns {Map<string, any>} by the node's name
   */
  statuses({ statuses, statusOfRow }) {
    return new Map(statusOfRow.map((id, row) => [this.#rows[row].name, statuses[id]]));
  }

  /** @param {number} row */
  #made(row) {
    const info = new RowInfo(row, this.#inspect);
    Object.freeze(info);
    return info;
  }
}

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
function deepFreeze(value) {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
