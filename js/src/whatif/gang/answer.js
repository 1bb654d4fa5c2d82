/** The parts of the answer about a pod group. */
import { FOR_THE_NEAREST, nearestNode } from '../../engine/culprits.js';
import { onceClaimsExist } from '../../engine/awaited_claims.js';
import { withoutOwnClaims } from '../../engine/own_claims.js';
import { asSinglePod, placeInTurn } from './placing.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { EvaluateOptions, Fits, ReasonCount } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Gang } from './members.js'
 * @import { Placing } from './placing.js'
 * @import { Trial, Trials } from './trials.js'
 */

/**
 * How the pods of a group stand. `pods` are all, `scheduled` have a node, `placed` would get one
 * now without preemption, `missing` are what minCount lacks.
 * @typedef {object} GroupCounts
 * @property {number} pods
 * @property {number} scheduled
 * @property {number} placed
 * @property {number} minCount
 * @property {number} missing
 */

/**
 * The first pod that finds no node, given those before it.
 * @typedef {object} BlockingPod
 * @property {string} pod `namespace/name`
 * @property {number} position from 1, among the pods without a node
 * @property {string} message in the words of FailedScheduling
 * @property {ReasonCount[]} [reasons]
 * @property {string} [nearest] what the nearest node lacks for it
 * @property {Fits} [alone] whether it would fit if no other pod of the group were placed
 */

/**
 * What preemption would have to remove. `starts`: whether the group starts then.
 * @typedef {object} GroupPreemption
 * @property {{ pod: string, priority: number, by: string }[]} victims `by`: the pod of the group,
 *   or with the feature gate WorkloadAwarePreemption the group
 * @property {number} placed
 * @property {boolean} starts
 */

/**
 * A trial, and the nodes that were hidden in it.
 * @typedef {{ hidden: string[], trial: Trial, counts: GroupCounts }} Scope
 */

/**
 * @param {Gang} gang
 * @param {Trial} trial
 * @returns {GroupCounts}
 */
export function countsOf({ pods, scheduled, minCount: asked }, { placed, hasNoMinimum }) {
  const minCount = hasNoMinimum ? 1 : asked;
  return {
    pods: pods.length + scheduled.length,
    scheduled: scheduled.length,
    placed,
    minCount,
    missing: Math.max(0, minCount - scheduled.length - placed),
  };
}

/**
 * Returns the pod that blocks the group in a trial; null if all are placed.
 * @param {Trials} trials
 * @param {Pick<Scope, 'hidden' | 'trial'>} scope
 * @returns {Promise<BlockingPod | null>}
 */
export async function blockerOf(trials, { hidden, trial: { placings } }) {
  const at = placings.findIndex(({ isPlaced }) => !isPlaced);
  if (at < 0) return null;
  const { pod, message, reasons } = placings[at];
  const nearest = await nearestOf(trials, { hidden, placings, at });
  const [single] = trials.podsIn([placings[at]]).map(asSinglePod);
  const { fits } = await trials.withoutGang([], (fork) =>
    evaluateSingle(fork, single, { detail: 'nodes', classify: true }),
  );
  return {
    pod,
    position: at + 1,
    message,
    ...(reasons && { reasons }),
    ...(nearest && { nearest }),
    ...(fits && { alone: fits }),
  };
}

/**
 * Evaluates a pod of the gang, with claims of its own in place of those that went with it.
 * @param {Scheduler} fork without the pod
 * @param {KubernetesObject} single
 * @param {EvaluateOptions} options
 */
function evaluateSingle(fork, single, options) {
  const waiting = withoutOwnClaims(single, fork);
  return onceClaimsExist(fork, waiting, (served, asked) => served.evaluateAsync(asked, options));
}

/**
 * Returns what the nearest node lacks for a pod, given those before it.
 * @param {Trials} trials
 * @param {{ hidden: string[], placings: Placing[], at: number }} parts
 */
function nearestOf(trials, { hidden, placings, at }) {
  const before = trials.podsIn(placings.slice(0, at));
  const [single] = trials.podsIn([placings[at]]).map(asSinglePod);
  return trials.withoutGang(hidden, async (fork) => {
    await placeInTurn(fork, before, { signal: trials.signal });
    return nearestNode(await evaluateSingle(fork, single, FOR_THE_NEAREST));
  });
}

/**
 * Returns what preemption would remove if the pods were tried one after another; null if nothing.
 * @param {Scheduler} scheduler
 * @param {Trials} trials
 * @param {Scope} scope
 * @returns {Promise<GroupPreemption | null>}
 */
export async function preemptionOf(scheduler, trials, { hidden, trial, counts }) {
  if (trial.preemptsAsGroup) return preemptionOfGroup(scheduler, trials, counts);
  const pods = trials.podsIn(trial.placings);
  const { placings, placed } = await trials.placeInTurn(hidden, { pods, mayPreempt: true });
  const victims = placings.flatMap(({ pod: by, victims: pods }) =>
    pods.map((pod) => ({ pod, priority: priorityOf(scheduler, pod), by })),
  );
  if (victims.length === 0) return null;
  return { victims, placed, starts: counts.scheduled + placed >= counts.minCount };
}

/**
 * @param {Scheduler} scheduler
 * @param {Trials} trials
 * @param {GroupCounts} counts
 * @returns {Promise<GroupPreemption | null>}
 */
async function preemptionOfGroup(scheduler, trials, { scheduled, minCount }) {
  const { victims, placed } = await trials.preemptAsGroup();
  if (victims.length === 0) return null;
  const by = String(trials.gang.podGroup);
  const removed = victims.map((pod) => ({ pod, priority: priorityOf(scheduler, pod), by }));
  return { victims: removed, placed, starts: scheduled + placed >= minCount };
}

/**
 * @param {Scheduler} scheduler
 * @param {string} pod `namespace/name`
 * @returns {number}
 */
function priorityOf(scheduler, pod) {
  return scheduler.get('Pod', pod)?.spec.priority ?? 0;
}

/**
 * Returns the group's reason in one sentence, or two.
 * @param {Gang} gang
 * @param {GroupCounts} counts
 * @param {BlockingPod | null} blocker
 */
export function messageOf({ held }, { pods, scheduled, placed, minCount, missing }, blocker) {
  const count = scheduled + placed;
  const lack = missing > 0 ? `, ${missing} fewer than minCount ${minCount}` : '';
  const group = `${count} of ${pods} pods of the group can run${lack}`;
  const first = blocker ? `; pod ${blocker.pod}: ${blocker.message}` : '';
  return held === '' ? `${group}${first}` : `${held}: ${group}${first}`;
}

/**
 * Returns the node of each pod that would get one, and the reason of each other, in the order in
 * which they are tried.
 * @param {Trials} trials
 * @param {Scope} scope
 * @returns {Promise<{ pod: string, node: string | null, message: string }[]>}
 */
export async function podsOf(trials, { hidden, trial: { placings, placed, fault }, counts }) {
  const isNodeUnknown = placings.some(({ isPlaced, node }) => isPlaced && node === null);
  const shown =
    isNodeUnknown && placed > 0 && fault === undefined
      ? await trials.nodesFor(counts.scheduled + placed, hidden)
      : placings;
  const nodes = new Map(shown.map(({ pod, node }) => [pod, node]));
  return placings.map(({ pod, message }) => ({ pod, node: nodes.get(pod) ?? null, message }));
}
