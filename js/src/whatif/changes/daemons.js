/** The pods that belong to new nodes: those of DaemonSets, and static ones. */
import { Expansion } from '../../manifests/expand.js';
import { runsOn } from '../../kubernetes/node_match.js';
import { keyFor, podKeyOf } from '../../kubernetes/keys.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { targetNodeOf, withDaemonTolerations } from '../../kubernetes/workloads/daemon_pods.js';
import { attachmentOf } from '../population.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster } from './changed_cluster.js'
 */

/**
 * Creates the pods that DaemonSets of the input lack on a node, which is new or was changed.
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
  cluster.put(sets.flatMap((set) => expansion.of(set)));
}

/**
 * Returns the pods of a node that every node like it has, of which the input lacks the DaemonSet:
 * also those that are meant for it and wait.
 * @param {ChangedCluster} cluster
 * @param {string} node
 * @returns {KubernetesObject[]}
 */
export function attachedPods(cluster, node) {
  const { future } = cluster;
  const known = new Set(cluster.daemonSets.map(podKeyOf));
  const keys = [...future.podsOn(node), ...future.pending().map(({ pod }) => pod)];
  return keys.flatMap((key) => {
    const pod = future.pod(key);
    if (!pod || targetNodeOf(pod) !== node) return [];
    const attachment = attachmentOf(pod);
    if (attachment === 'Mirror') return [pod];
    if (attachment !== 'Daemon') return [];
    const set = keyFor(pod.metadata.namespace, String(controllerOf(pod)?.name));
    return known.has(set) ? [] : [pod];
  });
}
