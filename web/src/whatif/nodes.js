/** The nodes of the present. Reading all of them takes longer than most questions. */

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Base } from './present.js'
 */

const ZONE = 'topology.kubernetes.io/zone';

/** The most kinds of nodes that are offered as pools. */
const MOST_POOLS = 3;

/** Labels that differ between the nodes of a pool. */
const OWN_LABELS = ['kubernetes.io/hostname', ZONE];

/** @type {WeakMap<Base, { zones: Map<string, string[]>, pools: { node: KubernetesObject }[] }>} */
const known = new WeakMap();

/**
 * The names of the nodes by zone, and a node of each pool: of the most frequent kinds of nodes.
 * @param {Base} base
 */
export function nodesOf(base) {
  const read = known.get(base) ?? readNodes(base.scheduler.list('Node'));
  known.set(base, read);
  return read;
}

/** @param {KubernetesObject[]} nodes */
function readNodes(nodes) {
  /** @type {Map<string, string[]>} */
  const zones = new Map();
  /** @type {Map<string, { node: KubernetesObject, count: number }>} */
  const kinds = new Map();
  for (const node of nodes) {
    const zone = node.metadata.labels?.[ZONE];
    const own = zones.get(zone);
    if (own) own.push(node.metadata.name);
    else if (zone) zones.set(zone, [node.metadata.name]);
    if (!node.status?.allocatable) continue;
    const key = kindOf(node);
    const kind = kinds.get(key) ?? { node, count: 0 };
    kind.count += 1;
    kinds.set(key, kind);
  }
  const frequent = [...kinds.values()].sort((a, b) => b.count - a.count);
  return { zones, pools: frequent.slice(0, MOST_POOLS) };
}

/** @param {KubernetesObject} node */
function kindOf({ metadata: { labels = {} }, spec, status }) {
  const shared = Object.entries(labels).filter(([name]) => !OWN_LABELS.includes(name));
  return JSON.stringify([shared.sort(), spec?.taints ?? [], status?.allocatable]);
}
