import {
  conditionOf,
  withCondition,
  withoutCondition,
} from '../../../src/kubernetes/conditions.js';
import { timeOf, withoutZeros } from '../../../src/kubernetes/workloads/objects.js';
import {
  hasProgressDeadline,
  maxUnavailableOf,
  replicasOf,
  sumOfReplicas,
  sumOfStatus,
} from '../../../src/kubernetes/workloads/deployment_util.js';

/**
 * The status of a Deployment: its counts, availability and progress. Counterparts:
 * pkg/controller/deployment/{progress,sync}.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { Condition } from '../../../src/kubernetes/conditions.js'
 * @import { Rollout } from './rollout.js'
 */

/** Counts that are written even if they are 0. */
const KEPT = ['terminatingReplicas'];

/**
 * Returns the status according to the ReplicaSets, with its conditions.
 * @param {Rollout} rollout
 * @returns {Record<string, any>}
 */
export function rolloutStatus(rollout) {
  const status = calculateStatus(rollout);
  const { deployment } = rollout;
  const current = conditionOf(deployment.status, 'Progressing');
  const isComplete =
    status.replicas === status.updatedReplicas && current?.reason === 'NewReplicaSetAvailable';
  if (!hasProgressDeadline(deployment))
    status.conditions = withoutCondition(status.conditions, 'Progressing');
  else if (!isComplete) status.conditions = progressConditions(rollout, status);
  status.conditions = failureConditions(rollout, status.conditions);
  return withoutZeros(status, KEPT);
}

/**
 * Returns counts and availability only, for a Deployment that is paused, scaled or deleted.
 * @param {Rollout} rollout
 */
export function currentStatus(rollout) {
  return withoutZeros(calculateStatus(rollout), KEPT);
}

/**
 * Sets a condition. If its status is unchanged, the transition time stays; if status and reason
 * are, so does the whole condition.
 * @param {Condition[] | undefined} conditions
 * @param {{ type: string, status: string, reason: string, message: string }} said
 * @param {string} now
 */
export function setDeploymentCondition(conditions, said, now) {
  const known = conditions?.find(({ type }) => type === said.type);
  if (known?.status === said.status && known.reason === said.reason) return conditions ?? [];
  const transition = known?.status === said.status ? known.lastTransitionTime : now;
  const { type, status, reason, message } = said;
  return withCondition(withoutCondition(conditions, type), {
    type,
    status,
    lastUpdateTime: now,
    lastTransitionTime: transition,
    reason,
    message,
  });
}

/**
 * Returns when the rollout has to be checked for a timeout.
 * @param {KubernetesObject} deployment with its new status
 * @param {number} now
 * @returns {number | null} milliseconds from now
 */
export function stuckDelay(deployment, now) {
  const { spec, status } = deployment;
  const current = conditionOf(status, 'Progressing');
  if (!hasProgressDeadline(deployment) || !current) return null;
  const isSettled = isDeploymentComplete(deployment, status) || isTimedOutReason(current.reason);
  if (isSettled) return null;
  const since = timeOf(current.lastUpdateTime) ?? now;
  const left = since + (spec.progressDeadlineSeconds ?? 600) * 1000 - now;
  // The deadline has to be exceeded, not just reached.
  return left >= 0 ? left + 1000 : null;
}

/**
 * @param {KubernetesObject} deployment
 * @param {any} status
 */
export function isDeploymentComplete(deployment, status = {}) {
  const wanted = replicasOf(deployment);
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status;
  return (
    [replicas, updatedReplicas, availableReplicas].every((count) => count === wanted) &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

/** @param {Rollout} rollout @returns {Record<string, any>} */
function calculateStatus({ deployment, newSet, all, context }) {
  const { timestamp } = context;
  const available = sumOfStatus(all, 'availableReplicas');
  const replicas = sumOfStatus(all, 'replicas');
  const { collisionCount, conditions } = deployment.status ?? {};
  const isAvailable = available >= replicasOf(deployment) - maxUnavailableOf(deployment);
  const availability = isAvailable
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      };
  return {
    observedGeneration: deployment.metadata.generation,
    replicas,
    updatedReplicas: newSet ? sumOfStatus([newSet], 'replicas') : 0,
    readyReplicas: sumOfStatus(all, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sumOfReplicas(all) - available),
    ...(context.countsTerminating && {
      terminatingReplicas: sumOfStatus(all, 'terminatingReplicas'),
    }),
    collisionCount,
    conditions: setDeploymentCondition(conditions, availability, timestamp),
  };
}

/**
 * @param {Rollout} rollout
 * @param {Record<string, any>} status the new one
 */
function progressConditions({ deployment, newSet, context }, status) {
  const { timestamp, clock } = context;
  const what = newSet
    ? `ReplicaSet "${newSet.metadata.name}"`
    : `Deployment "${deployment.metadata.name}"`;
  const current = conditionOf(deployment.status, 'Progressing');
  const { conditions } = status;
  /** @type {(said: Pick<Condition, 'status' | 'reason' | 'message'>) => any} */
  const progressing = (said) => ({ type: 'Progressing', ...said });
  if (isDeploymentComplete(deployment, status)) {
    const message = `${what} has successfully progressed.`;
    const said = progressing({ status: 'True', reason: 'NewReplicaSetAvailable', message });
    return setDeploymentCondition(conditions, said, timestamp);
  }
  if (isProgressing(deployment.status ?? {}, status)) {
    const said = progressing({
      status: 'True',
      reason: 'ReplicaSetUpdated',
      message: `${what} is progressing.`,
    });
    // Progress restarts the deadline, even if the message stays the same.
    const transition = current?.status === 'True' ? current.lastTransitionTime : timestamp;
    return withCondition(withoutCondition(conditions, 'Progressing'), {
      type: said.type,
      status: said.status,
      lastUpdateTime: timestamp,
      lastTransitionTime: transition,
      reason: said.reason,
      message: said.message,
    });
  }
  if (isTimedOut(deployment, clock.now())) {
    const message = `${what} has timed out progressing.`;
    const said = progressing({ status: 'False', reason: 'ProgressDeadlineExceeded', message });
    return setDeploymentCondition(conditions, said, timestamp);
  }
  return conditions;
}

/**
 * @param {any} before
 * @param {any} after
 */
function isProgressing(before, after) {
  const old = ({ replicas = 0, updatedReplicas = 0 }) => replicas - updatedReplicas;
  const { updatedReplicas = 0, readyReplicas = 0, availableReplicas = 0 } = before;
  return (
    after.updatedReplicas > updatedReplicas ||
    old(after) < old(before) ||
    after.readyReplicas > readyReplicas ||
    after.availableReplicas > availableReplicas
  );
}

/**
 * @param {KubernetesObject} deployment
 * @param {number} now
 */
function isTimedOut({ spec, status }, now) {
  const current = conditionOf(status, 'Progressing');
  if (!current || current.reason === 'NewReplicaSetAvailable') return false;
  if (isTimedOutReason(current.reason)) return true;
  const since = timeOf(current.lastUpdateTime) ?? now;
  return since + (spec.progressDeadlineSeconds ?? 600) * 1000 < now;
}

/** @param {string | undefined} reason */
function isTimedOutReason(reason) {
  return reason === 'ProgressDeadlineExceeded';
}

/**
 * A failure of the new ReplicaSet to create pods becomes the Deployment's; otherwise an old one's.
 * @param {Rollout} rollout
 * @param {Condition[]} conditions
 */
function failureConditions({ newSet, all, context: { timestamp } }, conditions) {
  const others = all.filter((set) => set !== newSet);
  const failed = [...(newSet ? [newSet] : []), ...others]
    .map(({ status }) => conditionOf(status, 'ReplicaFailure'))
    .find((condition) => condition?.status === 'True');
  if (!failed) return withoutCondition(conditions, 'ReplicaFailure');
  const { type, status, reason = '', message = '' } = failed;
  return setDeploymentCondition(conditions, { type, status, reason, message }, timestamp);
}
