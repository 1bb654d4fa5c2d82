/** Says why nodes without pods refuse a pod. */

/** @import { Evaluation, FilterGroup } from '../../engine/types.js' */

/**
 * Why some nodes refuse the pod whatever pods are removed. `nodes` is their number, `examples` are
 * the first of them; a node counts for each plugin that refuses the pod.
 * @typedef {{ plugin: string, reasons: string[], nodes: number, examples: string[], why: string }}
 *   NeverReason
 */

/** The most names of nodes. */
const EXAMPLES_MAX = 5;

/** Why removing pods does not end a plugin's refusal. @type {Record<string, string>} */
const WHY = Object.freeze({
  NodeResourcesFit: 'the node is too small even when it is empty',
  NodeAffinity: 'labels and names of nodes do not depend on pods',
  TaintToleration: 'taints do not depend on pods',
  NodeUnschedulable: 'the node is cordoned',
  NodeDeclaredFeatures: 'features of nodes do not depend on pods',
  PodTopologySpread: 'the node lacks a label that the constraint needs',
  InterPodAffinity: 'the required pods are not near the node, and removing pods adds none',
  VolumeBinding: 'the volume is bound, and cannot be reached from the node',
  VolumeZone: 'the volume is in another zone than the node',
  NodeVolumeLimits: "the pod's volumes alone exceed the limit of the node",
  DynamicResources: 'the devices of the node do not suffice even when all are free',
});

/** Plugins whose PreFilter refuses pods that wait for objects. */
const WAITING = [
  'VolumeRestrictions',
  'VolumeBinding',
  'VolumeZone',
  'NodeVolumeLimits',
  'DynamicResources',
];

/** Of every other plugin. */
const OTHERWISE = 'the plugin refuses the node even when it is empty';

/**
 * Reasons that end when an object appears or changes, although no pod goes.
 * @type {Record<string, string[]>}
 */
const OF_OBJECTS = {
  VolumeBinding: [
    "node(s) didn't find available persistent volumes to bind",
    'node(s) did not have enough free storage',
    'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
  ],
};

/**
 * Returns the reasons of an evaluation without other pods, those of most nodes first.
 * @param {Evaluation} emptied
 * @returns {NeverReason[]}
 */
export function refusalsIn(emptied) {
  return groupsOf(emptied)
    .map(({ plugin, reasons, nodes }) => ({
      plugin,
      reasons,
      nodes: nodes.length,
      examples: nodes.slice(0, EXAMPLES_MAX),
      why: WHY[plugin] ?? OTHERWISE,
    }))
    .sort((a, b) => b.nodes - a.nodes);
}

/**
 * Returns which objects are missing, if the refusal of a node is about these alone.
 * @param {Evaluation} emptied
 * @returns {string | undefined}
 */
export function whyObjects(emptied) {
  const { preFilter } = emptied;
  if (preFilter && !WAITING.includes(preFilter.plugin)) return undefined;
  if (preFilter) return `it waits for objects: ${preFilter.reasons.join(', ')}`;
  const groups = groupsOf(emptied);
  const lasting = new Set(groups.filter((one) => !isOfObjects(one)).flatMap(({ nodes }) => nodes));
  const waiting = groups
    .filter(isOfObjects)
    .find(({ nodes }) => nodes.some((node) => !lasting.has(node)));
  if (waiting) return `it waits for objects: ${waiting.reasons.join(', ')}`;
  return groups.length > 0 ? undefined : 'it waits for nodes';
}

/** @param {FilterGroup} group */
function isOfObjects({ plugin, reasons }) {
  return reasons.some((reason) => OF_OBJECTS[plugin]?.includes(reason));
}

/** @param {Evaluation} evaluation @returns {FilterGroup[]} */
function groupsOf({ filter = [], filterAll = filter, preFilter }) {
  return preFilter ? [{ ...preFilter, nodes: [] }] : filterAll;
}
