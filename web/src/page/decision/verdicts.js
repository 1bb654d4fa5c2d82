/** @import { Evaluation } from '../../../../js/src/index.js' */

/**
 * The colours of nodes' edges by verdict: names of the page's colours.
 * @type {readonly { verdict: 'chosen' | 'feasible' | 'refused', colour: 'accent' | 'muted' | 'bad',
 *   words: string }[]}
 */
export const VERDICTS = [
  { verdict: 'chosen', colour: 'accent', words: 'chosen' },
  { verdict: 'feasible', colour: 'muted', words: 'fits' },
  { verdict: 'refused', colour: 'bad', words: 'refused' },
];

/**
 * The verdict of each node in an evaluation.
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
