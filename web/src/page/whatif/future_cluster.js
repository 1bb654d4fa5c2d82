/** The cluster of a future in the page: the present one with the rows that differ. */
import { withChanges, workloadOf } from '../cluster/cluster_state.js';

/**
 * @import { ClusterState, PodsByKey } from '../cluster/cluster_state.js'
 * @import { NodeMark } from '../decision/verdicts.js'
 * @import { Outlook } from '../../whatif/outlook.js'
 */

/**
 * The future cluster. It shares what does not differ with the present one, which stays as it is.
 * It is out of date as soon as the present changes.
 * @param {ClusterState} present
 * @param {Outlook} outlook
 * @returns {ClusterState}
 */
export function futureOf(present, { nodes, goneNodes, rows, gonePods }) {
  const { pods, groups } = present;
  const before = [...rows.map(({ key }) => key), ...gonePods].flatMap((key) => pods.get(key) ?? []);
  const touched = [...before, ...rows];
  const nodeNames = touched.map(({ node }) => node);
  const nominated = touched.map(({ nominatedNode }) => nominatedNode);
  const own = {
    ...present,
    nodes: new Map(present.nodes),
    pods: new Map(pods),
    podsOfNode: copied(present.podsOfNode, nodeNames, copyOf),
    pendingOf: copied(present.pendingOf, touched.map(workloadOf), copyOf),
    nominatedTo: copied(present.nominatedTo, nominated, copyOf),
    // Sums change in place.
    requested: copied(present.requested, nodeNames, (amounts) => ({ ...amounts })),
    groups: { workload: groups.workload.copy(), priority: groups.priority.copy() },
  };
  const none = { workloads: [], slices: [], claims: [] };
  const noneGone = { goneWorkloads: [], goneSlices: [], goneClaims: [] };
  // Lost nodes keep their places, so that both clusters are drawn alike.
  const kept = { goneNodes: [], nodes: nodes.filter(({ name }) => !goneNodes.includes(name)) };
  return withChanges(own, { isWhole: false, ...kept, pods: rows, gonePods, ...none, ...noneGone });
}

/**
 * The nodes that lose pods, as the present shows them.
 * @param {Outlook} outlook
 * @returns {Map<string, NodeMark>}
 */
export function marksNow({ pods }) {
  return new Map(
    pods.flatMap(({ outcome, before }) =>
      before?.node && outcome !== 'Returns' ? [[before.node, 'loses']] : [],
    ),
  );
}

/**
 * The nodes that get pods, and those that are lost, as the future shows them.
 * @param {Outlook} outlook
 * @returns {Map<string, NodeMark>}
 */
export function marksThen({ pods, goneNodes }) {
  /** @type {Map<string, NodeMark>} */
  const marks = new Map();
  for (const { outcome, after } of pods)
    if (after.node !== null && outcome !== 'Returns') marks.set(after.node, 'gains');
  for (const name of goneNodes) marks.set(name, 'lost');
  return marks;
}

/**
 * @template Value
 * @param {Map<string, Value>} all
 * @param {string[]} names the entries that will change
 * @param {(value: Value) => Value} copy
 * @returns {Map<string, Value>}
 */
function copied(all, names, copy) {
  const copies = new Map(all);
  for (const name of new Set(names)) {
    const value = all.get(name);
    if (value) copies.set(name, copy(value));
  }
  return copies;
}

/** @param {PodsByKey} pods */
function copyOf(pods) {
  return new Map(pods);
}
