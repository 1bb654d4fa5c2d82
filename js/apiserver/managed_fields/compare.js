/**
 * Compares the fields of two states of an object. Counterpart:
 * structured-merge-diff/v6/typed/compare.go.
 */
import { isEqual } from '../frozen.js';
import { isRecord } from '../../src/kubernetes/values.js';
import { insert } from './field_set.js';
import { elementShape, elementsOf, isBare, shapeAt, walkOf } from './typed_values.js';

/** @import { Shape } from '../schema/types.js' */
/** @import { FieldSet } from './field_set.js' */

/** @typedef {{ added: FieldSet, modified: FieldSet, removed: FieldSet }} Comparison */
/** @typedef {{ before: any, after: any, shape: Shape }} Pair undefined for absent values */

/**
 * @param {unknown} before
 * @param {unknown} after
 * @param {Shape} shape of both
 * @returns {Comparison}
 */
export function compare(before, after, shape) {
  /** @type {Comparison} */
  const comparison = { added: {}, modified: {}, removed: {} };
  new Comparer(comparison).compare({ before, after, shape });
  return comparison;
}

/** Walks both states in parallel and tracks the path. */
class Comparer {
  /** @type {string[]} */
  #path = [];
  #comparison;

  /** @param {Comparison} comparison gets the results */
  constructor(comparison) {
    this.#comparison = comparison;
  }

  /** @param {Pair} pair */
  compare({ before, after, shape }) {
    // Stored objects share unchanged parts.
    if (before === after) return;
    const walk = walkOf(shape, after ?? before);
    if (walk === 'leaf' || (isBare(before) && isBare(after))) {
      this.#compareLeaves(before, after);
      return;
    }
    if (walk === 'map') this.#compareMaps({ before, after, shape });
    else this.#compareLists({ before, after, shape });
    if (before === undefined) insert(this.#comparison.added, this.#path);
    else if (after === undefined) insert(this.#comparison.removed, this.#path);
  }

  /** @param {unknown} before @param {unknown} after */
  #compareLeaves(before, after) {
    const { added, modified, removed } = this.#comparison;
    if (before === undefined) insert(added, this.#path);
    else if (after === undefined) insert(removed, this.#path);
    else if (!isEqual(before, after)) insert(modified, this.#path);
  }

  /** @param {Pair} pair */
  #compareMaps({ before, after, shape }) {
    const [old, now] = [before, after].map((value) => (isRecord(value) ? value : {}));
    for (const key in old) this.#compareField(key, { before: old, after: now, shape });
    for (const key in now) {
      if (!Object.hasOwn(old, key)) this.#compareField(key, { before: old, after: now, shape });
    }
  }

  /** @param {string} key @param {Pair} maps */
  #compareField(key, { before, after, shape }) {
    const inner = {
      before: Object.hasOwn(before, key) ? before[key] : undefined,
      after: Object.hasOwn(after, key) ? after[key] : undefined,
      shape: shapeAt(shape, key),
    };
    this.#descend(`f:${key}`, inner);
  }

  /** @param {string} element @param {Pair} pair */
  #descend(element, pair) {
    if (pair.before === pair.after) return;
    this.#path.push(element);
    this.compare(pair);
    this.#path.pop();
  }

  /** @param {Pair} pair */
  #compareLists({ before, after, shape }) {
    const [old, now] = [before, after].map((list) => groups(elementsOf(shape, list)));
    const inner = elementShape(shape);
    for (const element of new Set([...old.keys(), ...now.keys()])) {
      const [lost, found] = [old.get(element) ?? [], now.get(element) ?? []];
      if (lost.length < 2 && found.length < 2) {
        this.#descend(element, { before: lost[0], after: found[0], shape: inner });
      } else this.#compareDuplicates(element, { lost, found, shape: inner });
    }
  }

  /**
   * Duplicate elements are compared as one value.
   * @param {string} element
   * @param {{ lost: any[], found: any[], shape: Shape }} items
   */
  #compareDuplicates(element, { lost, found, shape }) {
    const path = [...this.#path, element];
    const { added, modified, removed } = this.#comparison;
    if (lost.length > 1 && found.length > 1) {
      if (!isEqual(lost, found)) insert(modified, path);
    } else if (lost.length > 1) {
      if (found.length > 0) this.#descend(element, { before: undefined, after: found[0], shape });
      insert(removed, path);
    } else {
      if (lost.length > 0) this.#descend(element, { before: lost[0], after: undefined, shape });
      insert(added, path);
    }
  }
}

/** @param {{ element: string, item: any }[]} elements @returns {Map<string, any[]>} */
function groups(elements) {
  /** @type {Map<string, any[]>} */
  const found = new Map();
  for (const { element, item } of elements) {
    const group = found.get(element);
    if (group) group.push(item);
    else found.set(element, [item]);
  }
  return found;
}
