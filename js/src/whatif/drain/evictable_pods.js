/**
 * The pods of a node that a drain evicts, leaves, or refuses to evict. Counterpart:
 * k8s.io/kubectl/pkg/drain/filters.go, v1.36.
 */
import { conditionOf } from '../../kubernetes/conditions.js';
import { namespaceOf, podKeyOf } from '../../kubernetes/keys.js';
import { controllerOf } from '../../kubernetes/owners.js';
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
 * `daemonSets`: the names of all DaemonSets; others are gone. If it is undefined, each may exist.
 * @typedef {{ force: boolean, deleteEmptyDirData: boolean, daemonSets: ReadonlySet<string> |
 *   undefined }} SortOptions
 */

/**
 * Returns the names of a cluster's DaemonSets, `namespace/name`.
 * @param {readonly KubernetesObject[]} daemonSets
 * @param {boolean} [isComplete] whether they are all that the cluster has; default: whether there
 *   is any
 * @returns {Set<string> | undefined} undefined if some may be missing
 */
export function daemonSetNames(daemonSets, isComplete = daemonSets.length > 0) {
  return isComplete ? new Set(daemonSets.map(podKeyOf)) : undefined;
}

/**
 * Returns what `kubectl drain --ignore-daemonsets` does with the pods of a node.
 * @param {Iterable<KubernetesObject>} pods all of the node
 * @param {SortOptions} options
 * @returns {NodePods}
 */
export function sortForDrain(pods, options) {
  /** @type {NodePods} */
  const sorted = { evicts: [], stays: [], refused: [] };
  const byKey = new Map(Array.from(pods, (pod) => [podKeyOf(pod), pod]));
  for (const key of [...byKey.keys()].sort()) {
    const pod = /** @type {KubernetesObject} */ (byKey.get(key));
    const attachment = attachmentOf(pod);
    const isDaemon = attachment === 'Daemon' && !isPodFinished(pod);
    const message = refusalOf(pod, options);
    if (attachment === 'Mirror') sorted.stays.push({ pod: key, reason: 'StaticPod' });
    else if (isDaemon && !isOrphan(pod, options))
      sorted.stays.push({ pod: key, reason: 'DaemonSet' });
    else if (message) sorted.refused.push({ pod: key, message });
    else sorted.evicts.push(key);
  }
  return sorted;
}

/**
 * Whether a pod of a DaemonSet outlived it.
 * @param {KubernetesObject} pod
 * @param {SortOptions} options
 */
function isOrphan(pod, { daemonSets }) {
  const { kind, name } = controllerOf(pod) ?? {};
  return kind === 'DaemonSet' && daemonSets?.has(`${namespaceOf(pod)}/${name}`) === false;
}

/**
 * @param {KubernetesObject} pod
 * @param {SortOptions} options
 */
function refusalOf(pod, options) {
  const { force, deleteEmptyDirData } = options;
  if (isPodFinished(pod)) return undefined;
  if (!force && isOrphan(pod, options))
    return `daemonsets.apps "${controllerOf(pod)?.name}" not found`;
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
