/** The pods that found no node, together where they wait for the same reason. */
import { FOR_THE_NEAREST, nearestNode } from '../engine/culprits.js';
import { shortList } from './outcome.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { PodOutcome } from './outcome.js'
 */

/**
 * @typedef {object} WaitingGroup
 * @property {string} message why they wait, in the words of the scheduler
 * @property {string[]} pods `namespace/name`, in the order in which they were decided
 * @property {string} [nearest] what keeps the first of them from the node that is nearest to taking
 *   it; absent where no node was refused by name
 */

/** Each group costs an evaluation: more are named without their nearest node. */
const MOST_EVALUATED = 20;

/**
 * @param {PodOutcome[]} pods
 * @param {Scheduler} scheduler as it is at the end
 * @returns {Promise<WaitingGroup[]>} the largest first
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
export async function nearestNodeOf(pod, scheduler) {
  return nearestNode(await scheduler.evaluateAsync(pod, FOR_THE_NEAREST));
}

/**
 * What the table does not say already: which pods wait for the same reason, and what is nearest.
 * @param {WaitingGroup} group
 * @returns {string[]}
 */
export function waitingLines({ message, pods, nearest }) {
  const hint = nearest ? [`nearest node of ${pods[0]}: ${nearest}`] : [];
  if (pods.length === 1) return hint;
  return [`${pods.length} pods wait (${shortList(pods)}): ${message}`, ...hint];
}
