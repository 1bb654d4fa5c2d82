/**
 * Completes LimitRanges. Counterpart: `SetDefaults_LimitRangeItem` of pkg/apis/core/v1/defaults.go,
 * v1.36.
 */

/** @import { KubernetesObject } from '../types.js' */

/** @param {KubernetesObject} limitRange */
export function limitRangeDefaults(limitRange) {
  const { spec = {} } = limitRange;
  const limits = spec.limits?.map((/** @type {any} */ item) =>
    item.type === 'Container' ? containerItem(item) : item,
  );
  return limits ? { ...limitRange, spec: { ...spec, limits } } : limitRange;
}

/**
 * For containers `max` is the default limit, and the limit or else `min` the default request.
 * @param {any} item
 */
function containerItem(item) {
  const limit = { ...item.max, ...item.default };
  const request = { ...item.min, ...limit, ...item.defaultRequest };
  return {
    ...item,
    ...(Object.keys(limit).length > 0 && { default: limit }),
    ...(Object.keys(request).length > 0 && { defaultRequest: request }),
  };
}
