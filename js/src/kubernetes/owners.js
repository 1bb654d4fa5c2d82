/**
 * Who owns a pod: its controller, and the controller of that. A dump may hold all of them, some, or
 * the pods alone.
 */
import { DEFAULT_NAMESPACE } from './keys.js';
import { groupOf } from './api_group.js';
import { isRecord, itemsIn } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/**
 * What an owner reference says. `uid` is absent where the owner is known by a name alone.
 * @typedef {{ apiVersion: string, kind: string, namespace: string, name: string, uid?: string }}
 *   Owner
 */

/** How many owners are followed: a Deployment's pod has two, and references may form a circle. */
const MOST_OWNERS = 8;

/** A CronJob's Job has the CronJob's name and the minute that it was made for. */
const NAME_WITH_MINUTE = /^(.+)-\d{8,}$/;

/**
 * The reference to the object's controller.
 * @param {KubernetesObject} object
 * @returns {{ apiVersion: string, kind: string, name: string, uid: string } | undefined}
 */
export function controllerOf({ metadata }) {
  return itemsIn(metadata?.ownerReferences).find((owner) => owner?.controller);
}

/**
 * A reference to `owner` as the controller of what bears it.
 * @param {KubernetesObject} owner
 */
export function controllerRefTo({ apiVersion, kind, metadata: { name, uid } }) {
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/**
 * What makes two objects the same one to those that refer to it: kind, namespace and name. The
 * groups of Kubernetes' own workloads do not matter, those of others are domains.
 * @param {KubernetesObject} object
 * @returns {string}
 */
export function identityOf({ apiVersion, kind, metadata }) {
  return keyOf({ apiVersion, kind, namespace: metadata?.namespace, name: metadata?.name });
}

/** The owners of the objects of one cluster. */
export class Owners {
  /** @type {Map<string, KubernetesObject>} */
  #objects = new Map();
  /** What references say of owners. @type {Map<string, string>} */
  #uids = new Map();

  /** @param {Iterable<KubernetesObject>} objects all of the cluster */
  constructor(objects) {
    for (const object of objects) {
      if (!isRecord(object) || !isRecord(object.metadata)) continue;
      this.#objects.set(identityOf(object), object);
      const controller = controllerOf(object);
      if (controller?.uid) this.#uids.set(keyOf(ownerIn(object, controller)), controller.uid);
    }
  }

  /**
   * The owners of an object, its controller first. Where the cluster lacks a ReplicaSet, its name
   * tells the Deployment: it ends with the `pod-template-hash` of its pods.
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
   * Whether the cluster holds the owner itself.
   * @param {Owner} owner
   */
  has(owner) {
    return this.#objects.has(keyOf(owner));
  }

  /**
   * The uid of a workload, as the cluster's own object has it, or those that refer to it.
   * @param {KubernetesObject} workload
   * @returns {string | undefined}
   */
  uidOf(workload) {
    const key = identityOf(workload);
    return this.#objects.get(key)?.metadata.uid ?? this.#uids.get(key);
  }
}

/**
 * @param {Owner} owner that the cluster does not hold
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
 * An owner is in the namespace of what it owns.
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

/** Whether it is of no group of Kubernetes' own workloads. @param {unknown} apiVersion */
function isForeign(apiVersion) {
  return groupOf(apiVersion).includes('.');
}

/**
 * The owner's identity, as `identityOf` gives it for the owner itself.
 * @param {Owner} owner
 * @returns {string}
 */
export function identityOfOwner(owner) {
  return keyOf(owner);
}
