/** Key figures of a cluster's use. */

/** @import { PodRow } from '../../model/cluster_model.js' */
/** @import { ClusterState } from '../cluster/cluster_state.js' */

/**
 * @typedef {object} KeyFigures
 * @property {number} placed pods on nodes, including ended ones
 * @property {number} pending pods
 * @property {number} used nodes with pods of other owners than DaemonSets, which are on every node
 * @property {number} empty all other nodes
 * @property {{ resource: string, ofAll: number, ofUsed: number }[]} shares allocated shares of the
 *   allocatable amounts: of all nodes, and of used nodes
 */

/** The most resources with a share. */
const MOST_RESOURCES = 4;

const ENDED = new Set(['Succeeded', 'Failed']);

/**
 * @param {ClusterState} cluster
 * @returns {KeyFigures}
 */
export function keyFiguresOf({ nodes, pods, podsOfNode }) {
  const pending = podsOfNode.get('')?.size ?? 0;
  /** @type {Map<string, { all: number, used: number, allocated: number, ofUsed: number }>} */
  const sums = new Map();
  let used = 0;
  for (const { name, allocatable } of nodes.values()) {
    const own = [...(podsOfNode.get(name)?.values() ?? [])];
    const running = own.filter(({ phase }) => !ENDED.has(phase));
    const isUsed = running.some((pod) => !isOfDaemon(pod));
    if (isUsed) used += 1;
    for (const [resource, amount] of Object.entries(allocatable)) {
      if (amount <= 0 || !isShown(resource)) continue;
      const sum = sums.get(resource) ?? { all: 0, used: 0, allocated: 0, ofUsed: 0 };
      sum.all += amount;
      const allocated = running.reduce((all, { requests }) => all + (requests[resource] ?? 0), 0);
      sum.allocated += allocated;
      if (isUsed) {
        sum.used += amount;
        sum.ofUsed += allocated;
      }
      sums.set(resource, sum);
    }
  }
  const shares = [...sums].slice(0, MOST_RESOURCES).map(([resource, sum]) => ({
    resource,
    ofAll: sum.allocated / sum.all,
    ofUsed: sum.used > 0 ? sum.ofUsed / sum.used : 0,
  }));
  return { placed: pods.size - pending, pending, used, empty: nodes.size - used, shares };
}

/** @param {PodRow} pod */
function isOfDaemon({ workload }) {
  return workload.startsWith('DaemonSet/');
}

/** cpu, memory, and resources with a domain such as GPUs. @param {string} resource */
function isShown(resource) {
  return resource === 'cpu' || resource === 'memory' || resource.includes('/');
}
