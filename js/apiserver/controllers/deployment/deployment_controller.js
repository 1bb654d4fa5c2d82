import { keyOf } from '../../../src/kubernetes/keys.js';
import {
  claimObjects,
  CONTROLLER_UID,
  indexByController,
  resolveController,
  watchDependents,
} from '../controller_ref.js';
import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { selectsEverything } from '../label_selector.js';
import { isScalingEvent } from '../../../src/kubernetes/workloads/deployment_scaling.js';
import {
  hasProgressDeadline,
  replicasOf,
  revisionOf,
} from '../../../src/kubernetes/workloads/deployment_util.js';
import {
  currentStatus,
  isDeploymentComplete,
  rolloutStatus,
  setDeploymentCondition,
  stuckDelay,
} from './progress.js';
import { scaleDownForRecreate, scaleUpForRecreate } from './recreate.js';
import { rollingStep } from './rolling.js';
import { partition, syncRevision } from './rollout.js';
import { scale } from './scaling.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { Rollout } from './rollout.js'
 */

const CONTROLLER = 'deployment-controller';
const HISTORY_LIMIT = 10;

/**
 * Deployments: keeps a ReplicaSet for each of their templates, and scales them so that pods of the
 * newest replace the others. Counterpart: pkg/controller/deployment/deployment_controller.go,
 * v1.36.
 * @param {ControllerContext} context
 */
export function startDeploymentController(context) {
  const deployments = context.indexer('deployments');
  const sets = context.indexer('replicasets');
  const pods = context.indexer('pods');
  const recorder = context.recorder(CONTROLLER);
  indexByController(pods);
  const reconciler = context.reconciler((key) => {
    const deployment = deployments.get(key);
    if (!deployment) return;
    const after = sync({ context, recorder, deployment, ...NO_SETS, podsOf });
    const delay = after && stuckDelay(after, context.clock.now());
    if (delay) reconciler.enqueueAfter(key, delay);
  });
  /** @param {KubernetesObject} set */
  function podsOf(set) {
    return pods.byIndex(CONTROLLER_UID, set.metadata.uid);
  }
  context.onChange('deployments', (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
  watchDependents(context, {
    resource: 'replicasets',
    owners: 'deployments',
    kind: 'Deployment',
    notify: (deployment) => reconciler.enqueue(keyOf(deployment)),
  });
  // The strategy Recreate waits for the deletion of the last pod.
  context.onChange('pods', (after, before) => {
    if (after || !before) return;
    const set = resolveController(before, { kind: 'ReplicaSet', indexer: sets });
    const owner = set && resolveController(set, { kind: 'Deployment', indexer: deployments });
    if (owner?.spec.strategy?.type === 'Recreate') reconciler.enqueue(keyOf(owner));
  });
}

const NO_SETS = { newSet: undefined, old: [], all: [] };

/**
 * @param {Rollout} blank without its ReplicaSets
 * @returns {KubernetesObject | undefined} the Deployment after the sync
 */
function sync(blank) {
  const { context, deployment: given } = blank;
  if (selectsEverything(given.spec.selector)) {
    const status = { ...given.status, observedGeneration: given.metadata.generation };
    context.updateStatus('deployments', given, status);
    return undefined;
  }
  const sets = claimObjects(context, {
    owner: given,
    resource: 'replicasets',
    selector: given.spec.selector,
  });
  const rollout = { ...blank, ...partition(given, sets) };
  if (given.metadata.deletionTimestamp) return writeStatus(rollout, currentStatus);
  const deployment = checkPaused(rollout);
  const checked = { ...rollout, deployment };
  if (deployment.spec.paused || isScalingEvent(deployment, checked.all)) return syncSizes(checked);
  return deployment.spec.strategy?.type === 'Recreate' ? recreate(checked) : roll(checked);
}

/** @param {Rollout} rollout */
function syncSizes(rollout) {
  const known = syncRevision(rollout, { create: false });
  scale(known);
  if (known.deployment.spec.paused) cleanUp(known);
  return writeStatus(refreshed(known), currentStatus);
}

/** @param {Rollout} rollout */
function roll(rollout) {
  const known = syncRevision(rollout, { create: true });
  rollingStep(known);
  return finish(known);
}

/** @param {Rollout} rollout */
function recreate(rollout) {
  const known = syncRevision(rollout, { create: false });
  if (scaleDownForRecreate(known)) return writeStatus(refreshed(known), rolloutStatus);
  const created = syncRevision(known, { create: true });
  scaleUpForRecreate(created);
  return finish(created);
}

/** @param {Rollout} rollout */
function finish(rollout) {
  if (isDeploymentComplete(rollout.deployment, rollout.deployment.status)) cleanUp(rollout);
  return writeStatus(refreshed(rollout), rolloutStatus);
}

/**
 * Returns the rollout with the ReplicaSets after scaling.
 * @param {Rollout} rollout
 * @returns {Rollout}
 */
function refreshed(rollout) {
  const indexer = rollout.context.indexer('replicasets');
  const all = rollout.all.flatMap((set) => indexer.get(keyOf(set)) ?? []);
  return { ...rollout, ...partition(rollout.deployment, all) };
}

/**
 * @param {Rollout} rollout
 * @param {(rollout: Rollout) => Record<string, any>} statusOf
 */
function writeStatus(rollout, statusOf) {
  const { context, deployment } = rollout;
  return context.updateStatus('deployments', deployment, statusOf(rollout));
}

/**
 * The progress of a paused Deployment is not tracked.
 * @param {Rollout} rollout
 * @returns {KubernetesObject}
 */
function checkPaused({ context, deployment }) {
  if (!hasProgressDeadline(deployment)) return deployment;
  const current = conditionOf(deployment.status, 'Progressing');
  if (current?.reason === 'ProgressDeadlineExceeded') return deployment;
  const isReported = current?.reason === 'DeploymentPaused';
  const { paused = false } = deployment.spec;
  if (paused === isReported) return deployment;
  const said = paused
    ? { reason: 'DeploymentPaused', message: 'Deployment is paused' }
    : { reason: 'DeploymentResumed', message: 'Deployment is resumed' };
  const condition = { type: 'Progressing', status: 'Unknown', ...said };
  const { conditions } = deployment.status ?? {};
  return context.updateStatus('deployments', deployment, {
    ...deployment.status,
    conditions: setDeploymentCondition(conditions, condition, context.timestamp),
  });
}

/**
 * Deletes the oldest ReplicaSets without pods beyond the revision history limit.
 * @param {Rollout} rollout
 */
function cleanUp({ context, deployment, old }) {
  const alive = old.filter(({ metadata }) => !metadata.deletionTimestamp);
  const surplus = alive.length - (deployment.spec.revisionHistoryLimit ?? HISTORY_LIMIT);
  if (surplus <= 0) return;
  const oldest = alive.toSorted((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus);
  for (const set of oldest) {
    const { replicas = 0, observedGeneration = 0 } = set.status ?? {};
    const isEmpty = replicas === 0 && replicasOf(set) === 0;
    if (isEmpty && (set.metadata.generation ?? 0) <= observedGeneration)
      context.delete('replicasets', set);
  }
}
