/** Creates the device claims of pods that do not exist yet, as their controller does. */
import { claimNameOf } from '../kubernetes/pod_claims.js';
import { namespaceOf } from '../kubernetes/keys.js';
import { controllerRefTo } from '../kubernetes/owners.js';
import { itemsIn } from '../kubernetes/values.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/**
 * Applies the claims of the pods' templates. A claim whose template the scheduler does not have is
 * not created.
 * @param {KubernetesObject[]} pods complete
 * @param {Scheduler} scheduler that keeps objects
 * @returns {KubernetesObject[]} the pods with the names of their claims
 */
export function withClaims(pods, scheduler) {
  return pods.map((pod) => {
    const made = itemsIn(pod.spec.resourceClaims).flatMap((podClaim) => {
      if (claimNameOf(pod, podClaim) !== undefined) return [];
      const claim = claimFor(pod, podClaim, scheduler);
      return claim ? [{ name: podClaim.name, claim }] : [];
    });
    if (made.length === 0) return pod;
    scheduler.apply(made.map(({ claim }) => claim));
    const names = made.map(({ name, claim }) => ({ name, resourceClaimName: claim.metadata.name }));
    const known = itemsIn(pod.status?.resourceClaimStatuses);
    return { ...pod, status: { ...pod.status, resourceClaimStatuses: [...known, ...names] } };
  });
}

/**
 * @param {KubernetesObject} pod
 * @param {any} podClaim of its spec
 * @param {Scheduler} scheduler
 * @returns {KubernetesObject | undefined}
 */
function claimFor(pod, { name, resourceClaimTemplateName }, scheduler) {
  const namespace = namespaceOf(pod);
  const key = `${namespace}/${resourceClaimTemplateName}`;
  const template = scheduler.get('ResourceClaimTemplate', key);
  if (!template) return undefined;
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: {
      name: `${pod.metadata.name}-${name}`,
      namespace,
      ownerReferences: [controllerRefTo({ apiVersion: 'v1', kind: 'Pod', metadata: pod.metadata })],
    },
    spec: template.spec.spec,
  };
}
