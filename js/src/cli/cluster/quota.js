/** Checks the pods of manifests against ResourceQuotas. */
import { Quotas } from '../../check/quotas.js';
import { hasReadableSpec } from '../../kubernetes/admission/pod_admission.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { identityOf } from '../../kubernetes/owners.js';
import { claimsFor, ephemeralClaimsOf } from '../../kubernetes/workloads/claims.js';

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
  const quotas = new Quotas(objects);
  if (quotas.areNone) return [];
  for (const object of replaced) quotas.release(object);
  const stored = new Set(objects.filter(isStoredClaim).map(identityOf));
  const isNew = (/** @type {KubernetesObject} */ object) =>
    isClaim(object) && !stored.has(identityOf(object));
  /** @param {KubernetesObject[]} all created one after another */
  const firstRefusal = (all) => {
    for (const object of all) {
      const refusal = quotas.take(object);
      if (refusal !== undefined) return [refusal];
    }
    return [];
  };
  return added.flatMap((one) => {
    const own = one.pods.flatMap((key) => pods.get(key) ?? []).filter(hasReadableSpec);
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

/** @param {KubernetesObject} object */
function isStoredClaim(object) {
  return isClaim(object) && Boolean(object.metadata?.uid);
}

/** @param {KubernetesObject} object */
function isClaim({ kind }) {
  return kind === 'PersistentVolumeClaim';
}
