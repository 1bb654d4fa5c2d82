import { keyOf } from '../../../src/kubernetes/keys.js';
import {
  claimObjects,
  CONTROLLER_UID,
  controllerOf,
  indexByController,
  watchDependents,
} from '../controller_ref.js';
import {
  conditionOf,
  withCondition,
  withoutCondition,
} from '../../../src/kubernetes/conditions.js';
import { ranksByNode, sortForDeletion } from '../../../src/kubernetes/workloads/active_pods.js';
import { isNamespaceTerminating } from '../api_errors.js';
import { labelsOf, selectorFor } from '../label_selector.js';
import { withoutZeros } from '../../../src/kubernetes/workloads/objects.js';
import {
  isPodActive,
  isPodAvailable,
  isPodFinished,
  isPodReady,
  isPodTerminating,
} from '../../../src/kubernetes/workloads/pods.js';
import { podFromTemplate } from '../../../src/kubernetes/workloads/template_pods.js';
import { batchDelay } from '../status_batch.js';

/**
 * ReplicaSets and ReplicationControllers: keeps the desired number of pods. Counterpart:
 * pkg/controller/replicaset/replica_set.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 */

/** The maximum number of pods that one sync creates or deletes. */
const BURST_REPLICAS = 500;

/**
 * The differences of the two kinds.
 * @typedef {object} Flavor
 * @property {string} resource
 * @property {string} kind
 * @property {string} component the controller's name in events
 * @property {(spec: any) => any} selectorOf the LabelSelector
 */

/** @type {Flavor} */
const REPLICA_SET = {
  resource: 'replicasets',
  kind: 'ReplicaSet',
  component: 'replicaset-controller',
  selectorOf: ({ selector }) => selector,
};

/** @type {WeakMap<object, object>} */
const selectors = new WeakMap();

/** @type {Flavor} */
const REPLICATION_CONTROLLER = {
  resource: 'replicationcontrollers',
  kind: 'ReplicationController',
  component: 'replication-controller',
  selectorOf: ({ selector }) => {
    if (!selector) return undefined;
    const known = selectors.get(selector);
    if (known) return known;
    const made = { matchLabels: selector };
    selectors.set(selector, made);
    return made;
  },
};

/** @param {ControllerContext} context */
export function startReplicaSetController(context) {
  start(context, REPLICA_SET);
}

/** @param {ControllerContext} context */
export function startReplicationController(context) {
  start(context, REPLICATION_CONTROLLER);
}

/**
 * @param {ControllerContext} context
 * @param {Flavor} flavor
 */
function start(context, flavor) {
  const { resource, kind, component, selectorOf } = flavor;
  const sets = context.indexer(resource);
  const pods = context.indexer('pods');
  const recorder = context.recorder(component);
  indexByController(sets);
  const reconciler = context.reconciler((key) => {
    const set = sets.get(key);
    if (!set) return;
    const delay = sync({ context, recorder, flavor }, set);
    if (delay) reconciler.enqueueAfter(key, delay);
  });
  context.onChange(resource, (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
  watchDependents(context, {
    resource: 'pods',
    owners: resource,
    kind,
    selectorOf: ({ spec }) => selectorOf(spec),
    notify(set, after, before) {
      const isUrgent = !after || !before || isPodActive(after) !== isPodActive(before);
      const count = pods.countByIndex(CONTROLLER_UID, set.metadata.uid);
      reconciler.enqueueAfter(keyOf(set), isUrgent ? 0 : batchDelay(count));
    },
  });
}

/**
 * @param {{ context: ControllerContext, recorder: EventRecorder, flavor: Flavor }} controller
 * @param {KubernetesObject} set
 * @returns {number | undefined} milliseconds until further pods become available
 */
function sync(controller, set) {
  const { context, flavor } = controller;
  const claim = () =>
    claimObjects(context, {
      owner: set,
      resource: 'pods',
      selector: flavor.selectorOf(set.spec),
      isMeant: (pod) => !isPodFinished(pod),
    });
  const claimed = claim();
  const active = claimed.filter(isPodActive);
  const failure = set.metadata.deletionTimestamp
    ? undefined
    : manageReplicas(controller, set, active);
  const status = statusOf(context, set, { pods: claimed, failure });
  const updated = context.updateStatus(flavor.resource, set, status);
  if (failure) throw failure.error;
  const { minReadySeconds = 0, replicas = 1 } = updated.spec;
  const isWaiting =
    minReadySeconds > 0 &&
    status.readyReplicas === replicas &&
    status.availableReplicas !== replicas;
  return isWaiting ? minReadySeconds * 1000 : undefined;
}

/** @typedef {{ reason: string, error: any }} Failure */

/**
 * @param {{ context: ControllerContext, recorder: EventRecorder, flavor: Flavor }} controller
 * @param {KubernetesObject} set
 * @param {KubernetesObject[]} active
 * @returns {Failure | undefined}
 */
function manageReplicas({ context, recorder, flavor }, set, active) {
  const diff = active.length - (set.spec.replicas ?? 1);
  if (diff < 0) return createPods({ context, recorder }, set, Math.min(-diff, BURST_REPLICAS));
  if (diff === 0) return undefined;
  const ranks = ranksByNode(relatedPods(context, flavor, set));
  const sorted = sortForDeletion(active, context.clock.now(), ranks);
  for (const pod of sorted.slice(0, Math.min(diff, BURST_REPLICAS))) {
    context.delete('pods', pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    recorder.event(set, 'Normal', 'SuccessfulDelete', message);
  }
  return undefined;
}

/**
 * @param {{ context: ControllerContext, recorder: EventRecorder }} controller
 * @param {KubernetesObject} set
 * @param {number} count
 * @returns {Failure | undefined}
 */
function createPods({ context, recorder }, set, count) {
  for (let number = 0; number < count; number += 1) {
    try {
      const pod = context.store.create('pods', podFromTemplate(set.spec.template, set));
      const message = `Created pod: ${pod.metadata.name}`;
      recorder.event(set, 'Normal', 'SuccessfulCreate', message);
    } catch (error) {
      if (isNamespaceTerminating(error)) return undefined;
      const { message } = /** @type {Error} */ (error);
      recorder.event(set, 'Warning', 'FailedCreate', `Error creating: ${message}`);
      return { reason: 'FailedCreate', error };
    }
  }
  return undefined;
}

/**
 * Returns pods of the sets with the same owner, such as those of one Deployment.
 * @param {ControllerContext} context
 * @param {Flavor} flavor
 * @param {KubernetesObject} set
 */
function relatedPods(context, { resource }, set) {
  const owner = controllerOf(set);
  const sets = owner ? context.indexer(resource).byIndex(CONTROLLER_UID, owner.uid) : [set];
  const pods = context.indexer('pods');
  return sets.flatMap(({ metadata }) =>
    pods.byIndex(CONTROLLER_UID, metadata.uid).filter(isPodActive),
  );
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} set
 * @param {{ pods: KubernetesObject[], failure?: Failure }} state
 */
function statusOf({ clock, timestamp, countsTerminating }, set, { pods, failure }) {
  const { minReadySeconds = 0, template } = set.spec;
  const now = clock.now();
  const full = selectorFor({ matchLabels: template?.metadata?.labels ?? {} });
  const active = pods.filter(isPodActive);
  let conditions = set.status?.conditions;
  const known = conditionOf(set.status, 'ReplicaFailure');
  if (failure && !known) {
    const { reason, error } = failure;
    const said = { status: 'True', lastTransitionTime: timestamp, reason, message: error.message };
    conditions = withCondition(conditions, { type: 'ReplicaFailure', ...said });
  } else if (!failure && known) conditions = withoutCondition(conditions, 'ReplicaFailure');
  return withoutZeros(
    {
      replicas: active.length,
      fullyLabeledReplicas: active.filter((pod) => full.matches(labelsOf(pod))).length,
      readyReplicas: active.filter(isPodReady).length,
      availableReplicas: active.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
      terminatingReplicas: countsTerminating ? pods.filter(isPodTerminating).length : undefined,
      observedGeneration: set.metadata.generation,
      ...(conditions?.length && { conditions }),
    },
    ['replicas', 'terminatingReplicas'],
  );
}
