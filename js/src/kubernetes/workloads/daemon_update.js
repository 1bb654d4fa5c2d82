import { isPodAvailable, isPodTerminating } from './pods.js';
import { eligibleNodes, updateLimitsOf } from './daemon_plan.js';
import { REVISION_LABEL } from './template_pods.js';

/**
 * Plans the rolling update of a DaemonSet, a few nodes at a time. Counterpart:
 * pkg/controller/daemon/update.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../types.js'
 * @import { DaemonState, NodePlan } from './daemon_plan.js'
 */

/**
 * @param {DaemonState} state
 * @returns {NodePlan}
 */
export function planUpdate(state) {
  return planNodeUpdates(nodesOf(state), updateLimitsOf(state));
}

/**
 * Plans the next step of an update, given the pods of each node.
 * @param {NodeState[]} nodes those that should run a pod
 * @param {{ surge: number, unavailable: number }} limits
 * @returns {NodePlan}
 */
export function planNodeUpdates(nodes, { surge, unavailable }) {
  return surge > 0 ? planSurge(nodes, surge) : planReplacement(nodes, unavailable);
}

/**
 * The set's pods on one node.
 * @typedef {object} NodeState
 * @property {string} node
 * @property {boolean} isAmbiguous whether there are several old or new pods, which are cleaned up
 *   first
 * @property {KubernetesObject | undefined} fresh the pod of the newest template
 * @property {KubernetesObject | undefined} old
 * @property {boolean} isFreshAvailable
 * @property {boolean} isOldAvailable
 */

/**
 * @param {DaemonState} state
 * @returns {NodeState[]}
 */
function nodesOf({ set, hash, nodes, podsByNode, now }) {
  const { minReadySeconds = 0 } = set.spec;
  const isAvailable = (/** @type {KubernetesObject | undefined} */ pod) =>
    pod !== undefined && isPodAvailable(pod, minReadySeconds, now);
  return eligibleNodes(set, nodes).map(({ metadata: { name } }) => {
    const pods = (podsByNode.get(name) ?? []).filter((pod) => !isPodTerminating(pod));
    const isNew = (/** @type {KubernetesObject} */ pod) =>
      pod.metadata.labels?.[REVISION_LABEL] === hash;
    const [fresh, old] = [pods.filter(isNew), pods.filter((pod) => !isNew(pod))];
    return {
      node: name,
      isAmbiguous: fresh.length > 1 || old.length > 1,
      fresh: fresh[0],
      old: old[0],
      isFreshAvailable: isAvailable(fresh[0]),
      isOldAvailable: isAvailable(old[0]),
    };
  });
}

/**
 * Deletes old pods as long as few enough are unavailable; unavailable old pods go at once.
 * @param {NodeState[]} nodes
 * @param {number} maxUnavailable
 * @returns {NodePlan}
 */
function planReplacement(nodes, maxUnavailable) {
  /** @type {KubernetesObject[]} */
  const useless = [];
  /** @type {KubernetesObject[]} */
  const candidates = [];
  let missing = 0;
  for (const { isAmbiguous, fresh, old, isFreshAvailable, isOldAvailable } of nodes) {
    const isMissing = isAmbiguous || (fresh ? !isFreshAvailable : !old);
    if (isMissing) missing += 1;
    else if (!fresh && old) (isOldAvailable ? candidates : useless).push(old);
  }
  const left = Math.max(0, maxUnavailable - missing);
  const podsToDelete = [...useless, ...candidates.slice(0, Math.max(0, left - useless.length))];
  return { podsToDelete, nodesNeedingPods: [], retryAfter: null };
}

/**
 * Creates new pods beside the old ones, and deletes the old ones when the new ones are available.
 * @param {NodeState[]} nodes
 * @param {number} maxSurge
 * @returns {NodePlan}
 */
function planSurge(nodes, maxSurge) {
  const known = nodes.filter(({ isAmbiguous, old }) => !isAmbiguous && old);
  const isAlone = (/** @type {NodeState} */ { fresh }) => !fresh;
  const surging = known.filter((state) => !isAlone(state) && !state.isFreshAvailable).length;
  const useless = known.filter((state) => isAlone(state) && !state.isOldAvailable);
  const candidates = known.filter((state) => isAlone(state) && state.isOldAvailable);
  const left = Math.max(0, maxSurge - surging);
  return {
    podsToDelete: known.flatMap(({ old, isFreshAvailable }) =>
      old && isFreshAvailable ? [old] : [],
    ),
    nodesNeedingPods: [...useless, ...candidates.slice(0, left)].map(({ node }) => node),
    retryAfter: null,
  };
}
