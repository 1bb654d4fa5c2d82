/** Where objects stand in the text that they were read from. */
/**
 * @import { Origin, Step } from '../documents/documents.js'
 * @import { DuplicateKey } from '../documents/duplicate_keys.js'
 * @import { TextLines } from '../documents/text_lines.js'
 * @import { KubernetesObject, Position } from '../kubernetes/types.js'
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
 * Where the name of a field stands, which may be on a line before its value.
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
 * The fields of an object of `parse` that its text gives more than once, and where.
 * @param {KubernetesObject} object
 * @returns {{ field: string, position: Position }[]}
 */
export function duplicateFieldsOf(object) {
  const origin = origins.get(object);
  const { path: own = [], lines, document = 1, duplicates = () => [] } = origin ?? {};
  const isInside = (/** @type {Step[]} */ path) => own.every((step, at) => path[at] === step);
  return duplicates()
    .filter(({ path }) => isInside(path) && path.length > own.length)
    .map(({ path, offset }) => ({
      field: fieldOf(path.slice(own.length)),
      position: { document, .../** @type {TextLines} */ (lines).positionOf(offset) },
    }));
}

/** @param {Step[]} path */
function fieldOf(path) {
  const parts = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return parts.join('').replace(/^\./, '');
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
