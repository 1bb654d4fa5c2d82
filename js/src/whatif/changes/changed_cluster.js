/** The cluster of a future, as changes read and change it. */
import { isNamespaced, withDefaults } from '../../kubernetes/defaults.js';
import { Existing } from '../../kubernetes/existing.js';
import { identityOf } from '../../kubernetes/owners.js';
import { InputError } from '../../kubernetes/errors.js';
import { admitted } from '../../kubernetes/api_error.js';
import { isWorkload, RESOURCES, WORKLOAD_KINDS } from '../../kubernetes/kinds.js';
import { Creation } from '../../manifests/creation.js';
import { namespaceOf, podKeyOf } from '../../kubernetes/keys.js';
import { isRecord } from '../../kubernetes/values.js';
import { isPodActive } from '../../kubernetes/workloads/pods.js';
import { successorOf } from '../../engine/object_events.js';
import { daemonSetNames } from '../drain/evictable_pods.js';
import { LayeredMap } from '../layered_map.js';

/**
 * @import { ExpandContext, KubernetesObject } from '../../kubernetes/types.js'
 * @import { Future } from '../future.js'
 * @import { Merge } from '../../manifests/applied_workload.js'
 */

/**
 * What names a workload or a pod.
 * @typedef {{ kind: string, namespace: string, name: string }} Target
 */

/**
 * `knowsDaemonSets`: whether the cluster's objects have all its DaemonSets; default: whether they
 * have any. `merge` applies a workload to the stored one; by default its lists are replaced.
 * @typedef {{ knowsDaemonSets?: boolean, merge?: Merge }} ClusterOptions
 */

/** Workloads that a scheduler keeps. */
const KEPT = ['ReplicaSet', 'StatefulSet', 'ReplicationController'];

/** Former templates of StatefulSets. */
const REVISION = 'ControllerRevision';

/** Kinds that only admission reads. */
const ADMISSION_KINDS = ['LimitRange', 'RuntimeClass'];

/** What the index has. */
const EXISTING = new Set([...WORKLOAD_KINDS, REVISION, 'Pod', 'PersistentVolumeClaim']);

export class ChangedCluster {
  /**
   * What the scheduler does not keep, by kind and by identity.
   * @type {Map<string, LayeredMap<string, KubernetesObject>>}
   */
  #others = new Map();
  /** What exists, indexed on first use. @type {Existing | undefined} */
  #existing;
  /** What the API server checks when it creates an object here. */
  creation = new Creation((name) => this.scheduler.get('Namespace', name));
  /** Counts applied objects down, because generated names of the cluster are counted up. */
  named = 0;

  /**
   * @param {Future} future
   * @param {Iterable<KubernetesObject>} objects of the cluster, those that the scheduler does not
   *   keep among them: Deployments, Jobs, DaemonSets, ControllerRevisions, LimitRanges,
   *   RuntimeClasses
   * @param {ClusterOptions} [options]
   */
  constructor(future, objects, options = {}) {
    this.future = future;
    this.options = options;
    for (const object of objects) this.remember(object);
  }

  /**
   * Returns the cluster in a branch of its future: this one must not change while that is used.
   * @param {Future} future
   */
  in(future) {
    const branch = new ChangedCluster(future, [], this.options);
    for (const [kind, objects] of this.#others) branch.#others.set(kind, objects.layer());
    return branch;
  }

  get scheduler() {
    return this.future.scheduler;
  }

  /** The simulated time, milliseconds since the epoch. */
  get now() {
    return this.future.now;
  }

  /**
   * Keeps a new version of an object, if the scheduler does not.
   * @param {KubernetesObject} object
   */
  remember(object) {
    const { kind = '' } = object;
    if (WORKLOAD_KINDS.has(kind) && !isWorkload(object)) return;
    if (EXISTING.has(kind)) this.#existing?.put(object);
    const isRead = WORKLOAD_KINDS.has(kind) || [REVISION, ...ADMISSION_KINDS].includes(kind);
    if (!isRead || KEPT.includes(kind)) return;
    const others = this.#others.get(kind) ?? new LayeredMap();
    others.set(identityOf(object), object);
    this.#others.set(kind, others);
  }

  /** @param {KubernetesObject} object */
  forget(object) {
    const { kind = '' } = object;
    if (EXISTING.has(kind)) this.#existing?.remove(object);
    this.#others.get(kind)?.delete(identityOf(object));
  }

  /** All pods. @returns {KubernetesObject[]} */
  get pods() {
    return this.future.pods;
  }

  /** The DaemonSets that the input has. @returns {KubernetesObject[]} */
  get daemonSets() {
    return this.#othersOf('DaemonSet').filter(({ spec }) => isRecord(spec?.template?.spec));
  }

  /** The names of all DaemonSets; undefined if the input may lack some. */
  get knownDaemonSets() {
    return daemonSetNames(this.#othersOf('DaemonSet'), this.options.knowsDaemonSets);
  }

  /** The workloads that the input has. @returns {KubernetesObject[]} */
  get workloads() {
    const others = [...WORKLOAD_KINDS].flatMap((kind) => this.#othersOf(kind));
    return [...KEPT.flatMap((kind) => this.scheduler.list(kind)), ...others];
  }

  /** @param {string} kind @returns {KubernetesObject[]} */
  #othersOf(kind) {
    return [...(this.#others.get(kind)?.values() ?? [])];
  }

  get #index() {
    return (this.#existing ??= new Existing([
      ...this.workloads,
      ...this.#othersOf(REVISION),
      ...this.pods,
      ...this.scheduler.list('PersistentVolumeClaim'),
    ]));
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
   * Returns a workload, or an object that only admission reads, if the input has the object itself.
   * @param {Target} target `namespace` counts if the kind has one
   * @returns {KubernetesObject | undefined}
   */
  workload({ kind, namespace, name }) {
    if (KEPT.includes(kind)) return this.scheduler.get(kind, `${namespace}/${name}`);
    const metadata = { name, ...(isNamespaced({ kind }) && { namespace }) };
    const apiVersion = RESOURCES.find((one) => one.kind === kind)?.apiVersion;
    return this.#others.get(kind)?.get(identityOf({ apiVersion, kind, metadata }));
  }

  /**
   * Returns a written workload as the API server stores it: it has the uid that its pods refer to.
   * @param {KubernetesObject} workload
   * @returns {KubernetesObject}
   */
  stored(workload) {
    const made = withDefaults(workload, this.context);
    const uid = this.#index.owners.uidOf(made) ?? made.metadata.uid;
    return { ...made, metadata: { ...made.metadata, uid } };
  }

  /**
   * Returns the active pods of a workload, in queue order and then those with a node.
   * @param {Target} target
   */
  podsOf(target) {
    const pods = this.#index.owners.podsOf(target);
    return pods.flatMap((pod) => this.future.standing(podKeyOf(pod)) ?? []).filter(isPodActive);
  }

  /**
   * Returns the ReplicaSets of a Deployment.
   * @param {Target} target
   */
  setsOf(target) {
    return this.#index.owners.ownedBy(target).filter(({ kind }) => kind === 'ReplicaSet');
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
    const others = [...this.#others.values()].flatMap((ofKind) => [...ofKind.values()]);
    return [
      ...kept,
      ...others.filter((one) => isNamespaced(one) && namespaceOf(one) === namespace),
    ];
  }

  /** Whether a pod of this name exists. @param {string} key `namespace/name` */
  hasPod(key) {
    return this.future.pod(key) !== undefined;
  }

  /** What creating pods from templates reads. @returns {ExpandContext} */
  get context() {
    const [limitRanges, runtimeClasses] = ADMISSION_KINDS.map((kind) => this.#othersOf(kind));
    const nodes = () => this.scheduler.list('Node')[Symbol.iterator]();
    return {
      existing: this.#index,
      nodes: { [Symbol.iterator]: nodes },
      priorityClasses: this.scheduler.list('PriorityClass'),
      storageClasses: this.scheduler.list('StorageClass'),
      creationTimestamp: new Date(this.now).toISOString().replace('.000Z', 'Z'),
      count: this.named,
      limitRanges,
      ...(runtimeClasses.length > 0 && { runtimeClasses }),
    };
  }

  /** @param {KubernetesObject[]} objects each a new one, or a new version */
  put(objects) {
    for (const object of objects) this.remember(object);
    this.future.apply(objects.filter(isReadByTheEngine));
  }

  /**
   * Returns what a controller makes by itself; nothing if the API server refuses it.
   * @param {KubernetesObject} owner
   * @param {() => KubernetesObject[]} make
   * @returns {KubernetesObject[]}
   */
  accepted(owner, make) {
    return admitted(() => this.creation.checked(make(), owner)).made ?? [];
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
   * Removes nodes with their pods.
   * @param {string[]} nodes
   */
  removeNodes(nodes) {
    const pods = nodes.flatMap((node) => this.future.podsOn(node));
    this.#ending(pods, () => this.future.removeNodes(nodes));
  }

  /**
   * Takes pods off their nodes.
   * @param {string[]} pods `namespace/name`
   */
  displace(pods) {
    this.#ending(pods, () => this.future.displace(pods));
  }

  /**
   * @param {string[]} keys of pods, some of which `perform` ends
   * @param {() => void} perform
   */
  #ending(keys, perform) {
    const pods = keys.flatMap((key) => this.future.pod(key) ?? []);
    perform();
    for (const pod of pods) if (!this.hasPod(podKeyOf(pod))) this.forget(pod);
  }

  /**
   * Deletes pods and creates them again without a node, in their new version.
   * @param {KubernetesObject[]} pods
   * @throws {import('../../kubernetes/api_error.js').ApiError} Forbidden in a namespace that is
   *   being deleted
   */
  recreate(pods) {
    for (const pod of pods) this.creation.check(pod, () => false);
    this.remove(pods);
    this.put(pods.map((pod) => successorOf(pod, this.scheduler)));
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
