import { keyFor } from '../../../src/kubernetes/keys.js';
import { resourceNamed } from '../../../src/kubernetes/kinds.js';
import { claimNameOf, isClaimOfPod, isReservedForPod } from '../../../src/kubernetes/pod_claims.js';
import { notFound } from '../../../src/kubernetes/status_errors.js';
import { CONTROLLER_UID, controllerRefTo } from '../controller_ref.js';
import { isPodGroup } from './claim_sync.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/** The annotation of a generated claim: the name of its entry in the pod. */
const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';

/** The maximum of a generated name without its random end. */
const BASE_LONGEST = 57;

const MOST_CONSUMERS = 256;

/**
 * Whether the scheduler did not reserve the claim: the pod was bound without it.
 * @param {KubernetesObject} claim
 * @param {KubernetesObject} pod
 */
export function isToBeReserved(claim, pod) {
  const { allocation, reservedFor = [] } = claim.status ?? {};
  if (!pod.spec.nodeName || !allocation || reservedFor.length >= MOST_CONSUMERS) return false;
  const group = pod.spec.schedulingGroup?.podGroupName;
  const isForGroup = (/** @type {any} */ one) => isPodGroup(one) && one.name === group;
  return !reservedFor.some(isForGroup) && !isReservedForPod(claim, pod);
}

/**
 * One sync of one pod. Counterpart: `syncPod` of pkg/controller/resourceclaim/controller.go, v1.36.
 */
export class PodSync {
  #context;
  #recorder;
  #pod;

  /**
   * @param {ControllerContext} context
   * @param {EventRecorder} recorder
   * @param {KubernetesObject} pod
   */
  constructor(context, recorder, pod) {
    this.#context = context;
    this.#recorder = recorder;
    this.#pod = pod;
  }

  run() {
    /** The names of new claims, by their entry in the pod. @type {Map<string, string>} */
    const made = new Map();
    for (const podClaim of this.#podClaims) {
      const name = this.#createdFor(podClaim);
      if (name) made.set(podClaim.name, name);
    }
    if (made.size > 0) this.#writeNames(made);
    for (const podClaim of this.#podClaims) this.#reserve(podClaim);
  }

  /** @returns {any[]} */
  get #podClaims() {
    return this.#pod.spec.resourceClaims ?? [];
  }

  get #claims() {
    return this.#context.indexer('resourceclaims');
  }

  /** @param {string} name */
  #claimNamed(name) {
    return this.#claims.get(keyFor(this.#pod.metadata.namespace, name));
  }

  /**
   * Returns the name of the claim that was created for an entry and is not in the pod's status. One
   * that is missing is created; a foreign one is left alone.
   * @param {any} podClaim
   */
  #createdFor(podClaim) {
    const name = claimNameOf(this.#pod, podClaim);
    if (!podClaim.resourceClaimTemplateName || name === null) return undefined;
    const known = name === undefined ? undefined : this.#claimNamed(name);
    if (known && isClaimOfPod(known, this.#pod)) return undefined;
    const found = this.#claims
      .byIndex(CONTROLLER_UID, this.#pod.metadata.uid)
      .find(({ metadata }) => metadata.annotations?.[POD_CLAIM_NAME] === podClaim.name);
    return (found ?? this.#create(podClaim)).metadata.name;
  }

  /** @param {any} podClaim */
  #create(podClaim) {
    const { namespace } = this.#pod.metadata;
    const { name, resourceClaimTemplateName: wanted } = podClaim;
    const fail = (/** @type {string} */ why) =>
      this.#recorder.event(
        this.#pod,
        'Warning',
        'FailedResourceClaimCreation',
        `PodResourceClaim ${name}: ${why}`,
      );
    const template = this.#context.store.get('resourceclaimtemplates', namespace, wanted);
    if (!template) {
      const missing = `resourceclaimtemplate.resource.k8s.io "${wanted}" not found`;
      fail(`resource claim template "${wanted}": ${missing}`);
      throw notFound(resourceNamed('resourceclaimtemplates'), wanted);
    }
    try {
      return this.#context.store.create('resourceclaims', this.#claimFrom(template, name));
    } catch (error) {
      fail(`create ResourceClaim : ${/** @type {Error} */ (error).message}`);
      throw error;
    }
  }

  /**
   * @param {KubernetesObject} template
   * @param {string} name of the entry in the pod
   * @returns {KubernetesObject}
   */
  #claimFrom({ spec: { metadata = {}, spec } }, name) {
    return {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: {
        generateName: prefixFor(this.#pod.metadata.name, name),
        namespace: this.#pod.metadata.namespace,
        ...(metadata.labels && { labels: metadata.labels }),
        annotations: { ...metadata.annotations, [POD_CLAIM_NAME]: name },
        ownerReferences: [controllerRefTo({ ...this.#pod, apiVersion: 'v1', kind: 'Pod' })],
      },
      spec,
    };
  }

  /** @param {Map<string, string>} made */
  #writeNames(made) {
    const { status = {} } = this.#pod;
    const kept = (status.resourceClaimStatuses ?? []).filter(
      (/** @type {any} */ { name }) => !made.has(name),
    );
    const added = [...made].map(([name, resourceClaimName]) => ({ name, resourceClaimName }));
    this.#pod = this.#context.updateStatus('pods', this.#pod, {
      ...status,
      resourceClaimStatuses: [...kept, ...added],
    });
  }

  /** @param {any} podClaim */
  #reserve(podClaim) {
    const name = claimNameOf(this.#pod, podClaim);
    const claim = name ? this.#claimNamed(name) : undefined;
    if (!claim || !isToBeReserved(claim, this.#pod)) return;
    if (podClaim.resourceClaimTemplateName && !isClaimOfPod(claim, this.#pod)) return;
    const { name: podName, uid } = this.#pod.metadata;
    const consumer = { resource: 'pods', name: podName, uid };
    this.#context.updateStatus('resourceclaims', claim, {
      ...claim.status,
      reservedFor: [...(claim.status.reservedFor ?? []), consumer],
    });
  }
}

/**
 * Returns the beginning of a generated claim's name. Both names are cut in proportion if they are
 * long.
 * @param {string} podName
 * @param {string} name of the entry in the pod
 */
function prefixFor(podName, name) {
  const whole = `${podName}-${name}-`;
  if (whole.length <= BASE_LONGEST) return whole;
  const cut = (/** @type {string} */ part) =>
    part.slice(0, Math.floor((part.length * BASE_LONGEST) / whole.length));
  return `${cut(podName)}-${cut(name)}`;
}
