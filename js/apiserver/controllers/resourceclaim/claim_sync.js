import { keyFor } from '../../../src/kubernetes/keys.js';
import { isPodFinished, isPodTerminating } from '../../../src/kubernetes/workloads/pods.js';
import { controllerOf } from '../controller_ref.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** The finalizer of allocated claims. */
const FINALIZER = 'resource.kubernetes.io/delete-protection';

/**
 * Whether no container of the pod runs or will run.
 * @param {KubernetesObject} pod
 */
export function isPodDone(pod) {
  return isPodFinished(pod) || (isPodTerminating(pod) && !pod.spec.nodeName);
}

/**
 * Whether a claim's consumer is a pod group, for all of its pods (gate DRAWorkloadResourceClaims).
 * @param {any} consumer
 */
export function isPodGroup({ apiGroup, resource }) {
  return apiGroup === 'scheduling.k8s.io' && resource === 'podgroups';
}

/**
 * One sync of one claim. Counterpart: `syncClaim` of pkg/controller/resourceclaim/controller.go,
 * v1.36.
 */
export class ClaimSync {
  #context;
  #claim;

  /**
   * @param {ControllerContext} context
   * @param {KubernetesObject} claim
   */
  constructor(context, claim) {
    this.#context = context;
    this.#claim = claim;
  }

  run() {
    const { metadata, status = {} } = this.#claim;
    const reservedFor = status.reservedFor ?? [];
    const valid = reservedFor.filter((/** @type {any} */ one) => this.#isValid(one));
    const isUnused = valid.length === 0;
    const isProtected = Boolean(metadata.finalizers?.includes(FINALIZER));
    if (valid.length < reservedFor.length) {
      // Only the last consumer's end deallocates: a claim may be allocated before it is reserved.
      const isFreed = isUnused && isProtected;
      this.#writeStatus({
        reservedFor: isUnused ? undefined : valid,
        ...(isFreed && { allocation: undefined }),
      });
      if (isFreed) this.#removeFinalizer();
    } else if (isUnused && isProtected && metadata.deletionTimestamp) {
      this.#writeStatus({ allocation: undefined });
      this.#removeFinalizer();
    }
    if (isUnused && this.#isOfEndedPod()) this.#context.delete('resourceclaims', this.#claim);
  }

  /**
   * Whether a reservation stands: its pod exists and may run, or its pod group exists. Consumers of
   * other kinds are not checked.
   * @param {any} consumer
   */
  #isValid(consumer) {
    const { apiGroup = '', resource, name, uid } = consumer;
    if (isPodGroup(consumer)) {
      const key = keyFor(this.#claim.metadata.namespace, name);
      return this.#context.indexer('podgroups').get(key)?.metadata.uid === uid;
    }
    if (apiGroup !== '' || resource !== 'pods') return true;
    const pod = this.#podNamed(name);
    return pod !== undefined && pod.metadata.uid === uid && !isPodDone(pod);
  }

  /**
   * Whether the claim was generated for a pod that has ended or was replaced. The garbage collector
   * deletes the claims of pods that are gone.
   */
  #isOfEndedPod() {
    const owner = controllerOf(this.#claim);
    if (owner?.apiVersion !== 'v1' || owner.kind !== 'Pod') return false;
    const pod = this.#podNamed(owner.name);
    return pod !== undefined && (pod.metadata.uid !== owner.uid || isPodDone(pod));
  }

  /** @param {string} name */
  #podNamed(name) {
    return this.#context.indexer('pods').get(keyFor(this.#claim.metadata.namespace, name));
  }

  /** @param {Record<string, any>} changes fields that are undefined are removed */
  #writeStatus(changes) {
    const entries = Object.entries({ ...this.#claim.status, ...changes });
    const status = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    this.#claim = this.#context.updateStatus('resourceclaims', this.#claim, status);
  }

  #removeFinalizer() {
    const { metadata } = this.#claim;
    const finalizers = metadata.finalizers.filter((/** @type {string} */ one) => one !== FINALIZER);
    const next = { ...this.#claim, metadata: { ...metadata, finalizers } };
    this.#claim = this.#context.store.update('resourceclaims', next);
  }
}
