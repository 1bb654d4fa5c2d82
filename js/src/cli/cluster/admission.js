/** Applies a cluster's admission to the pods of an input. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { PriorityClasses } from '../../kubernetes/default_classes.js';
import { withPriority } from '../../kubernetes/admission/priority.js';
import { isRecord } from '../../kubernetes/values.js';
import { lastOfEach } from '../../kubernetes/owners.js';
import { isWorkload } from '../../kubernetes/kinds.js';
import { say } from '../terminal/terminal.js';

/**
 * @import { ApiError } from '../../kubernetes/api_error.js'
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 */

/** Kinds that defaults and admission read, but not the engine. */
export const ADMISSION_KINDS = new Set([
  'PriorityClass',
  'LimitRange',
  'RuntimeClass',
  'ResourceQuota',
]);

/**
 * Returns the objects of an input that admission reads. An input without RuntimeClasses was
 * probably exported without them, so pods' classes are then ignored.
 * @param {KubernetesObject[]} objects
 */
export function admissionLists(objects) {
  const ofKind = (/** @type {string} */ kind) => [
    ...lastOfEach(objects.filter((object) => object.kind === kind)).values(),
  ];
  const runtimeClasses = ofKind('RuntimeClass');
  return {
    limitRanges: ofKind('LimitRange'),
    ...(runtimeClasses.length > 0 && { runtimeClasses }),
  };
}

/**
 * Returns objects of manifests after checking that their pods have the priority that Priority
 * computes from the class. A class that the input lacks may exist in the cluster, so its pods are
 * not checked.
 * @template {KubernetesObject[]} T
 * @param {T} objects with their defaults, created or written, not stored before
 * @param {{ priorityClasses?: Iterable<KubernetesObject> }} context
 * @returns {T}
 * @throws {ApiError} Forbidden
 */
export function withCheckedPriorities(objects, { priorityClasses = [] }) {
  const classes = PriorityClasses.of(priorityClasses);
  for (const object of objects) {
    if (object.kind !== 'Pod' || !isRecord(object.spec)) continue;
    const { priorityClassName: name, priority } = object.spec;
    const isKnown = !name || classes.get(name) !== undefined;
    if (isKnown && typeof priority === 'number') withPriority(object, classes);
  }
  return objects;
}

/**
 * Whether an object is rejected because its pods' class is missing.
 * @param {InputError} error
 */
export function isUnknownClass({ code, kind, field, value }) {
  const isOfClass = kind === 'Pod' && field === 'spec.priorityClassName';
  return isOfClass && code === 'FieldValueInvalid' && typeof value === 'string';
}

/**
 * @param {{ warnings: string[] }} cluster
 * @param {import('../host.js').Host} host
 */
export function sayWarnings({ warnings }, { stderr }) {
  for (const line of warnings) say(stderr, `warning: ${line}`);
}

/**
 * Returns the warning about an object that the API server refuses, or whose pods or claims.
 * @param {string} source the name of its file
 * @param {KubernetesObject} object
 * @param {string} refusal the API server's message
 */
export function refusalLine(source, object, refusal) {
  const lacks = isWorkload(object) ? 'lacks pods' : 'is refused';
  return `${source}: ${object.kind} ${podKeyOf(object)} ${lacks}: ${refusal}`;
}
