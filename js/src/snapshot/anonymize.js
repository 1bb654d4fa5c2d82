/** A snapshot in which nobody has a name of their own, and every decision is the same. */
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { CONFIGURATION } from './fields.js';
import { MadeUpNames } from './names.js';
import { isRead, strip } from './snapshot.js';
import { read } from './walk.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** Workloads that the scheduler does not read: their pods say all. */
const MAKERS = new Set(['Deployment', 'DaemonSet', 'Job', 'ResourceClaimTemplate']);

/** Those of which it reads the selector. */
const SETS = new Set(['ReplicaSet', 'StatefulSet', 'ReplicationController']);

/**
 * Gives everything other names: namespaces, objects, labels, taints, images, resources, volumes,
 * schedulers. What means something to the scheduler keeps its name; names sort as those before,
 * integers that are compared stay integers in their order. The objects are complete, with the pods
 * that their workloads lack: no workload makes any more.
 * @param {KubernetesObject[]} objects whole ones
 * @param {{ configuration?: any }} [options] a KubeSchedulerConfiguration that goes with them
 * @returns {{ snapshot: { apiVersion: 'v1', kind: 'List', items: KubernetesObject[] },
 *   configuration?: any, rename: (object: KubernetesObject) => KubernetesObject | undefined,
 *   originals: Map<string, string> }} `rename` is for the same objects, as they are at another time
 *   with no texts that were not there; `originals`: true names by those made up, to be kept secret
 * @throws {import('../kubernetes/errors.js').InputError} when two volumes would have the same claim
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
