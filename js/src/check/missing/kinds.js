/** Finds objects that decisions read and the input lacks. */
import { keyFor, namespaceOf, podKeyOf } from '../../kubernetes/keys.js';
import { groupOf } from '../../kubernetes/api_group.js';
import { RESOURCES } from '../../kubernetes/kinds.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { Dump } from './dump.js';
import { missingForDevices } from './devices.js';
import { missingForVolumes } from './volumes.js';
import { readersOf } from '../../kubernetes/needed_kinds.js';

/**
 * @import { Missing } from '../types.js'
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Decision } from '../../engine/types.js'
 */

/**
 * The basis of the search.
 * @typedef {object} Question
 * @property {Dump} dump
 * @property {KubernetesObject[]} pending the pods to be decided on
 * @property {KubernetesObject[]} bound the pods with a node
 * @property {InputError[]} unclassed the errors of pods whose PriorityClass is missing
 * @property {number} startTime the creation time of pods that were created here: milliseconds since
 *   the epoch
 */

/**
 * A missing object or kind, for one pod.
 * @typedef {object} Lack
 * @property {string} kind
 * @property {string} [name]
 * @property {KubernetesObject} [pod]
 * @property {readonly string[]} [neededBy] default: all readers of the kind
 * @property {boolean} [certain] default true
 */

/** The owners whose selectors default spreading uses, and their groups. */
const SPREAD_OWNERS = new Map(
  RESOURCES.filter(({ isWorkload, isWatched }) => isWorkload && isWatched).map(
    ({ kind, group }) => [kind, group],
  ),
);

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * @param {Question} question
 * @param {Decision[]} decisions decisions with evictions need PodDisruptionBudgets
 * @returns {Missing[]} in the order of their kinds' names
 */
export function missingKinds(question, decisions) {
  const lacks = [
    ...missingOwners(question),
    ...missingNamespaces(question),
    ...missingBudgets(question, decisions),
    ...missingForVolumes(question),
    ...missingForDevices(question),
    ...missingForAdmission(question),
    ...missingClasses(question),
  ];
  return collected(lacks, question.dump);
}

/**
 * Finds the owner of a pod without constraints, or else the Services that may select it. Beside an
 * owner's selector, which matches all its pods alike, a Service's selector changes nothing. Pods
 * that a server stored come from a cluster with an API server, which has a Service of its own.
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
function* missingOwners({ dump, pending, startTime }) {
  for (const pod of pending) {
    if (itemsIn(pod.spec?.topologySpreadConstraints).length > 0) continue;
    const owner = itemsIn(pod.metadata?.ownerReferences).find((each) => each?.controller);
    const isRead = owner && SPREAD_OWNERS.get(owner.kind) === groupOf(owner.apiVersion);
    const namespace = namespaceOf(pod);
    if (isRead && dump.lacks(owner.kind, owner.name, namespace))
      yield { kind: owner.kind, name: keyFor(namespace, owner.name), pod };
    const hasSelector = isRead && dump.get(owner.kind, owner.name, namespace);
    const hasLabels = isRecord(pod.metadata?.labels) && Object.keys(pod.metadata.labels).length > 0;
    if (hasLabels && !hasSelector && dump.lacksAll('Service'))
      yield { kind: 'Service', pod, certain: !isMade(pod, startTime) };
  }
}

/**
 * Finds namespaces whose labels a selector is compared with: those of all pods for the selectors of
 * a pending pod, its own for the selectors of pods with a node.
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
function* missingNamespaces({ dump, pending, bound }) {
  const areAsked = bound.some(selectsNamespaces);
  if (!areAsked && !pending.some(selectsNamespaces)) return;
  const all = [...pending, ...bound];
  const others = new Set(all.map(namespaceOf));
  for (const pod of pending) {
    const names = selectsNamespaces(pod) ? others : areAsked ? [namespaceOf(pod)] : [];
    for (const name of names)
      if (dump.lacks('Namespace', name)) yield { kind: 'Namespace', name, pod };
  }
}

/**
 * An empty selector matches all namespaces, whatever their labels.
 * @param {KubernetesObject} pod
 */
function selectsNamespaces({ spec }) {
  if (!spec?.affinity) return false;
  const terms = [spec.affinity.podAffinity, spec.affinity.podAntiAffinity].flatMap((part) => [
    ...itemsIn(part?.[REQUIRED]),
    ...itemsIn(part?.[PREFERRED]).map((weighted) => weighted?.podAffinityTerm),
  ]);
  return terms.some((term) => {
    const { matchLabels, matchExpressions } = term?.namespaceSelector ?? {};
    const labels = isRecord(matchLabels) ? Object.keys(matchLabels) : [];
    return labels.length + itemsIn(matchExpressions).length > 0;
  });
}

/**
 * @param {Question} question
 * @param {Decision[]} decisions
 * @returns {Generator<Lack>}
 */
function* missingBudgets({ dump, pending }, decisions) {
  if (!dump.lacksAll('PodDisruptionBudget')) return;
  const evicting = decisions.filter(({ preemption }) => itemsIn(preemption?.victims).length > 0);
  const keys = new Set(evicting.map(({ pod }) => pod));
  for (const pod of pending)
    if (keys.has(podKeyOf(pod))) yield { kind: 'PodDisruptionBudget', pod };
}

/**
 * Finds objects that the API server's admission reads for pods that it has not stored yet. A dump
 * does not show whether the cluster has LimitRanges, or a default PriorityClass.
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
function* missingForAdmission({ dump, pending, startTime }) {
  for (const pod of pending) {
    if (!isMade(pod, startTime)) continue;
    const { runtimeClassName, priorityClassName, priority } = pod.spec ?? {};
    if (runtimeClassName && dump.lacks('RuntimeClass', runtimeClassName))
      yield { kind: 'RuntimeClass', name: runtimeClassName, pod };
    if (!priorityClassName && !priority && dump.lacksAll('PriorityClass'))
      yield { kind: 'PriorityClass', pod, certain: false };
    if (lacksRequests(pod) && dump.lacksAll('LimitRange'))
      yield { kind: 'LimitRange', pod, certain: false };
  }
}

/**
 * Finds PriorityClasses that pods name. Such pods cannot be read.
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
function* missingClasses({ dump, unclassed }) {
  for (const { value, namespace, objectName } of unclassed) {
    const pod = { metadata: { namespace, name: objectName } };
    const name = String(value);
    if (dump.lacks('PriorityClass', name)) yield { kind: 'PriorityClass', name, pod };
  }
}

/**
 * Whether a pod was written by hand or created from a template here: its creation time shows that.
 * @param {KubernetesObject} pod
 * @param {number} startTime
 */
function isMade({ metadata }, startTime) {
  return Date.parse(metadata?.creationTimestamp) === startTime;
}

/** @param {KubernetesObject} pod */
function lacksRequests({ spec }) {
  const containers = [...itemsIn(spec?.containers), ...itemsIn(spec?.initContainers)];
  return containers.some((container) => {
    const { cpu, memory } = container?.resources?.requests ?? {};
    return cpu === undefined || memory === undefined;
  });
}

/**
 * @param {Lack[]} lacks
 * @param {Dump} dump
 * @returns {Missing[]}
 */
function collected(lacks, dump) {
  /** @type {Map<string, Lack[]>} */
  const byKind = new Map();
  for (const lack of lacks) {
    const known = byKind.get(lack.kind);
    if (known) known.push(lack);
    else byKind.set(lack.kind, [lack]);
  }
  const kinds = [...byKind].sort(([a], [b]) => (a < b ? -1 : 1));
  return kinds.map(([kind, all]) => ({
    kind,
    neededBy: distinct(
      distinct(all.map(({ neededBy }) => neededBy)).flatMap((some) => some ?? readersOf(kind)),
    ),
    names: distinct(all.flatMap(({ name }) => name ?? [])).sort(),
    found: dump.count(kind),
    certain: all.some(({ certain = true }) => certain),
    pods: distinct(all.flatMap(({ pod }) => (pod ? podKeyOf(pod) : []))),
  }));
}

/**
 * @template T
 * @param {T[]} values
 * @returns {T[]}
 */
function distinct(values) {
  return [...new Set(values)];
}
