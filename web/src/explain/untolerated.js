/** The taints that a pod does not tolerate, by the operators that the feature gates allow. */
import { untoleratedTaints } from '../../../js/src/kubernetes/node_match.js';

/** @import { Facts } from './facts.js' */

/**
 * @param {Pick<Facts, 'pod' | 'featureGates'>} facts
 * @param {Facts['node']} node
 * @param {string[]} effects
 * @returns {any[]}
 */
export function untolerated({ pod: { spec }, featureGates }, node, effects) {
  const comparesValues = featureGates.TaintTolerationComparisonOperators;
  return untoleratedTaints(spec, node, effects, { comparesValues });
}
