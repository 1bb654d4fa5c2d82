import { labelSelectorOf } from '../../src/kubernetes/label_selector.js';

/** The label selectors of specs, each read once: specs are never changed. */

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 */

/** @typedef {ReturnType<typeof labelSelectorOf>} Selector */

/** @type {WeakMap<object, Selector>} */
const known = new WeakMap();

/** @type {Selector} */
const NOTHING = labelSelectorOf(null);

/**
 * What a `metav1.LabelSelector` selects: an empty one everything, an absent one nothing.
 * @param {any} selector
 * @returns {Selector}
 */
export function selectorFor(selector) {
  if (!selector) return NOTHING;
  const found = known.get(selector) ?? labelSelectorOf(selector);
  known.set(selector, found);
  return found;
}

/** Whether it has no rule and so selects everything. @param {any} selector */
export function selectsEverything(selector) {
  return selectorFor(selector).isEmpty;
}

/**
 * @param {KubernetesObject} object
 * @returns {Record<string, string>}
 */
export function labelsOf({ metadata }) {
  return metadata.labels ?? {};
}
