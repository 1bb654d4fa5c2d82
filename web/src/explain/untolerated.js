/** The taints that a pod does not tolerate, also by the operators of an alpha feature. */
import { tolerates, untoleratedTaints } from '../../../js/src/manifests/node_match.js';

/** @import { Facts } from './facts.js' */

/** Decimal, without a plus and without zeros in front. */
const CANONICAL = /^(0|-?[1-9]\d*)$/;

/**
 * @param {Pick<Facts, 'pod' | 'featureGates'>} facts
 * @param {Facts['node']} node
 * @param {string[]} effects
 * @returns {any[]}
 */
export function untolerated({ pod: { spec }, featureGates }, node, effects) {
  const taints = untoleratedTaints(spec, node, effects);
  if (!featureGates.TaintTolerationComparisonOperators) return taints;
  const tolerations = spec.tolerations ?? [];
  return taints.filter(
    (taint) => !tolerations.some((/** @type {any} */ one) => toleratesByValue(one, taint)),
  );
}

/**
 * @param {any} toleration
 * @param {any} taint
 */
function toleratesByValue({ operator, value = '', ...toleration }, taint) {
  if (operator !== 'Lt' && operator !== 'Gt') return false;
  const own = taint.value ?? '';
  if (!tolerates({ ...toleration, operator: 'Exists' }, taint)) return false;
  if (!CANONICAL.test(value) || !CANONICAL.test(own)) return false;
  return operator === 'Lt' ? BigInt(own) < BigInt(value) : BigInt(own) > BigInt(value);
}
