/**
 * PodDisruptionBudgets: how many evictions one allows, and whether a pod may be evicted.
 * Counterparts: pkg/controller/disruption/disruption.go and
 * pkg/registry/core/pod/storage/eviction.go, v1.36.
 */
import { conditionOf, isConditionTrue } from './conditions.js';
import { hasScale, resourceOf } from './kinds.js';
import { labelSelectorOf } from './label_selector.js';
import { controllerOf } from './owners.js';
import { scaledValue } from './workloads/objects.js';
import { isPodTerminating } from './workloads/pods.js';

/**
 * @import { Condition } from './conditions.js'
 * @import { Owner } from './owners.js'
 * @import { KubernetesObject } from './types.js'
 */

/** The reason of a budget of which the controller cannot tell what is expected. */
const SYNC_FAILED = 'SyncFailed';

/**
 * Returns the object of an owner reference; undefined if there is none. It is asked only about
 * kinds that have a scale, and about those that `kinds.js` does not know.
 * @typedef {(owner: Owner) => KubernetesObject | undefined} FindWorkload
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
 * The expected number of pods and the required number of healthy ones, or the disruption
 * controller's reason why it cannot tell.
 * @typedef {{ expected: number, desired: number, fault?: undefined } | { fault: string }}
 *   Expectation
 */

/**
 * Returns the figures of a budget as the disruption controller reports them. If it cannot tell what
 * is expected, those of its last report stay, and the budget allows nothing.
 * @param {KubernetesObject} budget
 * @param {Expectation} expectation
 * @param {number} healthy the number of pods that are ready, and not about to be deleted
 * @returns {BudgetFigures}
 */
export function figuresFor({ status = {} }, expectation, healthy) {
  if (expectation.fault !== undefined) {
    const { expectedPods = 0, desiredHealthy = 0, currentHealthy = 0 } = status;
    return { expectedPods, desiredHealthy, currentHealthy, disruptionsAllowed: 0 };
  }
  const { expected, desired } = expectation;
  return {
    expectedPods: expected,
    desiredHealthy: desired,
    currentHealthy: healthy,
    disruptionsAllowed: expected <= 0 ? 0 : Math.max(0, healthy - desired),
  };
}

/**
 * @param {KubernetesObject} budget
 * @param {KubernetesObject[]} pods those that its selector matches
 * @param {FindWorkload} find
 * @returns {Expectation}
 */
export function expectationOf({ spec }, pods, find) {
  const { minAvailable, maxUnavailable } = spec;
  if (maxUnavailable === undefined && minAvailable === undefined)
    return { expected: 0, desired: 0 };
  if (maxUnavailable === undefined && typeof minAvailable === 'number')
    return { expected: pods.length, desired: minAvailable };
  const scale = expectedScale(pods, find);
  if (typeof scale === 'string') return { fault: scale };
  const desired =
    maxUnavailable === undefined
      ? scaledValue(minAvailable, scale, true)
      : Math.max(0, scale - scaledValue(maxUnavailable, scale, true));
  return { expected: scale, desired };
}

/**
 * Sums the replicas of these pods' controllers, each once. Pods without a controller do not count.
 * @param {KubernetesObject[]} pods
 * @param {FindWorkload} find
 * @returns {number | string} the reason if a pod's controller has no scale, or does not exist
 */
function expectedScale(pods, find) {
  /** @type {Map<string, number>} */
  const scales = new Map();
  /** @type {Set<string>} */
  const known = new Set();
  for (const pod of pods) {
    const controller = controllerOf(pod);
    if (!controller || known.has(controller.uid)) continue;
    const workload = scaledWorkload(pod, controller, find);
    if (typeof workload === 'string') return workload;
    known.add(controller.uid);
    scales.set(workload.metadata.uid, workload.spec.replicas ?? 1);
  }
  return [...scales.values()].reduce((sum, scale) => sum + scale, 0);
}

/**
 * Returns the workload whose replicas count for a pod: its controller, or the Deployment of that.
 * @param {KubernetesObject} pod
 * @param {Omit<Owner, 'namespace'>} controller
 * @param {FindWorkload} find
 * @returns {KubernetesObject | string} the reason if there is none
 */
function scaledWorkload({ metadata: { namespace, name } }, controller, find) {
  const resource = resourceOf(controller);
  if (resource && !hasScale(resource))
    return `${resource.qualified} does not implement the scale subresource`;
  const found = find({ ...controller, namespace });
  if (!resource && !found)
    return `no matches for kind "${controller.kind}" in version "${controller.apiVersion}"`;
  if (!found || found.metadata.uid !== controller.uid)
    return `found no controllers for pod "${name}"`;
  const above = controllerOf(found);
  if (above?.kind !== 'Deployment') return found;
  const deployment = find({ ...above, namespace });
  return deployment?.metadata.uid === above.uid ? deployment : found;
}

/**
 * Returns the condition that tells whether a budget allows disruptions.
 * @param {number} allowed
 * @param {string} [fault] why the disruption controller cannot tell what is expected
 * @returns {Condition}
 */
export function disruptionAllowed(allowed, fault) {
  const type = 'DisruptionAllowed';
  if (fault !== undefined) return { type, status: 'False', reason: SYNC_FAILED, message: fault };
  return allowed > 0
    ? { type, status: 'True', reason: 'SufficientPods', message: '' }
    : { type, status: 'False', reason: 'InsufficientPods', message: '' };
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
 * @param {Partial<BudgetFigures> & { conditions?: Condition[] }} status
 */
export function refusalOf({ metadata }, status) {
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  const said = conditionOf(status, 'DisruptionAllowed');
  const reason = said?.status === 'False' && said.message ? said.reason : undefined;
  const refuses = `The disruption budget ${metadata.name} does not allow evicting pods currently`;
  if (reason === SYNC_FAILED) return `${refuses} because it failed sync: ${said?.message}`;
  if (currentHealthy <= desiredHealthy)
    return (
      `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ` +
      `${currentHealthy} currently`
    );
  return reason ? `${refuses} (${reason}): ${said?.message}` : refuses;
}
