/** Renames everything in a snapshot without changing any decision. */
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { CONFIGURATION } from './fields.js';
import { MadeUpNames } from './names.js';
import { isRead, strip } from './snapshot.js';
import { read } from './walk.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Workloads that the scheduler does not read: their pods are enough. */
const MAKERS = new Set(['Deployment', 'DaemonSet', 'Job', 'ResourceClaimTemplate']);

/** Workloads whose selector it reads. */
const SETS = new Set(['ReplicaSet', 'StatefulSet', 'ReplicationController']);

/**
 * Renames namespaces, objects, labels, taints, images, resources, volumes, schedulers. Names with a
 * meaning to the scheduler stay; new names sort like the old ones, and compared integers stay
 * integers in the same order. The result contains the pods that the workloads lack, so that no
 * workload creates more.
 * @param {KubernetesObject[]} objects whole ones
 * @param {{ configuration?: any }} [options] a KubeSchedulerConfiguration to rename alike
 * @returns {{ snapshot: { apiVersion: 'v1', kind: 'List', items: KubernetesObject[] },
 *   configuration?: any, rename: (object: KubernetesObject) => KubernetesObject | undefined,
 *   originals: Map<string, string> }} `rename` is for a later state of the same objects, if it
 *   contains no new texts; `originals`: true names by new ones, to be kept secret
 * @throws {import('../kubernetes/errors.js').InputError} if two volumes would have the same claim
 */
export function anonymize(objects, { configuration } = {}) {
  const kept = objects.filter(isScheduled).map(withoutTemplate);
  const names = new MadeUpNames();
  const rename = (/** @type {KubernetesObject} */ object) => {
    joinClaims(object, names);
    return strip(object, names);
  };
  kept.forEach(rename);
  if (configuration !== undefined) read(CONFIGURATION, configuration, names);
  names.settle();
  return {
    snapshot: { apiVersion: 'v1', kind: 'List', items: kept.flatMap((one) => rename(one) ?? []) },
    ...(configuration !== undefined && {
      configuration: read(CONFIGURATION, configuration, names),
    }),
    rename: (object) => (isScheduled(object) ? rename(withoutTemplate(object)) : undefined),
    originals: names.originals(),
  };
}

/** @param {KubernetesObject} object */
function isScheduled(object) {
  return isRead(object) && !MAKERS.has(object.kind ?? '');
}

/** @param {KubernetesObject} object */
function withoutTemplate(object) {
  if (!SETS.has(object.kind ?? '') || !isRecord(object.spec)) return object;
  const { selector } = object.spec;
  return { ...object, spec: { selector, replicas: 0, template: { spec: { containers: [] } } } };
}

/**
 * The claim of an ephemeral volume is named after the pod and the volume.
 * @param {KubernetesObject} object
 * @param {MadeUpNames} names
 */
function joinClaims({ kind, metadata, spec }, names) {
  if (kind !== 'Pod') return;
  for (const volume of itemsIn(spec?.volumes))
    if (volume?.ephemeral && volume.name) names.joins(String(metadata?.name), volume.name);
}
