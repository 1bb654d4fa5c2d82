/**
 * Plans the rolling update of a StatefulSet. Counterpart:
 * pkg/controller/statefulset/stateful_set_control.go, v1.36 (updateStatefulSet,
 * updateStatefulSetAfterInvariantEstablished), and with PR 137666 v1.37.
 */
import { scaledValue } from './objects.js';
import { startOf } from './stateful_revisions.js';

/** @import { KubernetesObject } from '../types.js' */

/**
 * How pods are replaced: one after the other; as many as may be unavailable, with the feature gate
 * MaxUnavailableStatefulSet; and with it since v1.37, if no order is asked for, first all old ones
 * that are unavailable already.
 * @typedef {'OneByOne' | 'MaxUnavailable' | 'UnavailableFirst'} StatefulSetUpdates
 */

/** @typedef {{ ordinal: number, isOutdated: boolean, isAvailable: boolean }} PodState */

/**
 * Returns the ordinals of the pods that the update deletes next.
 * @param {KubernetesObject} set
 * @param {PodState[]} pods by ordinal
 * @param {StatefulSetUpdates} [updates]
 * @returns {number[]}
 */
export function ordinalsToUpdate(set, pods, updates = 'OneByOne') {
  const { partition = 0 } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const isUpdated = (/** @type {PodState | undefined} */ pod) =>
    pod?.isOutdated && pod.ordinal - startOf(set) >= partition;
  if (updates === 'OneByOne') {
    // Old pods that do not run are deleted like others; a new pod that does not run stops it.
    const last = pods.findLast(({ isOutdated, isAvailable }) => isOutdated || !isAvailable);
    return last && isUpdated(last) ? [last.ordinal] : [];
  }
  const isParallel = set.spec.podManagementPolicy === 'Parallel';
  const isFree = (/** @type {PodState} */ { isAvailable }) =>
    updates === 'UnavailableFirst' && isParallel && !isAvailable;
  const old = pods.filter(isUpdated).reverse();
  const unavailable = pods.filter(({ isAvailable }) => !isAvailable).length;
  const room = Math.max(0, maxUnavailableOf(set) - unavailable);
  const others = old.filter((pod) => !isFree(pod)).slice(0, room);
  return [...old.filter(isFree), ...others].map(({ ordinal }) => ordinal);
}

/**
 * Returns the number of pods that may be unavailable during an update, at least 1.
 * @param {KubernetesObject} set
 */
export function maxUnavailableOf({ spec }) {
  const { maxUnavailable } = spec.updateStrategy?.rollingUpdate ?? {};
  return Math.max(1, scaledValue(maxUnavailable ?? 1, spec.replicas ?? 1, false) || 0);
}
