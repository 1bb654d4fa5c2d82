import { timestamp } from '../object_meta.js';
import { isConflict, isNotFound } from './api_errors.js';
import { EventRecorder } from './event_recorder.js';
import { semanticEqual } from '../../src/kubernetes/workloads/objects.js';
import { Reconciler } from './reconciler.js';
import { SharedIndexers } from './shared_indexers.js';

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { Clock } from '../../src/io/clock.js'
 * @import { Controller, DeleteOptions, Store, StoreEvent } from './controller_types.js'
 */

/**
 * What the controllers of one group share: the store, the clock, one view of each resource.
 */
export class ControllerContext {
  #indexers;
  #onError;
  /** Ends all subscriptions and timers. @type {(() => void)[]} */
  #ends = [];

  /**
   * @param {Store} store
   * @param {Clock} clock
   * @param {(error: unknown, key: string) => void} [onError] default: thrown asynchronously
   */
  constructor(store, clock, onError = rethrow) {
    this.store = store;
    this.clock = clock;
    this.#indexers = SharedIndexers.of(store);
    this.#onError = onError;
  }

  /** The time as objects have it. */
  get timestamp() {
    return timestamp(this.clock.now());
  }

  /** @param {string} resource its plural */
  indexer(resource) {
    return this.#indexers.get(resource);
  }

  /**
   * Hears of the objects that there are, and of every change.
   * @param {string} resource
   * @param {import('./indexer.js').Handler} handler
   */
  onChange(resource, handler) {
    this.#ends.push(this.indexer(resource).addEventHandler(handler));
  }

  /**
   * Hears of every change of a resource from now on.
   * @param {string} resource
   * @param {(event: StoreEvent) => void} listener
   */
  subscribe(resource, listener) {
    this.#ends.push(this.store.subscribe(resource, listener));
  }

  /**
   * The queue of a controller and who works it off.
   * @param {(key: string) => void} sync
   * @param {Clock} [clock] by which it waits
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
   * The object with a new status; as it is where that says the same.
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
   * Deletes this very object. One that is gone, or was replaced, needs it no more.
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
 * A controller that consists of several, which share what they see.
 * @param {string} name
 * @param {((context: ControllerContext) => void)[]} starts
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 * @returns {Controller}
 */
export function controllerGroup(name, starts, { onError } = {}) {
  return {
    name,
    start(store, clock) {
      const context = new ControllerContext(store, clock, onError);
      for (const start of starts) start(context);
      return () => context.stop();
    },
  };
}

/** @param {unknown} error @returns {never} */
function rethrow(error) {
  throw error;
}
