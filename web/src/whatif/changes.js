/** Changes of the cluster that a user can try, and the actions that make them. */
import { whatIf } from '../../../js/src/whatif.js';
import { podsToEvict } from './drains.js';
import { nodesOf } from './nodes.js';

/**
 * @import { KubernetesObject, Scheduler } from '../../../js/src/index.js'
 * @import { Change } from '../../../js/src/whatif.js'
 * @import { Action } from '../world/world.js'
 * @import { Base } from './present.js'
 */

/**
 * The changes that the panel offers: those of `whatIf`, and the loss of all nodes of a zone.
 * @typedef {{ type: 'drain' | 'removeNode', node: string }
 *   | { type: 'removeZone', zone: string }
 *   | Extract<Change, { type: 'addNodes' | 'scale' }>} TriedChange
 */

/** @typedef {{ list: (resource: string) => readonly KubernetesObject[] }} Store */

/** What comes with a node. */
const OF_NODES = ['Node', 'CSINode', 'ResourceSlice'];

/** @type {Record<string, string>} */
const API_VERSIONS = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  ReplicaSet: 'apps/v1',
  ReplicationController: 'v1',
};

/**
 * The changes, with the nodes of zones by name.
 * @param {readonly TriedChange[]} tried
 * @param {Base} base
 * @returns {Change[]}
 */
export function expanded(tried, base) {
  return tried.flatMap((change) => {
    if (change.type !== 'removeZone') return [change];
    const nodes = nodesOf(base).zones.get(change.zone) ?? [];
    return nodes.map((node) => ({ type: 'removeNode', node }));
  });
}

/**
 * The objects of a kind that a future has, and the present lacks.
 * @param {string} kind
 * @param {Scheduler} present
 * @param {Scheduler} future
 */
function newObjects(kind, present, future) {
  const names = new Set(present.list(kind).map(({ metadata }) => metadata.name));
  return future.list(kind).filter(({ metadata }) => !names.has(metadata.name));
}

/**
 * The actions that make changes in the world.
 * @param {Base} base
 * @param {readonly TriedChange[]} tried
 * @param {Store} store of the world
 * @returns {Promise<Action[]>}
 */
export async function actionsFor(base, tried, store) {
  const { scheduler, population } = base;
  const changes = expanded(tried, base);
  /** @type {Action[]} */
  const actions = [];
  const lost = changes.flatMap((change) => (change.type === 'removeNode' ? change.node : []));
  if (lost.length > 0) actions.push({ do: 'delete', objects: lost.map(nodeReference) });
  for (const change of changes) {
    if (change.type === 'drain') actions.push(...drainOf(change.node, store));
    if (change.type === 'scale') actions.push(scaleOf(change));
  }
  const additions = changes.filter(({ type }) => type === 'addNodes');
  if (additions.length === 0) return actions;
  await whatIf(scheduler, additions, {
    population,
    look: (future) => {
      const added = OF_NODES.flatMap((kind) => newObjects(kind, scheduler, future.scheduler));
      actions.unshift({ do: 'apply', objects: added.map(asWritten) });
    },
  });
  return actions;
}

/**
 * @param {string} node
 * @param {Store} store
 * @returns {Action[]}
 */
function drainOf(node, store) {
  const own = store.list('pods').filter(({ spec }) => spec.nodeName === node);
  const pods = podsToEvict(own, store.list('daemonsets'));
  const patch = { spec: { unschedulable: true } };
  /** @type {Action[]} */
  const cordon = [{ do: 'patch', object: nodeReference(node), patch }];
  return pods.length > 0 ? [...cordon, { do: 'evict', pods }] : cordon;
}

/**
 * @param {Extract<Change, { type: 'scale' }>} change
 * @returns {Action}
 */
function scaleOf({ kind, namespace, name, replicas }) {
  const object = { apiVersion: API_VERSIONS[kind], kind, namespace, name };
  return { do: 'patch', object, patch: { spec: { replicas } } };
}

/** @param {string} name */
function nodeReference(name) {
  return { apiVersion: 'v1', kind: 'Node', name };
}

/**
 * A new object, as a user writes it. Its conditions are for its controllers to set.
 * @param {KubernetesObject} object
 * @returns {KubernetesObject}
 */
function asWritten({ metadata, status, ...rest }) {
  const { name, labels, annotations } = metadata;
  const { capacity, allocatable } = status ?? {};
  const amounts = capacity || allocatable ? { status: { capacity, allocatable } } : {};
  return { ...rest, metadata: { name, labels, annotations }, ...amounts };
}
