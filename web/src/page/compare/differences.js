/** Differences between two clusters that had the same actions. */
import { differencesBetween, whyDifferent } from '../../../../js/src/diff.js';

/**
 * @import { Evaluation } from '../../../../js/src/index.js'
 * @import { PodRow } from '../../model/cluster_model.js'
 * @import { ClusterState } from '../cluster/cluster_state.js'
 */

/**
 * A pod on different nodes. `a`, `b`: the node; empty if the pod is pending, null if it does not
 * exist.
 * @typedef {{ pod: string, a: string | null, b: string | null }} DifferentPod
 */

/**
 * @param {Pick<ClusterState, 'pods'>} a
 * @param {Pick<ClusterState, 'pods'>} b
 * @param {number} most of `rows`
 * @returns {{ rows: DifferentPod[], differ: number, total: number }} `rows` are sorted by name, as
 *   kubectl sorts; `total`: the number of pods in either cluster
 */
export function differencesOf(a, b, most) {
  /** @type {DifferentPod[]} */
  const all = [];
  const see = (/** @type {string} */ pod) => {
    const row = { pod, a: placeOf(a.pods.get(pod)), b: placeOf(b.pods.get(pod)) };
    if (row.a !== row.b) all.push(row);
  };
  let total = 0;
  for (const pod of a.pods.keys()) {
    see(pod);
    total += 1;
  }
  for (const pod of b.pods.keys()) {
    if (a.pods.has(pod)) continue;
    see(pod);
    total += 1;
  }
  all.sort((one, other) => (one.pod < other.pod ? -1 : 1));
  return { rows: all.slice(0, most), differ: all.length, total };
}

/** @param {PodRow} [pod] */
function placeOf(pod) {
  return pod ? pod.node : null;
}

/**
 * The reason why a pod is elsewhere in B, in the words of `stowage diff`.
 * @param {string} pod
 * @param {Evaluation | null} a null if the pod was not tried
 * @param {Evaluation | null} b
 * @returns {string} empty if both decided alike
 */
export function whyElsewhere(pod, a, b) {
  const [difference] = differencesBetween(fates(pod, a), fates(pod, b));
  if (!difference) return '';
  return whyDifferent(difference, { ...(a && { before: a }), ...(b && { after: b }) }, 'A');
}

/**
 * @param {string} pod
 * @param {Evaluation | null} evaluation
 */
function fates(pod, evaluation) {
  if (!evaluation) return new Map();
  const { result, node = null, message = '' } = evaluation;
  return new Map([[pod, { result, node, message }]]);
}
