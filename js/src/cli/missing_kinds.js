/** What decisions read and the input does not have. */
import { keyFor, namespaceOf, podKeyOf } from '../kubernetes/keys.js';
import { groupOf } from '../kubernetes/api_group.js';
import { RESOURCES } from '../kubernetes/kinds.js';
import { isRecord, itemsIn } from '../kubernetes/values.js';
import { Dump } from './dump.js';
import { missingClasses } from './missing_classes.js';
import { missingForDevices } from './missing_devices.js';
import { missingForVolumes } from './missing_volumes.js';
import { readersOf } from './needed_kinds.js';

/**
 * @import { Missing } from '../check/types.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Decision } from '../engine/types.js'
 */

/**
 * What is asked about.
 * @typedef {object} Question
 * @property {Dump} dump
 * @property {KubernetesObject[]} pending the pods that are decided on
 * @property {KubernetesObject[]} bound those that have a node
 * @property {InputError[]} unclassed the errors of pods whose PriorityClass is not there
 * @property {number} startTime that of pods which were made here: milliseconds since the epoch
 */

/**
 * One thing that is missing, for one pod.
 * @typedef {object} Lack
 * @property {string} kind
 * @property {string} [name]
 * @property {KubernetesObject} [pod]
 * @property {readonly string[]} [neededBy] default: all that read the kind
 * @property {boolean} [certain] default true
 */

/** The owners whose selectors default spreading takes, and their groups. */
const SPREAD_OWNERS = new Map(
  RESOURCES.filter(({ isWorkload, isWatched }) => isWorkload && isWatched).map(
    ({ kind, group }) => [kind, group],
  ),
);

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/**
 * @param {Question} question
 * @param {Decision[]} decisions those that evict need budgets
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
 * The owner of a pod that names no constraints, else the Services that may select it. Beside the
 * selector of an owner, which all its pods match alike, that of a Service changes nothing. Where a
 * pod was stored there is an API server, which has a Service of its own.
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
 * The labels of namespaces that a selector is held against: those of all pods for the selectors of
 * a pending one, its own for the selectors of those that have a node.
 * @param {Question} question
 * @returns {Generator<Lack>}
 */
function* missingNamespaces({ dump, pending, bound }) {
  const all = [...pending, ...bound];
  const others = new Set(all.map(namespaceOf));
  const areAsked = bound.some(selectsNamespaces);
  for (const pod of pending) {
    const names = selectsNamespaces(pod) ? others : areAsked ? [namespaceOf(pod)] : [];
    for (const name of names)
      if (dump.lacks('Namespace', name)) yield { kind: 'Namespace', name, pod };
  }
}

/** An empty selector takes all namespaces, whatever their labels. @param {KubernetesObject} pod */
function selectsNamespaces({ spec }) {
  const terms = [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity].flatMap((part) => [
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
 * What the API server adds to pods that it has not stored yet. A dump has no sign of whether the
 * cluster has LimitRanges, or a PriorityClass for pods that name none.
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
 * Whether a pod was written by hand or made of a template here: it has the time of that.
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
    neededBy: distinct(all.flatMap(({ neededBy }) => neededBy ?? readersOf(kind))),
    names: distinct(all.flatMap(({ name }) => name ?? [])).sort(),
    found: dump.count(kind),
    certain: all.some(({ certain = true }) => certain),
    pods: distinct(all.flatMap(({ pod }) => (pod ? podKeyOf(pod) : []))),
  }));
}

/** @param {string[]} words */
function distinct(words) {
  return [...new Set(words)];
}
