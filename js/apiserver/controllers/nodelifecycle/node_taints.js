import { keyOf } from '../../../src/kubernetes/keys.js';
import { conditionOf } from '../../../src/kubernetes/conditions.js';
import { timestamp } from '../../object_meta.js';
import { semanticEqual } from '../../../src/kubernetes/workloads/objects.js';

/**
 * Sets the taints that follow from a node's conditions and from cordoning it. Counterpart:
 * pkg/controller/nodelifecycle/node_lifecycle_controller.go, v1.36 (doNoScheduleTaintingPass,
 * processTaintBaseEviction).
 */

/**
 * @import { KubernetesObject } from '../../../src/kubernetes/types.js'
 * @import { ControllerContext } from '../controller_context.js'
 */

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable';

/** Taints by condition and its status. @type {[string, string, string][]} */
const BY_CONDITION = [
  ['Ready', 'False', NOT_READY],
  ['Ready', 'Unknown', UNREACHABLE],
  ['MemoryPressure', 'True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure', 'True', 'node.kubernetes.io/disk-pressure'],
  ['NetworkUnavailable', 'True', 'node.kubernetes.io/network-unavailable'],
  ['PIDPressure', 'True', 'node.kubernetes.io/pid-pressure'],
];

const MANAGED = new Set([...BY_CONDITION.map(([, , key]) => key), UNSCHEDULABLE]);

/** @param {ControllerContext} context */
export function startNodeTaints(context) {
  const nodes = context.indexer('nodes');
  const reconciler = context.reconciler((key) => {
    const node = nodes.get(key);
    if (!node) return;
    const before = node.spec?.taints ?? [];
    const taints = taintsOf(node, context.clock.now());
    if (semanticEqual(taints, before)) return;
    context.store.update('nodes', { ...node, spec: { ...node.spec, taints } });
  });
  context.onChange('nodes', (after) => {
    if (after) reconciler.enqueue(keyOf(after));
  });
}

/**
 * Returns the node's taints: foreign ones unchanged, and ours.
 * @param {KubernetesObject} node
 * @param {number} now
 * @returns {any[]}
 */
function taintsOf(node, now) {
  const { taints = [], unschedulable = false } = node.spec ?? {};
  const wanted = [
    ...BY_CONDITION.filter(([type, status]) => conditionOf(node.status, type)?.status === status),
  ].map(([, , key]) => ({ key, effect: 'NoSchedule' }));
  if (unschedulable) wanted.push({ key: UNSCHEDULABLE, effect: 'NoSchedule' });
  const evicting = evictingTaintOf(node);
  if (evicting) wanted.push({ key: evicting, effect: 'NoExecute' });
  const isOurs = (/** @type {any} */ { key, effect }) =>
    effect === 'NoSchedule'
      ? MANAGED.has(key)
      : effect === 'NoExecute' && (key === NOT_READY || key === UNREACHABLE);
  const isWanted = (/** @type {any} */ taint) =>
    wanted.some(({ key, effect }) => taint.key === key && taint.effect === effect);
  const kept = taints.filter((/** @type {any} */ taint) => !isOurs(taint) || isWanted(taint));
  const missing = wanted.filter(
    ({ key, effect }) =>
      !taints.some((/** @type {any} */ taint) => taint.key === key && taint.effect === effect),
  );
  return [...kept, ...missing.map((taint) => ({ ...taint, timeAdded: timestamp(now) }))];
}

/** @param {KubernetesObject} node */
function evictingTaintOf({ status }) {
  const ready = conditionOf(status, 'Ready')?.status;
  if (ready === 'False') return NOT_READY;
  return ready === 'Unknown' ? UNREACHABLE : undefined;
}
