/** What would follow from changes, for the page: the pods that differ, and the rows to draw. */
import { StowageError } from '../../../js/src/index.js';
import { endsWithNode, inFuture } from '../../../js/src/whatif.js';
import { nodeRow, podRow } from '../model/cluster_model.js';
import { clonesOf, zoneOf } from './changes.js';

/**
 * @import { KubernetesObject, Scheduler } from '../../../js/src/index.js'
 * @import { Future } from '../../../js/src/whatif.js'
 * @import { NodeRow, PodRow } from '../model/cluster_model.js'
 * @import { Change } from './changes.js'
 * @import { Base } from './present.js'
 */

/**
 * `moves`: to another node. `waits`: it had a node, or is new, and gets none. `starts`: it had no
 * node, or is new, and gets one. `ends`: nothing replaces it.
 * @typedef {'moves' | 'waits' | 'starts' | 'ends'} Effect
 */

/**
 * A pod that changes do something to. `from` and `to` are nodes, null for none; `message` says why
 * it waits; `preemptedBy` is the pod for which it was evicted.
 * @typedef {{ pod: string, effect: Effect, from: string | null, to: string | null, message: string,
 *   preemptedBy?: string }} Affected
 */

/**
 * @typedef {object} Outlook
 * @property {Affected[]} pods sorted by what happens to them, those that wait first
 * @property {number} undecided pods that are pending now, which the scheduler would have placed
 *   before the changes
 * @property {NodeRow[]} nodes new and changed ones
 * @property {string[]} goneNodes
 * @property {PodRow[]} rows new and changed pods, compared with the world
 * @property {string[]} gonePods
 * @property {number} took milliseconds
 */

/** @type {readonly Effect[]} */
const ORDER = ['waits', 'moves', 'starts', 'ends'];

/**
 * @param {Base} base
 * @param {readonly Change[]} changes
 * @param {AbortSignal} signal
 * @returns {Promise<Outlook>}
 */
export function outlookOf(base, changes, signal) {
  const begun = performance.now();
  return inFuture(base.scheduler, base.population, async (future) => {
    /** @type {{ nodes: KubernetesObject[], goneNodes: string[] }} */
    const made = { nodes: [], goneNodes: [] };
    for (const change of changes) make(change, { base, future, made });
    await future.settle({ signal });
    const touched = new Set([...future.moving, ...future.gone]);
    for (const { pod } of future.decisions) touched.add(pod);
    const pods = [...touched].flatMap((pod) => affected(pod, base, future));
    pods.sort((a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect));
    const shown = new Set([...base.moved, ...pods.map(({ pod }) => pod)]);
    const rows = [...shown].flatMap((pod) => rowOf(pod, base, future));
    const there = new Set(rows.map(({ key }) => key));
    return {
      pods,
      undecided: base.moved.size,
      nodes: made.nodes.map(nodeRow),
      goneNodes: made.goneNodes,
      rows,
      gonePods: [...shown].filter((pod) => !there.has(pod)),
      took: performance.now() - begun,
    };
  });
}

/**
 * @param {Change} change
 * @param {{ base: Base, future: Future, made: { nodes: KubernetesObject[], goneNodes: string[] } }}
 *   about
 */
function make(change, { base: { scheduler, population }, future, made }) {
  switch (change.do) {
    case 'drain': {
      const { spec, ...node } = objectOf(scheduler, change.node);
      const cordoned = { ...node, spec: { ...spec, unschedulable: true } };
      made.nodes.push(cordoned);
      future.apply([{ type: 'MODIFIED', object: cordoned }]);
      return future.displace(population.podsOn(change.node).filter((pod) => leaves(pod)));
    }
    case 'fail':
      made.goneNodes.push(change.node);
      return future.removeNodes([change.node]);
    case 'failZone': {
      const own = scheduler.list('Node').filter((node) => zoneOf(node) === change.zone);
      const names = own.map(({ metadata }) => metadata.name);
      made.goneNodes.push(...names);
      return future.removeNodes(names);
    }
    case 'addNodes': {
      const added = clonesOf(
        objectOf(scheduler, change.like),
        change.count,
        scheduler.list('Node'),
      );
      made.nodes.push(...added);
      return future.apply(added);
    }
  }
  /** @param {string} key */
  function leaves(key) {
    const pod = population.pod(key);
    return pod !== undefined && !endsWithNode(pod);
  }
}

/** @param {Scheduler} scheduler @param {string} node */
function objectOf(scheduler, node) {
  const object = scheduler.get('Node', node);
  if (!object) throw new StowageError('NotFound', `there is no node "${node}"`);
  return object;
}

/**
 * @param {string} pod
 * @param {Base} base
 * @param {Future} future
 * @returns {Affected[]} empty if nothing happens to it
 */
function affected(pod, { population }, future) {
  const known = population.pod(pod);
  const from = known?.spec.nodeName ?? null;
  const { state, node: to, message, preemptedBy } = future.fateOf(pod);
  const effect = effectOf(from, to, { isGone: state === 'Gone', isNew: !known });
  if (!effect) return [];
  return [{ pod, effect, from, to, message, ...(preemptedBy && { preemptedBy }) }];
}

/**
 * @param {string | null} from
 * @param {string | null} to
 * @param {{ isGone: boolean, isNew: boolean }} what
 * @returns {Effect | null}
 */
function effectOf(from, to, { isGone, isNew }) {
  if (isGone) return 'ends';
  if (to === null) return from !== null || isNew ? 'waits' : null;
  if (from === null) return 'starts';
  return from === to ? null : 'moves';
}

/**
 * @param {string} pod
 * @param {Base} base
 * @param {Future} future
 * @returns {PodRow[]} empty if it is gone
 */
function rowOf(pod, { population }, future) {
  const { state, node, message } = future.fateOf(pod);
  const object = population.pod(pod) ?? future.scheduler.get('Pod', pod);
  if (state === 'Gone' || !object) return [];
  const row = podRow(object);
  const reason = node === null ? 'Unschedulable' : '';
  return [{ ...row, node: node ?? '', nominatedNode: '', reason, message }];
}
