import { keyOf } from '../../../src/kubernetes/keys.js';
import { own } from '../../../src/kubernetes/values.js';
import { conditionOf, withCondition } from '../../../src/kubernetes/conditions.js';
import {
  disruptionAllowed,
  expectationOf,
  figuresFor,
} from '../../../src/kubernetes/disruption.js';
import { hasScale, RESOURCES, resourceOf } from '../../../src/kubernetes/kinds.js';
import { labelsOf, selectorFor } from '../label_selector.js';
import { timeOf } from '../../../src/kubernetes/workloads/objects.js';
import { controllerGroup } from '../controller_context.js';
import { isPodReady, isPodTerminating } from '../../../src/kubernetes/workloads/pods.js';
import { batchDelay } from '../status_batch.js';

/**
 * @import { Condition } from '../../../src/kubernetes/conditions.js'
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/** How long an evicted pod that still exists counts as gone: milliseconds. */
const DELETION_TIMEOUT = 120_000;

/** The resources that hold the desired number of pods. */
const SCALES = RESOURCES.filter(hasScale).map(({ plural }) => plural);

/**
 * PodDisruptionBudgets: counts healthy pods and computes the allowed evictions. Counterpart:
 * pkg/controller/disruption/disruption.go, v1.36.
 * @param {{ onError?: (error: unknown, key: string) => void }} [options]
 */
export function disruption(options) {
  return controllerGroup('disruption', [startDisruptionController], options);
}

/** @param {ControllerContext} context */
function startDisruptionController(context) {
  const budgets = context.indexer('poddisruptionbudgets');
  const pods = context.indexer('pods');
  const recorder = context.recorder('controllermanager');
  const byNamespace = (/** @type {KubernetesObject} */ { metadata }) => [metadata.namespace];
  budgets.addIndex('namespace', byNamespace);
  pods.addIndex('namespace', byNamespace);
  const reconciler = context.reconciler((key) => {
    const budget = budgets.get(key);
    const delay = budget && sync(context, recorder, budget);
    if (delay) reconciler.enqueueAfter(key, delay);
  });
  context.onChange('poddisruptionbudgets', (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
  context.onChange('pods', (after, before) => {
    const [pod] = [after ?? before].filter((one) => one !== undefined);
    const { namespace } = pod.metadata;
    const delay = batchDelay(pods.countByIndex('namespace', namespace));
    for (const budget of budgets.byIndex('namespace', namespace)) {
      const selected = selectorFor(budget.spec.selector);
      if ([after, before].some((one) => one && selected.matches(labelsOf(one))))
        reconciler.enqueueAfter(keyOf(budget), delay);
    }
  });
  for (const resource of SCALES)
    context.onChange(resource, (after, before) => {
      if (!after || after.spec.replicas === before?.spec.replicas) return;
      for (const budget of budgets.byIndex('namespace', after.metadata.namespace))
        reconciler.enqueue(keyOf(budget));
    });
}

/**
 * @param {ControllerContext} context
 * @param {EventRecorder} recorder
 * @param {KubernetesObject} budget
 * @returns {number | null} milliseconds until an evicted pod counts again
 */
function sync(context, recorder, budget) {
  const selected = selectorFor(budget.spec.selector);
  const pods = context
    .indexer('pods')
    .byIndex('namespace', budget.metadata.namespace)
    .filter((pod) => selected.matches(labelsOf(pod)));
  if (pods.length === 0) recorder.event(budget, 'Normal', 'NoPods', 'No matching pods found');
  const expectation = expectationOf(budget, pods, (owner) => {
    const resource = resourceOf(owner);
    return resource && context.indexer(resource.plural).get(`${owner.namespace}/${owner.name}`);
  });
  if (expectation.fault !== undefined) {
    failSafe(context, recorder, budget, expectation.fault);
    return null;
  }
  const now = context.clock.now();
  const { disruptedPods, recheckAt } = stillDisrupted(budget, pods, now);
  const healthy = pods.filter(
    (pod) => !isPodTerminating(pod) && !(pod.metadata.name in disruptedPods) && isPodReady(pod),
  );
  const { disruptedPods: _, ...status } = budget.status ?? {};
  const figures = figuresFor(budget, expectation, healthy.length);
  const condition = disruptionAllowed(figures.disruptionsAllowed);
  const { generation } = budget.metadata;
  context.updateStatus('poddisruptionbudgets', budget, {
    ...status,
    observedGeneration: generation,
    ...(Object.keys(disruptedPods).length > 0 && { disruptedPods }),
    ...figures,
    conditions: conditionsWith(context, budget, { ...condition, observedGeneration: generation }),
  });
  return recheckAt === Infinity ? null : recheckAt - now;
}

/**
 * Allows no disruption; all other figures stay.
 * @param {ControllerContext} context
 * @param {EventRecorder} recorder
 * @param {KubernetesObject} budget
 * @param {string} fault
 */
function failSafe(context, recorder, budget, fault) {
  const message = `Failed to calculate the number of expected pods: ${fault}`;
  recorder.event(budget, 'Warning', 'CalculateExpectedPodCountFailed', message);
  const { status = {} } = budget;
  const { observedGeneration } = status;
  const condition = {
    ...disruptionAllowed(0, fault),
    ...(observedGeneration && { observedGeneration }),
  };
  context.updateStatus('poddisruptionbudgets', budget, {
    ...status,
    ...figuresFor(budget, { fault }, 0),
    conditions: conditionsWith(context, budget, condition),
  });
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} budget
 * @param {Condition} condition
 */
function conditionsWith({ timestamp }, { status }, condition) {
  const known = conditionOf(status, condition.type);
  const isSame = known?.status === condition.status;
  return withCondition(status?.conditions, {
    ...condition,
    lastTransitionTime: isSame ? known?.lastTransitionTime : timestamp,
  });
}

/**
 * Returns pods whose eviction was granted but not completed.
 * @param {KubernetesObject} budget
 * @param {KubernetesObject[]} pods
 * @param {number} now
 */
function stillDisrupted({ status }, pods, now) {
  /** @type {Record<string, string>} */
  const disruptedPods = Object.create(null);
  let recheckAt = Infinity;
  for (const { metadata } of pods) {
    const since = own(status?.disruptedPods, metadata.name);
    if (!since || metadata.deletionTimestamp) continue;
    const until = (timeOf(since) ?? 0) + DELETION_TIMEOUT;
    if (until <= now) continue;
    disruptedPods[metadata.name] = since;
    recheckAt = Math.min(recheckAt, until);
  }
  return { disruptedPods, recheckAt };
}
