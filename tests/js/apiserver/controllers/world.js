/** A store with controllers, and a clock that the test moves. */
import { Storage } from '../../../../js/apiserver/storage.js';
import { Store } from '../../../../js/apiserver/store.js';
import { ManualClock, settle } from '../../support/manual_clock.js';

/**
 * @import { Controller } from
 *   '../../../../js/apiserver/controllers/controller_types.js'
 */

/** Returns random numbers that are the same in each run. @param {number} seed */
function lottery(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export class World {
  clock = new ManualClock();
  /** Errors that controllers could not handle. @type {unknown[]} */
  errors = [];
  #stops = [];

  /**
   * @param {...((options: object) => Controller)} factories
   */
  constructor(...factories) {
    const storage = new Storage({ history: 10_000, resourceVersion: 1000 });
    this.storage = storage;
    this.store = new Store({
      storage,
      clock: this.clock,
      random: lottery(7),
      gracefulDeletion: true,
    });
    this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    const onError = (error) => this.errors.push(error);
    for (const factory of factories)
      this.#stops.push(factory({ onError }).start(this.store, this.clock));
  }

  /** @param {...object} objects @returns {any} the last one */
  create(...objects) {
    let stored;
    for (const object of objects) {
      const isNamespaced = !CLUSTER_SCOPED.has(object.kind);
      const metadata = { ...(isNamespaced && { namespace: 'default' }), ...object.metadata };
      stored = this.store.create(resourceOf(object.kind), { ...object, metadata });
    }
    return stored;
  }

  /** @param {string} resource @param {string} name @returns {any} */
  get(resource, name) {
    const isNamespaced = !CLUSTER_RESOURCES.has(resource);
    return this.store.get(resource, isNamespaced ? 'default' : '', name);
  }

  /** @param {string} resource @returns {any[]} */
  list(resource) {
    return this.store.list(resource);
  }

  /** @param {string} resource @param {string} name @param {(object: any) => object} change */
  change(resource, name, change) {
    return this.store.update(resource, change(this.get(resource, name)));
  }

  /** @param {string} resource @param {string} name @param {object} spec */
  patchSpec(resource, name, spec) {
    return this.change(resource, name, (object) => ({
      ...object,
      spec: { ...object.spec, ...spec },
    }));
  }

  /** @param {string} resource @param {string} name @param {object} status */
  patchStatus(resource, name, status) {
    const object = this.get(resource, name);
    const next = { ...object, status: { ...object.status, ...status } };
    return this.store.update(resource, next, { subresource: 'status' });
  }

  /** @param {string} resource @param {string} name @param {object} [options] */
  delete(resource, name, options) {
    const namespace = CLUSTER_RESOURCES.has(resource) ? '' : 'default';
    return this.store.delete(resource, namespace, name, options);
  }

  /** Waits until nothing moves without time. */
  settle = settle;

  /** @param {number} ms */
  advance(ms) {
    return this.clock.advance(ms);
  }

  /** Binds a pod as a scheduler would. @param {string} name @param {string} node */
  bind(name, node) {
    return this.store.bind('default', name, { target: { kind: 'Node', name: node } });
  }

  /** Reports as a kubelet that the pods run and are ready. @param {...string} names */
  run(...names) {
    for (const name of names) {
      const pod = this.get('pods', name);
      if (!pod.spec.nodeName) this.bind(name, 'n');
      this.patchStatus('pods', name, runningStatus(this.clock.now()));
    }
  }

  /** Runs all waiting pods. */
  async runAll() {
    const waiting = this.list('pods').filter(
      ({ status, metadata }) =>
        !metadata.deletionTimestamp && (status?.phase ?? 'Pending') === 'Pending',
    );
    this.run(...waiting.map(({ metadata }) => metadata.name));
    await settle();
  }

  /** Returns the messages of the events about an object. @param {string} name */
  events(name) {
    return this.list('events')
      .filter(({ involvedObject }) => involvedObject.name === name)
      .map(({ reason, message }) => `${reason}: ${message}`);
  }

  stop() {
    for (const stop of this.#stops) stop();
  }
}

/** @param {number} now */
export function runningStatus(now) {
  const lastTransitionTime = new Date(now).toISOString().replace(/\.\d+/, '');
  return {
    phase: 'Running',
    startTime: lastTransitionTime,
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
  };
}

/** A pod template. @param {Record<string, string>} labels @param {object} [spec] */
export function template(labels, spec = {}) {
  return {
    metadata: { labels },
    spec: { containers: [{ name: 'main', image: 'app:v1' }], ...spec },
  };
}

/** Any workload of apps/v1. @param {string} kind @param {string} name @param {object} [spec] */
export function workload(kind, name, spec = {}) {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name },
    spec: { selector: { matchLabels: { app: name } }, template: template({ app: name }), ...spec },
  };
}

const CLUSTER_SCOPED = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'PriorityClass',
  'ResourceSlice',
  'DeviceClass',
]);
const CLUSTER_RESOURCES = new Set([...CLUSTER_SCOPED].map(resourceOf));

/** @param {string} kind */
function resourceOf(kind) {
  const name = kind.toLowerCase();
  return name.endsWith('s') ? `${name}es` : `${name}s`;
}
