/** Chooses the pods that represent all others, and encodes a cluster for several schedulers. */
import { batchesOf, isList, listItems } from '../../engine/batch.js';
import { Completer } from '../../engine/completer.js';
import { LIMITS } from '../../engine/options.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { itemsIn } from '../../kubernetes/values.js';
import { endsWithNode } from '../population.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { UpgradeOptions } from '../upgrade.js'
 */

/**
 * A pod to ask about. `pods`: the number of pods that are equal to it, it included.
 * @typedef {{ pod: string, pods: number }} Asked
 */

/** The number of objects that are encoded at once, which bounds what is copied. */
const CHUNK = 5_000;

/**
 * Reads a cluster in one pass. Does not keep its objects, except for those that no server stored.
 * @param {Scheduler | KubernetesObject | Iterable<KubernetesObject>} source
 * @param {{ schedulerNames: Set<string>, everyPod: boolean, seed?: number } & Pick<UpgradeOptions,
 *   'isAsked' | 'onError'>} options
 * @returns {{ lines: Uint8Array[], asked: Asked[] }} `lines`: for `apply` with the format `lines`;
 *   `asked`: one of each class of equal pods, or all, in the order of the source
 * @throws {import('../../kubernetes/errors.js').InputError} if an object cannot be encoded
 */
export function readSource(source, { schedulerNames, everyPod, seed, isAsked, onError }) {
  const encoder = new Encoder({ seed, onError });
  /** @type {Map<string, Asked>} */
  const classes = new Map();
  for (const object of objectsIn(source)) {
    encoder.add(object);
    if (object?.kind !== 'Pod' || !canMove(object, schedulerNames)) continue;
    const pod = podKeyOf(object);
    if (isAsked && !isAsked(pod, object)) continue;
    const key = everyPod ? pod : classOf(object);
    const known = classes.get(key);
    if (known) known.pods += 1;
    else classes.set(key, { pod, pods: 1 });
  }
  return { lines: encoder.end(), asked: [...classes.values()] };
}

/**
 * @param {Scheduler | KubernetesObject | Iterable<KubernetesObject>} source
 * @returns {Iterable<KubernetesObject>}
 */
function objectsIn(source) {
  if ('snapshot' in source) return source.snapshot().items;
  return isList(source) ? listItems(source) : /** @type {Iterable<KubernetesObject>} */ (source);
}

/**
 * Whether a scheduler of these names could give the pod a node, or another one. It cannot for a pod
 * that ends with its node.
 * @param {KubernetesObject} pod
 * @param {Set<string>} schedulerNames
 */
function canMove(pod, schedulerNames) {
  const { spec, status } = pod;
  if (['Succeeded', 'Failed'].includes(status?.phase)) return false;
  if (!schedulerNames.has(spec?.schedulerName ?? 'default-scheduler')) return false;
  return !spec?.nodeName || !endsWithNode(pod);
}

/**
 * Returns a key that two pods share only if no scheduler can tell them apart, except for the node
 * that they are on.
 * @param {KubernetesObject} pod
 */
function classOf(pod) {
  const { metadata, spec = {}, status = {} } = pod;
  const { nodeName, hostname, containers, initContainers, volumes, ...rest } = spec;
  const hasOwnClaim =
    itemsIn(volumes).some((volume) => volume?.ephemeral) || itemsIn(rest.resourceClaims).length > 0;
  return JSON.stringify([
    metadata.namespace ?? '',
    metadata.labels ?? {},
    controllerOf(pod)?.uid ?? '',
    Boolean(nodeName),
    hasOwnClaim || status.nominatedNodeName ? metadata.name : '',
    rest,
    slimContainers(containers),
    slimContainers(initContainers),
    itemsIn(volumes).map((volume) => ({ ...volume, name: '' })),
    [status.resources, status.allocatedResources],
    [status.containerStatuses, status.initContainerStatuses].map(sizesIn),
  ]);
}

/**
 * What the kubelet reports of the sizes of containers.
 * @param {unknown} statuses
 */
function sizesIn(statuses) {
  return itemsIn(statuses).map(({ name, resources, allocatedResources }) => [
    name,
    resources,
    allocatedResources,
  ]);
}

/**
 * Returns containers without fields that no scheduler reads. Some contain names that differ from
 * pod to pod.
 * @param {unknown} containers
 */
function slimContainers(containers) {
  return itemsIn(containers).map((container) => {
    const { args, command, env, envFrom, lifecycle, volumeMounts, ...rest } = container;
    const { livenessProbe, readinessProbe, startupProbe, ...read } = rest;
    return read;
  });
}

/**
 * Encodes objects once for all schedulers, completed as `Scheduler.apply` completes them, without
 * what the scheduler does not read.
 */
class Encoder {
  #completer;
  #onError;
  #encoder = new TextEncoder();
  /** @type {Uint8Array[]} */
  #lines = [];
  /** @type {KubernetesObject[]} */
  #chunk = [];
  /**
   * Objects whose completion reads classes, which may come after them.
   * @type {KubernetesObject[]}
   */
  #incomplete = [];

  /** @param {{ seed?: number } & Pick<UpgradeOptions, 'onError'>} options */
  constructor({ seed, onError }) {
    this.#completer = new Completer({ seed });
    this.#onError = onError;
  }

  /** @param {KubernetesObject} object */
  add(object) {
    const isComplete = object?.metadata?.uid || object?.kind?.endsWith('Class');
    if (!isComplete) return void this.#incomplete.push(object);
    this.#chunk.push(slim(object));
    if (this.#chunk.length >= CHUNK) this.#encode();
  }

  /** @returns {Uint8Array[]} */
  end() {
    for (const object of this.#incomplete) this.#chunk.push(object);
    this.#encode();
    return this.#lines;
  }

  #encode() {
    const complete = this.#completer.complete.bind(this.#completer);
    for (const batch of batchesOf(this.#chunk, { limits: LIMITS, complete })) {
      if (batch.error && !this.#onError) throw batch.error;
      if (batch.error) this.#onError?.(batch.error);
      for (const text of batch.parts ?? []) this.#lines.push(this.#encoder.encode(String(text)));
    }
    this.#chunk = [];
  }
}

/**
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
function slim(object) {
  if (object.kind !== 'Pod' || !object.spec) return object;
  const { managedFields, ...metadata } = object.metadata ?? {};
  const { containers, initContainers } = object.spec;
  const spec = {
    ...object.spec,
    containers: slimContainers(containers),
    ...(initContainers && { initContainers: slimContainers(initContainers) }),
  };
  return { ...object, metadata, spec };
}
