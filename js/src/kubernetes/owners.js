/**
 * Finds the owners of pods: the controller, and the controller's controller. A dump may contain all
 * of them, some, or the pods alone.
 */
import { DEFAULT_NAMESPACE } from './keys.js';
import { groupOf } from './api_group.js';
import { isRecord, itemsIn } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/**
 * An owner reference. `uid` is absent if the owner is known by name alone.
 * @typedef {{ apiVersion: string, kind: string, namespace: string, name: string, uid?: string }}
 *   Owner
 */

/**
 * The maximum length of a chain of owners: a Deployment's pod has two, and references may form a
 * circle.
 */
const MOST_OWNERS = 8;

/** A CronJob's Job is named after the CronJob and the minute of its schedule. */
export const NAME_WITH_MINUTE = /^(.+)-(\d{8,})$/;

/**
 * Returns the reference to the object's controller.
 * @param {KubernetesObject} object
 * @returns {{ apiVersion: string, kind: string, name: string, uid: string } | undefined}
 */
export function controllerOf({ metadata }) {
  return itemsIn(metadata?.ownerReferences).find((owner) => owner?.controller);
}

/**
 * Returns a reference to `owner` as a controller.
 * @param {KubernetesObject} owner
 */
export function controllerRefTo({ apiVersion, kind, metadata: { name, uid } }) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * Returns the identity by which references find an object: kind, namespace and name. The groups of
 * Kubernetes' own workloads are ignored; those of others are domains.
 * @param {KubernetesObject} object
 * @returns {string}
 */
export function identityOf({ apiVersion, kind, metadata }) {
  return keyOf({ apiVersion, kind, namespace: metadata?.namespace, name: metadata?.name });
}

/** Finds the owners of the objects of one cluster. */
export class Owners {
  /** @type {Map<string, KubernetesObject>} */
  #objects = new Map();
  /** The owners' uids in references. @type {Map<string, string>} */
  #uids = new Map();

  /** @param {Iterable<KubernetesObject>} objects all objects of the cluster */
  constructor(objects) {
    for (const object of objects) {
      if (!isRecord(object) || !isRecord(object.metadata)) continue;
      this.#objects.set(identityOf(object), object);
      const controller = controllerOf(object);
      if (controller?.uid) this.#uids.set(keyOf(ownerIn(object, controller)), controller.uid);
    }
  }

  /**
   * Returns the owners of an object, its controller first. If the cluster lacks a ReplicaSet, its
   * Deployment follows from its name, which ends with the `pod-template-hash` of its pods.
   * @param {KubernetesObject} object
   * @returns {Owner[]}
   */
  chainOf(object) {
    /** @type {Owner[]} */
    const chain = [];
    /** @type {KubernetesObject | undefined} */
    let owned = object;
    while (owned && chain.length < MOST_OWNERS) {
      const controller = controllerOf(owned);
      if (!controller) break;
      const owner = ownerIn(owned, controller);
      chain.push(owner);
      const found = this.#objects.get(keyOf(owner));
      if (!found) chain.push(...ownersByName(owner, object));
      owned = found;
    }
    return chain;
  }

  /**
   * Whether the cluster contains the owner itself.
   * @param {Owner} owner
   */
  has(owner) {
    return this.#objects.has(keyOf(owner));
  }

  /**
   * Returns the uid of a workload, from the cluster's own object or from references.
   * @param {KubernetesObject} workload
   * @returns {string | undefined}
   */
  uidOf(workload) {
    const key = identityOf(workload);
    return this.#objects.get(key)?.metadata.uid ?? this.#uids.get(key);
  }
}

/**
 * @param {Owner} owner one that the cluster does not contain
 * @param {KubernetesObject} pod
 * @returns {Owner[]}
 */
function ownersByName({ apiVersion, kind, namespace, name }, { metadata }) {
  const owner = (/** @type {string} */ above, /** @type {string} */ aboveName) => ({
    apiVersion,
    kind: above,
    namespace,
    name: aboveName,
  });
  if (isForeign(apiVersion)) return [];
  if (kind === 'Job') {
    const [, cronJob] = NAME_WITH_MINUTE.exec(name) ?? [];
    return cronJob ? [owner('CronJob', cronJob)] : [];
  }
  const hash = metadata.labels?.['pod-template-hash'];
  const suffix = `-${hash}`;
  const isDeployments = kind === 'ReplicaSet' && hash && name.endsWith(suffix);
  return isDeployments ? [owner('Deployment', name.slice(0, -suffix.length))] : [];
}

/**
 * An owner is in the namespace of its object.
 * @param {KubernetesObject} object
 * @param {{ apiVersion: string, kind: string, name: string, uid: string }} controller
 * @returns {Owner}
 */
function ownerIn({ metadata }, { apiVersion, kind, name, uid }) {
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace || DEFAULT_NAMESPACE,
    name: String(name),
    uid,
  };
}

/** @param {{ apiVersion?: string, kind?: string, namespace?: string, name: string }} names */
function keyOf({ apiVersion, kind, namespace, name }) {
  const type = isForeign(apiVersion) ? `${groupOf(apiVersion)} ${kind}` : kind;
  return `${type} ${namespace || DEFAULT_NAMESPACE}/${name}`;
}

/** Whether it is outside of the groups of Kubernetes' own workloads. @param {unknown} apiVersion */
function isForeign(apiVersion) {
  return groupOf(apiVersion).includes('.');
}

/**
 * Returns the owner's identity, equal to `identityOf` of the owner itself.
 * @param {Owner} owner
 * @returns {string}
 */
export function identityOfOwner(owner) {
  return keyOf(owner);
}
