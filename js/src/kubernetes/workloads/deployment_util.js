import { LAST_APPLIED } from '../last_applied.js';
import { POD_TEMPLATE_HASH } from './template_pods.js';
import { semanticEqual, scaledValue, timeOf } from './objects.js';

/**
 * The annotations and counts that connect a Deployment with its ReplicaSets. Counterpart:
 * pkg/controller/deployment/util/deployment_util.go, v1.36.
 */

/** @import { KubernetesObject } from '../types.js' */

export const REVISION = 'deployment.kubernetes.io/revision';
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED_REPLICAS = 'deployment.kubernetes.io/desired-replicas';
const MAX_REPLICAS = 'deployment.kubernetes.io/max-replicas';

/** Annotations of a Deployment that are not copied to its ReplicaSets. */
const NOT_COPIED = new Set([
  LAST_APPLIED,
  REVISION,
  REVISION_HISTORY,
  DESIRED_REPLICAS,
  MAX_REPLICAS,
  'deprecated.deployment.rollback.to',
]);

/** This number of seconds means no progress deadline. */
const NO_DEADLINE = 2 ** 31 - 1;

/** The maximum length of a ReplicaSet's list of former revisions: characters. */
const REVISION_HISTORY_MAX = 2000;

/** @param {KubernetesObject} workload */
export function replicasOf({ spec }) {
  return spec.replicas ?? 1;
}

/** @param {KubernetesObject[]} sets */
export function sumOfReplicas(sets) {
  return sets.reduce((sum, set) => sum + replicasOf(set), 0);
}

/**
 * @param {KubernetesObject[]} sets
 * @param {string} field of their status
 */
export function sumOfStatus(sets, field) {
  return sets.reduce((sum, { status }) => sum + (status?.[field] ?? 0), 0);
}

/** @param {KubernetesObject} deployment */
export function isRollingUpdate({ spec }) {
  return (spec.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
}

/**
 * Returns maxSurge and maxUnavailable as numbers. At least one of them is positive.
 * @param {KubernetesObject} deployment
 */
function fencepostsOf(deployment) {
  const { maxSurge = '25%', maxUnavailable = '25%' } =
    deployment.spec.strategy?.rollingUpdate ?? {};
  const replicas = replicasOf(deployment);
  const surge = scaledValue(maxSurge, replicas, true);
  const unavailable = scaledValue(maxUnavailable, replicas, false);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** @param {KubernetesObject} deployment */
export function maxSurgeOf(deployment) {
  return isRollingUpdate(deployment) ? fencepostsOf(deployment).surge : 0;
}

/** @param {KubernetesObject} deployment */
export function maxUnavailableOf(deployment) {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment) || replicas === 0) return 0;
  return Math.min(fencepostsOf(deployment).unavailable, replicas);
}

/** @param {KubernetesObject} deployment */
export function hasProgressDeadline({ spec }) {
  return (spec.progressDeadlineSeconds ?? 600) !== NO_DEADLINE;
}

/** @param {KubernetesObject} set */
export function revisionOf({ metadata }) {
  return Number.parseInt(metadata.annotations?.[REVISION] ?? '0', 10) || 0;
}

/**
 * Returns the ReplicaSet of the Deployment's template: of several the oldest.
 * @param {KubernetesObject} deployment
 * @param {KubernetesObject[]} sets
 */
export function findNewReplicaSet(deployment, sets) {
  return sets
    .toSorted(byCreation)
    .find((set) => equalIgnoringHash(set.spec.template, deployment.spec.template));
}

/**
 * @param {any} left a PodTemplateSpec
 * @param {any} right
 */
export function equalIgnoringHash(left, right) {
  return semanticEqual(withoutHash(left), withoutHash(right));
}

/** @param {any} template */
function withoutHash({ metadata, spec }) {
  const { [POD_TEMPLATE_HASH]: _, ...labels } = metadata?.labels ?? {};
  return { metadata: { ...metadata, labels }, spec };
}

/** @param {KubernetesObject[]} sets */
export function activeOf(sets) {
  return sets.filter((set) => replicasOf(set) > 0);
}

/**
 * Sorts by age, the oldest first, then by name.
 * @param {KubernetesObject} left
 * @param {KubernetesObject} right
 */
export function byCreation({ metadata: left }, { metadata: right }) {
  const [a, b] = [timeOf(left.creationTimestamp) ?? 0, timeOf(right.creationTimestamp) ?? 0];
  return a - b || (left.name < right.name ? -1 : 1);
}

/**
 * Returns the replicas that the new ReplicaSet may have while old ones still have pods.
 * @param {KubernetesObject} deployment
 * @param {KubernetesObject[]} sets all ReplicaSets
 * @param {number} current its present replicas
 */
export function newReplicasOf(deployment, sets, current) {
  const replicas = replicasOf(deployment);
  if (!isRollingUpdate(deployment)) return replicas;
  const room = replicas + maxSurgeOf(deployment) - sumOfReplicas(sets);
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}

/**
 * Whether the ReplicaSet has all replicas of the Deployment, and they are available.
 * @param {KubernetesObject} deployment
 * @param {KubernetesObject | undefined} set
 */
export function isSaturated(deployment, set) {
  if (set === undefined) return false;
  const replicas = replicasOf(deployment);
  const desired = Number(set.metadata.annotations?.[DESIRED_REPLICAS]);
  const isAvailable = (set.status?.availableReplicas ?? 0) === replicas;
  return replicasOf(set) === replicas && desired === replicas && isAvailable;
}

/**
 * Returns the annotations with the Deployment's size.
 * @param {Record<string, string> | undefined} annotations
 * @param {KubernetesObject} deployment
 * @returns {Record<string, string>}
 */
export function withSizes(annotations, deployment) {
  const desired = replicasOf(deployment);
  return {
    ...annotations,
    [DESIRED_REPLICAS]: String(desired),
    [MAX_REPLICAS]: String(desired + maxSurgeOf(deployment)),
  };
}

/** @param {KubernetesObject} set @returns {number | undefined} */
export function desiredReplicasOf({ metadata }) {
  const text = metadata.annotations?.[DESIRED_REPLICAS];
  return text === undefined ? undefined : Number(text);
}

/** @param {KubernetesObject} set @returns {number} 0 if the annotation is missing */
export function maxReplicasOf({ metadata }) {
  return Number(metadata.annotations?.[MAX_REPLICAS] ?? 0) || 0;
}

/**
 * Returns the annotations of the new ReplicaSet: the Deployment's, its revision, and its previous
 * ones.
 * @param {Record<string, string>} annotations of the ReplicaSet
 * @param {KubernetesObject} deployment
 * @param {{ revision: number, exists: boolean }} place
 */
export function newAnnotations(annotations, deployment, { revision, exists }) {
  const copied = Object.fromEntries(
    Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !NOT_COPIED.has(key)),
  );
  const old = Number.parseInt(annotations[REVISION] ?? '0', 10) || 0;
  const set = /** @type {Record<string, string>} */ ({ ...annotations, ...copied });
  if (old >= revision) return exists ? set : withSizes(set, deployment);
  set[REVISION] = String(revision);
  if (old > 0) set[REVISION_HISTORY] = historyWith(annotations[REVISION_HISTORY], old);
  return exists ? set : withSizes(set, deployment);
}

/**
 * @param {string | undefined} history
 * @param {number} revision
 */
function historyWith(history, revision) {
  const revisions = [...(history ? history.split(',') : []), String(revision)];
  while (revisions.length > 1 && revisions.join(',').length > REVISION_HISTORY_MAX)
    revisions.shift();
  return revisions.join(',');
}
