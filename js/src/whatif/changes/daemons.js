/** The pods that belong to nodes: those of DaemonSets, and static ones. */
import { Expansion } from '../../manifests/expand.js';
import { runsOn } from '../../kubernetes/node_match.js';
import { keyFor, podKeyOf } from '../../kubernetes/keys.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { wishOf } from '../../kubernetes/workloads/daemon_plan.js';
import { targetNodeOf, withDaemonTolerations } from '../../kubernetes/workloads/daemon_pods.js';
import { attachmentOf } from '../population.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster } from './changed_cluster.js'
 */

/**
 * Creates the pods that DaemonSets of the input lack on a node, which is new or was changed, except
 * those that the API server refuses.
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject} node as it is now
 * @param {KubernetesObject} [before] its version before: DaemonSets that it allowed are done
 */
export function putDaemons(cluster, node, before) {
  const sets = cluster.daemonSets.filter(
    ({ spec }) => !before || !runsOn(withDaemonTolerations(spec.template.spec), before),
  );
  if (sets.length === 0) return;
  const expansion = new Expansion({ ...cluster.context, nodes: [node] });
  cluster.put(sets.flatMap((set) => cluster.accepted(set, () => expansion.of(set))));
}

/**
 * Deletes the pods of DaemonSets that may not stay on the new version of a node. A DaemonSet that
 * the input lacks is known by its pod.
 * @param {ChangedCluster} cluster
 * @param {KubernetesObject} node
 * @param {KubernetesObject} before its version before
 */
export function removeDaemons(cluster, node, before) {
  const sets = new Map(cluster.daemonSets.map((set) => [podKeyOf(set), set]));
  const gone = podsFor(cluster, node.metadata.name).filter((pod) => {
    if (attachmentOf(pod) !== 'Daemon') return false;
    const wish = wishOf(sets.get(setKeyOf(pod)) ?? { metadata: {}, spec: { template: pod } });
    return wish(before).shouldContinue && !wish(node).shouldContinue;
  });
  cluster.remove(gone);
}

/**
 * Returns the pods of a node that every node like it has, of which the input lacks the DaemonSet:
 * also those that are meant for it and wait.
 * @param {ChangedCluster} cluster
 * @param {string} node
 * @returns {KubernetesObject[]}
 */
export function attachedPods(cluster, node) {
  const known = new Set(cluster.daemonSets.map(podKeyOf));
  return podsFor(cluster, node).filter((pod) => {
    const attachment = attachmentOf(pod);
    if (attachment !== 'Daemon') return attachment === 'Mirror';
    return !known.has(setKeyOf(pod));
  });
}

/**
 * Returns the pods on a node, and those that wait for it alone.
 * @param {ChangedCluster} cluster
 * @param {string} node
 */
function podsFor({ future }, node) {
  const keys = [...future.podsOn(node), ...future.pending().map(({ pod }) => pod)];
  return keys.flatMap((key) => {
    const pod = future.pod(key);
    return pod && targetNodeOf(pod) === node ? [pod] : [];
  });
}

/** Returns the key of a pod's DaemonSet. @param {KubernetesObject} pod */
function setKeyOf(pod) {
  return keyFor(pod.metadata.namespace, String(controllerOf(pod)?.name));
}
