/** Reduces objects of a cluster to the fields that decisions read. */
import { groupOf } from '../kubernetes/api_group.js';
import { SCALED_KINDS } from '../kubernetes/kinds.js';
import { LAST_APPLIED, lastAppliedTo } from '../kubernetes/last_applied.js';
import { controllerOf } from '../kubernetes/owners.js';
import { KINDS } from './fields.js';
import { SameNames } from './names.js';
import { asItIs } from './roles.js';
import { read } from './walk.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Names } from './names.js'
 */

/**
 * Whether a decision, or the expansion of workloads, reads the object at all. Of the former
 * templates only those of StatefulSets make new pods.
 * @param {KubernetesObject} object
 */
function isRead(object) {
  const { apiVersion, kind = '' } = object;
  const group = groupOf(apiVersion);
  const isOurs = !group.includes('.') || group.endsWith('.k8s.io');
  if (kind === 'ControllerRevision' && controllerOf(object)?.kind !== 'StatefulSet') return false;
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
  const kept = { apiVersion, kind, ...read(KINDS[kind], object, names) };
  const applied = lastAppliedTo(object);
  if (!applied || kind === 'Pod') return kept;
  const shape = SCALED_KINDS.has(kind) ? REPLICAS_ONLY : KINDS[kind];
  const manifest = JSON.stringify(read(shape, applied, names));
  const annotations = { ...kept.metadata.annotations, [LAST_APPLIED]: manifest };
  return { ...kept, metadata: { ...kept.metadata, annotations } };
}

/** What the next manifest of a workload reads of the last one; that of a pod replaces the pod. */
const REPLICAS_ONLY = { spec: { replicas: asItIs } };

/**
 * Returns a snapshot in the stored form: a List that says that fields of its objects are missing.
 * @param {Iterable<KubernetesObject>} objects whole ones
 * @returns {{ apiVersion: 'v1', kind: 'List', reduced: true, items: KubernetesObject[] }}
 */
export function snapshotOf(objects) {
  const names = new SameNames();
  const items = [...objects].flatMap((object) => strip(object, names) ?? []);
  return { apiVersion: 'v1', kind: 'List', reduced: true, items };
}
