import { schedulerNameOf } from '../../kubernetes/pod_defaults.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/**
 * @typedef {{ pod: string, reason: 'Terminating' | 'OtherScheduler', schedulerName: string, node:
 *   string | null }} LeftAlone
 */

/**
 * Sorts pods into those that wait for a node, those that have one, and those that the schedulers
 * ignore.
 * @param {Map<string, KubernetesObject>} pods
 * @param {Set<string>} schedulerNames
 */
export function sortPods(pods, schedulerNames) {
  /** @type {string[]} */
  const pending = [];
  /** @type {Map<string, string>} */
  const bound = new Map();
  /** @type {LeftAlone[]} */
  const leftAlone = [];
  for (const [pod, object] of pods) {
    const { nodeName } = object.spec ?? {};
    const schedulerName = schedulerNameOf(object.spec);
    const node = nodeName || null;
    if (node) bound.set(pod, node);
    if (object.metadata?.deletionTimestamp)
      leftAlone.push({ pod, reason: 'Terminating', schedulerName, node });
    else if (node) continue;
    else if (schedulerNames.has(schedulerName)) pending.push(pod);
    else leftAlone.push({ pod, reason: 'OtherScheduler', schedulerName, node });
  }
  return { pending, bound, leftAlone };
}
