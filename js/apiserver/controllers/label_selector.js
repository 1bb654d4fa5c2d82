import { labelSelectorOf } from '../../src/kubernetes/label_selector.js';

/** Parses the label selectors of specs once: specs never change in place. */

/**
 * @import { KubernetesObject } from '../../src/kubernetes/types.js'
 */

/** @typedef {ReturnType<typeof labelSelectorOf>} Selector */

/** @type {WeakMap<object, Selector>} */
const known = new WeakMap();

/** @type {Selector} */
const NOTHING = labelSelectorOf(null);

/**
 * Parses a `metav1.LabelSelector`: an empty one selects all objects, an absent one none.
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
