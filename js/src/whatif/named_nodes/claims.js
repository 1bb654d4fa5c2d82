/**
 * Finds the claims for which a pod waits on the node that it names: no scheduler is there to choose
 * the node of a volume, or to allocate devices. Counterparts: the controller of volumes
 * (pv_controller.go, syncUnboundClaim) and the kubelet (volume and DRA managers), v1.36.
 */
import { namespaceOf } from '../../kubernetes/keys.js';
import { claimNameOf, claimNamesOf } from '../../kubernetes/pod_claims.js';
import { selectsNode } from '../../kubernetes/node_match.js';
import { itemsIn } from '../../kubernetes/values.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { isBoundToClaim, isSuitable, SELECTED_NODE } from '../../kubernetes/volume_match.js';
import { ephemeralClaimsOf } from '../../kubernetes/workloads/claims.js';

/** @import { ExpandContext, KubernetesObject } from '../../kubernetes/types.js' */

/**
 * What is read of a cluster. `pods`: by `namespace/name`; `context`: what defaults read.
 * @typedef {{ batches: { objects: KubernetesObject[] }[], context: ExpandContext, pods:
 *   Map<string, KubernetesObject> }} ClaimedCluster
 */

const VOLUME_CLAIM = 'PersistentVolumeClaim';
const DEVICE_CLAIM = 'ResourceClaim';
const KINDS = [VOLUME_CLAIM, DEVICE_CLAIM, 'PersistentVolume', 'StorageClass'];

/** The claims, volumes and classes of a cluster. */
export class NamedClaims {
  /** By kind, namespace and name. @type {Map<string, KubernetesObject>} */
  #objects = new Map();
  /**
   * Volumes that name a claim, by its namespace and name.
   * @type {Map<string, KubernetesObject[]>}
   */
  #reserved = new Map();
  /** Claims of pods that are scheduled, by kind, namespace and name: they get what they lack. */
  #scheduled = new Set();
  /** @type {ExpandContext} */
  #context;

  /** @param {ClaimedCluster} cluster */
  constructor({ batches, context, pods }) {
    this.#context = context;
    for (const pod of pods.values()) {
      if (pod.spec?.nodeName) continue;
      for (const { claimName } of itemsIn(pod.spec?.volumes).flatMap(namedClaim))
        this.#scheduled.add(keyOf(VOLUME_CLAIM, namespaceOf(pod), claimName));
      for (const name of claimNamesOf(pod))
        this.#scheduled.add(keyOf(DEVICE_CLAIM, namespaceOf(pod), name));
    }
    for (const object of batches.flatMap(({ objects }) => objects)) {
      if (!KINDS.includes(object.kind ?? '')) continue;
      this.#objects.set(keyOf(object.kind, namespaceOf(object), object.metadata?.name), object);
      const { namespace, name } = object.spec?.claimRef ?? {};
      if (!name) continue;
      const key = `${namespace}/${name}`;
      this.#reserved.set(key, [...(this.#reserved.get(key) ?? []), object]);
    }
  }

  /**
   * Returns why the pod waits, undefined if it does not.
   * @param {KubernetesObject} pod
   * @param {KubernetesObject} node the one that it names
   * @returns {string | undefined}
   */
  reasonFor(pod, node) {
    for (const { claimName } of itemsIn(pod.spec?.volumes).flatMap(namedClaim)) {
      const claim = this.#get(VOLUME_CLAIM, pod, claimName);
      if (!claim) return `persistentvolumeclaim "${claimName}" not found`;
      const reason = this.#volumeReason(claim, node);
      if (reason) return reason;
    }
    for (const made of ephemeralClaimsOf(pod)) {
      const stored = this.#get(VOLUME_CLAIM, pod, made.metadata.name);
      const reason = this.#volumeReason(stored ?? made, node);
      if (reason) return reason;
    }
    for (const entry of itemsIn(pod.spec?.resourceClaims)) {
      const reason = this.#deviceReason(pod, entry);
      if (reason) return reason;
    }
    return undefined;
  }

  /** @param {string} kind @param {KubernetesObject} pod of its namespace @param {string} name */
  #get(kind, pod, name) {
    return this.#objects.get(keyOf(kind, namespaceOf(pod), name));
  }

  /** @param {KubernetesObject} claim @param {KubernetesObject} node */
  #volumeReason(claim, node) {
    const { metadata, spec = {} } = withDefaults(claim, this.#context);
    const { name, annotations } = metadata;
    const volume = spec.volumeName
      ? this.#objects.get(keyOf('PersistentVolume', '', spec.volumeName))
      : this.#volumeFor({ metadata, spec });
    if (volume) {
      const requiredDuringSchedulingIgnoredDuringExecution = volume.spec?.nodeAffinity?.required;
      const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution };
      if (selectsNode({ affinity: { nodeAffinity } }, node)) return undefined;
      const which = `volume ${volume.metadata.name} of claim ${name}`;
      return `${which}: node(s) didn't match its node affinity`;
    }
    if (spec.volumeName || annotations?.[SELECTED_NODE]) return undefined;
    if (this.#scheduled.has(keyOf(VOLUME_CLAIM, namespaceOf(claim), name))) return undefined;
    const storageClass = this.#objects.get(keyOf('StorageClass', '', spec.storageClassName));
    if (storageClass?.volumeBindingMode !== 'WaitForFirstConsumer') return undefined;
    const waits = `as class ${spec.storageClassName} waits for a pod that is scheduled`;
    return `claim ${name} stays unbound, ${waits}`;
  }

  /**
   * Returns the volume that the controller of volumes binds to a claim that names none.
   * @param {KubernetesObject} claim complete
   */
  #volumeFor(claim) {
    const volumes = this.#reserved.get(`${namespaceOf(claim)}/${claim.metadata.name}`) ?? [];
    return volumes.find((volume) => isBoundToClaim(volume, claim) && isSuitable(volume, claim));
  }

  /** @param {KubernetesObject} pod @param {any} entry of its `spec.resourceClaims` */
  #deviceReason(pod, entry) {
    const name = claimNameOf(pod, entry);
    if (name === null) return undefined;
    const claim = name === undefined ? undefined : this.#get(DEVICE_CLAIM, pod, name);
    if (name !== undefined && !claim) return `resourceclaim "${name}" not found`;
    if (claim?.status?.allocation) return undefined;
    if (this.#scheduled.has(keyOf(DEVICE_CLAIM, namespaceOf(pod), name))) return undefined;
    const which = claim
      ? `claim ${name}`
      : `the claim from template ${entry.resourceClaimTemplateName}`;
    return `no devices are allocated to ${which}, as only the scheduler does`;
  }
}

/** Returns the source of a volume that is a claim. @param {any} volume of a pod */
function namedClaim(volume) {
  return volume?.persistentVolumeClaim ?? [];
}

/**
 * @param {string | undefined} kind
 * @param {string} namespace of the claim, of no account for kinds without one
 * @param {string | undefined} name
 */
function keyOf(kind, namespace, name) {
  const isNamespaced = kind?.endsWith('Claim');
  return [kind, isNamespaced ? namespace : '', name].join('/');
}
