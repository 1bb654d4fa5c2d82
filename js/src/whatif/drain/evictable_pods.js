/**
 * The pods of a node that a drain evicts, leaves, or refuses to evict. Counterpart:
 * k8s.io/kubectl/pkg/drain/filters.go, v1.36.
 */
import { conditionOf } from '../../kubernetes/conditions.js';
import { itemsIn } from '../../kubernetes/values.js';
import { isPodFinished } from '../../kubernetes/workloads/pods.js';
import { attachmentOf } from '../population.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/**
 * `evicts` in the order in which the API server lists pods; `stays` with the reason; `refused` with
 * kubectl's message.
 * @typedef {object} NodePods
 * @property {string[]} evicts
 * @property {{ pod: string, reason: 'DaemonSet' | 'StaticPod' }[]} stays
 * @property {{ pod: string, message: string }[]} refused
 */

const WITH_LOCAL_STORAGE =
  'cannot delete Pods with local storage (use --delete-emptydir-data to override)';
const WITHOUT_CONTROLLER =
  'cannot delete Pods that declare no controller (use --force to override)';

/**
 * @param {Map<string, KubernetesObject>} pods of the node, by `namespace/name`
 * @param {{ force: boolean, deleteEmptyDirData: boolean }} options
 * @returns {NodePods}
 */
export function sortPods(pods, { force, deleteEmptyDirData }) {
  /** @type {NodePods} */
  const sorted = { evicts: [], stays: [], refused: [] };
  const keys = [...pods.keys()].sort();
  for (const key of keys) {
    const pod = /** @type {KubernetesObject} */ (pods.get(key));
    const attachment = attachmentOf(pod);
    const message = isPodFinished(pod) ? undefined : refusalOf(pod, { force, deleteEmptyDirData });
    if (attachment === 'Daemon') sorted.stays.push({ pod: key, reason: 'DaemonSet' });
    else if (attachment === 'Mirror') sorted.stays.push({ pod: key, reason: 'StaticPod' });
    else if (message) sorted.refused.push({ pod: key, message });
    else sorted.evicts.push(key);
  }
  return sorted;
}

/**
 * @param {KubernetesObject} pod
 * @param {{ force: boolean, deleteEmptyDirData: boolean }} options
 */
function refusalOf(pod, { force, deleteEmptyDirData }) {
  const isLocal = itemsIn(pod.spec?.volumes).some((volume) => volume?.emptyDir);
  if (isLocal && !deleteEmptyDirData) return WITH_LOCAL_STORAGE;
  return attachmentOf(pod) === 'Bare' && !force ? WITHOUT_CONTROLLER : undefined;
}

/**
 * Returns a pod as budgets see it. One that a simulated scheduler has placed, and of which no
 * kubelet has reported whether it is ready, counts as running and ready.
 * @param {KubernetesObject} pod
 * @returns {KubernetesObject}
 */
export function asReported(pod) {
  const { spec, status } = pod;
  if (!spec?.nodeName || isPodFinished(pod) || conditionOf(status, 'Ready')) return pod;
  const conditions = [...itemsIn(status?.conditions), { type: 'Ready', status: 'True' }];
  return { ...pod, status: { ...status, phase: 'Running', conditions } };
}
