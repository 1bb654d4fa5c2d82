/**
 * Which nodes suit a pod, as the controllers of DaemonSets and of taints see it: those that its
 * node selector, node affinity and tolerations allow.
 */

import { isRecord, itemsIn } from '../values.js';

/** @import { KubernetesObject } from '../types.js' */

const REPELLING = ['NoSchedule', 'NoExecute'];

/**
 * @param {any} spec of the pod, with the controller's tolerations
 * @param {KubernetesObject} node
 * @returns {boolean}
 */
export function runsOn(spec, node) {
  return selectsNode(spec, node) && untoleratedTaints(spec, node, REPELLING).length === 0;
}

/**
 * Whether the node is the one, or one of those, that the pod asks for.
 * @param {any} spec of the pod
 * @param {KubernetesObject} node
 * @returns {boolean}
 */
export function selectsNode(spec, node) {
  const name = node.metadata?.name;
  if (spec.nodeName && spec.nodeName !== name) return false;
  const labels = node.metadata?.labels ?? {};
  const selected = Object.entries(spec.nodeSelector ?? {}).every(
    ([key, value]) => labels[key] === value,
  );
  return selected && affinityAllows(spec, labels, name);
}

/**
 * The node's taints of these effects that the pod does not tolerate.
 * @param {any} spec of the pod
 * @param {KubernetesObject} node
 * @param {string[]} effects
 * @returns {any[]}
 */
export function untoleratedTaints(spec, node, effects) {
  const taints = itemsIn(node.spec?.taints).filter(isRecord);
  return taints.filter(
    (taint) =>
      effects.includes(taint.effect) &&
      !(spec.tolerations ?? []).some((/** @type {any} */ one) => tolerates(one, taint)),
  );
}

/**
 * @param {any} spec
 * @param {Record<string, string>} labels
 * @param {string} name
 */
function affinityAllows(spec, labels, name) {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  return (required.nodeSelectorTerms ?? []).some((/** @type {any} */ term) => {
    const { matchExpressions = [], matchFields = [] } = term;
    if (matchExpressions.length + matchFields.length === 0) return false;
    return (
      matchExpressions.every((/** @type {any} */ rule) => matches(rule, labels)) &&
      matchFields.every((/** @type {any} */ rule) => matches(rule, { 'metadata.name': name }))
    );
  });
}

/**
 * @param {{ key: string, operator: string, values?: string[] }} rule
 * @param {Record<string, string>} labels
 */
function matches({ key, operator, values = [] }, labels) {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) > BigInt(values[0]);
    case 'Lt':
      return isInteger(value) && isInteger(values[0]) && BigInt(value) < BigInt(values[0]);
    default:
      return false;
  }
}

/** @param {string | undefined} value @returns {value is string} */
function isInteger(value) {
  return value !== undefined && /^[+-]?\d+$/.test(value);
}

/**
 * @param {any} toleration
 * @param {any} taint
 * @returns {boolean}
 */
export function tolerates({ key, operator = 'Equal', value = '', effect }, taint) {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  return operator === 'Exists' || (operator === 'Equal' && value === (taint.value ?? ''));
}
