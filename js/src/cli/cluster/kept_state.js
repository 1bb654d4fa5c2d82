/**
 * Keeps the cluster's state that applying a manifest does not change: fields of a workload that the
 * manifest does not set, and the pods below a StatefulSet's partition.
 */
import { appliedObject } from '../../../apiserver/index.js';
import { controllerOf, identityOf, lastOfEach, ownedByIdentity } from '../../kubernetes/owners.js';
import { SCALED_KINDS } from '../../kubernetes/kinds.js';
import { lastAppliedTo } from '../../kubernetes/last_applied.js';
import { isPodActive } from '../../kubernetes/workloads/pods.js';
import { inheritPosition } from '../../manifests/positions.js';
import { podsBelowPartition } from '../../kubernetes/workloads/stateful_revisions.js';
import { isRecord } from '../../kubernetes/values.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/** What applying manifests leaves as it is. */
export class KeptState {
  #replaced;
  /** @type {Map<string, KubernetesObject> | undefined} */
  #stored;
  /** @type {Map<string, KubernetesObject[]> | undefined} */
  #owned;

  /** @param {Iterable<KubernetesObject>} replaced the cluster's objects that manifests replace */
  constructor(replaced) {
    this.#replaced = [...replaced];
  }

  /**
   * Returns a workload as it is after `kubectl apply`: fields that neither the manifest nor the one
   * before has stay. If the cluster's workload was not applied by kubectl, only its replicas stay.
   * @param {KubernetesObject} workload of a manifest
   * @returns {KubernetesObject}
   */
  applied(workload) {
    this.#stored ??= lastOfEach(this.#replaced);
    const stored = this.#stored.get(identityOf(workload));
    const before = stored && lastAppliedTo(stored);
    const spec = before?.spec && stored && appliedObject(workload, { before, stored })?.spec;
    if (!spec) return this.#withReplicas(workload);
    const kept = { ...workload, spec };
    inheritPosition(kept, workload);
    return kept;
  }

  /**
   * A manifest without replicas leaves them unchanged, unless the previous manifest had them; their
   * removal then gives the default.
   * @param {KubernetesObject} workload
   */
  #withReplicas(workload) {
    const { kind = '', spec } = workload;
    if (!SCALED_KINDS.has(kind) || !isRecord(spec) || (spec.replicas ?? null) !== null)
      return workload;
    const replicas = this.#replicasOf(identityOf(workload));
    if (replicas === undefined) return workload;
    const kept = { ...workload, spec: { ...spec, replicas } };
    inheritPosition(kept, workload);
    return kept;
  }

  /**
   * Returns the replicas of the cluster's own object; if the dump lacks that, of its ReplicaSets or
   * pods.
   * @param {string} identity of a workload
   * @returns {number | undefined} undefined if the cluster has no part of the workload
   */
  #replicasOf(identity) {
    const stored = this.#stored?.get(identity);
    if (stored) return namedBefore(stored) ? undefined : stored.spec?.replicas;
    const owned = this.#ownedBy(identity);
    const sets = owned.filter(({ kind }) => kind === 'ReplicaSet');
    if (sets.length > 0) return sets.reduce((sum, { spec }) => sum + (spec?.replicas ?? 1), 0);
    const pods = owned.filter(isRunning);
    return pods.length > 0 ? pods.length : undefined;
  }

  /**
   * Returns the running pods that a rolling update keeps: those of a StatefulSet with ordinals
   * below its partition.
   * @param {KubernetesObject} set of a manifest, with its replicas
   * @returns {KubernetesObject[]}
   */
  podsBelowPartition(set) {
    if (set.kind !== 'StatefulSet' || !isRecord(set.spec)) return [];
    return podsBelowPartition(set, this.#ownedBy(identityOf(set)).filter(isRunning));
  }

  /** @param {string} identity */
  #ownedBy(identity) {
    this.#owned ??= ownedByIdentity(this.#replaced);
    return this.#owned.get(identity) ?? [];
  }
}

/** @param {KubernetesObject} stored */
function namedBefore(stored) {
  return (lastAppliedTo(stored)?.spec?.replicas ?? null) !== null;
}

/** @param {KubernetesObject} object */
function isRunning(object) {
  return object.kind === 'Pod' && controllerOf(object) && isPodActive(object);
}
