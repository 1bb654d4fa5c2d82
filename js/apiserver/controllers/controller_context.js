import { timestamp } from '../object_meta.js';
import { isConflict, isNotFound } from './api_errors.js';
import { EventRecorder } from './event_recorder.js';
import { semanticEqual } from '../../src/kubernetes/workloads/objects.js';
import { Reconciler } from './reconciler.js';
import { SharedIndexers } from './shared_indexers.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Clock } from '../../src/io/clock.js'
 * @import { FeatureGates } from '../feature_gates.js'
 * @import { Controller, DeleteOptions, Store, StoreEvent } from './controller_types.js'
 */

/**
 * `onError` gets the errors that are no refusal of the API server; default: they are thrown
 * asynchronously. `gates`: of the cluster; without them only what needs no gate is done.
 * @typedef {{ onError?: (error: unknown, key: string) => void, gates?: FeatureGates }}
 *   ControllerOptions
 */

/** The shared parts of one group's controllers: the store, the clock, one view of each resource. */
export class ControllerContext {
  #indexers;
  #onError;
  /** Functions that end all subscriptions and timers. @type {(() => void)[]} */
  #ends = [];

  /**
   * @param {Store} store
   * @param {Clock} clock
   * @param {ControllerOptions} [options]
   */
  constructor(store, clock, { onError = rethrow, gates } = {}) {
    this.store = store;
    this.clock = clock;
    this.gates = gates;
    this.#indexers = SharedIndexers.of(store);
    this.#onError = onError;
  }

  /** The time in the form of Kubernetes' objects. */
  get timestamp() {
    return timestamp(this.clock.now());
  }

  /** Whether ReplicaSets and Deployments count their terminating pods. */
  get countsTerminating() {
    return this.gates?.on.DeploymentReplicaSetTerminatingReplicas ?? true;
  }

  /** @param {string} resource its plural */
  indexer(resource) {
    return this.#indexers.get(resource);
  }

  /**
   * Calls the handler with the existing objects, and with every change.
   * @param {string} resource
   * @param {import('./indexer.js').Handler} handler
   */
  onChange(resource, handler) {
    this.#ends.push(this.indexer(resource).addEventHandler(handler));
  }

  /**
   * Calls the listener with every later change of a resource.
   * @param {string} resource
   * @param {(event: StoreEvent) => void} listener
   */
  subscribe(resource, listener) {
    this.#ends.push(this.store.subscribe(resource, listener));
  }

  /**
   * Creates the queue of a controller with its worker.
   * @param {(key: string) => void} sync
   * @param {Clock} [clock] the clock of its delays
   */
  reconciler(sync, clock = this.clock) {
    const reconciler = new Reconciler({ sync, clock, onError: this.#onError });
    this.#ends.push(() => reconciler.stop());
    return reconciler;
  }

  /** @param {string} component the controller's name in the events */
  recorder(component) {
    return new EventRecorder({ store: this.store, clock: this.clock, component });
  }

  /**
   * Writes a new status; an equal one is not written.
   * @param {string} resource
   * @param {KubernetesObject} object
   * @param {Record<string, any>} status
   * @returns {KubernetesObject}
   */
  updateStatus(resource, object, status) {
    if (semanticEqual(object.status ?? {}, status)) return object;
    return this.store.update(resource, { ...object, status }, { subresource: 'status' });
  }

  /**
   * Deletes exactly this object. One that is gone or replaced is left alone.
   * @param {string} resource
   * @param {KubernetesObject} object
   * @param {DeleteOptions} [options]
   */
  delete(resource, { metadata: { namespace = '', name, uid } }, options = {}) {
    try {
      this.store.delete(resource, namespace, name, { ...options, preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }

  stop() {
    for (const end of this.#ends) end();
    this.#indexers.release();
  }
}

/**
 * Creates a controller that consists of several, with shared views.
 * @param {string} name
 * @param {((context: ControllerContext) => void)[]} starts
 * @param {ControllerOptions} [options]
 * @returns {Controller}
 */
export function controllerGroup(name, starts, options) {
  return {
    name,
    start(store, clock) {
      const context = new ControllerContext(store, clock, options);
      for (const start of starts) start(context);
      return () => context.stop();
    },
  };
}

/** @param {unknown} error @returns {never} */
function rethrow(error) {
  throw error;
}
