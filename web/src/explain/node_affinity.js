/** NodeAffinity's score: the weights of the preferences that a node meets. */
import { selectsNode } from '../../../js/src/kubernetes/node_match.js';

/** @import { Facts, Formula } from './facts.js' */

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * @param {Facts} facts
 * @returns {Formula}
 */
export function nodeAffinity({ pod, node, args }) {
  const own = pod.spec.affinity?.nodeAffinity?.[PREFERRED] ?? [];
  const added = args.addedAffinity?.[PREFERRED] ?? [];
  const terms = [
    ...added.map((/** @type {any} */ term) => ({ ...term, whose: 'of the configuration' })),
    ...own.map((/** @type {any} */ term) => ({ ...term, whose: 'of the pod' })),
  ].map(({ weight = 0, preference, whose }) => {
    const isMet = weight !== 0 && meets(node, preference);
    const text = `${whose}, ${preferenceText(preference)}: ${isMet ? `+${weight}` : 'not met, 0'}`;
    return { text, score: isMet ? weight : 0 };
  });
  const value = terms.reduce((sum, { score }) => sum + score, 0);
  return { lines: [...terms.map(({ text }) => text), `together ${value}`], value };
}

/**
 * @param {Facts['node']} node
 * @param {any} preference
 */
function meets(node, preference) {
  const required = { nodeSelectorTerms: [preference ?? {}] };
  const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: required };
  return selectsNode({ affinity: { nodeAffinity } }, node);
}

/** @param {any} preference */
function preferenceText({ matchExpressions = [], matchFields = [] } = {}) {
  const rules = [...matchExpressions, ...matchFields].map(
    ({ key, operator, values = [] }) =>
      `${key} ${operator}${values.length > 0 ? ` (${values.join(', ')})` : ''}`,
  );
  return rules.join(' and ') || 'empty';
}
