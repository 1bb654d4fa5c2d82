/** Returns the quality of service class of a pod. Counterpart: pkg/apis/core/helper/qos, v1.36. */
import { parseQuantity } from './quantity.js';
import { itemsIn } from './values.js';

const RESOURCES = ['cpu', 'memory'];

/** @typedef {{ requests?: Record<string, string>, limits?: Record<string, string> }} Resources */

/**
 * @param {any} spec of a pod with its defaults
 * @returns {'Guaranteed' | 'Burstable' | 'BestEffort'}
 */
export function qosClass({ containers, initContainers, resources }) {
  /** @type {Resources[]} */
  const all =
    resources && (hasAny(resources.requests) || hasAny(resources.limits))
      ? [resources]
      : [...itemsIn(containers), ...itemsIn(initContainers)].map(
          (container) => container.resources ?? {},
        );
  if (!all.some(({ requests, limits }) => hasAny(requests) || hasAny(limits))) return 'BestEffort';
  const isGuaranteed = all.every(({ requests, limits }) =>
    RESOURCES.every((name) => {
      const limit = amount(limits, name);
      return limit > 0n && limit === amount(requests, name);
    }),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

/** @param {Record<string, string> | undefined} list */
function hasAny(list) {
  return RESOURCES.some((name) => amount(list, name) > 0n);
}

/**
 * @param {Record<string, string> | undefined} list
 * @param {string} name
 */
function amount(list, name) {
  return parseQuantity(list?.[name] ?? '0') ?? 0n;
}
