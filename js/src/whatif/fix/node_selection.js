/** Lets a pod onto nodes that its nodeSelector or node affinity excludes. */
import { controllerOf } from '../../kubernetes/owners.js';
import { itemsIn } from '../../kubernetes/values.js';
import { ASKS, withItem, withSpec } from './edit.js';

/**
 * @import { Culprit } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 */

/** @typedef {NonNullable<Culprit['requirements']>[number]} Requirement */

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const NODE_SELECTOR = 'spec.nodeSelector';

/** Names of nodes, and labels that describe what a node is: setting them would not make it so. */
const FACTS = /^(metadata\.name$|([\w-]+\.)*kubernetes\.io\/)/;

/**
 * Returns the alternatives by which the pod gets onto a node.
 * @param {Culprit} culprit of NodeAffinity
 * @param {KubernetesObject} pod
 * @param {KubernetesObject | undefined} node
 * @returns {Edit[][]}
 */
export function admitNode({ requirements = [] }, pod, node) {
  const selected = requirements.filter(({ field }) => field === NODE_SELECTOR);
  const others = requirements.filter(({ field }) => field !== NODE_SELECTOR);
  // A DaemonSet's controller creates each pod for one node, whatever its template has.
  if (others.length > 0 && controllerOf(pod)?.kind === 'DaemonSet') return [];
  const dropped = selected.length > 0 ? [dropNodeSelector(selected)] : [];
  const terms = byTerm(others);
  const relaxed = terms.length === 0 ? [[]] : [[widened(terms[0], pod)], [dropNodeAffinity()]];
  const ofPod = relaxed.map((edits) => [...dropped, ...edits]).filter(({ length }) => length > 0);
  const labels = node && labelsFor([...selected, ...(terms[0] ?? [])]);
  return labels ? [...ofPod, [labelNode(node, labels)]] : ofPod;
}

/**
 * Returns the unmet requirements by term, the term with the fewest first.
 * @param {Requirement[]} requirements
 * @returns {Requirement[][]}
 */
function byTerm(requirements) {
  /** @type {Map<string, Requirement[]>} */
  const terms = new Map();
  for (const one of requirements) {
    const term = /nodeSelectorTerms\[\d+\]/.exec(one.field)?.[0] ?? '';
    terms.set(term, [...(terms.get(term) ?? []), one]);
  }
  return [...terms.values()].sort((a, b) => a.length - b.length);
}

/** @param {Requirement[]} requirements @returns {Edit} */
function dropNodeSelector(requirements) {
  const keys = requirements.map(({ key }) => key).sort();
  const texts = requirements.map(({ key, values }) => `${key}=${values[0]}`).sort();
  return {
    key: `DropNodeSelector ${keys}`,
    shape: `DropNodeSelector ${keys}`,
    kind: 'DropNodeSelector',
    sentence: `drop ${texts.join(', ')} from the pod's nodeSelector`,
    asks: ASKS.pod,
    size: 0.5,
    pod: (pod) =>
      withSpec(pod, ({ nodeSelector, ...spec }) => {
        const left = Object.entries(nodeSelector ?? {}).filter(([key]) => !keys.includes(key));
        return left.length > 0 ? { ...spec, nodeSelector: Object.fromEntries(left) } : spec;
      }),
  };
}

/**
 * Gives each requirement of a term the value that the node has, or drops it.
 * @param {Requirement[]} term
 * @param {KubernetesObject} pod
 * @returns {Edit}
 */
function widened(term, pod) {
  const at = Number(/\[(\d+)\]/.exec(term[0].field)?.[1] ?? 0);
  const isWidening = term.every(({ operator, value }) => operator === 'In' && value !== null);
  const required = pod.spec.affinity?.nodeAffinity?.[REQUIRED];
  // A term without requirements matches no node.
  if (!termWithout(itemsIn(required?.nodeSelectorTerms)[at], term, isWidening))
    return dropNodeAffinity();
  const texts = term.map(({ key, operator, values, value }) => {
    if (isWidening) return `${value} for ${key}`;
    return values.length > 0 ? `${key} ${operator} [${values.join(', ')}]` : `${key} ${operator}`;
  });
  const verb = isWidening ? 'also allow' : 'drop the requirement';
  return {
    key: `WidenNodeAffinity ${at} ${isWidening} ${texts.join()}`,
    shape: `WidenNodeAffinity ${at} ${isWidening} ${term.map((one) => one.key)}`,
    kind: 'WidenNodeAffinity',
    sentence: `${verb} ${texts.join(', ')} in the pod's node affinity (term ${at + 1})`,
    asks: ASKS.pod,
    size: isWidening ? 0.2 : 0.5,
    pod: (before) =>
      withNodeAffinity(before, (one) => {
        const terms = itemsIn(one.nodeSelectorTerms);
        const changed = termWithout(terms[at], term, isWidening);
        return changed && { ...one, nodeSelectorTerms: withItem(terms, at, changed) };
      }),
  };
}

/**
 * @param {any} term
 * @param {Requirement[]} unmet
 * @param {boolean} isWidening
 */
function termWithout(term, unmet, isWidening) {
  const isUnmet = (/** @type {any} */ rule) =>
    unmet.find((one) => one.key === rule.key && one.operator === rule.operator);
  const rules = (/** @type {any} */ list) =>
    itemsIn(list).flatMap((rule) => {
      const found = isUnmet(rule);
      if (!found) return [rule];
      return isWidening ? [{ ...rule, values: [...itemsIn(rule.values), found.value] }] : [];
    });
  const matchExpressions = rules(term?.matchExpressions);
  const matchFields = rules(term?.matchFields);
  if (matchExpressions.length + matchFields.length === 0) return undefined;
  return {
    ...(matchExpressions.length > 0 && { matchExpressions }),
    ...(matchFields.length > 0 && { matchFields }),
  };
}

/** @returns {Edit} */
function dropNodeAffinity() {
  return {
    key: 'DropNodeAffinity',
    shape: 'DropNodeAffinity',
    kind: 'DropNodeAffinity',
    sentence: `drop the pod's required node affinity`,
    asks: ASKS.pod,
    size: 1,
    pod: (pod) => withNodeAffinity(pod, () => undefined),
  };
}

/**
 * @param {KubernetesObject} pod
 * @param {(required: any) => any} change
 */
function withNodeAffinity(pod, change) {
  return withSpec(pod, (spec) => {
    const { [REQUIRED]: required, ...preferred } = spec.affinity?.nodeAffinity ?? {};
    if (!required) return spec;
    const changed = change(required);
    const nodeAffinity = changed ? { ...preferred, [REQUIRED]: changed } : preferred;
    return { ...spec, affinity: { ...spec.affinity, nodeAffinity } };
  });
}

/**
 * Returns the labels that meet the requirements, if labels can.
 * @param {Requirement[]} requirements
 * @returns {Record<string, string> | undefined}
 */
function labelsFor(requirements) {
  const entries = requirements.map(({ key, operator, values }) => {
    if (FACTS.test(key)) return undefined;
    if (operator === 'In') return [key, values[0]];
    return operator === 'Exists' ? [key, 'true'] : undefined;
  });
  return entries.length > 0 && entries.every(Boolean)
    ? Object.fromEntries(/** @type {[string, string][]} */ (entries))
    : undefined;
}

/**
 * @param {KubernetesObject} node
 * @param {Record<string, string>} labels
 * @returns {Edit}
 */
export function labelNode(node, labels) {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  const { name } = node.metadata;
  return {
    key: `LabelNode ${name} ${texts}`,
    shape: `LabelNode ${texts}`,
    kind: 'LabelNode',
    sentence: `label node ${name} with ${texts.join(', ')}`,
    asks: ASKS.label,
    size: 0.1 * texts.length,
    node: {
      object: node,
      change: (object) => ({
        ...object,
        metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
      }),
    },
  };
}
