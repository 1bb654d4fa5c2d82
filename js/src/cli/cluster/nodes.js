/** Reads the nodes of a cluster. */
import { shown } from '../input/inputs.js';
import { isLive } from '../input/live_cluster.js';
import { BadInputError } from '../terminal/problems.js';

/** @import { Cluster } from './cluster.js' */

/**
 * Returns the names of a cluster's nodes, in the order of its files.
 * @param {Cluster} cluster
 * @returns {string[]}
 */
export function nodesOf({ batches }) {
  const nodes = batches.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'Node'));
  return [...new Set(nodes.map(({ metadata }) => metadata.name))];
}

/**
 * Rejects a cluster without nodes: it is probably a wrong file, and "nothing fits" would be
 * misleading.
 * @param {Cluster} cluster
 * @param {string[]} files the cluster's sources
 * @param {{ kubeconfig?: string, context?: string }} options other possible sources
 * @throws {BadInputError}
 */
export function requireNodes(cluster, files, options) {
  if (nodesOf(cluster).length > 0) return;
  if (isLive(options)) throw new BadInputError(['the cluster has no nodes']);
  const names = files.map(shown).join(', ');
  const hint = 'a cluster is what "stowage snapshot" writes, or kubectl as "stowage --help" shows';
  throw new BadInputError([`${names}: there are no nodes; ${hint}`]);
}
