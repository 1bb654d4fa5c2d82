/** What would follow from changes, for the page: the pods that differ, and the rows to draw. */
import { whatIf } from '../../../js/src/whatif.js';
import { nodeRow, podRow } from '../model/cluster_model.js';
import { expanded } from './changes.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Future, PodChange, WhatIfSummary } from '../../../js/src/whatif.js'
 * @import { NodeRow, PodRow } from '../model/cluster_model.js'
 * @import { TriedChange } from './changes.js'
 * @import { Base } from './present.js'
 */

/**
 * @typedef {object} Outlook
 * @property {WhatIfSummary} summary
 * @property {PodChange[]} pods those that differ, the ones that wait first
 * @property {number} undecided the pods that are pending now, and that the scheduler has tried
 *   before the changes
 * @property {NodeRow[]} nodes new and changed ones
 * @property {string[]} goneNodes
 * @property {PodRow[]} rows new and changed pods, compared with the world
 * @property {string[]} gonePods
 */

/**
 * @param {Base} base
 * @param {readonly TriedChange[]} tried
 * @param {{ signal: AbortSignal, objects: Iterable<KubernetesObject> }} options `objects`: those of
 *   the cluster that its scheduler does not keep
 * @returns {Promise<Outlook>}
 */
export async function outlookOf(base, tried, { signal, objects }) {
  const { scheduler, population, moved, undecided } = base;
  const changes = expanded(tried, base);
  /** @type {Pick<Outlook, 'nodes' | 'rows' | 'gonePods'> | undefined} */
  let seen;
  const { pods, summary } = await whatIf(scheduler, changes, {
    ...{ population, objects, signal },
    look: (future) => {
      const touched = [...future.moving, ...future.gone, ...future.applied];
      for (const { pod } of future.decisions) touched.push(pod);
      const shown = [...new Set([...moved, ...touched])];
      const rows = shown.flatMap((pod) => rowOf(pod, future));
      const there = new Set(rows.map(({ key }) => key));
      const nodes = [...future.appliedNodes].flatMap((name) => {
        const node = future.scheduler.get('Node', name);
        return node ? [nodeRow(node)] : [];
      });
      seen = { nodes, rows, gonePods: shown.filter((pod) => !there.has(pod)) };
    },
  });
  const goneNodes = changes.flatMap((one) => (one.type === 'removeNode' ? one.node : []));
  const { nodes = [], rows = [], gonePods = [] } = seen ?? {};
  return { summary, pods, undecided, goneNodes, nodes, rows, gonePods };
}

/**
 * @param {string} pod
 * @param {Future} future
 * @returns {PodRow[]} empty if it is gone
 */
function rowOf(pod, future) {
  const object = future.pod(pod);
  if (!object) return [];
  const { node, message } = future.fateOf(pod);
  const reason = node === null ? 'Unschedulable' : '';
  return [{ ...podRow(object), node: node ?? '', nominatedNode: '', reason, message }];
}
