/** Groups the pods that found no node by the reason. */
import { FOR_THE_NEAREST, nearestNode } from '../../engine/culprits.js';
import { unservedRequests } from '../../engine/device_culprits.js';
import { shortList } from '../terminal/terminal.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { PodOutcome } from './outcome.js'
 */

/**
 * @typedef {object} WaitingGroup
 * @property {string} message the reason, in the words of the scheduler
 * @property {string[]} pods `namespace/name`, in the order of their decisions
 * @property {string} [nearest] the reason why the nearest node does not take the first of them;
 *   absent if no plugin refused a node
 */

/** Each group costs one evaluation; further groups get no nearest node. */
const MOST_EVALUATED = 20;

/**
 * @param {PodOutcome[]} pods
 * @param {Scheduler} scheduler in its final state
 * @returns {Promise<WaitingGroup[]>} the largest group first
 */
export async function waitingGroups(pods, scheduler) {
  /** @type {Map<string, string[]>} */
  const byMessage = new Map();
  for (const { pod, result, message } of pods) {
    if (result !== 'Unschedulable') continue;
    const known = byMessage.get(message);
    if (known) known.push(pod);
    else byMessage.set(message, [pod]);
  }
  /** @type {WaitingGroup[]} */
  const groups = [...byMessage].map(([message, waiting]) => ({ message, pods: waiting }));
  groups.sort((a, b) => b.pods.length - a.pods.length);
  for (const group of groups.slice(0, MOST_EVALUATED)) {
    const nearest = await nearestNodeOf(group.pods[0], scheduler);
    if (nearest) group.nearest = nearest;
  }
  return groups;
}

/**
 * @param {string} pod
 * @param {Scheduler} scheduler
 */
async function nearestNodeOf(pod, scheduler) {
  return nearestNode(await scheduler.evaluateAsync(pod, FOR_THE_NEAREST));
}

/**
 * @param {string} pod
 * @param {Scheduler} scheduler
 * @returns {Promise<{ nearest?: string, unserved?: string[] }>} the nearest node, and sentences
 *   about the requests for devices that no node can serve; absent if there are none
 */
export async function hintsOn(pod, scheduler) {
  const evaluation = await scheduler.evaluateAsync(pod, FOR_THE_NEAREST);
  const nearest = nearestNode(evaluation);
  const unserved = unservedRequests(evaluation);
  return { ...(nearest && { nearest }), ...(unserved.length > 0 && { unserved }) };
}

/**
 * Returns lines that add to the table: the pods that wait for the same reason, and the nearest
 * node.
 * @param {WaitingGroup} group
 * @returns {string[]}
 */
export function waitingLines({ message, pods, nearest }) {
  const hint = nearest ? [`nearest node of ${pods[0]}: ${nearest}`] : [];
  if (pods.length === 1) return hint;
  return [`${pods.length} pods wait (${shortList(pods)}): ${message}`, ...hint];
}
