/** Finds the pods of a cluster that could be elsewhere, and removes their placement. */
import { podKeyOf } from '../kubernetes/keys.js';
import { unplaced } from '../engine/object_events.js';
import { schedulerNameOf } from '../kubernetes/pod_defaults.js';
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { isPod } from './manifests.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Batch, Cluster } from './cluster.js'
 */

const MIRROR = 'kubernetes.io/config.mirror';
const HOSTNAME = 'kubernetes.io/hostname';

/**
 * Returns the cluster as if the pods of some schedulers had not been placed yet. They then queue by
 * priority, age, and the order of the files. Pinned pods stay: pods of DaemonSets, static pods,
 * pods that name one node, pods that are being deleted, and pods of other schedulers.
 * @param {Cluster} cluster
 * @param {Set<string>} schedulerNames
 * @returns {{ cluster: Cluster, pinned: number }} the cluster, and the number of bound pods that
 *   stay
 */
export function withoutPlacement(cluster, schedulerNames) {
  let pinned = 0;
  /** Pods that queue, by their keys. @type {Map<string, KubernetesObject>} */
  const queued = new Map();
  for (const [key, pod] of cluster.pods) {
    if (!pod.spec?.nodeName) queued.set(key, pod);
    else if (isMovable(pod, schedulerNames)) queued.set(key, unplaced(pod));
    else pinned += 1;
  }
  return {
    cluster: {
      ...cluster,
      batches: [...withoutPods(cluster.batches, queued), ...batchesByAge(cluster.batches, queued)],
      pods: new Map([...cluster.pods].map(([key, pod]) => [key, queued.get(key) ?? pod])),
    },
    pinned,
  };
}

/**
 * @param {Batch[]} batches
 * @param {Map<string, KubernetesObject>} queued
 * @returns {Batch[]}
 */
function withoutPods(batches, queued) {
  const isQueued = (/** @type {KubernetesObject} */ object) =>
    isPod(object) && queued.has(podKeyOf(object));
  return batches
    .map((batch) =>
      batch.objects.some(isQueued)
        ? { name: batch.name, objects: batch.objects.filter((object) => !isQueued(object)) }
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
 * @param {KubernetesObject} pod a bound one
 * @param {Set<string>} schedulerNames
 */
function isMovable({ metadata, spec }, schedulerNames) {
  if (metadata.deletionTimestamp || !schedulerNames.has(schedulerNameOf(spec))) return false;
  const owner = itemsIn(metadata.ownerReferences).find((reference) => reference?.controller);
  const isNodesOwn = owner?.kind === 'DaemonSet' || owner?.kind === 'Node';
  return !isNodesOwn && metadata.annotations?.[MIRROR] === undefined && !namesOneNode(spec);
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
