/** InterPodAffinity's score: the pods that want to be near, or far from, each other. */
import { podTerm } from './pod_terms.js';

/**
 * @import { Facts, Formula } from './facts.js'
 * @import { KubernetesObject } from '../../../js/src/kubernetes/types.js'
 * @import { PodTerm } from './pod_terms.js'
 */

/** By key and value. @typedef {Map<string, Map<string, number>>} Sums */

const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** The sums are those of all nodes: one for each `feasible`. @type {WeakMap<object, Sums>} */
const known = new WeakMap();

/**
 * @param {Facts} facts
 * @returns {Formula}
 */
export function interPodAffinity(facts) {
  const sums = known.get(facts.feasible) ?? sumsOf(facts);
  known.set(facts.feasible, sums);
  const labels = facts.node.metadata.labels ?? {};
  const found = [...sums].flatMap(([key, byValue]) => {
    const sum = labels[key] === undefined ? undefined : byValue.get(labels[key]);
    return sum === undefined ? [] : [{ text: `${key}=${labels[key]}: ${signed(sum)}`, sum }];
  });
  const value = found.reduce((total, { sum }) => total + sum, 0);
  const lines = [
    'the weights of all terms that pods there and this pod have for each other',
    ...found.map(({ text }) => text),
    `together ${value}`,
  ];
  return { lines, value };
}

/**
 * @param {Facts} facts
 * @returns {Sums}
 */
function sumsOf({ pod, nodes, podsOn, objects, args }) {
  const { hardPodAffinityWeight: hardWeight = 1 } = args;
  const { namespace } = pod.metadata;
  const namespaces = objects('namespaces');
  const own = namespaces.find(({ metadata }) => metadata.name === namespace);
  const namespaceLabels = own?.metadata.labels ?? {};
  const ownTerms = preferredTerms(pod, namespaces);
  /** @type {Sums} */
  const sums = new Map();
  for (const { metadata } of nodes) {
    const labels = metadata.labels ?? {};
    if (Object.keys(labels).length === 0) continue;
    const add = (/** @type {PodTerm} */ { topologyKey: key }, /** @type {number} */ weight) => {
      if (labels[key] === undefined) return;
      const byValue = sums.get(key) ?? new Map();
      sums.set(key, byValue.set(labels[key], (byValue.get(labels[key]) ?? 0) + weight));
    };
    for (const other of podsOn(metadata.name)) {
      for (const { term, weight } of ownTerms) if (term.matches(other, {})) add(term, weight);
      for (const { term, weight } of [...hardTerms(other, hardWeight), ...preferredTerms(other)])
        if (term.matches(pod, namespaceLabels)) add(term, weight);
    }
  }
  return sums;
}

/**
 * @param {KubernetesObject} pod
 * @param {KubernetesObject[]} [namespaces] that selectors are about
 * @returns {{ term: PodTerm, weight: number }[]} with negative weights where others are avoided
 */
function preferredTerms({ metadata: { namespace }, spec }, namespaces = []) {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const terms = (/** @type {any[]} */ all = [], /** @type {1 | -1} */ sign) =>
    all.map(({ weight, podAffinityTerm }) => {
      const isExpanded = Object.keys(podAffinityTerm.namespaceSelector ?? {}).length > 0;
      const term = podTerm(podAffinityTerm, namespace, isExpanded ? namespaces : []);
      return { term, weight: sign * weight };
    });
  return [...terms(podAffinity?.[PREFERRED], 1), ...terms(podAntiAffinity?.[PREFERRED], -1)];
}

/**
 * @param {KubernetesObject} pod
 * @param {number} weight
 */
function hardTerms({ metadata: { namespace }, spec }, weight) {
  if (weight === 0) return [];
  const terms = spec.affinity?.podAffinity?.[REQUIRED] ?? [];
  return terms.map((/** @type {any} */ term) => ({ term: podTerm(term, namespace), weight }));
}

/** @param {number} value */
function signed(value) {
  return value < 0 ? `−${-value}` : `+${value}`;
}
