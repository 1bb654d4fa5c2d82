/**
 * Finds the owners of pods: the controller, and the controller's controller. A dump may contain all
 * of them, some, or the pods alone.
 */
import { DEFAULT_NAMESPACE } from './keys.js';
import { groupOf, isForeign } from './api_group.js';
import { isRecord, itemsIn } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/**
 * An owner reference. `uid` is absent if the owner is known by name alone.
 * @typedef {{ apiVersion: string, kind: string, namespace: string, name: string, uid?: string }}
 *   Owner
 */

/**
 * What names an owner, in whatever group.
 * @typedef {{ kind: string, namespace?: string, name: string }} Target
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

/**
 * Keeps the last of several versions of an object, as the engine does.
 * @param {KubernetesObject[]} objects
 * @returns {Map<string, KubernetesObject>} by their identity
 */
export function lastOfEach(objects) {
  return new Map(objects.map((object) => [identityOf(object), object]));
}

/** Finds the owners of the objects of one cluster, and what they own. */
export class Owners {
  /** @type {Map<string, KubernetesObject>} */
  #objects = new Map();
  /** The owners' uids in references. @type {Map<string, string>} */
  #uids = new Map();
  /**
   * Objects and their numbers in the order of `put`, by the kind and name of their controller, and
   * of the owner that it has by its name.
   * @type {Map<string, Map<string, { object: KubernetesObject, number: number }>>}
   */
  #owned = new Map();
  #count = 0;

  /** @param {Iterable<KubernetesObject>} objects all objects of the cluster */
  constructor(objects) {
    for (const object of objects) this.put(object);
  }

  /** Adds an object, or replaces its version. @param {KubernetesObject} object */
  put(object) {
    if (!isRecord(object) || !isRecord(object.metadata)) return;
    this.remove(object);
    const identity = identityOf(object);
    this.#objects.set(identity, object);
    const number = this.#count++;
    for (const owner of ownersIn(object)) {
      if (owner.uid) this.#uids.set(keyOf(owner), owner.uid);
      const key = targetKeyOf(owner);
      const owned = this.#owned.get(key);
      if (owned) owned.set(identity, { object, number });
      else this.#owned.set(key, new Map([[identity, { object, number }]]));
    }
  }

  /** @param {KubernetesObject} object one that was put, in any version */
  remove(object) {
    const identity = identityOf(object);
    const known = this.#objects.get(identity);
    if (!known) return;
    this.#objects.delete(identity);
    for (const owner of ownersIn(known)) this.#owned.get(targetKeyOf(owner))?.delete(identity);
  }

  /**
   * Returns the objects whose controller has this kind and name, or would have by its name.
   * @param {Target} target
   * @returns {KubernetesObject[]}
   */
  ownedBy(target) {
    return [...(this.#owned.get(targetKeyOf(target))?.values() ?? [])].map(({ object }) => object);
  }

  /**
   * Returns the pods in whose chain of owners an owner is, in the order of `put`.
   * @param {Target} target
   * @returns {KubernetesObject[]}
   */
  podsOf(target) {
    /** @type {Map<string, { object: KubernetesObject, number: number }>} */
    const found = new Map();
    const open = [target];
    for (const owner of open)
      for (const [identity, entry] of this.#owned.get(targetKeyOf(owner)) ?? []) {
        if (found.has(identity)) continue;
        found.set(identity, entry);
        const { kind = '', metadata } = entry.object;
        if (kind !== 'Pod') open.push({ kind, ...metadata });
      }
    const isIts = (/** @type {Owner} */ { kind, name }) =>
      kind === target.kind && name === target.name;
    return [...found.values()]
      .filter(({ object }) => object.kind === 'Pod' && this.chainOf(object).some(isIts))
      .sort((a, b) => a.number - b.number)
      .map(({ object }) => object);
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
 * Returns what each object owns, directly or indirectly.
 * @param {Iterable<KubernetesObject>} objects all objects of the cluster
 * @returns {Map<string, KubernetesObject[]>} by the identity of the owner
 */
export function ownedByIdentity(objects) {
  const all = [...objects];
  const owners = new Owners(all);
  /** @type {Map<string, KubernetesObject[]>} */
  const owned = new Map();
  for (const object of all)
    for (const identity of new Set(owners.chainOf(object).map(identityOfOwner))) {
      const list = owned.get(identity);
      if (list) list.push(object);
      else owned.set(identity, [object]);
    }
  return owned;
}

/**
 * Returns the controller that an object refers to, and the owner that this one has by its name.
 * @param {KubernetesObject} object
 * @returns {Owner[]}
 */
function ownersIn(object) {
  const controller = controllerOf(object);
  if (!controller) return [];
  const owner = ownerIn(object, controller);
  return [owner, ...ownersByName(owner, object)];
}

/** In whatever group. @param {Target} target */
function targetKeyOf({ kind, namespace, name }) {
  return `${kind} ${namespace || DEFAULT_NAMESPACE}/${name}`;
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

/**
 * Returns the owner's identity, equal to `identityOf` of the owner itself.
 * @param {Owner} owner
 * @returns {string}
 */
export function identityOfOwner(owner) {
  return keyOf(owner);
}
