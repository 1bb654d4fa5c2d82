/** Turns evaluations of one pod in several clusters into a ranking of the clusters. */
import { preempted, totalOf } from './prescore.js';

/**
 * @import { Fits } from '../engine/types.js'
 * @import { ClusterRanking, RankedCluster, SnapshotReference } from './documents.js'
 * @import { UnrankedCluster } from './documents.js'
 * @import { Classified } from './prescore.js'
 */

/** The best first. @type {Fits[]} */
const ORDER = ['Now', 'WithPreemption', 'NotNow', 'Never'];

/**
 * @param {RankedCluster[]} clusters
 * @param {UnrankedCluster[]} unranked
 * @param {string} kubernetesVersion the release that decided
 * @returns {ClusterRanking}
 */
export function clusterRanking(clusters, unranked, kubernetesVersion) {
  return {
    apiVersion: 'stowage/v1',
    kind: 'ClusterRanking',
    kubernetesVersion,
    clusters: [...clusters].sort(compare),
    unranked,
  };
}

/**
 * @param {Classified} evaluation
 * @param {SnapshotReference} snapshot
 * @returns {RankedCluster}
 */
export function rankedCluster(evaluation, snapshot) {
  const { fits, node, feasibleNodes, message = '' } = evaluation;
  const total = totalOf(evaluation);
  return {
    name: snapshot.name,
    fits,
    node,
    ...(total !== undefined && { total }),
    ...(feasibleNodes !== undefined && { feasibleNodes }),
    ...preempted(evaluation),
    message,
    snapshot,
  };
}

/**
 * Orders clusters by how the pod fits; if it fits now, by total (clusters with one feasible node
 * have none); then by name.
 * @param {RankedCluster} a
 * @param {RankedCluster} b
 */
function compare(a, b) {
  return (
    ORDER.indexOf(a.fits) - ORDER.indexOf(b.fits) ||
    (b.total ?? -1) - (a.total ?? -1) ||
    (a.name < b.name ? -1 : 1)
  );
}
