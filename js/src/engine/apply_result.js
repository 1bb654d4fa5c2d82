/** The result of a batch: its bad items are reported or thrown, with the caller's indexes. */
import { BatchError, InputError, inputErrorFromEngine } from '../kubernetes/errors.js';

/**
 * @import { ApplyResult, InputErrorFields } from '../kubernetes/types.js'
 * @import { ApplyOptions } from './types.js'
 */

/**
 * Reports errors and unknown kinds to the caller's function. Without one, throws.
 * @param {ApplyResult} result
 * @param {ApplyOptions['onError']} onError
 */
export function settle(result, onError) {
  const bad = result.errors.filter((error) => error.code !== 'UnknownKind');
  const unknown = result.errors.filter((error) => error.code === 'UnknownKind');
  result.errors = bad;
  if (onError) {
    const reported = new Set(unknown.map((error) => `${error.apiVersion}, Kind=${error.kind}`));
    for (const error of [...bad, ...unknown]) onError(error);
    for (const kind of result.unknownKinds) if (!reported.has(kind)) onError(unknownKind(kind));
    return result;
  }
  if (bad.length > 0) throw new BatchError(bad, result);
  return result;
}

/**
 * Adds what the engine answered about one batch to the result.
 * @param {ApplyResult} result
 * @param {any} answer
 * @param {number[]} [indexes] the caller's index of each line; absent if the engine got the
 *   caller's own text
 */
export function addAnswer(result, answer, indexes) {
  result.applied += answer.applied ?? 0;
  result.ignored += answer.ignored ?? 0;
  if (answer.resourceVersion !== undefined) result.resourceVersion = answer.resourceVersion;
  if (answer.status !== undefined) result.status = answer.status;
  for (const kind of answer.unknownKinds ?? []) result.unknownKinds.push(kind);
  for (const fields of /** @type {InputErrorFields[]} */ (answer.errors ?? []))
    result.errors.push(inputErrorFromEngine(indexes ? inTerms(fields, indexes) : fields));
}

/**
 * Replaces line and column, which the caller never saw, by the index of the caller's item.
 * @param {InputErrorFields} fields
 * @param {number[]} indexes
 * @returns {InputErrorFields}
 */
function inTerms({ line: _line, column: _column, ...fields }, indexes) {
  return { ...fields, index: indexes[fields.index ?? -1] };
}

/** @param {string} text `apps/v1, Kind=Deployment` */
export function unknownKind(text) {
  const [apiVersion, kind] = text.split(', Kind=');
  return new InputError({
    code: 'UnknownKind',
    apiVersion,
    kind,
    detail: 'this engine does not read this kind',
  });
}
