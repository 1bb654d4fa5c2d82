/** Checks the pods of manifests against ResourceQuotas. */
import { namespaceOf, podKeyOf } from '../kubernetes/keys.js';
import { hasReadableSpec } from '../kubernetes/admission/pod_admission.js';
import { QuotaUsage } from '../kubernetes/admission/resource_quota.js';
import { isRecord } from '../kubernetes/values.js';
import { admitted } from './admission.js';
import { lastOfEach } from './manifests.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Added } from './manifests.js'
 */

/**
 * Returns a line for each workload of the manifests whose pods a ResourceQuota would refuse, in the
 * words of the API server. The pods are placed all the same: users often raise a quota together
 * with the manifest.
 * @param {KubernetesObject[]} objects of the input
 * @param {Added[]} added
 * @param {{ pods: Map<string, KubernetesObject>, replaced: KubernetesObject[] }} cluster
 *   `replaced`: the objects that the manifests replace, whose usage is subtracted
 * @returns {string[]}
 */
export function quotaWarnings(objects, added, { pods, replaced }) {
  const quotas = usagesByNamespace(objects);
  if (quotas.size === 0) return [];
  const usagesOf = (/** @type {KubernetesObject} */ pod) => quotas.get(namespaceOf(pod)) ?? [];
  for (const pod of replaced.filter(isReadable))
    for (const usage of usagesOf(pod)) usage.release(pod);
  return added.flatMap(({ source, object, pods: keys }) => {
    const own = keys.flatMap((key) => pods.get(key) ?? []).filter(isReadable);
    const refused = own.flatMap((pod) => refusalOf(pod, usagesOf(pod)) ?? []);
    if (refused.length === 0) return [];
    const more = refused.length > 1 ? ` (and ${refused.length - 1} more of its pods)` : '';
    return [`${source}: ${object.kind} ${podKeyOf(object)}: ${refused[0]}${more}`];
  });
}

/**
 * The controller of quotas copies `spec.hard` to the status; a manifest may have changed it since.
 * @param {KubernetesObject[]} objects
 * @returns {Map<string, QuotaUsage[]>}
 */
function usagesByNamespace(objects) {
  /** @type {Map<string, QuotaUsage[]>} */
  const usages = new Map();
  for (const quota of lastOfEach(objects.filter(isQuota)).values()) {
    const namespace = namespaceOf(quota);
    const { hard = quota.status?.hard } = quota.spec ?? {};
    const usage = new QuotaUsage({ ...quota, status: { ...quota.status, hard } });
    usages.set(namespace, [...(usages.get(namespace) ?? []), usage]);
  }
  return usages;
}

/**
 * @param {KubernetesObject} pod
 * @param {QuotaUsage[]} usages
 * @returns {string | undefined} the message of the first quota that refuses it
 */
function refusalOf(pod, usages) {
  for (const usage of usages) {
    const { refusal } = admitted(() => usage.take(pod));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** @param {KubernetesObject} object */
function isQuota({ kind, apiVersion, metadata, spec = {}, status = {} }) {
  const hasParts = [metadata, spec, status].every(isRecord);
  return kind === 'ResourceQuota' && apiVersion === 'v1' && hasParts;
}

/** @param {KubernetesObject} object */
function isReadable(object) {
  return object.kind === 'Pod' && hasReadableSpec(object);
}
