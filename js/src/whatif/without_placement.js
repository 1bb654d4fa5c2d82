/** Finds the pods of a cluster that could be elsewhere, and removes their placement. */
import { successorOf } from '../engine/object_events.js';
import { podKeyOf } from '../kubernetes/keys.js';
import { controllerOf } from '../kubernetes/owners.js';
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { isPod } from '../kubernetes/workloads/pods.js';
import { canMove } from './population.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * Objects that a scheduler gets at once, and the name of their source.
 * @typedef {{ name: string, objects: KubernetesObject[] }} Batch
 */

const HOSTNAME = 'kubernetes.io/hostname';

/**
 * Returns the cluster as if the pods of some schedulers had not been placed yet. They then queue by
 * priority, age, and the order of the files; the claims that were made for them do not exist yet.
 * Pinned pods stay: pods of DaemonSets, static pods, pods that name one node, pods that are being
 * deleted, and pods of other schedulers.
 * @template {{ batches: Batch[], pods: Map<string, KubernetesObject> }} T
 * @param {T} cluster `pods`: those that have not finished, by `namespace/name`
 * @param {Set<string>} schedulerNames
 * @returns {{ cluster: T, pinned: number }} the cluster, and the number of bound pods that stay
 */
export function withoutPlacement(cluster, schedulerNames) {
  let pinned = 0;
  const claims = new OwnClaims(cluster.batches);
  /** Pods that queue, by their keys. @type {Map<string, KubernetesObject>} */
  const queued = new Map();
  for (const [key, pod] of cluster.pods) {
    if (!pod.spec?.nodeName) queued.set(key, pod);
    else if (canMove(pod, schedulerNames) && !namesOneNode(pod.spec))
      queued.set(key, claims.successorOf(pod));
    else pinned += 1;
  }
  const isQueued = (/** @type {KubernetesObject} */ object) =>
    isPod(object) && queued.has(podKeyOf(object));
  return {
    cluster: {
      ...cluster,
      batches: [
        ...without(cluster.batches, (object) => isQueued(object) || claims.areGone(object)),
        ...batchesByAge(cluster.batches, queued),
      ],
      pods: new Map([...cluster.pods].map(([key, pod]) => [key, queued.get(key) ?? pod])),
    },
    pinned,
  };
}

/** The claims that were made for single pods, and the volumes of these claims. */
class OwnClaims {
  /** @type {Map<string, KubernetesObject>} */
  #claims = new Map();
  /** The uids of pods without a placement. @type {Set<string>} */
  #pods = new Set();

  /** @param {Batch[]} batches */
  constructor(batches) {
    for (const { objects } of batches)
      for (const object of objects)
        if (isClaim(object)) this.#claims.set(`${object.kind} ${podKeyOf(object)}`, object);
  }

  /** @param {KubernetesObject} pod a bound one @returns {KubernetesObject} */
  successorOf(pod) {
    if (pod.metadata.uid) this.#pods.add(pod.metadata.uid);
    const get = (/** @type {string} */ kind, /** @type {string} */ key) =>
      this.#claims.get(`${kind} ${key}`);
    return successorOf(pod, { get });
  }

  /** Whether it ended with a pod of which a successor was made. @param {KubernetesObject} object */
  areGone(object) {
    const { kind, spec } = object;
    const isVolume = kind === 'PersistentVolume' && spec?.claimRef;
    const claim = isVolume
      ? this.#claims.get(`PersistentVolumeClaim ${podKeyOf({ metadata: spec.claimRef })}`)
      : object;
    if (!claim || !isClaim(claim)) return false;
    const owner = controllerOf(claim);
    return owner?.kind === 'Pod' && this.#pods.has(owner.uid);
  }
}

/** @param {KubernetesObject} object */
function isClaim({ kind }) {
  return kind === 'ResourceClaim' || kind === 'PersistentVolumeClaim';
}

/**
 * @param {Batch[]} batches
 * @param {(object: KubernetesObject) => boolean} isOut
 * @returns {Batch[]}
 */
function without(batches, isOut) {
  return batches
    .map((batch) =>
      batch.objects.some(isOut)
        ? { name: batch.name, objects: batch.objects.filter((object) => !isOut(object)) }
        : batch,
    )
    .filter(({ objects }) => objects.length > 0);
}

/**
 * Sorts by age: the engine queues pods of one priority in the order of their arrival.
 * @param {Batch[]} batches
 * @param {Map<string, KubernetesObject>} queued
 * @returns {Batch[]} a new batch only where the file changes
 */
function batchesByAge(batches, queued) {
  const files = new Map(
    batches.flatMap(({ name, objects }) =>
      objects.filter(isPod).map((pod) => [podKeyOf(pod), name]),
    ),
  );
  const createdAt = (/** @type {KubernetesObject} */ { metadata }) =>
    Date.parse(metadata?.creationTimestamp) || Infinity;
  const sorted = [...queued].sort(([, a], [, b]) => {
    const [first, second] = [createdAt(a), createdAt(b)];
    return first === second ? 0 : first - second;
  });
  /** @type {Batch[]} */
  const made = [];
  for (const [key, pod] of sorted) {
    const name = files.get(key) ?? '';
    const last = made.at(-1);
    if (last?.name === name) last.objects.push(pod);
    else made.push({ name, objects: [pod] });
  }
  return made;
}

/**
 * Whether a pod requires one node by its name.
 * @param {any} spec
 */
function namesOneNode({ nodeSelector, affinity }) {
  if (isRecord(nodeSelector) && Object.hasOwn(nodeSelector, HOSTNAME)) return true;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = itemsIn(required?.nodeSelectorTerms);
  return terms.length === 1 && namesNode(terms[0]);
}

/** @param {any} term */
function namesNode(term) {
  const isOne = (/** @type {any} */ requirement) =>
    requirement?.operator === 'In' && itemsIn(requirement.values).length === 1;
  const byName = itemsIn(term?.matchFields).some(isOne);
  const byHostname = itemsIn(term?.matchExpressions).some(
    (requirement) => requirement?.key === HOSTNAME && isOne(requirement),
  );
  return byName || byHostname;
}
