/** Removes pods that are in the way: the fewest, then the least important, as budgets allow. */
import { labelSelectorOf } from '../../kubernetes/label_selector.js';
import { keyOf } from '../../kubernetes/keys.js';
import { podRequests } from '../../kubernetes/pod_requests.js';
import { parseQuantity } from '../../kubernetes/quantity.js';
import { itemsIn } from '../../kubernetes/values.js';
import { belongsToNode } from '../population.js';
import { ASKS } from './edit.js';

/**
 * @import { Culprit } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

/** Priorities of users go up to this. */
const PRIORITY_MAX = 1_000_000_000;

/** The most pods in a list of a culprit. */
const NAMED_MAX = 5;

/** The most pods that one edit removes. */
const PODS_MAX = 16;

/**
 * Returns the removal that ends the refusal, if removing pods can.
 * @param {Culprit} culprit
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function removePods(culprit, question) {
  const pods = culprit.resources
    ? podsFor(culprit, question)
    : namedPods(culprit).map((pod) => question.get('Pod', pod));
  const removed = pods?.filter((pod) => pod !== undefined) ?? [];
  if (removed.length === 0 || removed.length !== pods?.length) return [];
  return areRemovable(removed, question) ? [[removal(removed)]] : [];
}

/**
 * @param {KubernetesObject[]} pods
 * @returns {Edit}
 */
export function removal(pods) {
  const names = pods.map(keyOf).sort();
  const importance = highestPriority(pods) / PRIORITY_MAX;
  return {
    key: `RemovePods ${names}`,
    shape: 'RemovePods',
    kind: 'RemovePods',
    sentence: `remove ${names.length === 1 ? 'pod' : 'pods'} ${names.join(', ')}`,
    asks: ASKS.removal,
    size: names.length + Math.min(0.99, Math.max(0, importance)),
    removes: pods,
  };
}

/**
 * Returns several removals as one.
 * @param {Edit[]} edits
 * @returns {Edit[]}
 */
export function mergedRemovals(edits) {
  const removals = edits.filter(({ removes }) => removes);
  if (removals.length < 2) return edits;
  const pods = new Map(
    removals.flatMap(({ removes = [] }) => removes).map((pod) => [keyOf(pod), pod]),
  );
  return [...edits.filter(({ removes }) => !removes), removal([...pods.values()])];
}

/**
 * Returns the removals with one pod less.
 * @param {Edit} edit
 * @returns {Edit[]}
 */
export function smallerRemovals({ removes = [] }) {
  if (removes.length < 2) return [];
  return removes.map((pod) => removal(removes.filter((other) => other !== pod)));
}

/**
 * Whether pods can be removed and their PodDisruptionBudgets allow it together. Pods that would be
 * created again in the same place cannot: those of DaemonSets, and those of the pod's controller.
 * @param {KubernetesObject[]} pods
 * @param {Question} question
 */
export function areRemovable(pods, question) {
  const isKept = (/** @type {KubernetesObject} */ pod) =>
    pod.metadata.deletionTimestamp || belongsToNode(pod) || question.isSibling(pod);
  if (pods.length > PODS_MAX || pods.some(isKept)) return false;
  return question.list('PodDisruptionBudget').every((budget) => {
    const selector = labelSelectorOf(budget.spec?.selector);
    const concerned = pods.filter(
      ({ metadata }) =>
        metadata.namespace === budget.metadata.namespace && selector.matches(metadata.labels),
    );
    return concerned.length <= Math.max(0, budget.status?.disruptionsAllowed ?? 0);
  });
}

/** @param {KubernetesObject} pod */
export function priorityOf({ spec }) {
  return spec?.priority ?? 0;
}

/** @param {KubernetesObject[]} pods */
export function highestPriority(pods) {
  return pods.reduce((highest, pod) => Math.max(highest, priorityOf(pod)), -Infinity);
}

/**
 * Pods that a culprit names; none if one of its lists may be cut off.
 * @param {Culprit} culprit
 * @returns {string[]}
 */
function namedPods(culprit) {
  const { ports = [], antiAffinity = [], pods: users = [] } = culprit;
  const lists = [users, ...[...ports, ...antiAffinity].map(({ pods }) => pods)];
  if (lists.some(({ length }) => length >= NAMED_MAX)) return [];
  const devices = (culprit.deviceRequests ?? []).flatMap(({ refused, missing }) =>
    refused.flatMap(({ pods = [] }) => pods.slice(0, Math.max(1, missing))),
  );
  return [
    ...new Set([
      ...lists.flat(),
      ...(culprit.existingAntiAffinity ?? []).map(({ pod }) => pod),
      ...devices,
    ]),
  ];
}

/**
 * Returns the fewest pods of the node that free what the pod lacks, of these the least important:
 * exact if one pod suffices, or one resource is short; otherwise the pods that free most.
 * @param {Culprit} culprit of NodeResourcesFit
 * @param {Question} question
 * @returns {KubernetesObject[] | undefined}
 */
function podsFor({ node, resources = [] }, question) {
  const lacks = resources.map(({ resource, missing }) => ({
    resource,
    missing: parseQuantity(missing) ?? 0n,
  }));
  const candidates = question
    .podsOn(node)
    .filter((pod) => areRemovable([pod], question))
    .map((pod) => ({ pod, frees: freedBy(pod) }));
  const byImportance = [...candidates].sort(
    (a, b) => priorityOf(a.pod) - priorityOf(b.pod) || compare(sum(a, lacks), sum(b, lacks)),
  );
  const single = byImportance.find(({ frees }) => isEnough([frees], lacks));
  if (single) return [single.pod];
  const byAmount = [...candidates].sort(
    (a, b) => compare(sum(b, lacks), sum(a, lacks)) || priorityOf(a.pod) - priorityOf(b.pod),
  );
  const chosen = [];
  for (const candidate of byAmount.slice(0, PODS_MAX)) {
    chosen.push(candidate);
    if (
      isEnough(
        chosen.map(({ frees }) => frees),
        lacks,
      )
    )
      return chosen.map(({ pod }) => pod);
  }
  return undefined;
}

/** @typedef {{ resource: string, missing: bigint }[]} Lacks */

/** @param {KubernetesObject} pod @returns {Map<string, bigint>} */
function freedBy({ spec }) {
  return podRequests(spec).set('pods', 1_000_000_000n);
}

/**
 * The freed share of what is missing, in millionths, each resource at most once.
 * @param {{ frees: Map<string, bigint> }} candidate
 * @param {Lacks} lacks
 */
function sum({ frees }, lacks) {
  return lacks.reduce((total, { resource, missing }) => {
    const freed = frees.get(resource) ?? 0n;
    return total + (missing > 0n ? (freed * 1_000_000n) / missing : 0n);
  }, 0n);
}

/** @param {Map<string, bigint>[]} freed @param {Lacks} lacks */
function isEnough(freed, lacks) {
  return lacks.every(
    ({ resource, missing }) =>
      freed.reduce((total, amounts) => total + (amounts.get(resource) ?? 0n), 0n) >= missing,
  );
}

/** @param {bigint} a @param {bigint} b */
function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The pods of a node that have volumes of claims, the least important first: as many as exceed the
 * limit of a driver.
 * @param {Culprit} culprit of NodeVolumeLimits
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function removePodsWithVolumes({ node, limits = [] }, question) {
  const excess = Math.max(...limits.map(({ asked, attached, limit }) => asked + attached - limit));
  const pods = question
    .podsOn(node)
    .filter((pod) => itemsIn(pod.spec.volumes).some((volume) => volume.persistentVolumeClaim))
    .filter((pod) => areRemovable([pod], question))
    .sort((a, b) => priorityOf(a) - priorityOf(b))
    .slice(0, excess);
  return pods.length === excess && areRemovable(pods, question) ? [[removal(pods)]] : [];
}
