import { keyOf } from '../../../src/kubernetes/keys.js';
import { toleratedFor } from '../../../src/kubernetes/node_match.js';
import { withCondition } from '../../../src/kubernetes/conditions.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';
import { isPodTerminating } from '../../../src/kubernetes/workloads/pods.js';

/**
 * Evicts pods from nodes with NoExecute taints, after the time that they tolerate them.
 * Counterpart: pkg/controller/tainteviction/taint_eviction.go, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

/** @param {ControllerContext} context */
export function startTaintEviction(context) {
  const nodes = context.indexer('nodes');
  const pods = context.indexer('pods');
  const recorder = context.recorder('taint-eviction-controller');
  pods.addIndex('nodeName', ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  /** When each pod was first marked for eviction. @type {Map<string, number>} */
  const since = new Map();
  const reconciler = context.reconciler((key) => {
    const pod = pods.get(key);
    const node = pod?.spec.nodeName && nodes.get(pod.spec.nodeName);
    const taints = node ? evictingTaintsOf(node) : [];
    const tolerated = pod ? toleratedFor(pod.spec, taints) : Infinity;
    if (!pod || isPodTerminating(pod) || tolerated === Infinity) return void since.delete(key);
    const now = context.clock.now();
    const start = since.get(key) ?? now;
    since.set(key, start);
    const delay = start + tolerated - now;
    if (delay > 0) return reconciler.enqueueAfter(key, delay);
    recorder.event(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${key}`);
    evict(context, pod);
  });
  context.onChange('pods', (after, before) => {
    if (!after && before) reconciler.enqueue(keyOf(before));
    if (!after?.spec.nodeName || after.spec === before?.spec) return;
    const node = nodes.get(after.spec.nodeName);
    if (node && evictingTaintsOf(node).length > 0) reconciler.enqueue(keyOf(after));
  });
  context.onChange('nodes', (after, before) => {
    if (!after) return;
    const taints = evictingTaintsOf(after);
    if (semanticEqual(taints, before && evictingTaintsOf(before))) return;
    for (const pod of pods.byIndex('nodeName', after.metadata.name)) reconciler.enqueue(keyOf(pod));
  });
}

/** @param {KubernetesObject} node */
function evictingTaintsOf({ spec }) {
  return (spec?.taints ?? []).filter((/** @type {any} */ { effect }) => effect === 'NoExecute');
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} pod
 */
function evict(context, pod) {
  const conditions = withCondition(pod.status?.conditions, {
    type: 'DisruptionTarget',
    status: 'True',
    lastTransitionTime: context.timestamp,
    reason: 'DeletionByTaintManager',
    message: 'Taint manager: deleting due to NoExecute taint',
  });
  context.delete('pods', context.updateStatus('pods', pod, { ...pod.status, conditions }));
}
