/**
 * The objects of the server as clients see them. Writes are completed, validated and admitted as in
 * kube-apiserver, and refused with its messages. Controllers and HTTP handlers have no other access
 * to the objects. Counterpart: apiserver/pkg/registry/generic/registry/store.go, v1.36.
 */
import { checkCreationIn } from './admission/namespace_lifecycle.js';
import { beforeCreate } from './before_create.js';
import { beforeDelete } from './before_delete.js';
import { beforeLoad } from './before_load.js';
import { beforeUpdate } from './before_update.js';
import { boundPod } from './bind.js';
import { invalidValue } from '../src/kubernetes/field_errors.js';
import { parseFieldSelector } from '../src/kubernetes/field_selector.js';
import { deepFreeze, isEqual } from './frozen.js';
import { labelSelectorOf, parseLabelSelector } from '../src/kubernetes/label_selector.js';
import { resourceNamed } from '../src/kubernetes/kinds.js';
import {
  OBJECT_MODIFIED,
  alreadyExists,
  conflict,
  generateNameConflict,
  invalid,
  notFound,
} from '../src/kubernetes/status_errors.js';
import { checkPreconditions } from './preconditions.js';
import { strategyOf } from './strategies.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Clock } from '../src/io/clock.js'
 * @import { DeleteOptions } from './before_delete.js'
 * @import { FeatureGates } from './feature_gates.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { Storage, StorageEvent } from './storage.js'
 */

/**
 * The options of a list. `labelSelector` is the text of a query, or a `metav1.LabelSelector`.
 * @typedef {object} ListSelection
 * @property {string} [namespace] all namespaces if absent or empty
 * @property {string | object} [labelSelector]
 * @property {string} [fieldSelector]
 */

/** The number of names that are tried for a `generateName`. */
const NAME_TRIES = 8;

export class Store {
  #storage;
  #clock;
  #random;
  #gracefulDeletion;
  #taintNodesByCondition;
  #gates;

  /**
   * @param {{ storage: Storage, clock: Clock, random: () => number, gracefulDeletion: boolean,
   *   taintNodesByCondition?: boolean, gates?: FeatureGates }} parts `gracefulDeletion`: whether
   *   deleted pods wait for a kubelet to end them; `taintNodesByCondition`: whether new nodes are
   *   not ready until a controller reports them ready
   */
  constructor({ storage, clock, random, gracefulDeletion, taintNodesByCondition = false, gates }) {
    this.#storage = storage;
    this.#clock = clock;
    this.#random = random;
    this.#gracefulDeletion = gracefulDeletion;
    this.#taintNodesByCondition = taintNodesByCondition;
    this.#gates = gates;
  }

  /**
   * Returns the object, frozen, or undefined.
   * @param {string} resource `pods`, `deployments`…
   * @param {string} namespace '' for cluster-scoped objects
   * @param {string} name
   */
  get(resource, namespace, name) {
    return this.#storage.get(resource, storageKey(resourceNamed(resource), namespace, name));
  }

  /**
   * Returns the matching objects, in the order of namespace and name; frozen.
   * @param {string} resource
   * @param {ListSelection} [selection]
   * @returns {KubernetesObject[]}
   * @throws {import('../src/kubernetes/api_error.js').ApiError} BadRequest if a selector is invalid
   */
  list(resource, { namespace = '', labelSelector = '', fieldSelector = '' } = {}) {
    const about = resourceNamed(resource);
    const prefix = about.namespaced && namespace !== '' ? `${namespace}/` : '';
    const objects = this.#storage.list(resource, prefix);
    if (labelSelector === '' && fieldSelector === '') return objects;
    const labels =
      typeof labelSelector === 'string'
        ? parseLabelSelector(labelSelector)
        : labelSelectorOf(labelSelector);
    const fields = parseFieldSelector(about, fieldSelector);
    return objects.filter(
      (object) => labels.matches(object.metadata.labels) && fields.matches(object),
    );
  }

  /**
   * Stores a new object with a name, a uid, its defaults and the changes of admission.
   * @param {string} resource
   * @param {KubernetesObject} object frozen by this call
   * @param {{ dryRun?: boolean, isDecoded?: boolean }} [options] `isDecoded`: whether it was
   *   decoded by its type already
   * @returns {KubernetesObject} the stored object
   * @throws {import('../src/kubernetes/api_error.js').ApiError} AlreadyExists, Invalid, Forbidden,
   *   NotFound (of its namespace)
   */
  create(resource, object, { dryRun = false, isDecoded = false } = {}) {
    const about = resourceNamed(resource);
    const { name = '', namespace = '' } = object.metadata ?? {};
    checkCreationIn(this, about, namespace, name);
    for (let tries = 1; ; tries++) {
      const prepared = beforeCreate(about, object, this.#context(isDecoded));
      const key = storageKey(about, namespace, prepared.metadata.name);
      if (!this.#storage.get(resource, key)) {
        return dryRun ? deepFreeze(prepared) : this.#storage.put(resource, key, prepared);
      }
      if (name !== '') throw alreadyExists(about, name);
      if (tries === NAME_TRIES) throw generateNameConflict(about, prepared.metadata.name);
    }
  }

  /**
   * Replaces an object. A `metadata.resourceVersion` other than `0` must be the current one. If the
   * kind has a status subresource, only that changes the status, and little else. An unchanged
   * object is not stored again. An object that is being deleted is removed with its last finalizer.
   * @param {string} resource
   * @param {KubernetesObject} object frozen by this call
   * @param {{ subresource?: string, fieldManager?: string, dryRun?: boolean, isDecoded?: boolean }}
   *   [options] `fieldManager`: the manager to record if the object has managedFields
   * @returns {KubernetesObject} the stored object, or the last state of a removed one
   * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound, Conflict, Invalid
   */
  update(resource, object, options = {}) {
    const { subresource = '', fieldManager = '', dryRun = false, isDecoded = false } = options;
    const about = resourceNamed(resource);
    const { namespace = '', name = '' } = object.metadata ?? {};
    const key = storageKey(about, namespace, name);
    const old = this.#storage.get(resource, key);
    if (!old) {
      if (!strategyOf(about).allowCreateOnUpdate || subresource !== '') throw notFound(about, name);
      const { uid } = object.metadata ?? {};
      checkPreconditions(about, { metadata: { namespace, name, uid: '' } }, { uid });
      return this.create(resource, object, { dryRun, isDecoded });
    }
    checkVersion(about, object.metadata, old);
    const next = beforeUpdate(about, object, old, {
      ...this.#context(isDecoded),
      subresource,
      fieldManager,
    });
    if (isEqual(next, old)) return old;
    if (dryRun) return deepFreeze(next);
    return isFinalized(about, next, old)
      ? this.#storage.remove(resource, key, next)
      : this.#storage.put(resource, key, next);
  }

  /**
   * Deletes an object, or marks it for deletion: a running pod gets its grace period, an object
   * with finalizers waits for them.
   * @param {string} resource
   * @param {string} namespace
   * @param {string} name
   * @param {DeleteOptions} [options]
   * @returns {{ object: KubernetesObject, isDeleted: boolean }} the waiting object, or its last
   *   state
   * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound, Conflict (of
   *   preconditions)
   */
  delete(resource, namespace, name, options = {}) {
    const about = resourceNamed(resource);
    const key = storageKey(about, namespace, name);
    const old = this.#storage.get(resource, key);
    if (!old) throw notFound(about, name);
    checkPreconditions(about, old, options.preconditions);
    const { object, isKept } = beforeDelete(about, old, options, {
      now: this.#clock.now(),
      gracefulDeletion: this.#gracefulDeletion,
    });
    if (options.dryRun) return { object: deepFreeze(object), isDeleted: !isKept };
    // Watchers see the deletion mark of a pod before its removal.
    const last = object === old ? old : this.#storage.put(resource, key, object);
    if (isKept) return { object: last, isDeleted: false };
    // A listener may have removed it already.
    const isThere = this.#storage.get(resource, key) !== undefined;
    return { object: isThere ? this.#storage.remove(resource, key) : last, isDeleted: true };
  }

  /**
   * Binds a pod to a node.
   * @param {string} namespace
   * @param {string} name
   * @param {KubernetesObject} binding a `v1` Binding: its `target.name`; its metadata is added to
   *   the pod's, and its uid and resourceVersion are preconditions
   * @param {{ dryRun?: boolean }} [options]
   * @returns {KubernetesObject} the pod
   * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound, Conflict, Forbidden
   */
  bind(namespace, name, binding, { dryRun = false } = {}) {
    const about = resourceNamed('pods');
    checkCreationIn(this, about, namespace, name);
    const key = storageKey(about, namespace, name);
    const pod = this.#storage.get('pods', key);
    if (!pod) throw notFound(about, name);
    const node = this.get('nodes', '', binding.target.name);
    const bound = boundPod(pod, binding, { node, now: this.#clock.now() });
    return dryRun ? deepFreeze(bound) : this.#storage.put('pods', key, bound);
  }

  /**
   * Loads an existing object, or replaces the one of the same name. An object without a uid is
   * completed as on creation, but keeps its status. Its namespace is created if it is missing.
   * @param {KubernetesObject} object with its kind and apiVersion
   * @returns {KubernetesObject} the stored object
   * @throws {import('../src/kubernetes/errors.js').StowageError} if the kind is not served, or the
   *   object cannot be read
   */
  load(object) {
    const { resource, object: loaded } = beforeLoad(object, this.#context(false));
    const { namespace = '', name } = loaded.metadata;
    if (namespace !== '' && !this.get('namespaces', '', namespace)) {
      this.create('namespaces', { metadata: { name: namespace } });
    }
    return this.#storage.put(resource.plural, storageKey(resource, namespace, name), loaded);
  }

  /**
   * Calls the listener for every later change. The listener's own writes are delivered afterwards.
   * @param {string} resource
   * @param {(event: StorageEvent) => void} listener gets `{ type, object, previous }`
   * @returns {() => void} ends the subscription
   */
  subscribe(resource, listener) {
    return this.#storage.subscribe(resourceNamed(resource).plural, listener);
  }

  /**
   * @param {boolean} isDecoded
   * @returns {import('./strategies/strategy.js').StrategyContext}
   */
  #context(isDecoded) {
    return {
      store: this,
      now: this.#clock.now(),
      random: this.#random,
      isDecoded,
      taintNodesByCondition: this.#taintNodesByCondition,
      gates: this.#gates,
    };
  }
}

/**
 * Returns the key of an object in the storage.
 * @param {Resource} resource
 * @param {string} namespace
 * @param {string} name
 */
function storageKey({ namespaced }, namespace, name) {
  return namespaced ? `${namespace}/${name}` : name;
}

/**
 * @param {Resource} resource
 * @param {any} metadata of the new object
 * @param {KubernetesObject} old
 */
function checkVersion(resource, { name, uid, resourceVersion }, old) {
  checkPreconditions(resource, old, { uid });
  // `0` names no version: clients send it to replace whatever version is stored.
  const isConditional = Boolean(resourceVersion) && resourceVersion !== '0';
  if (!isConditional && strategyOf(resource).needsResourceVersion) {
    const detail = 'must be specified for an update';
    throw invalid(resource, name, [invalidValue('metadata.resourceVersion', 0, detail)]);
  }
  if (isConditional && resourceVersion !== old.metadata.resourceVersion) {
    throw conflict(resource, name, OBJECT_MODIFIED);
  }
}

/**
 * Whether an update removes the last finalizer or grace period that kept an object.
 * @param {Resource} resource
 * @param {KubernetesObject} next
 * @param {KubernetesObject} old
 */
function isFinalized({ plural }, next, old) {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = next.metadata;
  if (!deletionTimestamp || finalizers.length > 0 || deletionGracePeriodSeconds > 0) return false;
  if (plural !== 'namespaces') return old.metadata.finalizers?.length > 0;
  return !next.spec?.finalizers?.length;
}
