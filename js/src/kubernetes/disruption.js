/**
 * PodDisruptionBudgets: how many evictions one allows, and whether a pod may be evicted.
 * Counterparts: pkg/controller/disruption/disruption.go and
 * pkg/registry/core/pod/storage/eviction.go, v1.36.
 */
import { isConditionTrue } from './conditions.js';
import { labelSelectorOf } from './label_selector.js';
import { controllerOf } from './owners.js';
import { scaledValue } from './workloads/objects.js';
import { isPodTerminating } from './workloads/pods.js';

/** @import { KubernetesObject } from './types.js' */

/** The kinds of controllers that hold the desired number of a budget's pods. */
export const BUDGETED_KINDS = Object.freeze([
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'Deployment',
]);

/**
 * Finds an object of one of these kinds by `namespace/name`.
 * @typedef {(kind: string, key: string) => KubernetesObject | undefined} FindWorkload
 */

/**
 * The figures of a budget's status.
 * @typedef {object} BudgetFigures
 * @property {number} expectedPods
 * @property {number} desiredHealthy
 * @property {number} currentHealthy
 * @property {number} disruptionsAllowed
 */

/**
 * Computes the figures as the disruption controller does.
 * @param {KubernetesObject} budget
 * @param {KubernetesObject[]} pods those that its selector matches
 * @param {{ find: FindWorkload, isHealthy: (pod: KubernetesObject) => boolean }} options
 *   `isHealthy`: whether a pod is ready, and not about to be deleted
 * @returns {BudgetFigures}
 */
export function budgetFigures(budget, pods, { find, isHealthy }) {
  const { expected, desired } = expectationOf(budget, pods, find);
  const healthy = pods.filter(isHealthy).length;
  return {
    expectedPods: expected,
    desiredHealthy: desired,
    currentHealthy: healthy,
    disruptionsAllowed: expected <= 0 ? 0 : Math.max(0, healthy - desired),
  };
}

/**
 * Returns the expected number of pods, and the required number of healthy ones.
 * @param {KubernetesObject} budget
 * @param {KubernetesObject[]} pods
 * @param {FindWorkload} find
 */
function expectationOf({ spec }, pods, find) {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable !== undefined) {
    const expected = expectedScale(pods, find);
    return {
      expected,
      desired: Math.max(0, expected - scaledValue(maxUnavailable, expected, true)),
    };
  }
  if (minAvailable === undefined) return { expected: 0, desired: 0 };
  if (typeof minAvailable === 'number') return { expected: pods.length, desired: minAvailable };
  const expected = expectedScale(pods, find);
  return { expected, desired: scaledValue(minAvailable, expected, true) };
}

/**
 * Sums the replicas of these pods' workloads, each once. Pods without a workload are not counted.
 * @param {KubernetesObject[]} pods
 * @param {FindWorkload} find
 */
function expectedScale(pods, find) {
  /** @type {Map<string, number>} */
  const scales = new Map();
  for (const pod of pods) {
    const workload = workloadOf(pod, find);
    if (workload) scales.set(workload.metadata.uid, workload.spec.replicas ?? 1);
  }
  return [...scales.values()].reduce((sum, scale) => sum + scale, 0);
}

/**
 * Returns the workload whose replicas count for a pod: its controller, or the Deployment of that.
 * @param {KubernetesObject} pod
 * @param {FindWorkload} find
 * @returns {KubernetesObject | undefined}
 */
export function workloadOf(pod, find) {
  const { namespace } = pod.metadata;
  const owner = controllerOf(pod);
  if (!owner || owner.kind === 'Deployment' || !BUDGETED_KINDS.includes(owner.kind)) return;
  const found = find(owner.kind, `${namespace}/${owner.name}`);
  if (!found || found.metadata.uid !== owner.uid) return undefined;
  const above = controllerOf(found);
  if (above?.kind !== 'Deployment') return found;
  const deployment = find('Deployment', `${namespace}/${above.name}`);
  return deployment?.metadata.uid === above.uid ? deployment : found;
}

/**
 * Whether the pod may be evicted regardless of budgets.
 * @param {KubernetesObject} pod
 */
export function isWithoutBudget(pod) {
  const isDone = ['Succeeded', 'Failed', 'Pending'].includes(pod.status?.phase);
  return isDone || isPodTerminating(pod);
}

/** Selectors never change in place. @type {WeakMap<object, ReturnType<typeof labelSelectorOf>>} */
const selectors = new WeakMap();

/**
 * Returns the selector of a budget, parsed once.
 * @param {KubernetesObject} budget
 */
function selectorIn({ spec }) {
  const { selector } = spec ?? {};
  if (!selector) return labelSelectorOf(selector);
  const found = selectors.get(selector) ?? labelSelectorOf(selector);
  selectors.set(selector, found);
  return found;
}

/**
 * Returns the budgets that select a pod.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject[]} budgets of its namespace
 */
export function budgetsFor({ metadata }, budgets) {
  return budgets.filter((budget) => selectorIn(budget).matches(metadata.labels));
}

/** The API server's message about a pod that several budgets select. */
export const SEVERAL_BUDGETS =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not ' +
  'support.';

/**
 * Whether a budget lets a pod be evicted without counting it: one that is not ready, if the policy
 * or the number of healthy pods allows that.
 * @param {KubernetesObject} budget
 * @param {KubernetesObject} pod
 * @param {Partial<BudgetFigures>} figures
 */
export function isFreeOfCharge({ spec }, pod, { currentHealthy = 0, desiredHealthy = 0 }) {
  if (isConditionTrue(pod.status, 'Ready')) return false;
  const isHealthy = currentHealthy >= desiredHealthy && desiredHealthy > 0;
  return spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || isHealthy;
}

/**
 * Returns the API server's reason for the refusal by a budget that allows no disruption.
 * @param {KubernetesObject} budget
 * @param {Partial<BudgetFigures>} figures
 */
export function refusalOf({ metadata }, { currentHealthy = 0, desiredHealthy = 0 }) {
  return (
    `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ` +
    `${currentHealthy} currently`
  );
}
