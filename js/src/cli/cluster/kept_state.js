/**
 * Keeps the cluster's state that applying a manifest does not change: fields of a workload that the
 * manifest does not set, and the pods below a StatefulSet's partition.
 */
import { appliedObject } from '../../../apiserver/index.js';
import { controllerOf, identityOf, lastOfEach, ownedByIdentity } from '../../kubernetes/owners.js';
import { isRecord } from '../../kubernetes/values.js';
import { isPodActive } from '../../kubernetes/workloads/pods.js';
import { podsBelowPartition } from '../../kubernetes/workloads/stateful_revisions.js';
import { appliedWorkload } from '../../manifests/applied_workload.js';

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
   * Returns a workload as it is after `kubectl apply`.
   * @param {KubernetesObject} workload of a manifest
   * @returns {KubernetesObject}
   */
  applied(workload) {
    this.#stored ??= lastOfEach(this.#replaced);
    const identity = identityOf(workload);
    const stored = this.#stored.get(identity);
    const partsOf = () => this.#partsOf(identity);
    return appliedWorkload(workload, { stored, partsOf }, appliedObject);
  }

  /**
   * Returns the running pods that a rolling update keeps: those of a StatefulSet with ordinals
   * below its partition.
   * @param {KubernetesObject} set of a manifest, with its replicas
   * @returns {KubernetesObject[]}
   */
  podsBelowPartition(set) {
    if (set.kind !== 'StatefulSet' || !isRecord(set.spec)) return [];
    return podsBelowPartition(set, this.#partsOf(identityOf(set)).pods);
  }

  /** @param {string} identity */
  #partsOf(identity) {
    this.#owned ??= ownedByIdentity(this.#replaced);
    const owned = this.#owned.get(identity) ?? [];
    const sets = owned.filter(({ kind }) => kind === 'ReplicaSet');
    return { sets, pods: owned.filter(isRunning) };
  }
}

/** @param {KubernetesObject} object */
function isRunning(object) {
  return object.kind === 'Pod' && controllerOf(object) && isPodActive(object);
}
