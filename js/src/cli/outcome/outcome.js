import { splitKey } from '../../kubernetes/keys.js';
import { selects } from './selection.js';
import { sortPods } from '../cluster/sorted_pods.js';
import { shortList } from '../terminal/terminal.js';

/**
 * @import { Decision } from '../../engine/types.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Selection } from './selection.js'
 * @import { LeftAlone } from '../cluster/sorted_pods.js'
 */

/**
 * The outcome of one pod. `result` is `Scheduled`, `Unschedulable`, `SchedulingGated`,
 * `SchedulerError`, `Evicted` or, if the scheduler never tried it, `Undecided`.
 * @typedef {object} PodOutcome
 * @property {string} pod `namespace/name`
 * @property {string} namespace
 * @property {string} name
 * @property {string} result
 * @property {string | null} node its present node; for an evicted pod: its former node
 * @property {string} message
 * @property {number} [seq] of the decisive decision
 * @property {string[]} [evicted] the pods that were evicted for it
 * @property {string} [evictedBy]
 * @property {import('../../engine/types.js').ClaimVolumes} [volumes]
 * @property {boolean} [waitsForVolumes] it has its node, and is bound after its claims
 */

/**
 * @typedef {object} Outcome
 * @property {PodOutcome[]} pods in the order of their decisions; evicted pods without a decision
 *   last
 * @property {LeftAlone[]} leftAlone
 * @property {{ placed: number, pending: number, evicted: number, boundBefore: number, leftAlone:
 *   number }} summary
 */

const RESULTS = Object.freeze({
  scheduled: 'Scheduled',
  unschedulable: 'Unschedulable',
  gated: 'SchedulingGated',
  error: 'SchedulerError',
  skipped: 'Skipped',
});

/**
 * Summarizes the decisions of a simulation.
 * @param {Cluster} cluster before the simulation
 * @param {Decision[]} decisions in their order
 * @param {{ schedulerNames: Set<string>, assumed?: string[] } & Selection} options `assumed`: pods
 *   with a node that are not bound
 * @returns {Outcome}
 */
export function outcomeOf(cluster, decisions, options) {
  const { schedulerNames, assumed = [] } = options;
  const isReported = selects(cluster, options);
  const { pending, bound, leftAlone } = sortPods(cluster.pods, schedulerNames);
  const byPod = finalOutcomes(decisions);
  markEvicted(decisions, byPod, bound);
  for (const pod of pending) if (!byPod.has(pod)) byPod.set(pod, undecided(pod));
  for (const pod of assumed) Object.assign(byPod.get(pod) ?? {}, { waitsForVolumes: true });
  // The scheduler takes a terminating pod from its queue and skips it, which decides nothing.
  for (const { pod } of leftAlone)
    if (byPod.get(pod)?.result === RESULTS.skipped) byPod.delete(pod);
  const pods = [...byPod.values()].filter(({ pod }) => isReported(pod));
  const left = leftAlone.filter(({ pod }) => isReported(pod));
  const count = (/** @type {string} */ result) =>
    pods.filter((pod) => pod.result === result).length;
  const [placed, evicted] = [count('Scheduled'), count('Evicted')];
  return {
    pods,
    leftAlone: left,
    summary: {
      placed,
      pending: pods.length - placed - evicted,
      evicted,
      boundBefore: [...bound.keys()].filter(isReported).length,
      leftAlone: left.length,
    },
  };
}

/**
 * Returns pods with a node that are not bound before their claims are.
 * @param {Outcome} outcome
 * @returns {string[]}
 */
export function podsThatWait({ pods }) {
  return pods.filter(({ waitsForVolumes }) => waitsForVolumes).map(({ pod }) => pod);
}

/**
 * Whether every pod has the place that it needs, as far as is known.
 * @param {Outcome} outcome
 */
export function isSettled(outcome) {
  return outcome.summary.pending === 0 && podsThatWait(outcome).length === 0;
}

/**
 * The last decision about each pod counts.
 * @param {Decision[]} decisions
 * @returns {Map<string, PodOutcome>}
 */
function finalOutcomes(decisions) {
  /** @type {Map<string, PodOutcome>} */
  const outcomes = new Map();
  for (const decision of decisions) {
    const { pod, node, seq, volumes } = decision;
    const evicted = [
      ...(outcomes.get(pod)?.evicted ?? []),
      ...(decision.preemption?.victims ?? []),
    ];
    const result = RESULTS[decision.result] ?? decision.result;
    const message =
      decision.message || (evicted.length > 0 && node ? `evicted ${shortList(evicted)}` : '');
    outcomes.set(pod, {
      pod,
      ...splitKey(pod),
      result,
      node,
      message,
      seq,
      ...(evicted.length > 0 && { evicted }),
      ...(volumes && { volumes }),
    });
  }
  return outcomes;
}

/**
 * @param {Decision[]} decisions
 * @param {Map<string, PodOutcome>} outcomes
 * @param {Map<string, string>} bound
 */
function markEvicted(decisions, outcomes, bound) {
  for (const { pod: evictedBy, preemption } of decisions) {
    for (const pod of preemption?.victims ?? []) {
      const before = outcomes.get(pod);
      const node = before?.node ?? bound.get(pod) ?? null;
      outcomes.set(pod, {
        ...(before ?? { pod, ...splitKey(pod) }),
        result: 'Evicted',
        node,
        message: `evicted for ${evictedBy}`,
        evictedBy,
      });
    }
  }
}

/** @param {string} pod @returns {PodOutcome} */
function undecided(pod) {
  return {
    pod,
    ...splitKey(pod),
    result: 'Undecided',
    node: null,
    message: 'the scheduler did not come to this pod',
  };
}
