/** Checks the pods of manifests against ResourceQuotas. */
import { namespaceOf, podKeyOf } from '../../kubernetes/keys.js';
import { hasReadableSpec } from '../../kubernetes/admission/pod_admission.js';
import { QuotaUsage } from '../../kubernetes/admission/resource_quota.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { identityOf, lastOfEach } from '../../kubernetes/owners.js';
import { isRecord } from '../../kubernetes/values.js';
import { claimsFor, ephemeralClaimsOf } from '../../kubernetes/workloads/claims.js';
import { admitted } from './admission.js';

/**
 * @import { ExpandContext, KubernetesObject } from '../../kubernetes/types.js'
 * @import { Added } from './manifests.js'
 */

/**
 * Returns a line for each workload of the manifests whose pods or claims a ResourceQuota would
 * refuse, and for each such claim, in the words of the API server. The pods are placed all the
 * same: users often raise a quota together with the manifest.
 * @param {KubernetesObject[]} objects of the input
 * @param {Added[]} added
 * @param {{ pods: Map<string, KubernetesObject>, replaced: KubernetesObject[], context:
 *   ExpandContext }} cluster `replaced`: the objects that the manifests replace, whose usage is
 *   subtracted; `context` has the StorageClasses
 * @returns {string[]}
 */
export function quotaWarnings(objects, added, { pods, replaced, context }) {
  const quotas = usagesByNamespace(objects);
  if (quotas.size === 0) return [];
  const usagesOf = (/** @type {KubernetesObject} */ pod) => quotas.get(namespaceOf(pod)) ?? [];
  for (const object of replaced.filter((each) => isReadable(each) || isReadableClaim(each)))
    for (const usage of usagesOf(object)) usage.release(object);
  const stored = new Set(objects.filter(isStoredClaim).map(identityOf));
  const isNew = (/** @type {KubernetesObject} */ claim) =>
    isReadableClaim(claim) && !stored.has(identityOf(claim));
  /** @param {KubernetesObject[]} all created one after another */
  const firstRefusal = (all) => {
    for (const object of all) {
      const refusal = refusalOf(object, usagesOf(object));
      if (refusal !== undefined) return [refusal];
    }
    return [];
  };
  return added.flatMap((one) => {
    const own = one.pods.flatMap((key) => pods.get(key) ?? []).filter(isReadable);
    const refused = [
      ...firstRefusal([one.object].filter(isNew)),
      ...own.flatMap((pod) => firstRefusal(madeWith(pod, one.object, context, isNew))),
    ];
    if (refused.length === 0) return [];
    const more = refused.length > 1 ? ` (and ${refused.length - 1} more of its pods)` : '';
    return [`${startOfWarning(one)}${refused[0]}${more}`];
  });
}

/**
 * Returns a pod and its new claims, in the order in which controllers create them.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} source its workload, or itself
 * @param {ExpandContext} context
 * @param {(claim: KubernetesObject) => boolean} isNew
 */
function madeWith(pod, source, context, isNew) {
  const ofSet = source.kind === 'StatefulSet' ? claimsFor(source, pod.metadata.name) : [];
  const [before, after] = [ofSet, ephemeralClaimsOf(pod)].map((claims) =>
    claims.map((claim) => withDefaults(claim, context)).filter(isNew),
  );
  return [...before, pod, ...after];
}

/**
 * Returns the start of the warnings about a workload or pod.
 * @param {Pick<Added, 'source' | 'object'>} added
 * @returns {string}
 */
export function startOfWarning({ source, object }) {
  return `${source}: ${object.kind} ${podKeyOf(object)}: `;
}

/** Holds back the new pods of rollouts while the pods that are there use up a ResourceQuota. */
export class QuotaGate {
  #usages;
  /** The pods held back, and why. @type {Map<KubernetesObject, string>} */
  #held = new Map();

  /** @param {KubernetesObject[]} objects of the input, whose quotas count the rollouts' old pods */
  constructor(objects) {
    this.#usages = usagesByNamespace(objects);
  }

  /**
   * Returns the changes that take place: pods that are held back are created later, as soon as
   * others have made room.
   * @param {{ create: KubernetesObject[], remove: KubernetesObject[] }} step
   */
  pass({ create, remove }) {
    const removed = remove.filter((pod) => !this.#held.delete(pod));
    for (const pod of removed.filter(isReadable))
      for (const usage of this.#usagesOf(pod)) usage.release(pod);
    const asked = [...this.#held.keys(), ...create];
    this.#held.clear();
    const created = asked.filter((pod) => {
      const refusal = isReadable(pod) ? refusalOf(pod, this.#usagesOf(pod)) : undefined;
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

  /** @param {KubernetesObject} pod */
  #usagesOf(pod) {
    return this.#usages.get(namespaceOf(pod)) ?? [];
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

/**
 * Counts a pod in all quotas, or in none.
 * @param {KubernetesObject} pod
 * @param {QuotaUsage[]} usages
 * @returns {string | undefined} the message of the first quota that refuses it
 */
function refusalOf(pod, usages) {
  for (const [at, usage] of usages.entries()) {
    const { refusal } = admitted(() => usage.take(pod));
    if (refusal === undefined) continue;
    for (const other of usages.slice(0, at)) other.release(pod);
    return refusal;
  }
  return undefined;
}

/** @param {KubernetesObject} object */
function isQuota({ kind, apiVersion, metadata, spec = {}, status = {} }) {
  const hasParts = [metadata, spec, status].every(isRecord);
  return kind === 'ResourceQuota' && apiVersion === 'v1' && hasParts;
}

/** @param {KubernetesObject} object */
function isCounted(object) {
  return Boolean(object.metadata?.uid) && (isReadable(object) || isReadableClaim(object));
}

/** @param {KubernetesObject} object */
function isStoredClaim({ kind, metadata }) {
  return kind === 'PersistentVolumeClaim' && Boolean(metadata?.uid);
}

/** @param {KubernetesObject} object */
function isReadableClaim({ kind, metadata, spec }) {
  return kind === 'PersistentVolumeClaim' && isRecord(metadata) && isRecord(spec);
}

/** @param {KubernetesObject} object */
function isReadable(object) {
  return object.kind === 'Pod' && hasReadableSpec(object);
}
