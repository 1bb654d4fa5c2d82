/** A sentence on how far the best node leads. */
import { nodeRow } from '../../../../js/src/index.js';

/** @import { Evaluation } from '../../../../js/src/index.js' */

/** The most nodes that are named. */
const NAMED_MAX = 3;

/**
 * @param {Evaluation} evaluation
 * @returns {string} empty: no node fits
 */
export function marginText(evaluation) {
  const { node, feasible = [], total } = evaluation;
  if (!node || feasible.length === 0) return '';
  if (isAlone(evaluation)) return `${node} was tried first and fits; no other node was evaluated.`;
  if (feasible.length === 1) return `${node} is the only node that fits.`;
  if (!total) return '';
  const chosen = total[feasible.indexOf(node)];
  const tied = feasible.filter((name, at) => total[at] === chosen && name !== node);
  if (tied.length > 0)
    return (
      `${listed([node, ...tied])} share the highest total, ${chosen}. The choice is not random: ` +
      `kube-scheduler takes the one on top of its heap of nodes, here ${node}.`
    );
  const second = total.reduce(
    (most, one) => (one < chosen ? Math.max(most, one) : most),
    -Infinity,
  );
  const others = feasible.filter((_, at) => total[at] === second);
  return leadText(evaluation, node, others);
}

/**
 * Whether the node was nominated or proposed, so that the search ended there.
 * @param {Evaluation} evaluation
 */
function isAlone({ evaluatedNodes, numAllNodes = 0, preFilterResult }) {
  return evaluatedNodes === 1 && numAllNodes > 1 && preFilterResult === undefined;
}

/**
 * @param {Evaluation} evaluation
 * @param {string} node
 * @param {string[]} others with equal totals
 */
function leadText(evaluation, node, others) {
  const [first] = others;
  const [best, next] = [nodeRow(evaluation, node), nodeRow(evaluation, first)];
  const margin = (best.total ?? 0) - (next.total ?? 0);
  const leads = Object.entries(best.scores ?? {})
    .map(([plugin, score]) => ({ plugin, lead: score - (next.scores?.[plugin] ?? 0) }))
    .filter(({ lead }) => lead !== 0)
    .sort((a, b) => b.lead - a.lead);
  const told = leads.map(
    ({ plugin, lead }) => `${plugin} ${lead < 0 ? '−' : '+'}${Math.abs(lead)}`,
  );
  const from = margin - leads.reduce((sum, { lead }) => sum + lead, 0);
  if (from !== 0) told.push(`extenders ${from < 0 ? '−' : '+'}${Math.abs(from)}`);
  const also = others.length > 1 ? ` (and ${others.length - 1} more with the same total)` : '';
  const lead = `${node} leads ${first}${also} by ${margin}: ${told.join(', ')}.`;
  return `${lead} ${deciding(leads, margin, first)}`;
}

/**
 * @param {{ plugin: string, lead: number }[]} leads the largest first
 * @param {number} margin
 * @param {string} other
 */
function deciding(leads, margin, other) {
  const { plugin = '', lead = 0 } = leads[0] ?? {};
  if (lead <= 0) return 'No plugin decides it.';
  if (lead < margin) return `${plugin} gives most of it.`;
  const outcome = lead > margin ? `${other} would lead` : 'they would be equal';
  return `${plugin} decides: without it ${outcome}.`;
}

/** @param {string[]} names */
function listed(names) {
  if (names.length > NAMED_MAX + 1)
    return `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`;
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
