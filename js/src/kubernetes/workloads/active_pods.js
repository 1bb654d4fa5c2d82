import { isPodReady, readySince, restartsOf } from './pods.js';
import { timeOf } from './objects.js';

/**
 * The order in which pods are taken away when there are too many.
 * Counterpart: pkg/controller/controller_utils.go, v1.36 (ActivePodsWithRanks).
 */

/** @import { KubernetesObject } from '../types.js' */

const PHASES = ['Pending', 'Unknown', 'Running'];
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';

/**
 * The pods, those first that go first: unassigned before assigned, pending before running, not
 * ready before ready, lower deletion cost before higher, on nodes with more of their kind before
 * others, shorter ready before longer, more restarts before less, younger before older. Times are
 * compared by their order of magnitude, so that it is not always the newest node that is emptied.
 * @param {KubernetesObject[]} pods
 * @param {number} now milliseconds since the epoch
 * @param {Map<string, number>} [ranks] by node, how many pods of their kind are on it
 * @returns {KubernetesObject[]}
 */
export function sortForDeletion(pods, now, ranks = new Map()) {
  const rows = pods.map((pod) => ({ pod, keys: keysOf(pod, now, ranks) }));
  rows.sort((a, b) => compareKeys(a.keys, b.keys) || compareText(uidOf(a.pod), uidOf(b.pod)));
  return rows.map(({ pod }) => pod);
}

/**
 * How many pods of the set are on each node.
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
 * Numbers, the lowest of which goes first.
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
 * The binary logarithm of an age, rounded; below 0 of a time that is absent.
 * @param {number | null} time
 * @param {number} now
 */
function magnitudeOf(time, now) {
  if (time === null) return -1;
  // The reference counts in nanoseconds, and a moment that is now as one of them.
  const age = Math.max(0, now - time) * 1e6;
  return age === 0 ? 0 : Math.floor(Math.log2(age));
}

/**
 * A cost that is no 32-bit number is none.
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
 * By code units, whatever the locale.
 * @param {string} left
 * @param {string} right
 */
function compareText(left, right) {
  return left < right ? -1 : Number(left > right);
}
