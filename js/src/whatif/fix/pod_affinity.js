/** Relaxes required pod affinity and anti-affinity. */
import { itemsIn } from '../../kubernetes/values.js';
import { labelSelectorText } from '../../kubernetes/label_selector.js';
import { ASKS, withItem, withSpec } from './edit.js';

/**
 * @import { Culprit } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 */

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const HOSTNAME = 'kubernetes.io/hostname';
const WEIGHT = 100;

/** @typedef {'podAffinity' | 'podAntiAffinity'} Field */

/**
 * Returns the alternatives by which the pod's own terms allow the node.
 * @param {Culprit} culprit of InterPodAffinity
 * @param {KubernetesObject} pod
 * @returns {Edit[][]}
 */
export function relaxPodAffinity({ affinity = [], antiAffinity = [] }, pod) {
  const near = affinity.map(({ term }) => prefer(pod, 'podAffinity', term));
  const away = antiAffinity.map(({ term }) => prefer(pod, 'podAntiAffinity', term));
  if (near.length + away.length === 0) return [];
  const isWide = away.length > 0 && antiAffinity.every((one) => one.topologyKey !== HOSTNAME);
  const narrowed = antiAffinity.map(({ term }) => narrow(pod, term));
  return [[...near, ...away], ...(isWide ? [[...near, ...narrowed]] : [])];
}

/**
 * Returns a required term of the pod.
 * @param {KubernetesObject} pod
 * @param {Field} field
 * @param {string} path of the term in the pod
 * @returns {any}
 */
function termAt({ spec }, field, path) {
  const index = Number(/\[(\d+)\]$/.exec(path)?.[1] ?? 0);
  return itemsIn(spec.affinity?.[field]?.[REQUIRED])[index];
}

/**
 * @param {KubernetesObject} pod
 * @param {Field} field
 * @param {string} path
 * @returns {Edit}
 */
function prefer(pod, field, path) {
  const term = termAt(pod, field, path);
  const kind = field === 'podAffinity' ? 'PreferPodAffinity' : 'PreferPodAntiAffinity';
  const name = field === 'podAffinity' ? 'affinity to' : 'anti-affinity against';
  return {
    key: `${kind} ${JSON.stringify(term)}`,
    shape: `${kind} ${JSON.stringify(term)}`,
    kind,
    sentence: `prefer instead of require the pod's ${name} ${textOf(term)}`,
    asks: ASKS.pod,
    size: 0.7,
    pod: (before) =>
      withTerms(before, field, (terms) => {
        const required = itemsIn(terms[REQUIRED]);
        const left = withItem(required, indexOf(required, term));
        const { [REQUIRED]: _, ...rest } = terms;
        return {
          ...rest,
          ...(left.length > 0 && { [REQUIRED]: left }),
          [PREFERRED]: [...itemsIn(terms[PREFERRED]), { weight: WEIGHT, podAffinityTerm: term }],
        };
      }),
  };
}

/**
 * @param {KubernetesObject} pod
 * @param {string} path
 * @returns {Edit}
 */
function narrow(pod, path) {
  const term = termAt(pod, 'podAntiAffinity', path);
  return {
    key: `NarrowPodAntiAffinity ${JSON.stringify(term)}`,
    shape: `NarrowPodAntiAffinity ${JSON.stringify(term)}`,
    kind: 'NarrowPodAntiAffinity',
    sentence: `narrow the pod's anti-affinity against ${textOf(term)} to ${HOSTNAME}`,
    asks: ASKS.pod,
    size: 0.4,
    pod: (before) =>
      withTerms(before, 'podAntiAffinity', (terms) => {
        const required = itemsIn(terms[REQUIRED]);
        const narrowed = { ...term, topologyKey: HOSTNAME };
        return { ...terms, [REQUIRED]: withItem(required, indexOf(required, term), narrowed) };
      }),
  };
}

/** @param {any} term */
function textOf({ labelSelector, topologyKey }) {
  const selector = labelSelector ? labelSelectorText(labelSelector) : 'no pod';
  return `${selector || 'all pods'} by ${topologyKey}`;
}

/**
 * Terms are found by their content: other edits may have moved them.
 * @param {any[]} terms
 * @param {any} term
 */
function indexOf(terms, term) {
  const text = JSON.stringify(term);
  return terms.findIndex((one) => JSON.stringify(one) === text);
}

/**
 * @param {KubernetesObject} pod
 * @param {Field} field
 * @param {(terms: any) => any} change
 */
function withTerms(pod, field, change) {
  return withSpec(pod, (spec) => ({
    ...spec,
    affinity: { ...spec.affinity, [field]: change(spec.affinity?.[field] ?? {}) },
  }));
}
