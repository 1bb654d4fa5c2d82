/** All fields that do not fit their types, in the API server's words. */
import { decode, DecodeError } from '../../../js/apiserver/index.js';
import { isRecord } from '../../../js/src/kubernetes.js';
import { fieldText } from './problems.js';
import { childPlace } from './types.js';

/**
 * @import { Step } from '../../../js/src/manifests.js'
 * @import { Problem } from './problems.js'
 * @import { Place } from './types.js'
 */

/**
 * `field` is a path such as `spec.containers[0].imag`.
 * @typedef {{ field: string } & Pick<Problem, 'severity' | 'message'>} FieldProblem
 */

/**
 * @param {Place} place
 * @param {Step[]} [path] the value's path
 * @returns {Generator<FieldProblem, void, void>}
 */
export function* fieldProblems(place, path = []) {
  const { shape, value } = place;
  // The API server treats null as absent.
  if (value === null || value === undefined) return;
  switch (shape.kind) {
    case 'struct':
    case 'map':
      if (!isRecord(value)) yield mismatch(place, path);
      else for (const key of Object.keys(value)) yield* childProblems(place, key, path);
      return;
    case 'list':
      if (!Array.isArray(value)) yield mismatch(place, path);
      else for (const index of value.keys()) yield* childProblems(place, index, path);
      return;
    case 'scalar':
      yield* scalarProblems(place, path);
  }
}

/**
 * @param {Place} place
 * @param {Step} step
 * @param {Step[]} path
 * @returns {Generator<FieldProblem, void, void>}
 */
function* childProblems(place, step, path) {
  const here = [...path, step];
  const field = fieldText(here);
  const child = childPlace(place, step);
  if (child) yield* fieldProblems(child, here);
  else yield { field, severity: 'warning', message: `unknown field "${field}"` };
}

/**
 * @param {Place} place
 * @param {Step[]} path
 * @returns {Generator<FieldProblem, void, void>}
 */
function* scalarProblems({ shape, value }, path) {
  try {
    decode(shape, value);
  } catch (cause) {
    if (!(cause instanceof DecodeError)) throw cause;
    yield refusal(cause.message, path);
  }
}

/**
 * @param {Place} place
 * @param {Step[]} path
 * @returns {FieldProblem}
 */
function mismatch({ shape, value }, path) {
  const given = Array.isArray(value) ? 'a list' : `a ${typeof value}`;
  const wanted = shape.kind === 'list' ? 'a list' : 'an object';
  return refusal(`${wanted} is expected, not ${given}`, path);
}

/**
 * @param {string} message
 * @param {Step[]} path
 * @returns {FieldProblem}
 */
function refusal(message, path) {
  const field = fieldText(path);
  const words = message.replace(/^json: /, '').replace(' into Go value of type', ' as');
  return { field, severity: 'error', message: field ? `${field}: ${words}` : words };
}
