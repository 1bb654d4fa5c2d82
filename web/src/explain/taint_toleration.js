/** TaintToleration's score: the taints that say "rather not here". */
import { untolerated } from './untolerated.js';

/** @import { Facts, Formula } from './facts.js' */

/**
 * @param {Facts} facts
 * @returns {Formula}
 */
export function taintToleration(facts) {
  const taints = untolerated(facts, facts.node, ['PreferNoSchedule']);
  const names = taints.map(({ key, value }) => (value ? `${key}=${value}` : key)).join(', ');
  const which = names && `: ${names}`;
  return {
    lines: [`PreferNoSchedule taints that the pod does not tolerate: ${taints.length}${which}`],
    value: taints.length,
  };
}
