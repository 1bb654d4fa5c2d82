/** Finds PriorityClasses that pods name and the input lacks. Such pods cannot be read. */

/**
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { Lack, Question } from './missing_kinds.js'
 */

/**
 * Whether an object is rejected because its pods' class is missing.
 * @param {InputError} error
 */
export function isUnknownClass({ code, kind, field, value }) {
  const isOfClass = kind === 'Pod' && field === 'spec.priorityClassName';
  return isOfClass && code === 'FieldValueInvalid' && typeof value === 'string';
}

/**
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
export function* missingClasses({ dump, unclassed }) {
  for (const { value, namespace, objectName } of unclassed) {
    const pod = { metadata: { namespace, name: objectName } };
    const name = String(value);
    if (dump.lacks('PriorityClass', name)) yield { kind: 'PriorityClass', name, pod };
  }
}
