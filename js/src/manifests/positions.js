/** Records the positions of objects in the text that they were read from. */
/**
 * @import { Origin, Step } from '../documents/documents.js'
 * @import { DuplicateKey } from '../documents/duplicate_keys.js'
 * @import { KubernetesObject, Position } from '../kubernetes/types.js'
 */

/** @type {WeakMap<object, Origin>} */
const origins = new WeakMap();

/**
 * Sets the origin of an object.
 * @param {object} object
 * @param {Origin} origin
 */
export function setOrigin(object, origin) {
  origins.set(object, origin);
}

/**
 * Returns the position in the text of an object that `parse` returned, or of one of its fields.
 * @param {KubernetesObject} object
 * @param {string} [field] as in `spec.containers[0].resources.requests[cpu]`; for a missing field
 *   the nearest existing one counts
 * @returns {Position | undefined} undefined for objects that do not come from `parse`
 */
export function positionOf(object, field = '') {
  const origin = origins.get(object);
  if (!origin) return undefined;
  const offset = origin.find([...origin.path, ...stepsOf(field)]);
  return { document: origin.document, ...origin.lines.positionOf(offset) };
}

/**
 * Returns the position of a field's name, which may be on a line before its value.
 * @param {KubernetesObject} object
 * @param {string} field
 * @returns {Position | undefined} as `positionOf`
 */
export function namePositionOf(object, field) {
  const origin = origins.get(object);
  if (!origin) return undefined;
  const { document, lines, find, findKey = find } = origin;
  const offset = findKey([...origin.path, ...stepsOf(field)]);
  return { document, ...lines.positionOf(offset) };
}

/**
 * Returns the fields that the text of a parsed object contains more than once, with their
 * positions.
 * @param {KubernetesObject} object
 * @returns {{ field: string, position: Position }[]}
 */
export function duplicateFieldsOf(object) {
  const origin = origins.get(object);
  const { path: own = [], lines, document = 1, duplicates = () => [] } = origin ?? {};
  return duplicatesInside(own, duplicates()).map(({ path, offset }) => ({
    field: fieldOf(path.slice(own.length)),
    position: { document, .../** @type {Origin['lines']} */ (lines).positionOf(offset) },
  }));
}

/**
 * The duplicates of a text, by the length of an object's path and its steps: an object finds its
 * own without passing those of the others.
 * @type {WeakMap<DuplicateKey[], Map<number, Map<string, DuplicateKey[]>>>}
 */
const byPath = new WeakMap();

/**
 * @param {Step[]} own the path of an object
 * @param {DuplicateKey[]} all duplicates of its text
 */
function duplicatesInside(own, all) {
  if (all.length === 0) return [];
  let byLength = byPath.get(all);
  if (!byLength) byPath.set(all, (byLength = new Map()));
  let known = byLength.get(own.length);
  if (!known) byLength.set(own.length, (known = grouped(all, own.length)));
  return known.get(JSON.stringify(own)) ?? [];
}

/**
 * @param {DuplicateKey[]} all
 * @param {number} length of the objects' paths
 */
function grouped(all, length) {
  /** @type {Map<string, DuplicateKey[]>} */
  const groups = new Map();
  for (const duplicate of all.filter(({ path }) => path.length > length)) {
    const key = JSON.stringify(duplicate.path.slice(0, length));
    const group = groups.get(key);
    if (group) group.push(duplicate);
    else groups.set(key, [duplicate]);
  }
  return groups;
}

/** @param {Step[]} path */
function fieldOf(path) {
  const parts = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return parts.join('').replace(/^\./, '');
}

/**
 * Returns the number of a parsed object's document, from 1.
 * @param {KubernetesObject} object
 */
export function documentOf(object) {
  return origins.get(object)?.document;
}

/**
 * Sets the origin of an object that was made from a parsed one.
 * @param {object} made
 * @param {object} source
 * @param {Step[]} [path] of the part that it was made from
 */
export function inheritPosition(made, source, path = []) {
  const origin = origins.get(source);
  if (origin) origins.set(made, { ...origin, path: [...origin.path, ...path] });
}

/**
 * @param {string} field
 * @returns {Step[]}
 */
function stepsOf(field) {
  // Only up to the last closing bracket: after it the pattern would search the rest for every
  // opening one, in quadratic time.
  const end = field.lastIndexOf(']') + 1;
  const steps = [
    ...(field.slice(0, end).match(/\[[^\]]*\]|[^.[\]]+/g) ?? []),
    ...(field.slice(end).match(/[^.[\]]+/g) ?? []),
  ];
  return steps.map((step) => {
    if (!step.startsWith('[')) return step;
    const inner = step.slice(1, -1);
    return /^\d+$/.test(inner) ? Number(inner) : inner;
  });
}
