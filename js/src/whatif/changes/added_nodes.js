/** Nodes that are added after the model of another. */
import { attachmentOf } from '../population.js';
import { nameLike, nodeLike, objectLike, publishedFor } from '../model_nodes.js';
import { pinnedTo } from '../../kubernetes/workloads/daemon_pods.js';
import { attachedPods, putDaemons } from './daemons.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ChangedCluster } from './changed_cluster.js'
 */

/**
 * Adds nodes with the labels, taints and amounts of another, without its pods, except that they get
 * the pods that belong to every such node: of DaemonSets, and static ones. What drivers publish for
 * the node, such as volume limits and devices, is copied as well.
 * @param {ChangedCluster} cluster
 * @param {{ count: number, like: string }} change
 */
export function addNodes(cluster, { count, like }) {
  const model = cluster.node(like, 'like');
  const { scheduler } = cluster;
  const published = publishedFor(scheduler, model);
  const attached = attachedPods(cluster, like);
  const isTaken = (/** @type {string} */ name) => scheduler.get('Node', name) !== undefined;
  let number = 0;
  for (let added = 0; added < count; added++) {
    do number += 1;
    while (isTaken(`${like}-${number}`));
    const name = `${like}-${number}`;
    const node = nodeLike(model, name, published);
    cluster.put([
      node,
      ...published.map((object) => objectLike(object, model, name)),
      ...attached.flatMap((pod) => cluster.accepted(pod, () => [podLike(pod, like, name)])),
    ]);
    putDaemons(cluster, node);
  }
}

/**
 * Returns the copy of a pod for a new node: the scheduler places those of DaemonSets.
 * @param {KubernetesObject} pod
 * @param {string} like
 * @param {string} node
 * @returns {KubernetesObject}
 */
function podLike(pod, like, node) {
  const { namespace, name, labels, annotations, ownerReferences, uid } = pod.metadata;
  const own = { name: nameLike(name, like, node), uid: `${uid}-${node}` };
  const metadata = { namespace, labels, annotations, ownerReferences, ...own };
  if (attachmentOf(pod) === 'Mirror')
    return { ...pod, metadata, spec: { ...pod.spec, nodeName: node } };
  const { nodeName, ...spec } = pod.spec;
  const affinity = pinnedTo(spec.affinity, node);
  return { ...pod, metadata, spec: { ...spec, affinity }, status: { phase: 'Pending' } };
}
