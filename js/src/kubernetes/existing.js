/** What a cluster has already, as the creation of further pods reads it. */
import { podKeyOf } from './keys.js';
import { controllerOf, identityOf, identityOfOwner, Owners } from './owners.js';
import { isRecord } from './values.js';

/** @import { KubernetesObject } from './types.js' */

/** Workloads, pods and claims, indexed; each change is one step. */
export class Existing {
  /** By the uid of their controller, and by their identity. */
  #owned = /** @type {Map<string, Map<string, KubernetesObject>>} */ (new Map());
  /** The pods by `namespace/name`. @type {Map<string, KubernetesObject>} */
  pods = new Map();
  /** The names of the claims, `namespace/name`. @type {Set<string>} */
  claims = new Set();
  owners = new Owners([]);

  /** @param {Iterable<KubernetesObject>} objects */
  constructor(objects) {
    for (const object of objects) this.put(object);
  }

  /** Adds an object, or replaces its version. @param {KubernetesObject} object */
  put(object) {
    if (!isRecord(object)) return;
    this.owners.put(object);
    if (object.kind === 'Pod') this.pods.set(podKeyOf(object), object);
    if (object.kind === 'PersistentVolumeClaim') this.claims.add(podKeyOf(object));
    const uid = controllerOf(object)?.uid;
    if (!uid) return;
    const owned = this.#owned.get(uid);
    if (owned) owned.set(identityOf(object), object);
    else this.#owned.set(uid, new Map([[identityOf(object), object]]));
  }

  /** @param {KubernetesObject} object one that was put */
  remove(object) {
    this.owners.remove(object);
    if (object.kind === 'Pod') this.pods.delete(podKeyOf(object));
    if (object.kind === 'PersistentVolumeClaim') this.claims.delete(podKeyOf(object));
    const uid = controllerOf(object)?.uid;
    if (uid) this.#owned.get(uid)?.delete(identityOf(object));
  }

  /**
   * Returns the objects whose controller has this uid.
   * @param {string} uid
   * @returns {KubernetesObject[]}
   */
  ownedBy(uid) {
    return [...(this.#owned.get(uid)?.values() ?? [])];
  }

  /**
   * Returns the pods of a Deployment whose ReplicaSets are missing.
   * @param {KubernetesObject} deployment
   * @returns {KubernetesObject[]}
   */
  podsOfAbsentSets(deployment) {
    const { kind = '', metadata } = deployment;
    const identity = identityOf(deployment);
    return this.owners.ownedBy({ kind, ...metadata }).filter((object) => {
      const [set, above] = this.owners.chainOf(object);
      const isIts = above && !this.owners.has(set) && identityOfOwner(above) === identity;
      return object.kind === 'Pod' && isIts;
    });
  }
}
