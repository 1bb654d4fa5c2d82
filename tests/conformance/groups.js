/** Plays and compares the cycles of pod groups. */
import { runAnswering } from '../support/api_calls.js';
import { compareDecision, firstDifference } from './compare.js';

/** @typedef {import('./compare.js').Difference} Difference */

/**
 * Applies `events`, then runs one cycle for the group of a pod and returns the Decisions about its
 * pods, in order, and the PodGroupDecision; only the pod's own Decision if it is gated.
 * @param {import('../support/raw_engine.js').RawScheduler} scheduler
 * @param {object[]} events
 * @param {{reference: string, nowUs: number}} attempt  a pod of the group, namespace/name
 */
export function scheduleGroup(scheduler, events, { reference, nowUs }) {
  scheduler.apply([...events, { type: 'SCHEDULE_ONE', pod: reference }], nowUs);
  const records = runAnswering(scheduler, { nowUs, maxCycles: 1 });
  const group = records.find(({ kind }) => kind === 'PodGroupDecision');
  const decisions = records.filter(({ kind }) => kind === 'Decision');
  if (!group) return { decisions: decisions.filter(({ pod }) => pod === reference).slice(-1) };
  return { group, decisions: decisions.filter(({ seq }) => group.decisions.includes(seq)) };
}

/**
 * @param {any} expect  `expect` of a step about a group
 * @param {{group?: any, decisions: any[]}} records
 * @param {{tieBreak?: string, detail?: string}} options
 * @returns {Difference | null}  the first one
 */
export function compareGroup(expect, { group, decisions }, options) {
  if (expect.result === 'gated' || !group) {
    const { result, plugin, message } = decisions[0] ?? {};
    return firstDifference(expect, { result, plugin, message }, ['result', 'plugin', 'message']);
  }
  const bound = decisions.some(({ result }) => result === 'scheduled');
  const order = decisions.map(({ pod }) => pod.split('/')[1]);
  const result = bound ? 'scheduled' : group.result === 'error' ? 'error' : 'unschedulable';
  const overall = firstDifference(expect, { result, order }, ['result', 'order']);
  if (overall) return overall;
  for (const [at, name] of order.entries()) {
    const difference = compareMember(expect.pods[name], decisions[at], options);
    if (difference) return { ...difference, path: `${name}.${difference.path}` };
  }
  const victims = decisions.flatMap(({ preemption }) => preemption?.victims ?? []);
  const deleted = [...(expect.deletedPods ?? [])].sort();
  return firstDifference({ deleted }, { deleted: [...new Set(victims)].sort() }, ['deleted']);
}

/**
 * The file holds the nomination that a member has afterwards in place of the preemption.
 * @param {any} expected @param {any} decision @param {{tieBreak?: string, detail?: string}} options
 */
function compareMember(expected, decision, options) {
  const { nominatedNode, ...expect } = expected;
  const { preemption, ...record } = decision;
  // A pod that found a node and fails with its group: only explanations have the refusals.
  if (options.detail === 'summary' && expect.best) delete expect.unschedulablePlugins;
  const difference = compareDecision(expect, record, options);
  if (difference) return difference;
  const nominated = decision.node ? undefined : decision.nominatedNodeName || undefined;
  return firstDifference({ nominatedNode }, { nominatedNode: nominated }, ['nominatedNode']);
}

/**
 * Brings the cluster into the state that the file prescribes after a group's cycle.
 * @param {import('./cluster.js').Cluster} cluster
 * @param {string} namespace
 * @param {any} expect
 */
export function settleGroup(cluster, namespace, expect) {
  const members = (expect.order ?? []).flatMap((/** @type {string} */ name) => {
    const reference = `${namespace}/${name}`;
    const { nominatedNode, ...one } = expect.pods[name];
    if (one.result === 'scheduled') return cluster.settle(reference, one);
    return cluster.nominate(reference, nominatedNode);
  });
  const deleted = (expect.deletedPods ?? []).map((/** @type {string} */ reference) => {
    const [space, name] = reference.split('/');
    return { kind: 'Pod', namespace: space, name };
  });
  return [...members, ...cluster.delete(deleted)];
}
