/**
 * Merges an applied configuration into an object: its fields replace the object's, all others stay.
 * Counterpart: structured-merge-diff/v6/typed, merge.go and remove.go.
 */
import { isRecord } from '../../src/kubernetes/values.js';
import { below, has, isEmpty } from './field_set.js';
import { elementShape, elementsOf, isBare, shapeAt, walkOf } from './typed_values.js';

/** @import { Shape } from '../schema/types.js' */
/** @import { FieldSet } from './field_set.js' */

/**
 * @param {any} live not changed; the result shares its other fields. undefined: absent
 * @param {any} config
 * @param {Shape} shape of both
 * @returns {any} undefined if nothing is left
 */
export function merge(live, config, shape) {
  if (config === undefined || live === undefined) return config ?? live;
  const walk = walkOf(shape, config ?? live);
  if (walk === 'leaf' || (isBare(live) && isBare(config))) {
    return config === undefined ? live : config;
  }
  return walk === 'map' ? mergeMaps(live, config, shape) : mergeLists(live, config, shape);
}

/** @param {any} live @param {any} config @param {Shape} shape */
function mergeMaps(live, config, shape) {
  const [old, now] = [live, config].map((value) => (isRecord(value) ? value : {}));
  const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
  const entries = [...keys]
    .map((key) => {
      const own = (/** @type {any} */ map) => (Object.hasOwn(map, key) ? map[key] : undefined);
      return [key, merge(own(old), own(now), shapeAt(shape, key))];
    })
    .filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * The elements of the configuration keep its order; the object's other elements stay before the
 * shared element that followed them.
 * @param {any} live
 * @param {any} config
 * @param {Shape} shape
 */
function mergeLists(live, config, shape) {
  const [old, now] = [elementsOf(shape, live), elementsOf(shape, config)];
  const [oldItems, nowItems] = [itemsByElement(old), itemsByElement(now)];
  const shared = now.map(({ element }) => element).filter((element) => oldItems.has(element));
  let next = 0; // index in `shared`
  const inner = elementShape(shape);
  /** @type {any[]} */
  const result = [];
  const take = (/** @type {any} */ item, /** @type {any} */ own) => {
    const value = merge(item, own, inner);
    if (value !== undefined) result.push(value);
  };
  const done = new Set();
  for (let left = 0, right = 0; left < old.length || right < now.length;) {
    const mine = old[left]?.element;
    const theirs = now[right]?.element;
    if (mine !== undefined && theirs !== undefined) {
      if (mine === theirs) {
        done.add(mine);
        take(oldItems.get(mine), nowItems.get(mine));
        left += 1;
        right += 1;
        next += 1;
        continue;
      }
      if (nowItems.has(mine) && next < shared.length && shared[next] !== mine) {
        left += 1;
        continue;
      }
    }
    if (mine !== undefined) {
      if (!nowItems.has(mine)) {
        take(old[left].item, undefined);
        left += 1;
        continue;
      }
      if (done.has(mine)) left += 1;
    }
    if (theirs !== undefined) {
      done.add(theirs);
      take(oldItems.get(theirs), nowItems.get(theirs));
      right += 1;
      if (shared[next] === theirs) next += 1;
    }
  }
  return result.length === 0 ? undefined : result;
}

/**
 * @param {{ element: string, item: any }[]} elements
 * @returns {Map<string, any>} undefined for duplicate elements, which are replaced
 */
function itemsByElement(elements) {
  const items = new Map();
  for (const { element, item } of elements)
    items.set(element, items.has(element) ? undefined : item);
  return items;
}

/**
 * @param {any} value
 * @param {FieldSet} set the fields to remove, with everything below them
 * @param {Shape} shape
 * @returns {any} undefined if nothing is left
 */
export function removeItems(value, set, shape) {
  if (isEmpty(set) || typeof value !== 'object') return value;
  const walk = walkOf(shape, value);
  if (walk === 'map' && isRecord(value)) {
    const entries = Object.entries(value)
      .filter(([key]) => !has(set, `f:${key}`))
      .map(([key, inner]) => [key, removeItems(inner, below(set, `f:${key}`), shapeAt(shape, key))])
      .filter(([, inner]) => inner !== undefined);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  if (walk === 'list') {
    const items = elementsOf(shape, value)
      .filter(({ element }) => !has(set, element))
      .map(({ element, item }) => removeItems(item, below(set, element), elementShape(shape)));
    return items.length === 0 ? undefined : items;
  }
  return undefined;
}
