/** The pools of a plan: the nodes that can be bought, and what comes with each. */
import { controllerOf } from '../../kubernetes/owners.js';
import { InputError } from '../../kubernetes/errors.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { runsOn } from '../../kubernetes/node_match.js';
import { unplaced } from '../../engine/object_events.js';
import { nodeLike, objectLike } from '../model_nodes.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/**
 * Nodes that are alike.
 * @typedef {object} Pool
 * @property {KubernetesObject} node the model of its nodes, whose name is the pool's
 * @property {number} price of one node, in any unit, more than 0
 * @property {number} [max] the most nodes that the pool has
 * @property {KubernetesObject[]} [objects] that exist once per node: a CSINode, ResourceSlices,
 *   CSIStorageCapacities, static pods
 */

/**
 * @param {Pool[]} pools
 * @throws {InputError} naming the pool and the field
 */
export function checkPools(pools) {
  if (!Array.isArray(pools) || pools.length === 0)
    throw invalid('pools', pools, 'at least one pool is expected');
  const names = new Set();
  pools.forEach((pool, index) => {
    const field = `pools[${index}]`;
    if (!isRecord(pool) || pool.node?.kind !== 'Node' || !pool.node.metadata?.name)
      throw invalid(`${field}.node`, pool?.node, 'must be a Node with a name');
    const { node, price, max } = pool;
    const { name } = node.metadata;
    if (typeof price !== 'number' || !(price > 0 && price < Infinity))
      throw invalid(`${field}.price`, price, 'must be a number above 0', name);
    if (max !== undefined && (!Number.isSafeInteger(max) || max < 0))
      throw invalid(`${field}.max`, max, 'must be a whole number from 0', name);
    if (names.has(name))
      throw invalid(`${field}.node.metadata.name`, name, `two pools are named ${name}`, name);
    names.add(name);
  });
}

/**
 * Returns one pod of each DaemonSet that has pods, as a template for new nodes.
 * @param {Iterable<KubernetesObject>} objects of the cluster
 * @returns {KubernetesObject[]}
 */
export function daemonsIn(objects) {
  /** @type {Map<string, KubernetesObject>} */
  const found = new Map();
  for (const object of objects) {
    const controller = object.kind === 'Pod' ? controllerOf(object) : undefined;
    if (controller?.kind !== 'DaemonSet') continue;
    const key = `${object.metadata.namespace}/${controller.name}`;
    if (!found.has(key)) found.set(key, object);
  }
  return [...found.values()];
}

/** Creates the nodes of pools, with names that no node has. */
export class PoolNodes {
  #pools;
  #daemons;
  /** The objects of each node that was made. @type {KubernetesObject[][][]} */
  #made;
  #names;

  /**
   * @param {Pool[]} pools
   * @param {{ nodes: Iterable<string>, daemons: KubernetesObject[] }} cluster
   */
  constructor(pools, { nodes, daemons }) {
    this.#pools = pools;
    this.#daemons = daemons;
    this.#made = pools.map(() => []);
    this.#names = new Set(nodes);
  }

  /**
   * Returns the objects of a number of nodes per pool; the same numbers give the same objects.
   * @param {readonly number[]} counts
   * @returns {KubernetesObject[]}
   */
  of(counts) {
    return counts.flatMap((count, pool) => {
      const made = this.#made[pool];
      while (made.length < count) made.push(this.#make(this.#pools[pool]));
      return made.slice(0, count).flat();
    });
  }

  /**
   * Returns the names of a pool's first nodes.
   * @param {number} pool
   * @param {number} count
   */
  namesOf(pool, count) {
    this.of(this.#pools.map((_, index) => (index === pool ? count : 0)));
    return this.#made[pool].slice(0, count).map(([node]) => String(node.metadata.name));
  }

  /** @param {Pool} pool */
  #make({ node, objects = [] }) {
    const template = node.metadata.name;
    let number = 1;
    while (this.#names.has(`${template}-${number}`)) number += 1;
    const name = `${template}-${number}`;
    this.#names.add(name);
    const made = nodeLike(node, name, objects);
    const others = objects.map((object) => objectLike(object, node, name));
    const pods = this.#daemons.filter(({ spec }) => runsOn(withoutNode(spec), made));
    return [made, ...others, ...pods.map((pod) => daemonOn(pod, name))];
  }
}

/**
 * Returns the spec of a DaemonSet's pod without what ties it to its node.
 * @param {any} spec
 */
function withoutNode({ nodeName, ...spec }) {
  return withTerms(spec, ({ matchFields, ...term }) => term);
}

/**
 * Returns a DaemonSet's pod on a new node. It arrives with the node.
 * @param {KubernetesObject} pod
 * @param {string} node
 * @returns {KubernetesObject}
 */
function daemonOn(pod, node) {
  const { namespace, labels, annotations, ownerReferences } = pod.metadata;
  const owner = controllerOf(pod)?.name;
  const named = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const spec = withTerms(unplaced(pod).spec, (term) => ({ ...term, matchFields: named }));
  const name = `${owner}-${node}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, labels, annotations, ownerReferences, name },
    spec: { ...spec, nodeName: node },
    status: { phase: 'Running' },
  };
}

/**
 * @param {any} spec
 * @param {(term: any) => any} change of a term of the required node affinity
 */
function withTerms(spec, change) {
  const { nodeAffinity } = spec.affinity ?? {};
  const required = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (!required) return spec;
  const terms = itemsIn(required.nodeSelectorTerms).map(change);
  // A term that only named the node selects every node now; as an empty term it would select none.
  const isAny = terms.some((term) => Object.keys(term).length === 0);
  const { requiredDuringSchedulingIgnoredDuringExecution: _, ...preferred } = nodeAffinity;
  const changed = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  const kept = isAny ? preferred : { ...preferred, ...changed };
  return { ...spec, affinity: { ...spec.affinity, nodeAffinity: kept } };
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} detail
 * @param {string} [name] of the pool's node
 */
function invalid(field, value, detail, name) {
  const kind = name === undefined ? undefined : 'Node';
  return new InputError({ code: 'FieldValueInvalid', kind, name, field, value, detail });
}
