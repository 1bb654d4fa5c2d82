/** Searches nodes and pods by a part of their names. */

/**
 * @import { Layout } from './cluster_layout.js'
 * @import { ClusterState } from './cluster_state.js'
 */

/**
 * @typedef {object} Found
 * @property {Set<string>} nodes nodes whose names match
 * @property {Set<string>} pods keys of pods that match, including pending pods
 * @property {Set<string>} shownNodes matching nodes, and nodes with matching pods
 */

/** @typedef {{ node: string, pod?: string }} Hit a pod that is on no node has an empty one */

/** The last result for each cluster, because several views ask for it. */
const known = /** @type {WeakMap<ClusterState, { part: string, found: Found }>} */ (new WeakMap());

/**
 * @param {ClusterState} cluster
 * @param {string} text
 * @returns {Found | null} null if there is no search text
 */
export function foundIn(cluster, text) {
  const part = text.trim().toLowerCase();
  if (part === '') return null;
  const last = known.get(cluster);
  if (last?.part === part) return last.found;
  const found = search(cluster, part);
  known.set(cluster, { part, found });
  return found;
}

/**
 * @param {ClusterState} cluster
 * @param {string} part in lower case
 */
function search({ nodes, pods }, part) {
  const own = new Set([...nodes.keys()].filter((name) => name.includes(part)));
  /** @type {Found} */
  const found = { nodes: own, pods: new Set(), shownNodes: new Set(own) };
  for (const [key, { node, nominatedNode }] of pods) {
    if (!key.includes(part)) continue;
    found.pods.add(key);
    if (node || nominatedNode) found.shownNodes.add(node || nominatedNode);
  }
  return found;
}

/**
 * The next result in the order on the screen; after the last comes the first.
 * @param {Layout} layout
 * @param {Found} found
 * @param {Hit | null} last
 * @returns {Hit | null} null: nothing was found
 */
export function nextHit({ places, cluster }, found, last) {
  /** @type {Hit[]} */
  const hits = [];
  for (const { name } of places) {
    if (found.nodes.has(name)) hits.push({ node: name });
    if (found.shownNodes.has(name)) hits.push(...hitsOn(cluster, found, name));
  }
  hits.push(...hitsOn(cluster, found, ''));
  const at = hits.findIndex(({ node, pod }) => node === last?.node && pod === last.pod);
  return hits[(at + 1) % hits.length] ?? null;
}

/**
 * @param {ClusterState} cluster
 * @param {Found} found
 * @param {string} node
 * @returns {Hit[]}
 */
function hitsOn({ podsOfNode }, { pods }, node) {
  const own = [...(podsOfNode.get(node)?.keys() ?? [])];
  return own.filter((key) => pods.has(key)).map((pod) => ({ node, pod }));
}
