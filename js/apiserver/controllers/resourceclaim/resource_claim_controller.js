import { keyFor, keyOf } from '../../../src/kubernetes/keys.js';
import { claimNameOf, claimNamesOf, isClaimOfPod } from '../../../src/kubernetes/pod_claims.js';
import { isPodActive } from '../../../src/kubernetes/workloads/pods.js';
import { indexByController } from '../controller_ref.js';
import { ClaimSync, isPodDone, isPodGroup } from './claim_sync.js';
import { isToBeReserved, PodSync } from './pod_sync.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

const CLAIM = 'claim:';
const POD = 'pod:';

/**
 * Creates the device claims of pods from templates, reserves allocated claims for pods that were
 * bound without a scheduler, removes reservations of pods that have ended and of pod groups that
 * are gone, deallocates claims that have no consumer left, and deletes generated claims of pods
 * that have ended. Counterpart: pkg/controller/resourceclaim/controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startResourceClaimController(context) {
  const pods = context.indexer('pods');
  const claims = context.indexer('resourceclaims');
  const recorder = context.recorder('resource_claim');
  indexByController(claims);
  pods.addIndex('resourceClaim', (pod) =>
    claimNamesOf(pod).map((name) => keyFor(pod.metadata.namespace, name)),
  );
  claims.addIndex('podGroup', ({ status }) =>
    (status?.reservedFor ?? []).filter(isPodGroup).map((/** @type {any} */ { uid }) => uid),
  );
  const reconciler = context.reconciler((key) => {
    if (key.startsWith(CLAIM)) {
      const claim = claims.get(key.slice(CLAIM.length));
      if (claim) new ClaimSync(context, claim).run();
    } else {
      const pod = pods.get(key.slice(POD.length));
      if (pod && isPodActive(pod)) new PodSync(context, recorder, pod).run();
    }
  });
  context.onChange('pods', (after, before) => {
    const pod = after ?? /** @type {KubernetesObject} */ (before);
    if (!after || isPodDone(after))
      for (const name of claimNamesOf(pod))
        reconciler.enqueue(CLAIM + keyFor(pod.metadata.namespace, name));
    if (after && needsWork(after)) reconciler.enqueue(POD + keyOf(after));
  });
  context.onChange('resourceclaims', (after, before) => {
    const key = keyOf(/** @type {KubernetesObject} */ (after ?? before));
    if (after) reconciler.enqueue(CLAIM + key);
    for (const pod of pods.byIndex('resourceClaim', key))
      if (needsWork(pod)) reconciler.enqueue(POD + keyOf(pod));
  });
  context.onChange('podgroups', (after, before) => {
    const uid = before?.metadata.uid;
    if (uid === undefined || after?.metadata.uid === uid) return;
    for (const claim of claims.byIndex('podGroup', uid)) reconciler.enqueue(CLAIM + keyOf(claim));
  });

  /**
   * Whether the pod lacks a claim of a template, or a reservation that no scheduler makes.
   * @param {KubernetesObject} pod
   */
  function needsWork(pod) {
    if (!isPodActive(pod)) return false;
    return (pod.spec.resourceClaims ?? []).some((/** @type {any} */ podClaim) => {
      const name = claimNameOf(pod, podClaim);
      if (name === null) return false;
      const claim = name && claims.get(keyFor(pod.metadata.namespace, name));
      if (!claim) return Boolean(podClaim.resourceClaimTemplateName);
      const isForeign = podClaim.resourceClaimTemplateName && !isClaimOfPod(claim, pod);
      return !isForeign && isToBeReserved(claim, pod);
    });
  }
}
