import { keyOf } from '../../../src/kubernetes/keys.js';
import { claimObjects, CONTROLLER_UID, watchDependents } from '../controller_ref.js';
import { targetNodeOf } from '../../../src/kubernetes/workloads/daemon_pods.js';
import { daemonPod, REVISION_LABEL } from '../../../src/kubernetes/workloads/template_pods.js';
import { revisionsOf, syncRevision, truncateHistory } from '../history/controller_history.js';
import { selectsEverything } from '../label_selector.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';
import { isPodActive } from '../../../src/kubernetes/workloads/pods.js';
import { batchDelay } from '../status_batch.js';
import {
  BURST_REPLICAS,
  DaemonBackoff,
  planNodes,
} from '../../../src/kubernetes/workloads/daemon_plan.js';
import { statusOf } from './daemon_status.js';
import { planUpdate } from '../../../src/kubernetes/workloads/daemon_update.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 * @import { EventRecorder } from '../event_recorder.js'
 * @import { DaemonState, NodePlan } from '../../../src/kubernetes/workloads/daemon_plan.js'
 */

const CONTROLLER = 'daemonset-controller';
const HISTORY_LIMIT = 10;

/**
 * DaemonSets: creates a pod for each matching node; the scheduler places it there. Counterpart:
 * pkg/controller/daemon/daemon_controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startDaemonSetController(context) {
  const sets = context.indexer('daemonsets');
  const pods = context.indexer('pods');
  const recorder = context.recorder(CONTROLLER);
  const backoff = new DaemonBackoff(context.clock);
  const reconciler = context.reconciler((key) => {
    const set = sets.get(key);
    if (!set) return;
    const delay = sync({ context, recorder, backoff }, set);
    if (delay) reconciler.enqueueAfter(key, delay);
  });
  context.onChange('daemonsets', (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
  context.onChange('nodes', (after, before) => {
    if (!after || !before || !looksTheSame(after, before))
      for (const set of sets.list()) reconciler.enqueue(keyOf(set));
  });
  for (const resource of ['pods', 'controllerrevisions'])
    watchDependents(context, {
      resource,
      owners: 'daemonsets',
      kind: 'DaemonSet',
      notify(set, after, before) {
        const isUrgent = !after || !before || isPodActive(after) !== isPodActive(before);
        const count = pods.countByIndex(CONTROLLER_UID, set.metadata.uid);
        reconciler.enqueueAfter(keyOf(set), isUrgent ? 0 : batchDelay(count));
      },
    });
}

/**
 * Whether the change of a node cannot affect which pods match it.
 * @param {KubernetesObject} after
 * @param {KubernetesObject} before
 */
function looksTheSame(after, before) {
  return (
    semanticEqual(after.metadata.labels, before.metadata.labels) &&
    semanticEqual(after.spec?.taints, before.spec?.taints)
  );
}

/**
 * @param {{ context: ControllerContext, recorder: EventRecorder, backoff: DaemonBackoff }}
 *   controller
 * @param {KubernetesObject} set
 * @returns {number | null} milliseconds until the next sync
 */
function sync({ context, recorder, backoff }, set) {
  if (set.metadata.deletionTimestamp) return null;
  if (selectsEverything(set.spec.selector)) {
    const message = 'This daemon set is selecting all pods. A non-empty selector is required.';
    recorder.event(set, 'Warning', 'SelectingAll', message);
    return null;
  }
  const history = syncRevision(context, set, {
    revisions: revisionsOf(context, set),
    label: REVISION_LABEL,
    knownHash: knownHashOf(context, set),
  });
  const hash = history.revision.metadata.labels[REVISION_LABEL];
  const state = stateOf(context, set, hash);
  const plan = planNodes(state, { recorder, backoff });
  carryOut(context, recorder, state, plan);
  if (set.spec.updateStrategy?.type !== 'OnDelete' && isSettled(plan)) {
    const later = stateOf(context, set, hash);
    carryOut(context, recorder, later, planUpdate(later));
  }
  const last = stateOf(context, set, hash);
  const status = statusOf(last, history.collisionCount);
  context.updateStatus('daemonsets', set, status);
  cleanUpHistory(context, last);
  return delayOf(last, status, plan.retryAfter);
}

/**
 * Returns the hash that all pods of the set have, if the status says that all are up to date.
 * @param {ControllerContext} context
 * @param {KubernetesObject} set
 * @returns {string | undefined}
 */
function knownHashOf(context, { metadata, status }) {
  if (status?.observedGeneration !== metadata.generation) return undefined;
  const pods = context.indexer('pods').byIndex(CONTROLLER_UID, metadata.uid);
  const hashes = new Set(pods.map((pod) => pod.metadata.labels?.[REVISION_LABEL]));
  const [hash] = hashes;
  return hashes.size === 1 ? hash : undefined;
}

/** @param {NodePlan} plan */
function isSettled({ podsToDelete, nodesNeedingPods }) {
  return podsToDelete.length + nodesNeedingPods.length === 0;
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} set
 * @param {string} hash
 * @returns {DaemonState}
 */
function stateOf(context, set, hash) {
  const { selector } = set.spec;
  const pods = claimObjects(context, { owner: set, resource: 'pods', selector });
  /** @type {Map<string, KubernetesObject[]>} */
  const podsByNode = new Map();
  for (const pod of pods) {
    const node = targetNodeOf(pod) ?? '';
    podsByNode.set(node, [...(podsByNode.get(node) ?? []), pod]);
  }
  const nodes = context.indexer('nodes').list();
  return { set, hash, nodes, podsByNode, now: context.clock.now() };
}

/**
 * @param {ControllerContext} context
 * @param {EventRecorder} recorder
 * @param {DaemonState} state
 * @param {NodePlan} plan
 */
function carryOut(context, recorder, { set, hash }, { podsToDelete, nodesNeedingPods }) {
  for (const pod of podsToDelete.slice(0, BURST_REPLICAS)) {
    context.delete('pods', pod);
    const message = `Deleted pod: ${pod.metadata.name}`;
    recorder.event(set, 'Normal', 'SuccessfulDelete', message);
  }
  for (const node of nodesNeedingPods.slice(0, BURST_REPLICAS)) {
    try {
      const pod = context.store.create('pods', daemonPod(set, { hash, node }));
      const message = `Created pod: ${pod.metadata.name}`;
      recorder.event(set, 'Normal', 'SuccessfulCreate', message);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      recorder.event(set, 'Warning', 'FailedCreate', `Error creating: ${message}`);
      throw error;
    }
  }
}

/**
 * @param {ControllerContext} context
 * @param {DaemonState} state
 */
function cleanUpHistory(context, { set, hash, podsByNode }) {
  const live = new Set([hash]);
  for (const pod of [...podsByNode.values()].flat())
    live.add(pod.metadata.labels?.[REVISION_LABEL]);
  truncateHistory(context, revisionsOf(context, set), {
    isLive: ({ metadata }) => live.has(metadata.labels?.[REVISION_LABEL]),
    limit: set.spec.revisionHistoryLimit ?? HISTORY_LIMIT,
  });
}

/**
 * @param {DaemonState} state
 * @param {Record<string, any>} status
 * @param {number | null} retryAfter
 */
function delayOf({ set }, { numberReady = 0, numberAvailable = 0 }, retryAfter) {
  const { minReadySeconds = 0 } = set.spec;
  const isWaiting = minReadySeconds > 0 && numberReady !== numberAvailable;
  return isWaiting ? Math.min(minReadySeconds * 1000, retryAfter ?? Infinity) : retryAfter;
}
