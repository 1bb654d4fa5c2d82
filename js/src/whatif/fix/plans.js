/**
 * Makes sets of edits from an evaluation: for each of the nearest nodes, what would end all of its
 * refusals.
 */
import { ASKS, withSpec } from './edit.js';
import { otherClaims, usableClaims } from './claims.js';
import { otherDeviceClasses, relaxDevices } from './devices.js';
import { changeHostPorts } from './host_ports.js';
import { admitNode } from './node_selection.js';
import { relaxPodAffinity } from './pod_affinity.js';
import { bySize } from './rank.js';
import { mergedRemovals, removePods, removePodsWithVolumes } from './removals.js';
import { lowerRequests } from './requests.js';
import { relaxSpread } from './spread.js';
import { passCordon, passTaints } from './taints.js';
import { setKey } from './question.js';

/**
 * @import { Culprit, Evaluation } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 * @import { Question } from './question.js'
 */

/** The number of nodes whose pods are read. */
const READ_NODES = 8;

/** The most sets of edits for one node. */
const SETS_MAX = 64;

/**
 * `isRead`: whether the pods on the node are read.
 * @typedef {{ pod: KubernetesObject, question: Question, isRead: boolean }} Context
 */

/**
 * Alternatives by the plugin whose refusal they end.
 * @type {Record<string, (culprit: Culprit, context: Context) => Edit[][]>}
 */
const ALTERNATIVES = {
  NodeResourcesFit: (culprit, { pod }) => {
    const lowered = lowerRequests(culprit, pod);
    return lowered ? [lowered] : [];
  },
  NodeAffinity: (culprit, { pod, question }) =>
    admitNode(culprit, pod, question.get('Node', culprit.node)),
  TaintToleration: ({ node }, { pod, question }) => {
    const object = question.get('Node', node);
    return object ? passTaints(pod, object) : [];
  },
  NodeUnschedulable: ({ node }, { question }) => {
    const object = question.get('Node', node);
    return object ? passCordon(object) : [];
  },
  NodePorts: (culprit, { pod, question, isRead }) =>
    changeHostPorts(culprit, isRead ? question.podsOn(culprit.node) : [], pod),
  InterPodAffinity: (culprit, { pod }) => relaxPodAffinity(culprit, pod),
  PodTopologySpread: (culprit, { pod }) => relaxSpread(culprit, pod),
  VolumeBinding: (culprit, { pod, question }) => otherClaims(culprit, pod, question),
  VolumeZone: (culprit, { pod, question }) => otherClaims(culprit, pod, question),
  VolumeRestrictions: (culprit, { pod, question }) => otherClaims(culprit, pod, question),
  NodeVolumeLimits: (culprit, { pod, question }) => otherClaims(culprit, pod, question),
  DynamicResources: (culprit, { pod, question }) => relaxDevices(culprit, pod, question),
};

/**
 * Returns sets of edits each of which should place the pod on one of the nearest nodes, the best
 * first.
 * @param {Evaluation} evaluation of `Question.evaluate`
 * @param {KubernetesObject} pod as it was evaluated
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function plansFor(evaluation, pod, question) {
  const gates = evaluation.plugin === 'SchedulingGates' ? [removeGates()] : [];
  const sets = evaluation.preFilter
    ? plansForAll(evaluation.preFilter.plugin, pod, question)
    : plansForNodes(evaluation.culprits ?? [], pod, question);
  const whole = sets.length > 0 || gates.length === 0 ? sets : [[]];
  const unique = new Map(whole.map((set) => [setKey(set), [...gates, ...set]]));
  return [...unique.values()].sort(bySize);
}

/**
 * @param {string} plugin that refuses the pod on every node
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Edit[][]}
 */
function plansForAll(plugin, pod, question) {
  return plugin === 'DynamicResources'
    ? otherDeviceClasses(pod, question).filter(({ length }) => length > 0)
    : usableClaims(pod, question);
}

/**
 * @param {Culprit[]} culprits
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Edit[][]}
 */
function plansForNodes(culprits, pod, question) {
  /** @type {Map<string, Culprit[]>} */
  const nodes = new Map();
  for (const culprit of culprits)
    nodes.set(culprit.node, [...(nodes.get(culprit.node) ?? []), culprit]);
  return [...nodes.values()].flatMap((refusals, index) => {
    const context = { pod, question, isRead: index < READ_NODES };
    return combinations(refusals.map((culprit) => alternatives(culprit, context)));
  });
}

/**
 * Returns sets of edits that should end all refusals of one node, the best first.
 * @param {Culprit[]} refusals of the node
 * @param {KubernetesObject} pod
 * @param {Question} question
 * @returns {Edit[][]}
 */
export function plansForNode(refusals, pod, question) {
  return plansForNodes(refusals, pod, question).sort(bySize);
}

/**
 * @param {Culprit} culprit
 * @param {Context} context
 * @returns {Edit[][]}
 */
function alternatives(culprit, context) {
  const edits = ALTERNATIVES[culprit.plugin]?.(culprit, context) ?? [];
  if (!context.isRead) return edits;
  const { question } = context;
  return [
    ...edits,
    ...(culprit.plugin === 'NodeVolumeLimits'
      ? removePodsWithVolumes(culprit, question)
      : removePods(culprit, question)),
  ];
}

/**
 * Returns one alternative of each refusal, in all combinations; equal edits count once.
 * @param {Edit[][][]} refusals
 * @returns {Edit[][]}
 */
function combinations(refusals) {
  const sets = refusals.reduce(
    (found, choices) =>
      found.flatMap((set) => choices.map((choice) => [...set, ...choice])).slice(0, SETS_MAX),
    /** @type {Edit[][]} */ ([[]]),
  );
  return sets.map((set) =>
    mergedRemovals([...new Map(set.map((edit) => [edit.key, edit])).values()]),
  );
}

/** @returns {Edit} */
function removeGates() {
  return {
    key: 'RemoveSchedulingGates',
    shape: 'RemoveSchedulingGates',
    kind: 'RemoveSchedulingGates',
    sentence: "remove the pod's scheduling gates",
    asks: ASKS.pod,
    size: 0.5,
    pod: (pod) => withSpec(pod, ({ schedulingGates: _, ...spec }) => spec),
  };
}
