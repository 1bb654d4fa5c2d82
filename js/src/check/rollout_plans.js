/**
 * Plans rollouts one step at a time: the pods that the controllers of Deployments, StatefulSets and
 * DaemonSets create and delete, given the pods with a node. A pod with a node counts as available.
 */
import { sortForDeletion } from '../kubernetes/workloads/active_pods.js';
import { planUpdate } from '../kubernetes/workloads/daemon_update.js';
import {
  isRollingUpdate,
  maxUnavailableOf,
  newReplicasOf,
  replicasOf,
} from '../kubernetes/workloads/deployment_util.js';
import { scaledValue } from '../kubernetes/workloads/objects.js';
import { targetNodeOf } from '../kubernetes/workloads/daemon_pods.js';
import { ordinalOf, REVISION_LABEL } from '../kubernetes/workloads/template_pods.js';

/** @import { KubernetesObject } from '../kubernetes/types.js' */

/**
 * @typedef {object} Step
 * @property {KubernetesObject[]} create
 * @property {KubernetesObject[]} remove
 */

/**
 * The pods of a workload: `old` ones, `current` ones of the new template, and `fresh` ones that
 * have yet to be created.
 * @typedef {{ old: KubernetesObject[], current: KubernetesObject[], fresh: KubernetesObject[] }}
 *   RolloutPods
 */

/** @typedef {(pod: KubernetesObject) => boolean} IsPlaced */

/**
 * @typedef {object} RolloutPlan
 * @property {(isPlaced: IsPlaced) => Step} next undefined if the rollout is done, or hangs
 * @property {(isPlaced: IsPlaced) => KubernetesObject[]} waiting the pods that it waits for
 * @property {() => KubernetesObject[]} old the remaining old pods
 */

/** @type {Step} */
const NOTHING = Object.freeze({ create: [], remove: [] });

/**
 * Returns the plan of a workload's rollout. Other kinds have none, and neither do strategies that
 * delete all old pods first or leave that to people.
 * @param {KubernetesObject} workload
 * @param {RolloutPods} pods
 * @param {{ nodes: KubernetesObject[], now: number }} cluster
 * @returns {RolloutPlan | undefined}
 */
export function rolloutPlan(workload, pods, { nodes, now }) {
  if (pods.old.length === 0) return undefined;
  const { kind, spec } = workload;
  if (kind === 'Deployment')
    return isRollingUpdate(workload) && !spec.paused
      ? deploymentPlan(workload, pods, now)
      : undefined;
  if (spec.updateStrategy?.type === 'OnDelete') return undefined;
  if (kind === 'StatefulSet') return statefulSetPlan(workload, pods);
  return kind === 'DaemonSet' ? daemonSetPlan(workload, pods, nodes) : undefined;
}

/**
 * @param {KubernetesObject} deployment
 * @param {RolloutPods} pods
 * @param {number} now
 * @returns {RolloutPlan}
 */
function deploymentPlan(deployment, { old, current, fresh }, now) {
  const unmade = [...fresh];
  const made = [...current];
  let left = [...old];
  const minAvailable = replicasOf(deployment) - maxUnavailableOf(deployment);
  const setOf = (/** @type {KubernetesObject[]} */ { length }) =>
    /** @type {any} */ ({ spec: { replicas: length } });

  /** @param {IsPlaced} isPlaced */
  const surplus = (isPlaced) => {
    const unavailable = made.filter((pod) => !isPlaced(pod)).length;
    const most = left.length + made.length - minAvailable - unavailable;
    if (most <= 0) return [];
    // Pods without a node are unavailable, so they are deleted first.
    const useless = left.filter((pod) => !isPlaced(pod)).slice(0, most);
    const available = left.filter(isPlaced);
    const placed = made.length - unavailable;
    const count = Math.max(0, Math.min(available.length, available.length + placed - minAvailable));
    return [...useless, ...sortForDeletion(available, now).slice(0, count)];
  };

  return {
    next(isPlaced) {
      const size = newReplicasOf(deployment, [setOf(left), setOf(made)], made.length);
      const create = unmade.splice(0, Math.max(0, size - made.length));
      made.push(...create);
      if (create.length > 0) return { create, remove: [] };
      const remove = surplus(isPlaced);
      left = left.filter((pod) => !remove.includes(pod));
      return { create, remove };
    },
    waiting: (isPlaced) => made.filter((pod) => !isPlaced(pod)),
    old: () => left,
  };
}

/**
 * @param {KubernetesObject} set
 * @param {RolloutPods} pods
 * @returns {RolloutPlan}
 */
function statefulSetPlan(set, { old, current, fresh }) {
  const { podManagementPolicy, updateStrategy } = set.spec;
  const { partition = 0, maxUnavailable = 1 } = updateStrategy?.rollingUpdate ?? {};
  const start = set.spec.ordinals?.start ?? 0;
  const isMonotonic = podManagementPolicy !== 'Parallel';
  const byOrdinal = (/** @type {KubernetesObject[]} */ pods) =>
    new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const [before, made, unmade] = [byOrdinal(old), byOrdinal(current), byOrdinal(fresh)];
  const ordinals = [...unmade.keys()].sort((a, b) => a - b);
  const allowed = Math.max(1, scaledValue(maxUnavailable, ordinals.length, false));
  const podAt = (/** @type {number} */ ordinal) => made.get(ordinal) ?? before.get(ordinal);
  const isOut = (/** @type {IsPlaced} */ isPlaced) => (/** @type {number} */ ordinal) => {
    const pod = podAt(ordinal);
    return pod === undefined || !isPlaced(pod);
  };

  /** @param {number} ordinal */
  const create = (ordinal) => {
    const pod = /** @type {KubernetesObject} */ (unmade.get(ordinal));
    made.set(ordinal, pod);
    return pod;
  };

  return {
    next(isPlaced) {
      const missing = ordinals.filter((ordinal) => podAt(ordinal) === undefined);
      const out = ordinals.filter(isOut(isPlaced));
      if (missing.length > 0 && (!isMonotonic || out[0] === missing[0])) {
        const some = isMonotonic ? missing.slice(0, 1) : missing;
        return { create: some.map(create), remove: [] };
      }
      if (isMonotonic && out.length > 0) return NOTHING;
      const condemned = [...before.keys()].filter((ordinal) => !unmade.has(ordinal));
      const isUpdated = (/** @type {number} */ at) => at - start >= partition;
      const outdated = ordinals.filter((at) => isUpdated(at) && before.has(at) && !made.has(at));
      const room = Math.max(0, allowed - out.length);
      const chosen = condemned.length > 0 ? condemned : outdated.reverse().slice(0, room);
      const remove = chosen.flatMap((ordinal) => before.get(ordinal) ?? []);
      for (const ordinal of chosen) before.delete(ordinal);
      return { create: [], remove };
    },
    waiting: (isPlaced) =>
      ordinals.filter(isOut(isPlaced)).flatMap((ordinal) => podAt(ordinal) ?? []),
    old: () => [...before.values()],
  };
}

/**
 * @param {KubernetesObject} set
 * @param {RolloutPods} pods
 * @param {KubernetesObject[]} nodes
 * @returns {RolloutPlan}
 */
function daemonSetPlan(set, { old, current, fresh }, nodes) {
  const unmade = new Map(fresh.map((pod) => [targetNodeOf(pod), pod]));
  const hash = fresh[0]?.metadata.labels?.[REVISION_LABEL] ?? '';
  const made = [...current];
  let left = [...old];

  /** @param {IsPlaced} isPlaced */
  const stateOf = (isPlaced) => {
    /** @type {Map<string, KubernetesObject[]>} */
    const podsByNode = new Map();
    const seen = new Map();
    for (const pod of [...left, ...made]) {
      const label = left.includes(pod) ? '' : hash;
      const shown = asSeen(pod, label, isPlaced(pod));
      seen.set(shown, pod);
      const node = targetNodeOf(pod) ?? '';
      podsByNode.set(node, [...(podsByNode.get(node) ?? []), shown]);
    }
    return { state: { set, hash, nodes, podsByNode, now: Infinity }, seen };
  };

  /** @param {string} node */
  const create = (node) => {
    const pod = unmade.get(node);
    unmade.delete(node);
    if (pod) made.push(pod);
    return pod ? [pod] : [];
  };

  return {
    next(isPlaced) {
      const { state, seen } = stateOf(isPlaced);
      const empty = [...unmade.keys()].filter((node) => !state.podsByNode.has(node ?? ''));
      const first = empty.flatMap((node) => create(node ?? ''));
      if (first.length > 0) return { create: first, remove: [] };
      const { podsToDelete, nodesNeedingPods } = planUpdate(state);
      const remove = podsToDelete.map((pod) => seen.get(pod)).filter((pod) => left.includes(pod));
      left = left.filter((pod) => !remove.includes(pod));
      return { create: nodesNeedingPods.flatMap(create), remove };
    },
    waiting: (isPlaced) => made.filter((pod) => !isPlaced(pod)),
    old: () => left,
  };
}

/**
 * Returns a daemon's pod as its controller sees it.
 * @param {KubernetesObject} pod
 * @param {string} hash
 * @param {boolean} isReady
 * @returns {KubernetesObject}
 */
function asSeen(pod, hash, isReady) {
  const { deletionTimestamp: _, ...metadata } = pod.metadata;
  const conditions = isReady
    ? [{ type: 'Ready', status: 'True', lastTransitionTime: '1970-01-01T00:00:00Z' }]
    : [];
  return {
    ...pod,
    metadata: { ...metadata, labels: { ...metadata.labels, [REVISION_LABEL]: hash } },
    status: { conditions },
  };
}
