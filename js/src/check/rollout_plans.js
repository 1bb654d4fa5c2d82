/**
 * Plans rollouts one step at a time: the pods that the controllers of Deployments, StatefulSets and
 * DaemonSets create and delete, given the pods with a node. A pod with a node counts as available.
 */
import { podKeyOf } from '../kubernetes/keys.js';
import { controllerOf } from '../kubernetes/owners.js';
import { sortForDeletion } from '../kubernetes/workloads/active_pods.js';
import { eligibleNodes, updateLimitsOf } from '../kubernetes/workloads/daemon_plan.js';
import { planNodeUpdates } from '../kubernetes/workloads/daemon_update.js';
import { isScalingEvent, scaledSets } from '../kubernetes/workloads/deployment_scaling.js';
import {
  isRollingUpdate,
  maxUnavailableOf,
  newReplicasOf,
  replicasOf,
} from '../kubernetes/workloads/deployment_util.js';
import {
  maxUnavailableOf as maxUnavailableIn,
  ordinalsToUpdate,
} from '../kubernetes/workloads/stateful_update.js';
import { targetNodeOf } from '../kubernetes/workloads/daemon_pods.js';
import { ordinalOf } from '../kubernetes/workloads/template_pods.js';
import { PlacedPods } from './placed_pods.js';

/**
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { StatefulSetUpdates } from '../kubernetes/workloads/stateful_update.js'
 * @import { NodeState } from '../kubernetes/workloads/daemon_update.js'
 */

/**
 * @typedef {object} Step
 * @property {KubernetesObject[]} create
 * @property {KubernetesObject[]} remove
 */

/**
 * The pods of a workload: `old` ones, `current` ones of the new template, and `fresh` ones that
 * have yet to be created; `sets`: the known ReplicaSets of a Deployment.
 * @typedef {{ old: KubernetesObject[], current: KubernetesObject[], fresh: KubernetesObject[],
 *   sets: KubernetesObject[] }} RolloutPods
 */

/** @typedef {(pod: KubernetesObject) => boolean} IsPlaced */

/**
 * @typedef {object} RolloutPlan
 * @property {(isPlaced: IsPlaced, moved: ReadonlySet<string>) => Step} next empty if the rollout is
 *   done, or waits; `moved`: keys of pods that got or lost a node since the step before
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
 * @param {{ nodes: KubernetesObject[], now: number, statefulSetUpdates: StatefulSetUpdates }}
 *   cluster
 * @returns {RolloutPlan | undefined}
 */
export function rolloutPlan(workload, pods, { nodes, now, statefulSetUpdates }) {
  const { kind, spec } = workload;
  if (kind === 'StatefulSet' && spec.updateStrategy?.type !== 'OnDelete') {
    const parts = withCondemned(workload, pods);
    if (parts.old.length === 0) return undefined;
    return statefulSetPlan(workload, parts, statefulSetUpdates);
  }
  if (pods.old.length === 0) return undefined;
  if (kind === 'Deployment')
    return isRollingUpdate(workload) && !spec.paused
      ? deploymentPlan(workload, pods, now)
      : undefined;
  const isPlanned = kind === 'DaemonSet' && spec.updateStrategy?.type !== 'OnDelete';
  return isPlanned ? daemonSetPlan(workload, pods, nodes) : undefined;
}

/**
 * @param {KubernetesObject} deployment
 * @param {RolloutPods} pods
 * @param {number} now
 * @returns {RolloutPlan}
 */
function deploymentPlan(deployment, { old, current, fresh, sets }, now) {
  const unmade = [...fresh];
  const made = new PlacedPods(current);
  const left = new PlacedPods(old);
  const minAvailable = replicasOf(deployment) - maxUnavailableOf(deployment);
  const setOf = (/** @type {PlacedPods} */ { size }) =>
    /** @type {any} */ ({ spec: { replicas: size } });
  /** The remaining old pods in the order of their deletion. @type {KubernetesObject[]} */
  let byDeletion = [];

  /** @param {number} count below 0 counts as 0 */
  const make = (count) => {
    const create = unmade.splice(0, Math.max(0, count));
    made.add(create);
    return create;
  };

  /** @param {number} count */
  const firstPlaced = (count) => {
    const from = byDeletion.findIndex((pod) => left.has(pod));
    if (from > 0) byDeletion.splice(0, from);
    /** @type {KubernetesObject[]} */
    const first = [];
    for (const pod of byDeletion) {
      if (first.length >= count) break;
      if (left.hasPlaced(pod)) first.push(pod);
    }
    return first;
  };

  const surplus = () => {
    const most = left.size + made.size - minAvailable - made.numUnplaced;
    if (most <= 0) return [];
    // Pods without a node are unavailable, so they are deleted first.
    const useless = left.unplaced().slice(0, most);
    const available = left.size - left.numUnplaced;
    const placed = made.size - made.numUnplaced;
    const count = Math.min(available, available + placed - minAvailable);
    return [...useless, ...firstPlaced(count)];
  };

  let isScaled = false;
  return {
    next(isPlaced, moved) {
      made.update(isPlaced, moved);
      left.update(isPlaced, moved);
      if (!isScaled) {
        isScaled = true;
        const { grown, copies, remove } = scaling(deployment, { old, current, sets }, now);
        const create = [...make(grown), ...copies];
        left.remove(remove);
        left.add(copies);
        // A stored pod without a spec never gets a node.
        const possible = left.all().filter(({ spec }) => spec);
        byDeletion = sortForDeletion(possible, now);
        if (create.length + remove.length > 0) return { create, remove };
      }
      const size = newReplicasOf(deployment, [setOf(left), setOf(made)], made.size);
      const create = make(size - made.size);
      if (create.length > 0) return { create, remove: [] };
      const remove = surplus();
      left.remove(remove);
      return { create, remove };
    },
    waiting: (isPlaced) => made.all().filter((pod) => !isPlaced(pod)),
    old: () => left.all(),
  };
}

/**
 * A change of the replicas scales the ReplicaSets before the rollout begins.
 * @param {KubernetesObject} deployment
 * @param {Pick<RolloutPods, 'old' | 'current' | 'sets'>} pods
 * @param {number} now
 * @returns {{ grown: number, copies: KubernetesObject[], remove: KubernetesObject[] }} how many
 *   pods the new set gets, the further pods of the old ones, and those that they lose
 */
function scaling(deployment, { old, current, sets }, now) {
  const podsIn = (/** @type {KubernetesObject} */ set, /** @type {KubernetesObject[]} */ pods) =>
    pods.filter((pod) => controllerOf(pod)?.uid === set.metadata.uid);
  const newSet = sets.find((set) => podsIn(set, current).length > 0);
  const others = sets.filter((set) => set !== newSet);
  const changes = isScalingEvent(deployment, sets)
    ? scaledSets(deployment, { newSet, old: others })
    : [];
  const own = changes.find(({ set }) => set === newSet);
  const steps = changes
    .filter((change) => change !== own)
    .map(({ set, size }) => resized(podsIn(set, old), size, now));
  return {
    grown: own ? own.size - current.length : 0,
    copies: steps.flatMap(({ copies }) => copies),
    remove: steps.flatMap(({ remove }) => remove),
  };
}

/**
 * @param {KubernetesObject[]} pods of a ReplicaSet
 * @param {number} size
 * @param {number} now
 */
function resized(pods, size, now) {
  return {
    copies: pods.length > 0 ? copiesOf(pods[0], size - pods.length) : [],
    remove: sortForDeletion(pods, now).slice(0, Math.max(0, pods.length - size)),
  };
}

/**
 * Returns further pods of a ReplicaSet.
 * @param {KubernetesObject} pod one of them
 * @param {number} count below 0 counts as 0
 * @returns {KubernetesObject[]}
 */
function copiesOf({ metadata, spec, ...pod }, count) {
  const { nodeName: _, ...own } = spec;
  return Array.from({ length: Math.max(0, count) }, (__, at) => {
    const [name, uid] = [metadata.name, metadata.uid].map((text) => `${text}-more-${at}`);
    return {
      ...pod,
      metadata: { ...metadata, name, uid },
      spec: own,
      status: { phase: 'Pending' },
    };
  });
}

/**
 * Returns the pods with those among the old ones whose ordinals the StatefulSet no longer has.
 * @param {KubernetesObject} set
 * @param {RolloutPods} pods
 * @returns {RolloutPods}
 */
function withCondemned(set, { old, current, fresh, sets }) {
  const ordinals = new Set(fresh.map((pod) => ordinalOf(set, pod)));
  const isKept = (/** @type {KubernetesObject} */ pod) => ordinals.has(ordinalOf(set, pod));
  const condemned = current.filter((pod) => !isKept(pod));
  return { old: [...old, ...condemned], current: current.filter(isKept), fresh, sets };
}

/**
 * @param {KubernetesObject} set
 * @param {RolloutPods} pods
 * @param {StatefulSetUpdates} updates
 * @returns {RolloutPlan}
 */
function statefulSetPlan(set, { old, current, fresh }, updates) {
  const isMonotonic = set.spec.podManagementPolicy !== 'Parallel';
  const most = updates === 'OneByOne' ? 1 : maxUnavailableIn(set);
  const byOrdinal = (/** @type {KubernetesObject[]} */ pods) =>
    new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));
  const [before, made, unmade] = [byOrdinal(old), byOrdinal(current), byOrdinal(fresh)];
  const ordinals = [...unmade.keys()].sort((a, b) => a - b);
  const ordinalOfKey = new Map(
    [...old, ...current, ...fresh].map((pod) => [podKeyOf(pod), ordinalOf(set, pod)]),
  );
  const podAt = (/** @type {number} */ ordinal) => made.get(ordinal) ?? before.get(ordinal);
  const isOut = (/** @type {IsPlaced} */ isPlaced) => (/** @type {number} */ ordinal) => {
    const pod = podAt(ordinal);
    return pod === undefined || !isPlaced(pod);
  };
  let condemned = [...before.keys()].filter((ordinal) => !unmade.has(ordinal));
  /** The ordinals with old pods; the last ones may have none any more. */
  const outdated = ordinals.filter((ordinal) => before.has(ordinal));
  /** The ordinals without a pod that has a node: a step changes few of them. */
  const out = new Set(/** @type {number[]} */ ([]));
  const changed = new Set(ordinals);

  /** @param {number} ordinal */
  const create = (ordinal) => {
    const pod = /** @type {KubernetesObject} */ (unmade.get(ordinal));
    made.set(ordinal, pod);
    changed.add(ordinal);
    return pod;
  };

  return {
    next(isPlaced, moved) {
      for (const key of moved) changed.add(ordinalOfKey.get(key) ?? -1);
      for (const ordinal of changed) {
        if (unmade.has(ordinal) && isOut(isPlaced)(ordinal)) out.add(ordinal);
        else out.delete(ordinal);
      }
      changed.clear();
      const lacking = sorted(out);
      const missing = lacking.filter((ordinal) => podAt(ordinal) === undefined);
      if (missing.length > 0 && (!isMonotonic || lacking[0] === missing[0])) {
        const some = isMonotonic ? missing.slice(0, 1) : missing;
        return { create: some.map(create), remove: [] };
      }
      if (isMonotonic && lacking.length > 0) return NOTHING;
      const states = () => statesToUpdate({ outdated, before, out }, most);
      const chosen = condemned.length > 0 ? condemned : ordinalsToUpdate(set, states(), updates);
      condemned = [];
      const remove = chosen.flatMap((ordinal) => before.get(ordinal) ?? []);
      for (const ordinal of chosen) {
        before.delete(ordinal);
        changed.add(ordinal);
      }
      return { create: [], remove };
    },
    waiting: (isPlaced) =>
      ordinals.filter(isOut(isPlaced)).flatMap((ordinal) => podAt(ordinal) ?? []),
    old: () => [...before.values()],
  };
}

/**
 * Returns the states of the ordinals that an update looks at: of all without a running pod, and of
 * the last ones with an old pod beside these.
 * @param {{ outdated: number[], before: Map<number, KubernetesObject>, out: Set<number> }} set
 *   `outdated` loses those that have no old pod any more
 * @param {number} most old pods that run
 */
function statesToUpdate({ outdated, before, out }, most) {
  const last = new Set(out);
  for (let at = outdated.length - 1, left = most; at >= 0 && left > 0; at -= 1) {
    const ordinal = outdated[at];
    if (before.has(ordinal)) {
      if (!out.has(ordinal)) left -= 1;
      last.add(ordinal);
    } else outdated.splice(at, 1);
  }
  return sorted(last).map((ordinal) => ({
    ordinal,
    isOutdated: before.has(ordinal),
    isAvailable: !out.has(ordinal),
  }));
}

/** @param {Iterable<number>} numbers */
function sorted(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

/**
 * @param {KubernetesObject} set
 * @param {RolloutPods} pods
 * @param {KubernetesObject[]} nodes
 * @returns {RolloutPlan}
 */
function daemonSetPlan(set, { old, current, fresh }, nodes) {
  const unmade = new Map(fresh.map((pod) => [targetNodeOf(pod) ?? '', pod]));
  const limits = updateLimitsOf({ set, nodes });
  const eligible = new Set(eligibleNodes(set, nodes).map(({ metadata }) => metadata.name));
  const left = byNode(old);
  const made = byNode(current);
  const nodeOf = new Map(
    [...old, ...current, ...fresh].map((pod) => [podKeyOf(pod), targetNodeOf(pod) ?? '']),
  );
  /** A step changes few nodes. @type {Map<string, NodeState>} */
  const states = new Map();
  const changed = new Set([...eligible, ...unmade.keys()]);

  /** @param {string} node @param {IsPlaced} isPlaced */
  const stateOf = (node, isPlaced) => {
    const [fresher, older] = [made.get(node) ?? [], left.get(node) ?? []];
    return {
      node,
      isAmbiguous: fresher.length > 1 || older.length > 1,
      fresh: fresher[0],
      old: older[0],
      isFreshAvailable: fresher.length > 0 && isPlaced(fresher[0]),
      isOldAvailable: older.length > 0 && isPlaced(older[0]),
    };
  };

  /** @param {string} node */
  const create = (node) => {
    const pod = unmade.get(node);
    unmade.delete(node);
    if (pod) made.set(node, [...(made.get(node) ?? []), pod]);
    changed.add(node);
    return pod ? [pod] : [];
  };

  return {
    next(isPlaced, moved) {
      for (const key of moved) changed.add(nodeOf.get(key) ?? '');
      const empty = [...changed].filter((node) => !left.has(node) && !made.has(node));
      const first = empty.flatMap(create);
      if (first.length > 0) return { create: first, remove: [] };
      for (const node of changed) if (eligible.has(node)) states.set(node, stateOf(node, isPlaced));
      changed.clear();
      const plan = planNodeUpdates([...states.values()], limits);
      const { podsToDelete: remove, nodesNeedingPods } = plan;
      for (const pod of remove) {
        const node = targetNodeOf(pod) ?? '';
        // Only the single old pod of a node is deleted.
        left.delete(node);
        changed.add(node);
      }
      return { create: nodesNeedingPods.flatMap(create), remove };
    },
    waiting: (isPlaced) => [...made.values()].flat().filter((pod) => !isPlaced(pod)),
    old: () => [...left.values()].flat(),
  };
}

/**
 * @param {KubernetesObject[]} pods of a DaemonSet
 * @returns {Map<string, KubernetesObject[]>}
 */
function byNode(pods) {
  /** @type {Map<string, KubernetesObject[]>} */
  const nodes = new Map();
  for (const pod of pods) {
    const node = targetNodeOf(pod) ?? '';
    nodes.set(node, [...(nodes.get(node) ?? []), pod]);
  }
  return nodes;
}
