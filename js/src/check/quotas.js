/** What the ResourceQuotas of a cluster let the API server create. */
import { admitted } from '../kubernetes/api_error.js';
import { hasReadableSpec } from '../kubernetes/admission/pod_admission.js';
import { QuotaUsage } from '../kubernetes/admission/resource_quota.js';
import { namespaceOf } from '../kubernetes/keys.js';
import { lastOfEach } from '../kubernetes/owners.js';
import { isRecord } from '../kubernetes/values.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/** The usage of all quotas, as pods and claims come and go. Others count in none. */
export class Quotas {
  #usages;

  /** @param {KubernetesObject[]} objects of the cluster */
  constructor(objects) {
    this.#usages = usagesByNamespace(objects);
  }

  /** Whether the cluster has no quota. */
  get areNone() {
    return this.#usages.size === 0;
  }

  /** Subtracts a deleted pod or claim. @param {KubernetesObject} object */
  release(object) {
    for (const usage of this.#usagesOf(object)) usage.release(object);
  }

  /**
   * Counts a new pod or claim in all quotas, or in none.
   * @param {KubernetesObject} object
   * @returns {string | undefined} the message of the first quota that refuses it
   */
  take(object) {
    const usages = this.#usagesOf(object);
    for (const [at, usage] of usages.entries()) {
      const { refusal } = admitted(() => usage.take(object));
      if (refusal === undefined) continue;
      for (const other of usages.slice(0, at)) other.release(object);
      return refusal;
    }
    return undefined;
  }

  /** @param {KubernetesObject} object */
  #usagesOf(object) {
    return isReadable(object) ? (this.#usages.get(namespaceOf(object)) ?? []) : [];
  }
}

/** Holds back the new pods of rollouts while the pods that are there use up a ResourceQuota. */
export class QuotaGate {
  #quotas;
  /** The pods held back, and why. @type {Map<KubernetesObject, string>} */
  #held = new Map();

  /** @param {KubernetesObject[]} objects of the input, whose quotas count the rollouts' old pods */
  constructor(objects) {
    this.#quotas = new Quotas(objects);
  }

  /**
   * Returns the changes that take place: pods that are held back are created later, as soon as
   * others have made room.
   * @param {{ create: KubernetesObject[], remove: KubernetesObject[] }} step
   */
  pass({ create, remove }) {
    const removed = remove.filter((pod) => !this.#held.delete(pod));
    for (const pod of removed) this.#quotas.release(pod);
    const asked = [...this.#held.keys(), ...create];
    this.#held.clear();
    const created = asked.filter((pod) => {
      const refusal = this.#quotas.take(pod);
      if (refusal !== undefined) this.#held.set(pod, refusal);
      return refusal === undefined;
    });
    return { create: created, remove: removed };
  }

  /**
   * Lets all pods pass.
   * @returns {Map<KubernetesObject, string>} those that were held back, and why
   */
  open() {
    const held = this.#held;
    this.#held = new Map();
    return held;
  }
}

/**
 * The controller of quotas copies `spec.hard` to the status; a manifest may have changed it since.
 * It also counts what there is, which is done here for a quota that it has not seen.
 * @param {KubernetesObject[]} objects
 * @returns {Map<string, QuotaUsage[]>}
 */
function usagesByNamespace(objects) {
  /** @type {Map<string, QuotaUsage[]>} */
  const usages = new Map();
  /** @type {Map<string, QuotaUsage[]>} */
  const uncounted = new Map();
  for (const quota of lastOfEach(objects.filter(isQuota)).values()) {
    const namespace = namespaceOf(quota);
    const { hard = quota.status?.hard } = quota.spec ?? {};
    const usage = new QuotaUsage({ ...quota, status: { ...quota.status, hard } });
    for (const map of quota.status?.used ? [usages] : [usages, uncounted])
      map.set(namespace, [...(map.get(namespace) ?? []), usage]);
  }
  for (const object of uncounted.size > 0 ? objects.filter(isCounted) : [])
    for (const usage of uncounted.get(namespaceOf(object)) ?? []) usage.add(object);
  return usages;
}

/** @param {KubernetesObject} object */
function isQuota({ kind, apiVersion, metadata, spec = {}, status = {} }) {
  const hasParts = [metadata, spec, status].every(isRecord);
  return kind === 'ResourceQuota' && apiVersion === 'v1' && hasParts;
}

/** @param {KubernetesObject} object */
function isCounted(object) {
  return Boolean(object.metadata?.uid) && isReadable(object);
}

/** @param {KubernetesObject} object */
function isReadable(object) {
  return (object.kind === 'Pod' && hasReadableSpec(object)) || isReadableClaim(object);
}

/** @param {KubernetesObject} object */
function isReadableClaim({ kind, metadata, spec }) {
  return kind === 'PersistentVolumeClaim' && isRecord(metadata) && isRecord(spec);
}
