/**
 * The pods of a node that a drain evicts, leaves, or refuses to evict. Counterpart:
 * k8s.io/kubectl/pkg/drain/filters.go, v1.36.
 */
import { conditionOf } from '../../kubernetes/conditions.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { itemsIn } from '../../kubernetes/values.js';
import { isPodFinished } from '../../kubernetes/workloads/pods.js';
import { attachmentOf } from '../population.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster } from '../changes/changed_cluster.js'
 */

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
 * `isOrphan`: whether a pod of a DaemonSet outlived it.
 * @typedef {{ force: boolean, deleteEmptyDirData: boolean, isOrphan: (pod: KubernetesObject) =>
 *   boolean }} SortOptions
 */

/**
 * @param {Map<string, KubernetesObject>} pods of the node, by `namespace/name`
 * @param {SortOptions} options
 * @returns {NodePods}
 */
export function sortPods(pods, options) {
  /** @type {NodePods} */
  const sorted = { evicts: [], stays: [], refused: [] };
  const keys = [...pods.keys()].sort();
  for (const key of keys) {
    const pod = /** @type {KubernetesObject} */ (pods.get(key));
    const attachment = attachmentOf(pod);
    const isDaemon = attachment === 'Daemon' && !isPodFinished(pod);
    const message = refusalOf(pod, options);
    if (attachment === 'Mirror') sorted.stays.push({ pod: key, reason: 'StaticPod' });
    else if (isDaemon && !options.isOrphan(pod))
      sorted.stays.push({ pod: key, reason: 'DaemonSet' });
    else if (message) sorted.refused.push({ pod: key, message });
    else sorted.evicts.push(key);
  }
  return sorted;
}

/**
 * Returns the function that tells whether a pod of a DaemonSet outlived it: only where the
 * cluster's DaemonSets are known.
 * @param {ChangedCluster} cluster
 * @param {boolean} [isKnown] whether the cluster has all of them; default: whether it has any
 * @returns {SortOptions['isOrphan']}
 */
export function orphansOf(cluster, isKnown = cluster.daemonSets.length > 0) {
  return (pod) => {
    const { namespace } = pod.metadata;
    const { kind, name } = controllerOf(pod) ?? { kind: '', name: '' };
    return isKnown && kind === 'DaemonSet' && !cluster.workload({ kind, namespace, name });
  };
}

/**
 * @param {KubernetesObject} pod
 * @param {SortOptions} options
 */
function refusalOf(pod, { force, deleteEmptyDirData, isOrphan }) {
  if (isPodFinished(pod)) return undefined;
  if (!force && isOrphan(pod)) return `daemonsets.apps "${controllerOf(pod)?.name}" not found`;
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
