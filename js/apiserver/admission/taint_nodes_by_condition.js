/**
 * TaintNodesByCondition: a new node is not ready until its controller reports it ready.
 * Counterpart: plugin/pkg/admission/nodetaint, v1.36.
 */

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 * @import { StrategyContext } from '../strategies/strategy.js'
 */

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

/**
 * @param {KubernetesObject} node
 * @param {StrategyContext} context
 */
export function withNotReadyTaint(node, { taintNodesByCondition }) {
  const taints = node.spec?.taints ?? [];
  const isTainted = taints.some(
    (/** @type {any} */ { key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect,
  );
  if (!taintNodesByCondition || isTainted) return node;
  return { ...node, spec: { ...node.spec, taints: [...taints, NOT_READY] } };
}
