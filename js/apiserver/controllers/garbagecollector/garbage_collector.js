import { FOREGROUND, ORPHAN } from '../../object_meta.js';
import { RESOURCES, resourceOf } from '../../../src/kubernetes/kinds.js';
import { controllerGroup } from '../controller_context.js';
import { closingLinks } from './circles.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** All stored resources, each once: events have two names. */
const STORED = [...new Set(RESOURCES.map(({ plural }) => plural))];

/** The key that triggers the search for cycles; no object has it. */
const CIRCLES = '';

/**
 * Deletes objects whose owners are all gone. With foreground deletion, dependents go before their
 * owner; with orphaning they stay. Owners that were missing from the start are assumed to exist
 * elsewhere: a cluster that was read from a file is rarely complete. Counterpart:
 * pkg/controller/garbagecollector/garbagecollector.go, v1.36.
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 */
export function garbagecollector(options) {
  const start = (/** @type {ControllerContext} */ context) => new Graph(context).start();
  return controllerGroup('garbagecollector', [start], options);
}

/** The graph of owners and dependents. */
class Graph {
  #context;
  #reconciler;
  #recorder;
  /** Keys of objects with owners, by the uid of an owner. @type {Map<string, Set<string>>} */
  #dependents = new Map();
  /** The namespace of each object, by its uid. @type {Map<string, string>} */
  #namespaces = new Map();
  /** Uids of owners that were missing from the start. */
  #absent = new Set();
  /** Keys of owners that are deleted in the foreground, by uid. @type {Map<string, string>} */
  #waiting = new Map();
  /** Uids of objects that may have closed a cycle since the last search. */
  #suspects = new Set();

  /** @param {ControllerContext} context */
  constructor(context) {
    this.#context = context;
    this.#reconciler = context.reconciler((key) => this.#sync(key));
    this.#recorder = context.recorder('garbage-collector-controller');
  }

  start() {
    for (const resource of STORED) {
      this.#context.subscribe(resource, ({ object, previous, type }) => {
        this.#observe(resource, type === 'DELETED' ? undefined : object, previous);
      });
      for (const object of this.#context.store.list(resource)) {
        this.#observe(resource, object);
        for (const owner of ownersOf(object).filter((one) => isResolvable(object, one)))
          if (!this.#ownerOf(object, owner)) this.#absent.add(owner.uid);
      }
    }
  }

  /**
   * @param {string} resource
   * @param {KubernetesObject | undefined} after
   * @param {KubernetesObject} [before]
   */
  #observe(resource, after, before) {
    const key = nodeKeyOf(resource, /** @type {KubernetesObject} */ (after ?? before));
    const [now, then] = [after, before].map(ownersOf);
    if (now !== then) {
      for (const { uid } of then) this.#unlink(uid, key);
      for (const { uid } of now) this.#link(uid, key);
    }
    if (!after) return this.#onGone(/** @type {KubernetesObject} */ (before), then);
    this.#namespaces.set(after.metadata.uid, after.metadata.namespace ?? '');
    const isNew = now !== then && now.length > 0;
    if (isNew || collectorFinalizerOf(after)) this.#reconciler.enqueue(key);
    if (isNew && this.#waiting.has(after.metadata.uid)) this.#suspect(after.metadata.uid);
    return undefined;
  }

  /**
   * @param {KubernetesObject} object
   * @param {any[]} owners
   */
  #onGone({ metadata: { uid } }, owners) {
    this.#waiting.delete(uid);
    this.#namespaces.delete(uid);
    for (const key of this.#dependents.get(uid) ?? []) this.#reconciler.enqueue(key);
    // A waiting owner checks whether this was its last dependent.
    for (const owner of owners) this.#enqueueOwner(owner);
  }

  /** @param {any} owner */
  #enqueueOwner({ uid }) {
    const waiting = this.#waiting.get(uid);
    if (waiting) this.#reconciler.enqueue(waiting);
  }

  /**
   * @param {string} uid
   * @param {string} key
   */
  #link(uid, key) {
    const keys = this.#dependents.get(uid) ?? new Set();
    this.#dependents.set(uid, keys.add(key));
  }

  /**
   * @param {string} uid
   * @param {string} key
   */
  #unlink(uid, key) {
    const keys = this.#dependents.get(uid);
    keys?.delete(key);
    if (keys?.size === 0) this.#dependents.delete(uid);
  }

  /** @param {string} key */
  #sync(key) {
    if (key === CIRCLES) return this.#breakCircles();
    const { resource, object } = this.#find(key);
    if (!object) return;
    const finalizer = collectorFinalizerOf(object);
    if (finalizer === ORPHAN) return this.#orphanDependents(resource, object);
    if (finalizer === FOREGROUND) return this.#deleteDependents(resource, object, key);
    if (!object.metadata.deletionTimestamp) this.#deleteIfUnowned(resource, object);
  }

  /**
   * @param {string} key
   * @returns {{ resource: string, object?: KubernetesObject }}
   */
  #find(key) {
    const [resource, namespace, name, uid] = key.split('|');
    const object = this.#context.store.get(resource, namespace, name);
    return { resource, ...(object?.metadata.uid === uid && { object }) };
  }

  /** @param {KubernetesObject} owner */
  #dependentsOf({ metadata: { uid } }) {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((key) => {
      const { resource, object } = this.#find(key);
      return object ? [{ resource, object }] : [];
    });
  }

  /**
   * @param {string} resource
   * @param {KubernetesObject} owner
   */
  #orphanDependents(resource, owner) {
    for (const { resource: of, object } of this.#dependentsOf(owner))
      this.#removeOwners(of, object, (/** @type {any} */ { uid }) => uid === owner.metadata.uid);
    this.#removeFinalizer(resource, owner, ORPHAN);
  }

  /**
   * @param {string} resource
   * @param {KubernetesObject} owner
   * @param {string} key
   */
  #deleteDependents(resource, owner, key) {
    const { uid } = owner.metadata;
    if (!this.#waiting.has(uid)) this.#suspect(uid);
    this.#waiting.set(uid, key);
    for (const { resource: of, object } of this.#dependentsOf(owner))
      if (!object.metadata.deletionTimestamp) this.#deleteIfUnowned(of, object);
    if (this.#dependentsOf(owner).some(({ object }) => isBlocking(object, uid))) return;
    this.#waiting.delete(uid);
    this.#removeFinalizer(resource, owner, FOREGROUND);
  }

  /** @param {string} uid of a waiting owner */
  #suspect(uid) {
    this.#suspects.add(uid);
    this.#reconciler.enqueue(CIRCLES);
  }

  /**
   * Owners that wait for each other in a cycle would wait forever. In each cycle one dependent
   * stops blocking its owner. Upstream does so when it deletes the object that closes the cycle;
   * this code also ends cycles of objects that were all deleted in the foreground.
   */
  #breakCircles() {
    const suspects = [...this.#suspects];
    this.#suspects.clear();
    const links = closingLinks(suspects, (uid) => this.#awaitedBy(uid).map(uidOf));
    for (const [uid, dependent] of links) {
      const found = this.#awaitedBy(uid).find(({ object }) => object.metadata.uid === dependent);
      if (found) this.#unblock(found, uid);
      this.#enqueueOwner({ uid });
    }
  }

  /**
   * Returns the dependents that block an owner and wait for dependents of their own.
   * @param {string} uid of the owner
   */
  #awaitedBy(uid) {
    if (!this.#waiting.has(uid)) return [];
    return this.#dependentsOf({ metadata: { uid } }).filter(
      ({ object }) => this.#waiting.has(object.metadata.uid) && isBlocking(object, uid),
    );
  }

  /**
   * @param {{ resource: string, object: KubernetesObject }} dependent
   * @param {string} uid of the owner
   */
  #unblock({ resource, object }, uid) {
    const ownerReferences = ownersOf(object).map((owner) =>
      owner.uid === uid ? { ...owner, blockOwnerDeletion: false } : owner,
    );
    const metadata = { ...object.metadata, ownerReferences };
    this.#context.store.update(resource, { ...object, metadata });
  }

  /**
   * @param {string} resource
   * @param {KubernetesObject} object
   */
  #deleteIfUnowned(resource, object) {
    const owners = ownersOf(object);
    if (owners.length === 0) return;
    for (const owner of owners) this.#reportNamespace(object, owner);
    if (!owners.every((owner) => isResolvable(object, owner))) return;
    const states = owners.map((owner) => ({ owner, found: this.#ownerOf(object, owner) }));
    const isLeaving = (/** @type {KubernetesObject} */ found) =>
      collectorFinalizerOf(found) === FOREGROUND;
    const solid = states.filter(({ found }) => found && !isLeaving(found));
    if (solid.length > 0) {
      const lost = new Set(states.filter((one) => !solid.includes(one)).map((one) => one.owner));
      if (lost.size > 0) this.#removeOwners(resource, object, (owner) => lost.has(owner));
      return;
    }
    const isAwaited = states.some(({ found }) => found);
    const hasDependents = this.#dependentsOf(object).length > 0;
    const propagationPolicy = isAwaited && hasDependents ? 'Foreground' : policyOf(object);
    this.#context.delete(resource, object, { propagationPolicy });
  }

  /**
   * Writes an event if the owner is in a namespace other than the object's.
   * @param {KubernetesObject} object
   * @param {any} owner
   */
  #reportNamespace(object, { apiVersion, kind, name, uid }) {
    const namespace = object.metadata.namespace ?? '';
    const found = this.#namespaces.get(uid) || namespace;
    if (found === namespace) return;
    const where = `namespace: ${namespace}, name: ${name}, uid: ${uid}`;
    const message =
      `ownerRef [${apiVersion}/${kind}, ${where}] ` +
      `does not exist in namespace ${JSON.stringify(namespace)}`;
    this.#recorder.event(object, 'Warning', 'OwnerRefInvalidNamespace', message);
  }

  /**
   * @param {KubernetesObject} object
   * @param {any} owner
   * @returns {KubernetesObject | undefined}
   */
  #ownerOf(object, owner) {
    const resource = resourceOf(owner);
    // Owners of unserved kinds cannot be looked up, so they are assumed to exist.
    if (!resource || this.#absent.has(owner.uid)) return { metadata: owner };
    const namespace = resource.namespaced ? (object.metadata.namespace ?? '') : '';
    const found = this.#context.store.get(resource.plural, namespace, owner.name);
    return found?.metadata.uid === owner.uid ? found : undefined;
  }

  /**
   * @param {string} resource
   * @param {KubernetesObject} object
   * @param {(owner: any) => boolean} isRemoved
   */
  #removeOwners(resource, object, isRemoved) {
    const ownerReferences = ownersOf(object).filter((owner) => !isRemoved(owner));
    const metadata = { ...object.metadata, ownerReferences };
    this.#context.store.update(resource, { ...object, metadata });
  }

  /**
   * @param {string} resource
   * @param {KubernetesObject} object
   * @param {string} finalizer
   */
  #removeFinalizer(resource, object, finalizer) {
    const finalizers = object.metadata.finalizers.filter(
      (/** @type {string} */ one) => one !== finalizer,
    );
    this.#context.store.update(resource, {
      ...object,
      metadata: { ...object.metadata, finalizers },
    });
  }
}

/** @type {any[]} */
const NO_OWNERS = [];

/**
 * @param {KubernetesObject | undefined} object
 * @returns {any[]}
 */
function ownersOf(object) {
  return object?.metadata.ownerReferences ?? NO_OWNERS;
}

/**
 * An object outside namespaces cannot have an owner in one, so its owners are never known.
 * @param {KubernetesObject} object
 * @param {any} owner
 */
function isResolvable({ metadata: { namespace } }, owner) {
  return Boolean(namespace) || !resourceOf(owner)?.namespaced;
}

/** @param {{ object: KubernetesObject }} dependent @returns {string} */
function uidOf({ object }) {
  return object.metadata.uid;
}

/**
 * Whether the object blocks the foreground deletion of an owner.
 * @param {KubernetesObject} object
 * @param {string} uid of the owner
 * @returns {boolean}
 */
function isBlocking(object, uid) {
  return ownersOf(object).some((owner) => owner.uid === uid && owner.blockOwnerDeletion);
}

/**
 * Returns the collector's finalizer of an object that is being deleted, which decides about its
 * dependents.
 * @param {KubernetesObject} object
 */
function collectorFinalizerOf({ metadata: { deletionTimestamp, finalizers = [] } }) {
  if (!deletionTimestamp) return undefined;
  return [ORPHAN, FOREGROUND].find((one) => finalizers.includes(one));
}

/**
 * @param {KubernetesObject} object
 * @returns {'Orphan' | 'Foreground' | 'Background'}
 */
function policyOf({ metadata: { finalizers = [] } }) {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

/**
 * @param {string} resource
 * @param {KubernetesObject} object
 */
function nodeKeyOf(resource, object) {
  const { namespace = '', name, uid } = object.metadata;
  return [resource, namespace, name, uid].join('|');
}
