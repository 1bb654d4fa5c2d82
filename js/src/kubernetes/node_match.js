/**
 * Matches nodes and pods as the controllers of DaemonSets and of taints do: by node selector, node
 * affinity and tolerations. Counterpart: component-helpers/scheduling/corev1, v1.36.
 */

import { labelOf } from './label_selector.js';
import { labelKeyFaults, labelValueFaults } from './names.js';
import { int64Of } from './int64.js';
import { isBeyond, meets } from './requirement.js';
import { isRecord, itemsIn } from './values.js';

/**
 * @import { Labels } from './label_selector.js'
 * @import { KubernetesObject } from './types.js'
 */

/**
 * `comparesValues`: whether the operators Lt and Gt are enabled, by the feature gate
 * TaintTolerationComparisonOperators.
 * @typedef {{ comparesValues?: boolean }} TolerationOptions
 */

const REPELLING = ['NoSchedule', 'NoExecute'];

/** Decimal, without a plus and without leading zeros. */
const PLAIN_INTEGER = /^(0|-?[1-9]\d*)$/;

/**
 * @param {any} spec of the pod, with the controller's tolerations
 * @param {KubernetesObject} node
 * @returns {boolean}
 */
export function runsOn(spec, node) {
  return selectsNode(spec, node) && untoleratedTaints(spec, node, REPELLING).length === 0;
}

/**
 * Whether the pod's node name, node selector and node affinity allow the node.
 * @param {any} spec of the pod
 * @param {KubernetesObject} node
 * @returns {boolean}
 */
export function selectsNode(spec, node) {
  const name = node.metadata?.name;
  if (spec.nodeName && spec.nodeName !== name) return false;
  const labels = node.metadata?.labels;
  const selected = Object.entries(spec.nodeSelector ?? {}).every(
    ([key, value]) => labelOf(labels, key) === (value ?? ''),
  );
  return selected && affinityAllows(spec, labels, name);
}

/**
 * Returns the node's taints of these effects that the pod does not tolerate.
 * @param {any} spec of the pod
 * @param {KubernetesObject} node
 * @param {string[]} effects
 * @param {TolerationOptions} [options]
 * @returns {any[]}
 */
export function untoleratedTaints(spec, node, effects, options) {
  const taints = itemsIn(node.spec?.taints).filter(isRecord);
  return taints.filter(
    (taint) =>
      effects.includes(taint.effect) &&
      !itemsIn(spec.tolerations).some((one) => tolerates(one, taint, options)),
  );
}

/**
 * Returns how long a pod may stay on a node with NoExecute taints. For each taint the first
 * toleration counts that matches it; the shortest of their times is that of the pod.
 * Counterparts: GetMatchingTolerations in pkg/apis/core/v1/helper, and getMinTolerationTime in
 * pkg/controller/tainteviction, v1.36.
 * @param {any} spec of the pod
 * @param {any[]} taints of the effect NoExecute
 * @returns {number} milliseconds; Infinity if it may stay
 */
export function toleratedFor(spec, taints) {
  const times = taints.map((taint) => {
    const used = itemsIn(spec.tolerations).find((one) => tolerates(one, taint));
    if (used === undefined) return 0;
    return Math.max(0, (used?.tolerationSeconds ?? Infinity) * 1000);
  });
  return Math.min(Infinity, ...times);
}

/**
 * @param {any} spec
 * @param {Labels} labels
 * @param {string} name
 */
function affinityAllows(spec, labels, name) {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return true;
  return itemsIn(required.nodeSelectorTerms).some((term) => {
    const [rules, fields] = [itemsIn(term?.matchExpressions), itemsIn(term?.matchFields)];
    if (rules.length + fields.length === 0) return false;
    return (
      rules.every((rule) => isRule(rule) && isMet(rule, labelOf(labels, rule.key))) &&
      fields.every((rule) => isFieldRule(rule) && isMet(rule, fieldOf(name, rule.key)))
    );
  });
}

/**
 * Whether a rule is valid: a term with an invalid rule selects nothing.
 * @param {any} rule
 */
function isRule(rule) {
  if (!isRecord(rule) || typeof rule.key !== 'string') return false;
  if (labelKeyFaults(rule.key).length > 0) return false;
  const values = valuesOf(rule);
  return (
    isCountOf(rule.operator, values) && !values.some((one) => labelValueFaults(one).length > 0)
  );
}

/**
 * @param {string} operator
 * @param {string[]} values
 */
function isCountOf(operator, values) {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0;
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0;
    case 'Gt':
    case 'Lt':
      return values.length === 1 && int64Of(values[0]) !== undefined;
    default:
      return false;
  }
}

/** @param {any} rule about a field of the node */
function isFieldRule(rule) {
  const isKnown = rule?.operator === 'In' || rule?.operator === 'NotIn';
  return isKnown && valuesOf(rule).length === 1;
}

/**
 * `metadata.name` is the only supported field; all others are empty.
 * @param {string} name of the node
 * @param {string} field
 */
function fieldOf(name, field) {
  return field === 'metadata.name' ? name : '';
}

/**
 * @param {any} rule a valid one
 * @param {string | undefined} value
 */
function isMet(rule, value) {
  return meets(value, { operator: rule.operator, values: valuesOf(rule) });
}

/** Null in JSON is an empty text. @param {any} rule @returns {string[]} */
function valuesOf({ values }) {
  return itemsIn(values).map((value) => value ?? '');
}

/**
 * @param {any} toleration null in JSON is an empty toleration
 * @param {any} taint
 * @param {TolerationOptions} [options]
 * @returns {boolean}
 */
export function tolerates(toleration, taint, { comparesValues = false } = {}) {
  const { key, operator, value, effect } = toleration ?? {};
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  switch (operator || 'Equal') {
    case 'Equal':
      return (value ?? '') === (taint.value ?? '');
    case 'Exists':
      return true;
    case 'Gt':
    case 'Lt':
      return comparesValues && isBeyond(operator, plainInteger(taint.value), plainInteger(value));
    default:
      return false;
  }
}

/** @param {unknown} text */
function plainInteger(text) {
  return typeof text === 'string' && PLAIN_INTEGER.test(text) ? int64Of(text) : undefined;
}
