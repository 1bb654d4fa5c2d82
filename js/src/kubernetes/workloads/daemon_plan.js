import { withDaemonTolerations } from './daemon_pods.js';
import { selectsNode, untoleratedTaints } from '../node_match.js';
import { scaledValue, timeOf } from './objects.js';
import { isPodAvailable, isPodTerminating } from './pods.js';
import { REVISION_LABEL } from './template_pods.js';

/**
 * Plans which pods of a DaemonSet to create and to delete. Counterpart:
 * pkg/controller/daemon/daemon_controller.go, v1.36 (manage, podsShouldBeOnNode).
 */

/**
 * @import { KubernetesObject } from '../types.js'
 * @import { Clock } from '../../io/clock.js'
 */

/**
 * Writes events about an object.
 * @typedef {object} EventRecorder
 * @property {(object: KubernetesObject, type: 'Normal' | 'Warning', reason: string, message:
 *   string) => void} event
 */

/** The maximum number of pods that are created or deleted in one pass over the set. */
export const BURST_REPLICAS = 250;

/** How long a failed pod stays before it is deleted; doubles with each failure: milliseconds. */
const BACKOFF_FIRST = 1000;
const BACKOFF_MAX = 15 * 60_000;

/**
 * @typedef {object} DaemonState
 * @property {KubernetesObject} set
 * @property {string} hash of its template
 * @property {KubernetesObject[]} nodes
 * @property {Map<string, KubernetesObject[]>} podsByNode by the name of their node
 * @property {number} now
 */

/**
 * @typedef {object} NodePlan
 * @property {KubernetesObject[]} podsToDelete
 * @property {string[]} nodesNeedingPods
 * @property {number | null} retryAfter milliseconds until a failed pod may be deleted
 */

/**
 * Delays the deletion of a set's failed pods, so that pods which always fail are not recreated all
 * the time.
 */
export class DaemonBackoff {
  #clock;
  /** @type {Map<string, { delay: number, at: number }>} */
  #entries = new Map();

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * @param {string} key of the set and the node
   * @returns {number} milliseconds to wait; 0 if the pod may go, which counts as a failure
   */
  next(key) {
    const now = this.#clock.now();
    const entry = this.#entries.get(key);
    if (entry && now < entry.at + entry.delay) return entry.at + entry.delay - now;
    const isRecent = entry && now - entry.at <= 2 * BACKOFF_MAX;
    const delay = isRecent ? Math.min(entry.delay * 2, BACKOFF_MAX) : BACKOFF_FIRST;
    this.#entries.set(key, { delay, at: now });
    return 0;
  }
}

/**
 * @param {DaemonState} state
 * @param {{ recorder: EventRecorder, backoff: DaemonBackoff }} controller
 * @returns {NodePlan}
 */
export function planNodes(state, controller) {
  const { set, nodes, podsByNode } = state;
  /** @type {NodePlan} */
  const plan = { podsToDelete: [], nodesNeedingPods: [], retryAfter: null };
  const wish = wishOf(set);
  const known = new Set();
  for (const node of nodes) {
    const { name } = node.metadata;
    known.add(name);
    const { shouldRun, shouldContinue } = wish(node);
    const pods = podsByNode.get(name) ?? [];
    if (!shouldContinue)
      remove(
        pods.filter((pod) => !isPodTerminating(pod)),
        plan,
      );
    else if (pods.length === 0 && shouldRun) plan.nodesNeedingPods.push(name);
    else keepOne(state, name, { controller, plan });
  }
  for (const [name, pods] of podsByNode)
    if (!known.has(name))
      remove(
        pods.filter((pod) => !pod.spec.nodeName && !isPodTerminating(pod)),
        plan,
      );
  return plan;
}

/**
 * Returns whether the node should get a pod, and whether an existing one may stay.
 * @param {KubernetesObject} set
 * @returns {(node: KubernetesObject) => { shouldRun: boolean, shouldContinue: boolean }}
 */
export function wishOf({ spec }) {
  const podSpec = withDaemonTolerations(spec.template.spec);
  return (node) => {
    if (!selectsNode(podSpec, node)) return { shouldRun: false, shouldContinue: false };
    const taints = untoleratedTaints(podSpec, node, ['NoSchedule', 'NoExecute']);
    return {
      shouldRun: taints.length === 0,
      shouldContinue: !taints.some(({ effect }) => effect === 'NoExecute'),
    };
  };
}

/**
 * Returns the nodes that should run a pod.
 * @param {KubernetesObject} set
 * @param {KubernetesObject[]} nodes
 */
export function eligibleNodes(set, nodes) {
  const wish = wishOf(set);
  return nodes.filter((node) => wish(node).shouldRun);
}

/**
 * Returns maxSurge and maxUnavailable as numbers. At least one of them is positive.
 * @param {Pick<DaemonState, 'set' | 'nodes'>} state
 */
export function updateLimitsOf({ set, nodes }) {
  const desired = eligibleNodes(set, nodes).length;
  const { maxUnavailable = 1, maxSurge = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge, desired, true);
  const unavailable = scaledValue(maxUnavailable, desired, true);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/**
 * Keeps the oldest pod and deletes pods that ended.
 * @param {DaemonState} state
 * @param {string} node
 * @param {{ controller: { recorder: EventRecorder, backoff: DaemonBackoff }, plan: NodePlan }} work
 */
function keepOne(state, node, { controller, plan }) {
  const { set, podsByNode } = state;
  const pods = (podsByNode.get(node) ?? []).filter((pod) => !isPodTerminating(pod));
  const running = [];
  for (const pod of pods) {
    const { phase } = pod.status ?? {};
    if (phase === 'Failed') removeFailed(state, pod, { node, controller, plan });
    else if (phase === 'Succeeded') {
      const { namespace, name } = pod.metadata;
      const where = `${namespace}/${name} on node ${node}`;
      const message = `Found succeeded daemon pod ${where}, will try to delete it`;
      controller.recorder.event(set, 'Normal', 'SucceededDaemonPod', message);
      plan.podsToDelete.push(pod);
    } else running.push(pod);
  }
  remove(surplusOf(state, running), plan);
}

/** @param {KubernetesObject[]} pods @param {NodePlan} plan */
function remove(pods, { podsToDelete }) {
  for (const pod of pods) podsToDelete.push(pod);
}

/**
 * @param {DaemonState} state
 * @param {KubernetesObject} pod
 * @param {{ node: string, controller: { recorder: EventRecorder, backoff: DaemonBackoff }, plan:
 *   NodePlan }} work
 */
function removeFailed({ set }, pod, { node, controller, plan }) {
  const delay = controller.backoff.next(`${set.metadata.uid}/${node}`);
  if (delay > 0) {
    plan.retryAfter = Math.min(plan.retryAfter ?? Infinity, delay);
    return;
  }
  const { namespace, name } = pod.metadata;
  const where = `${namespace}/${name} on node ${node}`;
  const message = `Found failed daemon pod ${where}, will try to kill it`;
  controller.recorder.event(set, 'Warning', 'FailedDaemonPod', message);
  plan.podsToDelete.push(pod);
}

/**
 * With a surge an old pod stays until the new one is available.
 * @param {DaemonState} state
 * @param {KubernetesObject[]} running
 */
function surplusOf({ set, hash, now }, running) {
  if (running.length <= 1) return [];
  const sorted = running.toSorted(byScheduledAndAge);
  const { maxSurge = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  if (maxSurge === 0 || maxSurge === '0%') return sorted.slice(1);
  const isNew = (/** @type {KubernetesObject} */ pod) =>
    pod.metadata.labels?.[REVISION_LABEL] === hash;
  const [fresh, old] = [sorted.filter(isNew), sorted.filter((pod) => !isNew(pod))];
  const { minReadySeconds = 0 } = set.spec;
  const isReplaced = fresh.length > 0 && isPodAvailable(fresh[0], minReadySeconds, now);
  return [...fresh.slice(1), ...(isReplaced ? old : old.slice(1))];
}

/**
 * Pods with a node come first, then older pods.
 * @param {KubernetesObject} left
 * @param {KubernetesObject} right
 */
export function byScheduledAndAge(left, right) {
  const scheduled = Number(Boolean(right.spec.nodeName)) - Number(Boolean(left.spec.nodeName));
  const [a, b] = [left, right].map(({ metadata }) => timeOf(metadata.creationTimestamp) ?? 0);
  return scheduled || a - b || (left.metadata.name < right.metadata.name ? -1 : 1);
}
