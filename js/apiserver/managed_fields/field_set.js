/**
 * Sets of fields, as the trees of managedFields (FieldsV1): a path element leads to a tree; a tree
 * that contains `.`, or is empty, is a member itself. The root is never a member. Counterpart:
 * structured-merge-diff/v6/fieldpath/set.go.
 */
import { compareElements } from './path_elements.js';

/** @typedef {{ [element: string]: FieldSet }} FieldSet */

const SELF = '.';

/** @type {FieldSet} shared, hence frozen */
export const EMPTY = Object.freeze({});

/**
 * Trees that are known to be non-empty and never become empty. A loop over keys lists all of them
 * before its first iteration, so that each large tree is checked only once.
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
 * @returns {FieldSet | undefined} undefined if there are neither children nor a member
 */
function treeOf(member, children) {
  if (isEmpty(children)) return member ? EMPTY : undefined;
  return member ? { [SELF]: EMPTY, ...children } : children;
}

/**
 * Walks both trees in parallel, element by element.
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
 * Returns the members of `left` that are not in `right`; a member's children are separate members.
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
 * Returns `left` without the members of `right` and everything below them.
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
 * Whether the path element is a member here.
 * @param {FieldSet} set
 * @param {string} element
 */
export function has(set, element) {
  const tree = set[element];
  return tree !== undefined && isMember(tree);
}

/**
 * Returns the tree below a path element.
 * @param {FieldSet} set
 * @param {string} element
 * @returns {FieldSet} without `.`; empty if there is nothing
 */
export function below(set, element) {
  const tree = set[element];
  if (tree === undefined || tree[SELF] === undefined) return tree ?? EMPTY;
  const { [SELF]: _, ...children } = tree;
  return children;
}

/**
 * Adds a path to a set under construction.
 * @param {FieldSet} set changed
 * @param {string[]} path the root is ignored
 */
export function insert(set, path) {
  let tree = set;
  path.forEach((element, depth) => {
    const isLast = depth === path.length - 1;
    const next = tree[element];
    if (next === undefined) {
      // An inner element is not a member, and so it is not left empty.
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
 * Returns the set with its path elements in the server's order.
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
 * Returns the paths of all members: those of a level, in order, before those below them.
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
