/** Statuses for plugins to return. Success is undefined. */

/** @import { PluginStatus } from '../plugins/types.js' */

/**
 * The pod does not fit now; removing other pods may help.
 * @param {...string} reasons as they stand in the FailedScheduling event
 * @returns {PluginStatus}
 */
export function unschedulable(...reasons) {
  return { code: 'Unschedulable', reasons };
}

/**
 * The pod does not fit, and removing other pods does not help.
 * @param {...string} reasons
 * @returns {PluginStatus}
 */
export function unresolvable(...reasons) {
  return { code: 'UnschedulableAndUnresolvable', reasons };
}

/**
 * The pod waits for something that will happen without its help.
 * @param {...string} reasons
 * @returns {PluginStatus}
 */
export function pending(...reasons) {
  return { code: 'Pending', reasons };
}

/**
 * From `preFilter`, `preScore` and `bind`: the plugin does not apply to this pod.
 * @returns {PluginStatus}
 */
export function skip() {
  return { code: 'Skip' };
}

/**
 * From `permit`: the pod keeps its node and waits there for `allow` or `reject`.
 * @param {number} [timeout] milliseconds until it is rejected; at most, and by default, 15 minutes
 * @returns {PluginStatus}
 */
export function wait(timeout) {
  return { code: 'Wait', ...(timeout !== undefined && { timeout }) };
}
