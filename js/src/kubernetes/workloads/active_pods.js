import { isPodReady, readySince, restartsOf } from './pods.js';
import { timeOf } from './objects.js';

/**
 * The order in which excess pods are deleted. Counterpart: pkg/controller/controller_utils.go,
 * v1.36 (ActivePodsWithRanks).
 */

/** @import { KubernetesObject } from '../types.js' */

const PHASES = ['Pending', 'Unknown', 'Running'];
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * Sorts pods, those first that are deleted first: unassigned before assigned, pending before
 * running, not ready before ready, lower deletion cost before higher, on nodes with more pods of
 * the same kind before others, shorter ready before longer, more restarts before less, younger
 * before older. Times are compared by their order of magnitude, so that scaling down does not
 * always empty the newest node.
 * @param {KubernetesObject[]} pods
 * @param {number} now milliseconds since the epoch
 * @param {Map<string, number>} [ranks] by node, the number of pods of their kind on it
 * @returns {KubernetesObject[]}
 */
export function sortForDeletion(pods, now, ranks = new Map()) {
  const rows = pods.map((pod) => ({ pod, keys: keysOf(pod, now, ranks) }));
  rows.sort((a, b) => compareKeys(a.keys, b.keys) || compareText(uidOf(a.pod), uidOf(b.pod)));
  return rows.map(({ pod }) => pod);
}

/**
 * Returns the number of the set's pods on each node.
 * @param {KubernetesObject[]} pods
 */
export function ranksByNode(pods) {
  /** @type {Map<string, number>} */
  const ranks = new Map();
  for (const { spec } of pods)
    if (spec.nodeName) ranks.set(spec.nodeName, (ranks.get(spec.nodeName) ?? 0) + 1);
  return ranks;
}

/**
 * Returns sort keys; the lowest are deleted first.
 * @param {KubernetesObject} pod
 * @param {number} now
 * @param {Map<string, number>} ranks
 */
function keysOf(pod, now, ranks) {
  const { spec, status, metadata } = pod;
  const isReady = isPodReady(pod);
  return [
    spec.nodeName ? 1 : 0,
    PHASES.indexOf(status?.phase ?? 'Unknown'),
    isReady ? 1 : 0,
    deletionCostOf(metadata.annotations),
    -(ranks.get(spec.nodeName) ?? 0),
    isReady ? magnitudeOf(readySince(pod), now) : 0,
    -restartsOf(pod),
    magnitudeOf(timeOf(metadata.creationTimestamp), now),
  ];
}

/**
 * Returns the binary logarithm of an age, rounded; below 0 for an absent time.
 * @param {number | null} time
 * @param {number} now
 */
function magnitudeOf(time, now) {
  if (time === null) return -1;
  // Upstream counts in nanoseconds, and treats an age of 0 as 1.
  const age = Math.max(0, now - time) * 1e6;
  return age === 0 ? 0 : Math.floor(Math.log2(age));
}

/**
 * Returns the cost; 0 if it is not a 32-bit number.
 * @param {Record<string, string> | undefined} annotations
 */
function deletionCostOf(annotations) {
  const text = annotations?.[DELETION_COST];
  if (text === undefined || !/^(0|-?[1-9]\d*)$/.test(text)) return 0;
  const cost = Number(text);
  return Math.abs(cost) < 2 ** 31 || cost === -(2 ** 31) ? cost : 0;
}

/**
 * @param {number[]} left
 * @param {number[]} right
 */
function compareKeys(left, right) {
  const at = left.findIndex((key, index) => key !== right[index]);
  return at < 0 ? 0 : left[at] - right[at];
}

/** @param {KubernetesObject} pod @returns {string} */
function uidOf({ metadata }) {
  return metadata.uid ?? '';
}

/**
 * Compares by code units, in every locale.
 * @param {string} left
 * @param {string} right
 */
function compareText(left, right) {
  return left < right ? -1 : Number(left > right);
}
