/** What becomes of a batch: bad items told or thrown, in terms of what the caller gave. */
import { BatchError, InputError, inputErrorFromEngine } from '../kubernetes/errors.js';

/** @import { InputErrorFields } from '../kubernetes/types.js'
 * @import { ApplyOptions, ApplyResult } from './types.js' */

/**
 * Hands errors and unknown kinds to the caller's function, or throws.
 * @param {ApplyResult} result
 * @param {ApplyOptions['onError']} onError
 */
export function settle(result, onError) {
  const bad = result.errors.filter((error) => error.code !== 'UnknownKind');
  const unknown = result.errors.filter((error) => error.code === 'UnknownKind');
  result.errors = bad;
  if (onError) {
    const told = new Set(unknown.map((error) => `${error.apiVersion}, Kind=${error.kind}`));
    for (const error of [...bad, ...unknown]) onError(error);
    for (const kind of result.unknownKinds) if (!told.has(kind)) onError(unknownKind(kind));
    return result;
  }
  if (bad.length > 0) throw new BatchError(bad, result);
  return result;
}

/**
 * Adds what the engine answered about one batch.
 * @param {ApplyResult} result
 * @param {any} answer
 * @param {number[]} [indexes] of the caller's items, where lines were made of them
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
 * An error in terms of the caller's batch, who never saw the lines that were made of it.
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
