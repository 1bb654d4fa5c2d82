/** Objects of a cluster, down to what the scheduler reads of them. */
import { groupOf } from '../kubernetes/api_group.js';
import { KINDS } from './fields.js';
import { SameNames } from './names.js';
import { read } from './walk.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Names } from './names.js'
 */

/**
 * Whether an object is read at all: by the scheduler, or by what makes pods of workloads.
 * @param {KubernetesObject} object
 */
export function isRead({ apiVersion, kind = '' }) {
  const group = groupOf(apiVersion);
  const isOurs = !group.includes('.') || group.endsWith('.k8s.io');
  return isOurs && Object.hasOwn(KINDS, kind);
}

/**
 * What is read of an object: no environment, no secrets, no annotations of others, no managed
 * fields, nothing that the tables do not name. A simulation of these objects decides as one of the
 * whole objects does.
 * @param {KubernetesObject} object
 * @param {Names} [names] under which it is to stand there
 * @returns {KubernetesObject | undefined} undefined: nothing is read of it
 */
export function strip(object, names = new SameNames()) {
  if (!isRead(object)) return undefined;
  const { apiVersion, kind = '' } = object;
  return { apiVersion, kind, ...read(KINDS[kind], object, names) };
}

/**
 * A snapshot as it is stored.
 * @param {Iterable<KubernetesObject>} objects whole ones
 * @param {Names} [names]
 * @returns {{ apiVersion: 'v1', kind: 'List', items: KubernetesObject[] }}
 */
export function snapshotOf(objects, names = new SameNames()) {
  const items = [...objects].flatMap((object) => strip(object, names) ?? []);
  return { apiVersion: 'v1', kind: 'List', items };
}
