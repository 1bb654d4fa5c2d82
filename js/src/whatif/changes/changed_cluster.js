/** The cluster of a future, as changes read and change it. */
import { controllerOf, identityOf, Owners } from '../../kubernetes/owners.js';
import { InputError } from '../../kubernetes/errors.js';
import { RESOURCES, WORKLOAD_KINDS } from '../../kubernetes/kinds.js';
import { namespaceOf, podKeyOf } from '../../kubernetes/keys.js';
import { isRecord } from '../../kubernetes/values.js';
import { isPodActive } from '../../kubernetes/workloads/pods.js';
import { successorOf } from '../../engine/object_events.js';

/**
 * @import { ExpandContext, KubernetesObject } from '../../kubernetes/types.js'
 * @import { Future } from '../future.js'
 */

/**
 * What names a workload or a pod.
 * @typedef {{ kind: string, namespace: string, name: string }} Target
 */

/** Workloads that a scheduler keeps. */
const KEPT = ['ReplicaSet', 'StatefulSet', 'ReplicationController'];

/** Kinds that only admission reads. */
const ADMISSION_KINDS = ['LimitRange', 'RuntimeClass'];

export class ChangedCluster {
  /** What the scheduler does not keep, by identity. @type {Map<string, KubernetesObject>} */
  #others = new Map();

  /**
   * @param {Future} future
   * @param {Iterable<KubernetesObject>} objects of the cluster, those that the scheduler does not
   *   keep among them: Deployments, Jobs, DaemonSets, LimitRanges, RuntimeClasses
   */
  constructor(future, objects) {
    this.future = future;
    for (const object of objects) this.remember(object);
  }

  get scheduler() {
    return this.future.scheduler;
  }

  /** The simulated time, milliseconds since the epoch. */
  get now() {
    return Date.parse(this.scheduler.inspect().now);
  }

  /**
   * Keeps a new version of an object, if the scheduler does not.
   * @param {KubernetesObject} object
   */
  remember(object) {
    const { kind = '' } = object;
    const isRead = WORKLOAD_KINDS.has(kind) || ADMISSION_KINDS.includes(kind);
    if (isRead && !KEPT.includes(kind)) this.#others.set(identityOf(object), object);
  }

  /** @param {KubernetesObject} object */
  forget(object) {
    this.#others.delete(identityOf(object));
  }

  /** All pods. @returns {KubernetesObject[]} */
  get pods() {
    return this.future.pods;
  }

  /** The DaemonSets that the input has. @returns {KubernetesObject[]} */
  get daemonSets() {
    return [...this.#others.values()].filter(
      ({ kind, spec }) => kind === 'DaemonSet' && isRecord(spec?.template?.spec),
    );
  }

  /** The workloads that the input has. @returns {KubernetesObject[]} */
  get workloads() {
    return [...KEPT.flatMap((kind) => this.scheduler.list(kind)), ...this.#others.values()];
  }

  /**
   * Returns a node as it is now.
   * @param {string} name
   * @param {string} [field] the field of the change that names it
   * @returns {KubernetesObject}
   * @throws {InputError} if there is none
   */
  node(name, field = 'node') {
    const node = this.scheduler.get('Node', name);
    if (!node) throw notFound(field, name);
    return node;
  }

  /**
   * Returns a workload, if the input has the object itself.
   * @param {Target} target
   */
  workload({ kind, namespace, name }) {
    return this.workloads.find(
      (one) => one.kind === kind && podKeyOf(one) === `${namespace}/${name}`,
    );
  }

  /**
   * Returns the active pods of a workload, in queue order and then those with a node.
   * @param {Target} target
   */
  podsOf({ kind, namespace, name }) {
    const owners = new Owners(this.workloads);
    return this.pods.filter(
      (pod) =>
        pod.metadata.namespace === namespace &&
        isPodActive(pod) &&
        owners.chainOf(pod).some((owner) => owner.kind === kind && owner.name === name),
    );
  }

  /**
   * Returns the ReplicaSets of a Deployment.
   * @param {Target} target
   */
  setsOf({ kind, namespace, name }) {
    const isOwned = (/** @type {KubernetesObject} */ set) => {
      const owner = controllerOf(set);
      return owner?.kind === kind && owner.name === name && set.metadata.namespace === namespace;
    };
    return this.scheduler.list('ReplicaSet').filter(isOwned);
  }

  /**
   * Returns all objects of a namespace.
   * @param {string} namespace
   * @returns {KubernetesObject[]}
   */
  objectsIn(namespace) {
    const kept = this.scheduler
      .list('*')
      .filter(({ metadata }) => metadata.namespace === namespace);
    const others = [...this.#others.values()].filter(
      ({ kind, metadata }) => kind !== 'RuntimeClass' && namespaceOf({ metadata }) === namespace,
    );
    return [...kept, ...others];
  }

  /** Whether a pod of this name exists. @param {string} key `namespace/name` */
  hasPod(key) {
    return this.future.pod(key) !== undefined;
  }

  /** What creating pods from templates reads. @returns {ExpandContext} */
  get context() {
    const ofKind = (/** @type {string} */ kind) =>
      [...this.#others.values()].filter((one) => one.kind === kind);
    const [limitRanges, runtimeClasses] = ADMISSION_KINDS.map(ofKind);
    return {
      existing: [...this.workloads, ...this.pods, ...this.scheduler.list('PersistentVolumeClaim')],
      nodes: this.scheduler.list('Node'),
      priorityClasses: this.scheduler.list('PriorityClass'),
      storageClasses: this.scheduler.list('StorageClass'),
      creationTimestamp: new Date(this.now).toISOString().replace('.000Z', 'Z'),
      limitRanges,
      ...(runtimeClasses.length > 0 && { runtimeClasses }),
    };
  }

  /** @param {KubernetesObject[]} objects each a new one, or a new version */
  put(objects) {
    for (const object of objects) this.remember(object);
    this.future.apply(objects.filter(isReadByTheEngine));
  }

  /** Deletes objects for good. @param {KubernetesObject[]} objects */
  remove(objects) {
    for (const object of objects) this.forget(object);
    this.future.apply(
      objects
        .filter(isReadByTheEngine)
        .map((object) => ({ type: /** @type {const} */ ('DELETED'), object })),
    );
  }

  /**
   * Deletes pods and creates them again without a node, in their new version.
   * @param {KubernetesObject[]} pods
   */
  recreate(pods) {
    this.remove(pods);
    this.future.apply(pods.map((pod) => successorOf(pod, this.scheduler)));
  }
}

const READ = new Set(RESOURCES.filter(({ isWatched }) => isWatched).map(({ kind }) => kind));

/** @param {KubernetesObject} object */
function isReadByTheEngine({ kind = '' }) {
  return READ.has(kind) || kind === 'PriorityClass';
}

/**
 * An error about one field of a change; the caller adds the change's own path.
 * @param {string} field
 * @param {string} detail
 * @param {{ code?: string, value?: unknown }} [options]
 */
export function changeFault(field, detail, { code = 'FieldValueInvalid', value } = {}) {
  return new InputError({ code, kind: 'Changes', field, value, detail });
}

/**
 * @param {string} field
 * @param {string} value
 */
export function notFound(field, value) {
  return changeFault(field, `Not found: "${value}"`, { value });
}
