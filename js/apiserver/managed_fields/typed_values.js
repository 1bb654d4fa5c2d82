/**
 * Walks plain data by its type: leaves are single values, structs and maps have fields, lists have
 * elements with keys. Counterpart: structured-merge-diff/v6/typed, helpers.go and tofieldset.go.
 */
import { isRecord } from '../../src/kubernetes/values.js';
import { ANY } from '../schema/types.js';
import { EMPTY, insert } from './field_set.js';
import { elementOf } from './path_elements.js';

/** @import { Shape } from '../schema/types.js' */
/** @import { FieldSet } from './field_set.js' */

/**
 * Returns how a value is walked: a leaf is kept or replaced as a whole.
 * @param {Shape} shape
 * @param {unknown} value
 * @returns {'leaf' | 'map' | 'list'}
 */
export function walkOf(shape, value) {
  switch (shape.kind) {
    case 'struct':
    case 'map':
      return shape.isAtomic ? 'leaf' : 'map';
    case 'list':
      return shape.isSet || shape.keys.length > 0 ? 'list' : 'leaf';
    case 'any':
      return isRecord(value) ? 'map' : 'leaf';
    default:
      return 'leaf';
  }
}

/**
 * @param {Shape} shape of a map or a struct
 * @param {string} key
 * @returns {Shape} the shape of the field's value; any shape for an undeclared field
 */
export function shapeAt(shape, key) {
  if (shape.kind === 'struct') return shape.struct.fields.get(key)?.shape ?? ANY;
  return shape.kind === 'map' ? shape.element : ANY;
}

/** @param {Shape} shape @param {string} key */
function isDeclared(shape, key) {
  return shape.kind === 'struct' && shape.struct.fields.has(key);
}

/** @param {unknown} value @returns {boolean} whether the value has no parts to walk */
export function isBare(value) {
  if (Array.isArray(value)) return value.length === 0;
  return !isRecord(value) || Object.keys(value).length === 0;
}

/**
 * Returns the elements of a list by their keys, in order. Elements without a key are left out:
 * validation has rejected them.
 * @param {Shape} shape of the list
 * @param {unknown} list
 * @returns {{ element: string, item: any }[]}
 */
export function elementsOf(shape, list) {
  if (shape.kind !== 'list' || !Array.isArray(list)) return [];
  return list.flatMap((item) => {
    const { element } = elementOf(shape, item);
    return element === null ? [] : [{ element, item }];
  });
}

/** @param {{ kind: string }} shape @returns {Shape} of a list's elements */
export function elementShape(shape) {
  return shape.kind === 'list' ? /** @type {any} */ (shape).element : ANY;
}

/**
 * Returns every leaf and every element in a value.
 * @param {unknown} value
 * @param {Shape} shape
 * @returns {FieldSet}
 */
export function fieldSetOf(value, shape) {
  /** @type {FieldSet} */
  const set = {};
  collect(set, { value, shape, path: [] });
  return set;
}

/** @param {FieldSet} set @param {{ value: any, shape: Shape, path: string[] }} place */
function collect(set, { value, shape, path }) {
  const walk = walkOf(shape, value);
  if (walk === 'leaf') insert(set, path);
  else if (walk === 'list') collectElements(set, { value, shape, path });
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) {
      path.push(`f:${key}`);
      collect(set, { value: inner, shape: shapeAt(shape, key), path });
      const isBareMap = inner === null || (isRecord(inner) && isBare(inner));
      if (isBareMap || !isDeclared(shape, key)) insert(set, path);
      path.pop();
    }
  }
}

/** @param {FieldSet} set @param {{ value: any, shape: Shape, path: string[] }} place */
function collectElements(set, { value, shape, path }) {
  const elements = elementsOf(shape, value);
  const count = new Map();
  for (const { element } of elements) count.set(element, (count.get(element) ?? 0) + 1);
  for (const { element, item } of elements) {
    path.push(element);
    // Duplicate elements are owned together, and their fields are not tracked.
    if (count.get(element) === 1) collect(set, { value: item, shape: elementShape(shape), path });
    insert(set, path);
    path.pop();
  }
}

/**
 * Adds all struct fields on the paths of the members to the set.
 * @param {FieldSet} set
 * @param {Shape} shape
 * @returns {FieldSet}
 */
export function withNamedFields(set, shape) {
  /** @type {FieldSet} */
  const result = {};
  for (const [element, tree] of Object.entries(set)) {
    if (element === '.') {
      result[element] = EMPTY;
      continue;
    }
    const isField = element.startsWith('f:');
    const key = element.slice(2);
    const inner = isField ? shapeAt(shape, key) : elementShape(shape);
    const named = withNamedFields(tree, inner);
    const isOnTheWay = isField && isDeclared(shape, key) && Object.keys(named).length > 0;
    result[element] = isOnTheWay ? { '.': EMPTY, ...named } : named;
  }
  return result;
}
