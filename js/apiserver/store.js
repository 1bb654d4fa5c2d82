/**
 * The objects of the server as clients see them. Writes are completed, validated and admitted as in
 * kube-apiserver, and refused with its messages. Controllers and HTTP handlers use only this.
 * Counterpart: apiserver/pkg/registry/generic/registry/store.go, v1.36.
 */
import { checkNamespace } from './admission/namespace_lifecycle.js';
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
  preconditionFailed,
} from '../src/kubernetes/status_errors.js';
import { strategyOf } from './strategies.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Clock } from '../src/io/clock.js'
 * @import { DeleteOptions } from './before_delete.js'
 * @import { Resource } from '../src/kubernetes/kinds.js'
 * @import { Storage, StorageEvent } from './storage.js'
 */

/**
 * What a list asks for. `labelSelector` is the text of a query, or a `metav1.LabelSelector`.
 * @typedef {object} ListSelection
 * @property {string} [namespace] all when absent or empty
 * @property {string | object} [labelSelector]
 * @property {string} [fieldSelector]
 */

/** How many names are tried for a `generateName`. */
const NAME_TRIES = 8;

export class Store {
  #storage;
  #clock;
  #random;
  #gracefulDeletion;
  #taintNodesByCondition;

  /**
   * @param {{ storage: Storage, clock: Clock, random: () => number, gracefulDeletion: boolean,
   *   taintNodesByCondition?: boolean }} parts `gracefulDeletion`: whether pods that are deleted
   *   wait for a kubelet to end them; `taintNodesByCondition`: whether new nodes are not ready
   *   until a controller says so
   */
  constructor({ storage, clock, random, gracefulDeletion, taintNodesByCondition = false }) {
    this.#storage = storage;
    this.#clock = clock;
    this.#random = random;
    this.#gracefulDeletion = gracefulDeletion;
    this.#taintNodesByCondition = taintNodesByCondition;
  }

  /**
   * The object, frozen, or undefined.
   * @param {string} resource `pods`, `deployments`…
   * @param {string} namespace '' for what is in none
   * @param {string} name
   */
  get(resource, namespace, name) {
    return this.#storage.get(resource, storageKey(resourceNamed(resource), namespace, name));
  }

  /**
   * The objects that match, in the order of namespace and name; frozen.
   * @param {string} resource
   * @param {ListSelection} [selection]
   * @returns {KubernetesObject[]}
   * @throws {import('../src/kubernetes/api_error.js').ApiError} BadRequest, for a selector that
   *   cannot be read
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
   * Stores a new object: named, with a uid, its defaults and what admission adds.
   * @param {string} resource
   * @param {KubernetesObject} object it is frozen by this
   * @param {{ dryRun?: boolean, isDecoded?: boolean }} [options] `isDecoded`: whether it was read
   *   by its type already
   * @returns {KubernetesObject} as it is stored
   * @throws {import('../src/kubernetes/api_error.js').ApiError} AlreadyExists, Invalid, Forbidden,
   *   NotFound (of its namespace)
   */
  create(resource, object, { dryRun = false, isDecoded = false } = {}) {
    const about = resourceNamed(resource);
    const { name = '', namespace = '' } = object.metadata ?? {};
    checkNamespace(this, about, namespace, name);
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
   * Replaces an object. With a `metadata.resourceVersion` other than `0` it does so only if it is
   * still that version. Where there is a status subresource, the status is changed only through it,
   * and little else. Nothing is stored where nothing changes. An object that is being deleted
   * goes with its last finalizer.
   * @param {string} resource
   * @param {KubernetesObject} object it is frozen by this
   * @param {{ subresource?: string, fieldManager?: string, dryRun?: boolean, isDecoded?: boolean }}
   *   [options] `fieldManager`: the manager to record if the object has managedFields
   * @returns {KubernetesObject} as it is stored now, or was at last
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
      return this.create(resource, object, { dryRun, isDecoded });
    }
    checkVersion(about, object.metadata, old.metadata);
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
   * Deletes an object, or marks it to go: a pod that runs gets its grace period, an object with
   * finalizers waits for them.
   * @param {string} resource
   * @param {string} namespace
   * @param {string} name
   * @param {DeleteOptions} [options]
   * @returns {{ object: KubernetesObject, isDeleted: boolean }} the object as it waits, or was last
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
    // A pod is seen to be deleted before it is gone.
    const last = object === old ? old : this.#storage.put(resource, key, object);
    if (isKept) return { object: last, isDeleted: false };
    // A listener may have been faster.
    const isThere = this.#storage.get(resource, key) !== undefined;
    return { object: isThere ? this.#storage.remove(resource, key) : last, isDeleted: true };
  }

  /**
   * Gives a pod its node.
   * @param {string} namespace
   * @param {string} name
   * @param {KubernetesObject} binding a `v1` Binding: its `target.name`, and what its metadata adds
   *   to that of the pod or expects of it
   * @param {{ dryRun?: boolean }} [options]
   * @returns {KubernetesObject} the pod
   * @throws {import('../src/kubernetes/api_error.js').ApiError} NotFound, Conflict
   */
  bind(namespace, name, binding, { dryRun = false } = {}) {
    const about = resourceNamed('pods');
    const key = storageKey(about, namespace, name);
    const pod = this.#storage.get('pods', key);
    if (!pod) throw notFound(about, name);
    const node = this.get('nodes', '', binding.target.name);
    const bound = boundPod(pod, binding, { node, now: this.#clock.now() });
    return dryRun ? deepFreeze(bound) : this.#storage.put('pods', key, bound);
  }

  /**
   * Takes an object over that is there already, or replaces the one that has its name. One without
   * a uid is completed as if it were created, but keeps its status. Its namespace is made where it
   * is missing.
   * @param {KubernetesObject} object with its kind and apiVersion
   * @returns {KubernetesObject} as it is stored
   * @throws {import('../src/kubernetes/errors.js').StowageError} of a kind that is not served, or
   *   an object that cannot be read
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
   * Calls the listener for every later change. Its own writes are delivered afterwards.
   * @param {string} resource
   * @param {(event: StorageEvent) => void} listener gets `{ type, object, previous }`
   * @returns {() => void} ends it
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
    };
  }
}

/**
 * Where the storage has an object.
 * @param {Resource} resource
 * @param {string} namespace
 * @param {string} name
 */
export function storageKey({ namespaced }, namespace, name) {
  return namespaced ? `${namespace}/${name}` : name;
}

/**
 * @param {Resource} resource
 * @param {any} metadata of the object that comes
 * @param {any} old
 */
function checkVersion(resource, { namespace, name, uid, resourceVersion }, old) {
  if (uid && uid !== old.uid) {
    throw preconditionFailed(resource, {
      namespace,
      name,
      field: 'UID',
      wanted: uid,
      found: old.uid,
    });
  }
  // `0` names no version: clients send it to replace whatever version is stored.
  const isConditional = Boolean(resourceVersion) && resourceVersion !== '0';
  if (!isConditional && strategyOf(resource).needsResourceVersion) {
    const detail = 'must be specified for an update';
    throw invalid(resource, name, [invalidValue('metadata.resourceVersion', 0, detail)]);
  }
  if (isConditional && resourceVersion !== old.resourceVersion) {
    throw conflict(resource, name, OBJECT_MODIFIED);
  }
}

/**
 * @param {Resource} resource
 * @param {KubernetesObject} object
 * @param {DeleteOptions['preconditions']} preconditions
 */
function checkPreconditions(resource, { metadata }, { uid, resourceVersion } = {}) {
  const { namespace, name } = metadata;
  if (uid && uid !== metadata.uid) {
    const found = metadata.uid;
    throw preconditionFailed(resource, { namespace, name, field: 'UID', wanted: uid, found });
  }
  if (resourceVersion && resourceVersion !== metadata.resourceVersion) {
    const found = metadata.resourceVersion;
    const field = 'ResourceVersion';
    throw preconditionFailed(resource, { namespace, name, field, wanted: resourceVersion, found });
  }
}

/**
 * Whether an update takes away the last thing that kept an object.
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
