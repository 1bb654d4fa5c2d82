/** How draining nodes would go: what the future of a drain leaves out. */
import { drain } from '../../../js/src/whatif.js';

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

/**
 * @param {Base} base
 * @param {string[]} nodes
 * @param {{ signal: AbortSignal, objects: Iterable<KubernetesObject> }} options `objects`: those of
 *   the cluster that its scheduler does not keep
 * @returns {Promise<DrainPlan>}
 */
export async function drainPlanOf({ scheduler, population }, nodes, { signal, objects }) {
  const all = { force: true, deleteEmptyDirData: true };
  const { rounds, secondsAtMost, blocked } = await drain(scheduler, nodes, {
    ...{ ...all, population, objects, signal },
  });
  const kept = blocked.map(({ pod, message }) => ({ pod, message }));
  return { rounds: rounds.length, secondsAtMost, blocked: kept };
}
