/** How draining nodes would go: what the future of a drain leaves out; and the pods to evict. */
import { daemonSetNames, drain, sortForDrain } from '../../../js/src/whatif.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Base } from './present.js'
 */

/**
 * `secondsAtMost`: grace periods included. `blocked`: the pods that budgets keep, with the API
 * server's message.
 * @typedef {{ rounds: number, secondsAtMost: number, blocked: { pod: string, message: string }[] }}
 *   DrainPlan
 */

/** `kubectl drain --ignore-daemonsets --force --delete-emptydir-data` */
const FORCED = Object.freeze({ force: true, deleteEmptyDirData: true });

/**
 * Returns the pods of a node that are to be evicted.
 * @param {Iterable<KubernetesObject>} pods all of the node
 * @param {readonly KubernetesObject[]} daemonSets
 * @param {boolean} [isComplete] whether these are all of the cluster; default: whether there is any
 * @returns {string[]} `namespace/name`
 */
export function podsToEvict(pods, daemonSets, isComplete) {
  const names = daemonSetNames(daemonSets, isComplete);
  return sortForDrain(pods, { ...FORCED, daemonSets: names }).evicts;
}

/**
 * @param {Base} base
 * @param {string[]} nodes
 * @param {{ signal: AbortSignal, objects: Iterable<KubernetesObject> }} options `objects`: those of
 *   the cluster that its scheduler does not keep
 * @returns {Promise<DrainPlan>}
 */
export async function drainPlanOf({ scheduler, population }, nodes, { signal, objects }) {
  const { rounds, secondsAtMost, blocked } = await drain(scheduler, nodes, {
    ...{ ...FORCED, population, objects, signal },
  });
  const kept = blocked.map(({ pod, message }) => ({ pod, message }));
  return { rounds: rounds.length, secondsAtMost, blocked: kept };
}
