/** Where objects stand in the text that they were read from. */
/**
 * @import { KubernetesObject, Position } from '../types.js'
 * @import { TextLines } from './text_lines.js'
 */

/** A key, or a place in a list. @typedef {string | number} Step */

/**
 * Where an object came from: the lines of the text, the number of its document, the path inside it,
 * and what finds the offset of a path in the text.
 * @typedef {{ lines: TextLines, document: number, path: Step[], find: (path: Step[]) => number }}
 *   Origin
 */

/** @type {WeakMap<object, Origin>} */
const origins = new WeakMap();

/**
 * Says where an object came from.
 * @param {object} object
 * @param {Origin} origin
 */
export function setOrigin(object, origin) {
  origins.set(object, origin);
}

/**
 * Where an object that `parse` returned, or one of its fields, stands in the text.
 * @param {KubernetesObject} object
 * @param {string} [field] as in `spec.containers[0].resources.requests[cpu]`; one that is not there
 *   gives the nearest that is
 * @returns {Position | undefined} undefined for objects that do not come from `parse`
 */
export function positionOf(object, field = '') {
  const origin = origins.get(object);
  if (!origin) return undefined;
  const offset = origin.find([...origin.path, ...stepsOf(field)]);
  return { document: origin.document, ...origin.lines.positionOf(offset) };
}

/**
 * The number of the document that an object of `parse` stood in, from 1.
 * @param {KubernetesObject} object
 */
export function documentOf(object) {
  return origins.get(object)?.document;
}

/**
 * Says that an object was made from another one that was parsed.
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
  // Only up to the last bracket that closes one: behind it, each that opens would look for an end.
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
