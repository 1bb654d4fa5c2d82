/** Reduces objects of a cluster to the fields that the scheduler reads. */
import { groupOf } from '../kubernetes/api_group.js';
import { KINDS } from './fields.js';
import { SameNames } from './names.js';
import { read } from './walk.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Names } from './names.js'
 */

/**
 * Whether the scheduler, or the expansion of workloads, reads the object at all.
 * @param {KubernetesObject} object
 */
export function isRead({ apiVersion, kind = '' }) {
  const group = groupOf(apiVersion);
  const isOurs = !group.includes('.') || group.endsWith('.k8s.io');
  return isOurs && Object.hasOwn(KINDS, kind);
}

/**
 * Returns an object's fields that are read: no environment, secrets, foreign annotations or managed
 * fields, only fields of the tables. Simulations of the result decide as with the whole objects.
 * @param {KubernetesObject} object
 * @param {Names} [names] gives the new names
 * @returns {KubernetesObject | undefined} undefined if no field is read
 */
export function strip(object, names = new SameNames()) {
  if (!isRead(object)) return undefined;
  const { apiVersion, kind = '' } = object;
  return { apiVersion, kind, ...read(KINDS[kind], object, names) };
}

/**
 * Returns a snapshot in the stored form.
 * @param {Iterable<KubernetesObject>} objects whole ones
 * @param {Names} [names]
 * @returns {{ apiVersion: 'v1', kind: 'List', items: KubernetesObject[] }}
 */
export function snapshotOf(objects, names = new SameNames()) {
  const items = [...objects].flatMap((object) => strip(object, names) ?? []);
  return { apiVersion: 'v1', kind: 'List', items };
}
