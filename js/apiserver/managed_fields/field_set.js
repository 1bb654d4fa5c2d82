/**
 * Sets of fields, as the trees that managedFields hold (FieldsV1): a step leads to a tree; a tree
 * with `.` in it, or nothing at all, is a member itself. The root is never a member.
 * Counterpart: structured-merge-diff/v6/fieldpath/set.go.
 */
import { compareElements } from './path_elements.js';

/** @typedef {{ [element: string]: FieldSet }} FieldSet */

const SELF = '.';

/** @type {FieldSet} shared, hence frozen */
export const EMPTY = Object.freeze({});

/**
 * Trees that have something in them, which nothing takes out again. A loop over keys lists all of
 * them before its first turn, so that large trees are looked at once.
 * @type {WeakSet<FieldSet>}
 */
const filled = new WeakSet();

/** @param {FieldSet} set */
export function isEmpty(set) {
  if (filled.has(set)) return false;
  for (const _ in set) {
    filled.add(set);
    return false;
  }
  return true;
}

/** Whether a tree below the root is a member. @param {FieldSet} tree */
function isMember(tree) {
  return tree[SELF] !== undefined || isEmpty(tree);
}

/**
 * @param {boolean} member
 * @param {FieldSet} children without `.`
 * @returns {FieldSet | undefined} undefined: neither is there
 */
function treeOf(member, children) {
  if (isEmpty(children)) return member ? EMPTY : undefined;
  return member ? { [SELF]: EMPTY, ...children } : children;
}

/**
 * Walks through both trees, step by step.
 * @param {FieldSet} left
 * @param {FieldSet} right
 * @param {(left?: FieldSet, right?: FieldSet) => FieldSet | undefined} combine
 * @returns {FieldSet}
 */
function zip(left, right, combine) {
  /** @type {FieldSet} */
  const result = {};
  for (const element in left) {
    if (element === SELF) continue;
    const tree = combine(left[element], right[element]);
    if (tree) result[element] = tree;
  }
  for (const element in right) {
    if (element === SELF || left[element] !== undefined) continue;
    const tree = combine(undefined, right[element]);
    if (tree) result[element] = tree;
  }
  return result;
}

/** @param {FieldSet} left @param {FieldSet} right @returns {FieldSet} */
export function union(left, right) {
  return zip(left, right, (a, b) => {
    if (a === undefined || b === undefined) return a ?? b;
    return treeOf(isMember(a) || isMember(b), union(a, b));
  });
}

/** @param {FieldSet} left @param {FieldSet} right @returns {FieldSet} */
export function intersection(left, right) {
  return zip(left, right, (a, b) => {
    if (a === undefined || b === undefined) return undefined;
    return treeOf(isMember(a) && isMember(b), intersection(a, b));
  });
}

/**
 * The members of `left` that are none of `right`; a member's children are members for themselves.
 * @param {FieldSet} left
 * @param {FieldSet} right
 * @returns {FieldSet}
 */
export function difference(left, right) {
  return zip(left, right, (a, b) => {
    if (a === undefined || b === undefined) return a;
    return treeOf(isMember(a) && !isMember(b), difference(a, b));
  });
}

/**
 * `left` without the members of `right` and all that is below them.
 * @param {FieldSet} left
 * @param {FieldSet} right
 * @returns {FieldSet}
 */
export function recursiveDifference(left, right) {
  return zip(left, right, (a, b) => {
    if (a === undefined || b === undefined) return a;
    return isMember(b) ? undefined : treeOf(isMember(a), recursiveDifference(a, b));
  });
}

/**
 * Whether a step from here is a member.
 * @param {FieldSet} set
 * @param {string} element
 */
export function has(set, element) {
  const tree = set[element];
  return tree !== undefined && isMember(tree);
}

/**
 * What is below a step.
 * @param {FieldSet} set
 * @param {string} element
 * @returns {FieldSet} without `.`; empty where there is nothing
 */
export function below(set, element) {
  const tree = set[element];
  if (tree === undefined || tree[SELF] === undefined) return tree ?? EMPTY;
  const { [SELF]: _, ...children } = tree;
  return children;
}

/**
 * A set that is being built.
 * @param {FieldSet} set changed
 * @param {string[]} path the root is left out
 */
export function insert(set, path) {
  let tree = set;
  path.forEach((element, depth) => {
    const isLast = depth === path.length - 1;
    const next = tree[element];
    if (next === undefined) {
      // A step on the way is no member: it is not left empty.
      tree[element] = {};
    } else if (isEmpty(next) && !isLast) next[SELF] = EMPTY;
    else if (!isEmpty(next) && isLast) next[SELF] = EMPTY;
    tree = tree[element];
  });
}

/** @param {string[][]} paths @returns {FieldSet} */
export function setOf(paths) {
  /** @type {FieldSet} */
  const set = {};
  for (const path of paths) insert(set, path);
  return set;
}

/**
 * The set with its steps in the order that the server writes.
 * @param {FieldSet} set
 * @returns {FieldSet}
 */
export function sorted(set) {
  const elements = Object.keys(set).filter((element) => element !== SELF);
  elements.sort(compareElements);
  const entries = elements.map((element) => [element, sorted(set[element])]);
  return Object.fromEntries(set[SELF] === undefined ? entries : [[SELF, EMPTY], ...entries]);
}

/**
 * The paths of all members: those of a level, in order, before what is below them.
 * @param {FieldSet} set
 * @returns {string[][]}
 */
export function pathsOf(set) {
  const elements = Object.keys(set).filter((element) => element !== SELF);
  elements.sort(compareElements);
  return [
    ...elements.filter((element) => isMember(set[element])).map((element) => [element]),
    ...elements.flatMap((element) => pathsOf(set[element]).map((path) => [element, ...path])),
  ];
}
