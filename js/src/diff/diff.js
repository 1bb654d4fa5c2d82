/** Compares the decisions of two configurations and explains the differences. */
import { nodeRow, whyNot } from '../engine/evaluation.js';
import { placementChange } from '../engine/placement_change.js';
import { own } from '../kubernetes/values.js';

/**
 * @import { Decision, Evaluation } from '../engine/types.js'
 * @import { NodeRow } from '../engine/evaluation.js'
 */

/**
 * The outcome of a pod with one configuration.
 * @typedef {{ result: string, node: string | null, message: string }} Fate
 */

/**
 * @typedef {'Moved' | 'NewlyPending' | 'NewlyPlaced' | 'NewlyEvicted' | 'NoLongerEvicted'} Change
 */

/**
 * A pod with different outcomes. `before` and `after` are those of the first and the second
 * configuration; null if there was no decision.
 * @typedef {object} Difference
 * @property {string} pod `namespace/name`
 * @property {Change} change
 * @property {Fate | null} before
 * @property {Fate | null} after
 */

/**
 * @param {Map<string, Fate>} before by `namespace/name`
 * @param {Map<string, Fate>} after
 * @returns {Difference[]} in the order of the first, others last
 */
export function differencesBetween(before, after) {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((pod) => {
    const fates = { before: before.get(pod) ?? null, after: after.get(pod) ?? null };
    const change = changeOf(fates);
    return change ? [{ pod, change, ...fates }] : [];
  });
}

/**
 * @param {{ before: Fate | null, after: Fate | null }} fates
 * @returns {Change | undefined}
 */
function changeOf({ before, after }) {
  const wasEvicted = before?.result === 'Evicted';
  const isEvicted = after?.result === 'Evicted';
  if (wasEvicted !== isEvicted) return isEvicted ? 'NewlyEvicted' : 'NoLongerEvicted';
  if (isEvicted) return undefined;
  return placementChange(before?.node ?? null, after?.node ?? null);
}

/**
 * Explains in a few words why a pod has another outcome with the second configuration: the plugin
 * that refuses the first node, or the plugin whose scores changed most in favour of the new node.
 * @param {Difference} difference
 * @param {{ [Which in 'before' | 'after']?: Decision | Evaluation }} decisions the last ones for
 *   the pod, with `detail: 'nodes'`
 * @param {string} [first] the name of the first configuration
 * @returns {string}
 */
export function whyDifferent({ change, before, after }, decisions, first = 'before') {
  if (change === 'NewlyEvicted' || change === 'NewlyPending')
    return after?.message || 'it is not decided on';
  if (change === 'NoLongerEvicted') return `no longer ${before?.message}`;
  if (change === 'NewlyPlaced') return `${first}: ${before?.message || 'it was not decided on'}`;
  const [from, to] = [String(before?.node), String(after?.node)];
  if (!decisions.before || !decisions.after) return '';
  const now = { from: nodeRow(decisions.after, from), to: nodeRow(decisions.after, to) };
  const then = nodeRow(decisions.before, to);
  if (now.from.total === undefined && now.from.verdict !== 'feasible')
    return sentence(decisions.after, from);
  if (then.total === undefined && then.verdict !== 'feasible')
    return `${first}: ${sentence(decisions.before, to)}`;
  return scoresTurned(now, then);
}

/**
 * `NodeResourcesFit on n03 30 → 91; n03 leads n12 by 12`
 * @param {{ from: NodeRow, to: NodeRow }} now
 * @param {NodeRow} then the new node, with its scores in the first configuration
 */
function scoresTurned({ from, to }, then) {
  const plugins = new Set([...Object.keys(to.scores ?? {}), ...Object.keys(then.scores ?? {})]);
  const changes = [...plugins].map((plugin) => ({
    plugin,
    old: own(then.scores, plugin) ?? 0,
    new: own(to.scores, plugin) ?? 0,
  }));
  const largest = changes.sort((a, b) => Math.abs(b.new - b.old) - Math.abs(a.new - a.old))[0];
  const lead = (to.total ?? 0) - (from.total ?? 0);
  const leads =
    lead > 0 ? `${to.node} leads ${from.node} by ${lead}` : `${to.node} is equal to ${from.node}`;
  if (!largest || largest.new === largest.old) return leads;
  return `${largest.plugin} on ${to.node} ${largest.old} → ${largest.new}; ${leads}`;
}

/**
 * @param {Decision | Evaluation} decision
 * @param {string} node
 */
function sentence(decision, node) {
  return whyNot(decision, node).replace(/\.$/, '');
}
