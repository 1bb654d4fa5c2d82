/** What a cluster's admission says to the pods of an input. */
import { podKeyOf } from '../kubernetes/keys.js';
import { ApiError } from '../kubernetes/api_error.js';
import { PriorityClasses } from '../kubernetes/default_classes.js';
import { withPriority } from '../kubernetes/admission/priority.js';
import { isRecord } from '../kubernetes/values.js';
import { say } from './terminal.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Kinds that defaults and admission read, and the engine does not. */
export const ADMISSION_KINDS = new Set([
  'PriorityClass',
  'LimitRange',
  'RuntimeClass',
  'ResourceQuota',
]);

/**
 * What admission reads of an input. An input without RuntimeClasses is one that was made without
 * them: what a pod says of its class is then not looked at.
 * @param {KubernetesObject[]} objects
 */
export function admissionLists(objects) {
  const ofKind = (/** @type {string} */ kind) => objects.filter((object) => object.kind === kind);
  const runtimeClasses = ofKind('RuntimeClass');
  return {
    limitRanges: ofKind('LimitRange'),
    ...(runtimeClasses.length > 0 && { runtimeClasses }),
  };
}

/**
 * Objects of manifests, once the priority of their pods is what Priority computes of the class. A
 * class that the input lacks may be in the cluster all the same: its pods are not looked at.
 * @template {KubernetesObject[]} T
 * @param {T} objects with their defaults, made or written, not stored before
 * @param {{ priorityClasses?: Iterable<KubernetesObject> }} context
 * @returns {T}
 * @throws {ApiError} Forbidden
 */
export function withCheckedPriorities(objects, { priorityClasses = [] }) {
  const classes = new PriorityClasses(priorityClasses);
  for (const object of objects) {
    if (object.kind !== 'Pod' || !isRecord(object.spec)) continue;
    const { priorityClassName: name, priority } = object.spec;
    const isKnown = !name || classes.get(name) !== undefined;
    if (isKnown && typeof priority === 'number') withPriority(object, classes);
  }
  return objects;
}

/**
 * What a function gives, or the refusal that it throws.
 * @template T
 * @param {() => T} make
 * @returns {{ made: T, refusal?: undefined } | { made?: undefined, refusal: string }}
 */
export function admitted(make) {
  try {
    return { made: make() };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { refusal: error.message };
  }
}

/**
 * @param {{ warnings: string[] }} cluster
 * @param {import('./main.js').Host} host
 */
export function sayWarnings({ warnings }, { stderr }) {
  for (const line of warnings) say(stderr, `warning: ${line}`);
}

/**
 * The warning about an object whose pods the API server refuses.
 * @param {string} source the name of its file
 * @param {KubernetesObject} object
 * @param {string} refusal the words of the API server
 */
export function refusalLine(source, object, refusal) {
  const lacks = object.kind === 'Pod' ? 'is refused' : 'lacks pods';
  return `${source}: ${object.kind} ${podKeyOf(object)} ${lacks}: ${refusal}`;
}
