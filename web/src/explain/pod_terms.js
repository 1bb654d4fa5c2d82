/** Terms of pod affinity: which pods they are about. */
import { labelSelectorOf } from '../../../js/src/kubernetes/label_selector.js';

/** @import { KubernetesObject } from '../../../js/src/kubernetes/types.js' */

/** @typedef {Record<string, string>} Labels */

/**
 * @typedef {object} PodTerm
 * @property {string} topologyKey
 * @property {(pod: KubernetesObject, namespaceLabels: Labels) => boolean} matches
 */

/**
 * @param {any} term of the API
 * @param {string} ownNamespace of the pod that has it
 * @param {KubernetesObject[]} [expanded] namespaces whose names take the place of the selector's:
 *   so it is for the terms of the pod that is scheduled
 * @returns {PodTerm}
 */
export function podTerm(term, ownNamespace, expanded = []) {
  const { topologyKey, namespaces = [], namespaceSelector, labelSelector } = term;
  const isOwn = namespaces.length === 0 && !namespaceSelector;
  const names = new Set(isOwn ? [ownNamespace] : namespaces);
  const ofNamespaces = labelSelectorOf(namespaceSelector);
  for (const { metadata } of expanded)
    if (ofNamespaces.matches(metadata.labels)) names.add(metadata.name);
  const selector = labelSelectorOf(labelSelector);
  return {
    topologyKey,
    matches: ({ metadata }, namespaceLabels) =>
      (names.has(metadata.namespace) || ofNamespaces.matches(namespaceLabels)) &&
      selector.matches(metadata.labels),
  };
}
