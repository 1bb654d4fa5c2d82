import { conditionOf, withCondition } from '../../../src/kubernetes/conditions.js';
import { isPodReady } from '../../../src/kubernetes/workloads/pods.js';

/**
 * Detects nodes whose kubelet stopped reporting. Counterpart:
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36 (monitorNodeHealth).
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

const LEASE_NAMESPACE = 'kube-node-lease';

/** `--node-monitor-grace-period`: milliseconds. */
const GRACE_PERIOD = 50_000;

const SILENT = {
  status: 'Unknown',
  reason: 'NodeStatusUnknown',
  message: 'Kubelet stopped posting node status.',
};
const TYPES = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'];

/**
 * A node whose Lease is no longer renewed becomes unknown, and its pods not ready. A node whose
 * Lease was never renewed since the start has no kubelet to monitor.
 * @param {ControllerContext} context
 */
export function startNodeMonitor(context) {
  const nodes = context.indexer('nodes');
  const pods = context.indexer('pods');
  pods.addIndex('nodeName', ({ spec }) => (spec.nodeName ? [spec.nodeName] : []));
  /** The last observed renewal of each node's Lease. @type {Map<string, number>} */
  const renewed = new Map();
  const reconciler = context.reconciler((key) => {
    const node = nodes.get(key);
    const seen = renewed.get(key);
    if (!node || seen === undefined) return void renewed.delete(key);
    const left = seen + GRACE_PERIOD - context.clock.now();
    if (left > 0) return reconciler.enqueueAfter(key, left);
    markUnknown(context, node);
    for (const pod of pods.byIndex('nodeName', key)) markNotReady(context, pod);
  });
  context.onChange('leases', (after, before) => {
    if (after?.metadata.namespace !== LEASE_NAMESPACE) return;
    const isNew = before && before.spec?.renewTime !== after.spec?.renewTime;
    if (!isNew) return;
    const { name } = after.metadata;
    const isWatched = renewed.has(name);
    renewed.set(name, context.clock.now());
    if (!isWatched || conditionOf(nodes.get(name)?.status, 'Ready')?.status === 'Unknown')
      reconciler.enqueue(name);
  });
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} node
 */
function markUnknown(context, node) {
  const { timestamp } = context;
  let conditions = node.status?.conditions;
  for (const type of TYPES) {
    const known = conditionOf(node.status, type);
    if (known?.status === 'Unknown') continue;
    conditions = withCondition(conditions, {
      type,
      lastHeartbeatTime: known?.lastHeartbeatTime ?? timestamp,
      lastTransitionTime: timestamp,
      ...SILENT,
    });
  }
  context.updateStatus('nodes', node, { ...node.status, conditions });
}

/**
 * @param {ControllerContext} context
 * @param {KubernetesObject} pod
 */
function markNotReady(context, pod) {
  if (!isPodReady(pod)) return;
  const known = conditionOf(pod.status, 'Ready');
  const conditions = withCondition(pod.status.conditions, {
    ...known,
    type: 'Ready',
    status: 'False',
    lastTransitionTime: context.timestamp,
  });
  context.updateStatus('pods', pod, { ...pod.status, conditions });
}
