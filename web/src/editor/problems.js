/** Problems of a text, with their positions. */
import { positionOf } from '../../../js/src/manifests.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Position } from '../../../js/src/kubernetes.js'
 * @import { Step } from '../../../js/src/manifests.js'
 */

/**
 * Document, line and column count from 1. A text with an error cannot be applied.
 * @typedef {object} Problem
 * @property {'error' | 'warning'} severity
 * @property {string} message
 * @property {number} document
 * @property {number} line
 * @property {number} column
 */

/**
 * @param {Problem['severity']} severity
 * @param {string} message
 * @param {Partial<Position>} [position] without one: the beginning
 * @returns {Problem}
 */
export function problem(severity, message, { document = 1, line = 1, column = 1 } = {}) {
  return { severity, message, document, line, column };
}

/**
 * Turns an error of the API server, the engine or a parser into problems at the fields that it
 * names.
 * @param {any} error
 * @param {KubernetesObject} [object] the object, from `parse`
 * @param {string} [prefix] the path of the object's fields within the document
 * @returns {Problem[]}
 */
export function problemsOf(error, object, prefix = '') {
  if (error.line !== undefined) return [problem('error', error.message, error)];
  const at = (/** @type {string} */ field) => object && positionOf(object, joined(prefix, field));
  const named = causesOf(error).filter(({ field }) => field);
  if (named.length === 0) return [problem('error', error.message, at(''))];
  return named.map(({ field, message }) => problem('error', message, at(field)));
}

/**
 * The fields that an error names, each with the sentence about it.
 * @param {any} error
 * @returns {{ field: string, message: string }[]}
 */
function causesOf({ details, errors, field, message }) {
  if (Array.isArray(errors))
    return errors.map((/** @type {any} */ one) => ({ field: one.field, message: one.detail }));
  if (Array.isArray(details?.causes))
    return details.causes.map((/** @type {any} */ cause) => ({
      field: cause.field,
      message: `${cause.field}: ${cause.message}`,
    }));
  return [{ field, message }];
}

/** @param {string} prefix @param {string} field */
function joined(prefix, field) {
  return [prefix, field].filter(Boolean).join('.');
}

/**
 * A path in the errors' form: `spec.containers[0].name`, `metadata.labels[app.kubernetes.io/name]`.
 * @param {Step[]} path
 */
export function fieldText(path) {
  return path.reduce((/** @type {string} */ text, step) => {
    if (typeof step === 'number' || /[.[\]]/.test(step)) return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** @param {Problem[]} problems */
export function inOrder(problems) {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** @param {Problem[]} problems */
export function hasErrors(problems) {
  return problems.some(({ severity }) => severity === 'error');
}
