/** @import { Evaluation } from '../../../../js/src/types.js' */

/**
 * What became of each node in an evaluation.
 * @param {Evaluation | null} evaluation
 * @returns {Map<string, 'chosen' | 'feasible' | 'refused'>}
 */
export function verdictsOf(evaluation) {
  /** @type {Map<string, 'chosen' | 'feasible' | 'refused'>} */
  const verdicts = new Map();
  if (!evaluation) return verdicts;
  for (const { nodes } of evaluation.filter ?? [])
    for (const node of nodes) verdicts.set(node, 'refused');
  for (const node of evaluation.feasible ?? []) verdicts.set(node, 'feasible');
  if (evaluation.node) verdicts.set(evaluation.node, 'chosen');
  return verdicts;
}
