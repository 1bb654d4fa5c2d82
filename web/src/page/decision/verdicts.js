/** @import { Evaluation } from '../../../../js/src/index.js' */
/** @import { Session } from '../session.js' */

/**
 * A node in an evaluation; or in a future, where it gets pods, loses some, or is lost itself.
 * @typedef {'chosen' | 'feasible' | 'refused' | 'gains' | 'loses' | 'lost'} NodeMark
 */

/**
 * The colours of nodes' edges by verdict: names of the page's colours.
 * @type {readonly { verdict: NodeMark, colour: 'accent' | 'muted' | 'bad', words: string }[]}
 */
export const VERDICTS = [
  { verdict: 'chosen', colour: 'accent', words: 'chosen' },
  { verdict: 'feasible', colour: 'muted', words: 'fits' },
  { verdict: 'refused', colour: 'bad', words: 'refused' },
  { verdict: 'gains', colour: 'accent', words: 'gets pods' },
  { verdict: 'loses', colour: 'bad', words: 'loses pods' },
  { verdict: 'lost', colour: 'muted', words: 'lost' },
];

/**
 * The verdict of each node in an evaluation.
 * @param {Evaluation | null} evaluation
 * @returns {Map<string, NodeMark>}
 */
export function verdictsOf(evaluation) {
  /** @type {Map<string, NodeMark>} */
  const verdicts = new Map();
  if (!evaluation) return verdicts;
  for (const { nodes } of evaluation.filter ?? [])
    for (const node of nodes) verdicts.set(node, 'refused');
  for (const node of evaluation.feasible ?? []) verdicts.set(node, 'feasible');
  if (evaluation.node) verdicts.set(evaluation.node, 'chosen');
  return verdicts;
}

/**
 * The marks of nodes: none in the map of failures; beside a future, what changes; otherwise the
 * verdicts of the evaluation.
 * @param {Pick<Session, 'evaluation' | 'prospect'>} session
 * @returns {Map<string, NodeMark>}
 */
export function marksOf({ evaluation, prospect }) {
  if (prospect.stranded.value) return new Map();
  return prospect.cluster.value ? prospect.marks.value : verdictsOf(evaluation.value);
}
