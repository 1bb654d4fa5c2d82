/**
 * Keeps the cluster's state that applying a manifest does not change: replicas that the manifest
 * does not set, and the pods below a StatefulSet's partition.
 */
import { controllerOf, identityOf, identityOfOwner, Owners } from '../kubernetes/owners.js';
import { SCALED_KINDS } from '../kubernetes/kinds.js';
import { lastAppliedTo } from '../kubernetes/last_applied.js';
import { inheritPosition } from '../manifests/positions.js';
import { ordinalOf } from '../kubernetes/workloads/template_pods.js';
import { isRecord } from '../kubernetes/values.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * Returns a workload with its replicas after `kubectl apply`: a manifest without the field leaves
 * it unchanged, unless the previous manifest had it; its removal then gives the default.
 * @param {KubernetesObject} workload of a manifest
 * @param {Iterable<KubernetesObject>} replaced the cluster's objects that all manifests replace
 * @returns {KubernetesObject}
 */
export function withKeptReplicas(workload, replaced) {
  const { kind = '', spec } = workload;
  if (!SCALED_KINDS.has(kind) || !isRecord(spec) || (spec.replicas ?? null) !== null)
    return workload;
  const replicas = keptReplicas(workload, [...replaced]);
  if (replicas === undefined) return workload;
  const kept = { ...workload, spec: { ...spec, replicas } };
  inheritPosition(kept, workload);
  return kept;
}

/**
 * Returns the replicas of the cluster's own object; if the dump lacks that, of its ReplicaSets or
 * pods.
 * @param {KubernetesObject} workload
 * @param {KubernetesObject[]} replaced
 * @returns {number | undefined} undefined if the cluster has no part of the workload
 */
function keptReplicas(workload, replaced) {
  const identity = identityOf(workload);
  const stored = replaced.find((object) => identityOf(object) === identity);
  if (stored) return namedBefore(stored) ? undefined : stored.spec?.replicas;
  const owners = new Owners(replaced);
  const owned = replaced.filter((object) =>
    owners.chainOf(object).some((owner) => identityOfOwner(owner) === identity),
  );
  const sets = owned.filter(({ kind }) => kind === 'ReplicaSet');
  if (sets.length > 0) return sets.reduce((sum, { spec }) => sum + (spec?.replicas ?? 1), 0);
  const pods = owned.filter(isRunning);
  return pods.length > 0 ? pods.length : undefined;
}

/** @param {KubernetesObject} stored */
function namedBefore(stored) {
  return (lastAppliedTo(stored)?.spec?.replicas ?? null) !== null;
}

/**
 * Returns the running pods that a rolling update keeps: those of a StatefulSet with ordinals below
 * its partition.
 * @param {KubernetesObject} set of a manifest, with its replicas
 * @param {Iterable<KubernetesObject>} replaced the objects that would be replaced without a
 *   partition
 * @returns {KubernetesObject[]}
 */
export function podsBelowPartition(set, replaced) {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec?.updateStrategy ?? {};
  if (set.kind !== 'StatefulSet' || type !== 'RollingUpdate') return [];
  const end = Math.min(rollingUpdate?.partition ?? 0, set.spec.replicas ?? 1);
  const start = set.spec.ordinals?.start ?? 0;
  const pods = [...replaced].filter(isRunning);
  const owners = new Owners(pods);
  const identity = identityOf(set);
  return pods.filter((pod) => {
    const place = ordinalOf(set, pod) - start;
    const isOwn = owners.chainOf(pod).some((owner) => identityOfOwner(owner) === identity);
    return isOwn && place >= 0 && place < end;
  });
}

/** @param {KubernetesObject} object */
function isRunning(object) {
  const { kind, metadata, status } = object;
  const hasEnded = ['Succeeded', 'Failed'].includes(status?.phase);
  return kind === 'Pod' && controllerOf(object) && !metadata.deletionTimestamp && !hasEnded;
}
