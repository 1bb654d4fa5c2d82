/**
 * Plans the rolling update of a StatefulSet, one pod at a time. Counterpart:
 * pkg/controller/statefulset/stateful_set_control.go, v1.36, without the feature gate
 * MaxUnavailableStatefulSet: it is off by default up to v1.36, so `maxUnavailable` does not count.
 */
import { startOf } from './stateful_revisions.js';

/** @import { KubernetesObject } from '../types.js' */

/**
 * Returns the ordinal of the pod that the update deletes next, if there is one. Old pods that do
 * not run are deleted like others; a new pod that does not run stops the update.
 * @param {KubernetesObject} set
 * @param {{ ordinal: number, isOutdated: boolean, isAvailable: boolean }[]} pods by ordinal
 * @returns {number[]}
 */
export function ordinalsToUpdate(set, pods) {
  const { partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const last = pods.findLast(({ isOutdated, isAvailable }) => isOutdated || !isAvailable);
  const isUpdated = last?.isOutdated && last.ordinal - startOf(set) >= partition;
  return isUpdated ? [last.ordinal] : [];
}
