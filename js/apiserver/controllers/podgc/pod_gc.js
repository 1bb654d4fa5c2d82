import { keyOf } from '../../../src/kubernetes/keys.js';
import { withCondition } from '../../../src/kubernetes/conditions.js';
import { isPodFinished, isPodTerminating } from '../../../src/kubernetes/workloads/pods.js';

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** How long a node must be missing before its pods are deleted: milliseconds. */
const QUARANTINE = 40_000;

/**
 * Deletes pods that no kubelet will end: those of missing nodes, and deleted pods that were never
 * bound. Counterpart: pkg/controller/podgc/gc_controller.go, v1.36.
 * @param {ControllerContext} context
 */
export function startPodGarbageCollector(context) {
  const nodes = context.indexer('nodes');
  const pods = context.indexer('pods');
  pods.addIndex('nodeName', ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  /** When each node was found missing. @type {Map<string, number>} */
  const missing = new Map();
  const reconciler = context.reconciler((key) => {
    const pod = pods.get(key);
    if (!pod) return;
    const { nodeName } = pod.spec;
    if (!nodeName) {
      if (isPodTerminating(pod)) forceDelete(context, pod);
      return;
    }
    if (nodes.get(nodeName)) return;
    const since = missing.get(nodeName) ?? context.clock.now();
    missing.set(nodeName, since);
    const left = since + QUARANTINE - context.clock.now();
    if (left > 0) reconciler.enqueueAfter(key, left);
    else forceDelete(context, withDisruption(context, pod));
  });
  context.onChange('pods', (after) => {
    if (!after) return;
    const { nodeName } = after.spec;
    if (nodeName ? !nodes.get(nodeName) : isPodTerminating(after)) reconciler.enqueue(keyOf(after));
  });
  context.onChange('nodes', (after, before) => {
    const { name } = (after ?? /** @type {KubernetesObject} */ (before)).metadata;
    missing.delete(name);
    if (after) return;
    for (const pod of pods.byIndex('nodeName', name)) reconciler.enqueue(keyOf(pod));
  });
}

/**
 * Returns the pod with a condition for the disruption.
 * @param {ControllerContext} context
 * @param {KubernetesObject} pod
 */
function withDisruption(context, pod) {
  if (isPodFinished(pod)) return pod;
  const conditions = withCondition(pod.status?.conditions, {
    type: 'DisruptionTarget',
    status: 'True',
    lastTransitionTime: context.timestamp,
    reason: 'DeletionByPodGC',
    message: 'PodGC: node no longer exists',
  });
  return context.updateStatus('pods', pod, { ...pod.status, phase: 'Failed', conditions });
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} pod
 */
function forceDelete(context, pod) {
  context.delete('pods', pod, { gracePeriodSeconds: 0 });
}
