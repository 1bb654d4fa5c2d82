/** Explains why a pod group cannot start: as a whole, by its blocking pod, and by domain. */
import { evaluateAll as evaluatePods } from '../engine/evaluate_all.js';
import { podKeyOf } from '../kubernetes/keys.js';
import { documentOf } from './document.js';
import { blockerOf, countsOf, messageOf, podsOf, preemptionOf } from './gang/answer.js';
import { describedTopology, topologyOf } from './gang/domains.js';
import { gangOf } from './gang/members.js';
import { findOrder } from './gang/order.js';
import { Trials } from './gang/trials.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { EvaluateOptions, Evaluation } from '../engine/types.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Scope } from './gang/answer.js'
 * @import { Gang, GroupQuestion } from './gang/members.js'
 * @import { Trial } from './gang/trials.js'
 */

/**
 * @typedef {object} GroupOptions
 * @property {AbortSignal} [signal]
 * @property {(pods: number) => void} [progress] receives the number of pods that were tried
 */

/**
 * Returns how a pod group would be scheduled now, and if it cannot start, why: the group, the pod
 * that blocks it, the orders of its pods, the domains, and what preemption would remove. Or, for a
 * list of pods, what the cycle of each would do if those before it had been placed. Nothing changes
 * in the scheduler.
 * @overload
 * @param {Scheduler} scheduler that keeps objects
 * @param {GroupQuestion} question
 * @param {GroupOptions} [options]
 * @returns {Promise<GroupEvaluation>}
 */
/**
 * @overload
 * @param {Scheduler} scheduler
 * @param {Iterable<KubernetesObject | string>} question
 * @param {EvaluateOptions & GroupOptions} [options]
 * @returns {Promise<Evaluation[]>}
 */
/**
 * @param {Scheduler} scheduler
 * @param {GroupQuestion | Iterable<KubernetesObject | string>} question
 * @param {EvaluateOptions & GroupOptions} [options]
 */
export async function evaluateAll(scheduler, question, options = {}) {
  if (Symbol.iterator in question) return evaluatePods(scheduler, question, options);
  const { signal, progress = () => {} } = options;
  let count = 0;
  const gang = gangOf(scheduler, question);
  const trials = new Trials(scheduler, gang, { signal, onPod: () => progress(++count) });
  try {
    return await evaluateGroup(scheduler, trials, signal);
  } finally {
    trials.dispose();
  }
}

/** @typedef {Awaited<ReturnType<typeof evaluateGroup>>} GroupEvaluation */

/**
 * @param {Scheduler} scheduler
 * @param {Trials} trials
 * @param {AbortSignal} [signal]
 */
async function evaluateGroup(scheduler, trials, signal) {
  const { gang } = trials;
  const topology = await topologyOf(scheduler, trials);
  const { isRequired = false, nearest } = topology ?? {};
  const hidden = (isRequired && nearest?.hidden) || [];
  const trial = isRequired ? (nearest?.trial ?? nowhere(gang)) : await trials.place();
  const scope = { hidden, trial, counts: countsOf(gang, trial) };
  const { counts } = scope;
  const fault = topology?.fault ?? trial.fault;
  const starts = counts.missing === 0 && gang.held === '' && fault === undefined;
  const blocker = await blockerOf(trials, scope);
  const isBlocked = !starts && blocker !== null && fault === undefined;
  const preemption = isBlocked && !isRequired ? await preemptionOf(scheduler, trials, scope) : null;
  const scopes = isRequired ? (topology?.domains ?? []).map((domain) => domain.hidden) : [[]];
  return documentOf('GroupEvaluation', scheduler, {
    podGroup: gang.podGroup,
    result: resultOf({ starts, fault, held: gang.held, waits: preemption?.starts }),
    message: starts ? '' : (fault ?? messageOf(gang, counts, blocker)),
    group: counts,
    largestMinCount: counts.scheduled + counts.placed,
    blocker,
    order: isBlocked ? await orderOf(trials, { scope, scopes, signal }) : null,
    topology: topology ? await describedTopology(trials, topology) : null,
    preemption,
    pods: await podsOf(trials, scope),
  });
}

/**
 * The trial of a group for which there is no domain.
 * @param {Gang} gang
 * @returns {Trial}
 */
function nowhere({ pods, topologyKey }) {
  const message = `0/0 placements are available: no node has the label ${topologyKey}`;
  const rest = { isPlaced: false, node: null, message, victims: [] };
  return { placings: pods.map((pod) => ({ pod: podKeyOf(pod), ...rest })), placed: 0 };
}

/**
 * @param {{ starts: boolean, fault: string | undefined, held: string, waits?: boolean }} found
 * @returns {'scheduled' | 'error' | 'gated' | 'waitsForPreemption' | 'unschedulable'}
 */
function resultOf({ starts, fault, held, waits = false }) {
  if (starts) return 'scheduled';
  if (fault !== undefined) return 'error';
  if (held !== '') return 'gated';
  return waits ? 'waitsForPreemption' : 'unschedulable';
}

/**
 * @param {Trials} trials
 * @param {{ scope: Scope, scopes: string[][], signal?: AbortSignal }} parts
 */
function orderOf(trials, { scope: { trial, counts }, ...rest }) {
  const pods = trials.podsIn(trial.placings);
  return findOrder(trials, { pods, needed: counts.minCount - counts.scheduled, ...rest });
}
