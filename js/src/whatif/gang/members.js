/** Reads the gang that a question is about. */
import { unplaced } from '../../engine/object_events.js';
import { InputError } from '../../kubernetes/errors.js';
import { podKeyOf, splitKey } from '../../kubernetes/keys.js';
import { badArgument, checkCount } from '../arguments.js';

/**
 * @import { PodGroupMembers } from '../../engine/inspection_types.js'
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 */

/**
 * A PodGroup of the cluster by its `namespace/name`, or pods that are to start together: objects,
 * or `namespace/name` of pods in the cluster. `minCount` is by default the number of the pods;
 * `topologyKey` keeps them in one domain of that node label. Pods of one priority are tried in the
 * order given.
 * @typedef {{ podGroup: string } | { pods: Iterable<KubernetesObject | string>, minCount?: number,
 *   topologyKey?: string }} GroupQuestion
 */

/**
 * @typedef {object} Gang
 * @property {string | null} podGroup `namespace/name`; null for pods as a gang
 * @property {KubernetesObject | undefined} object the PodGroup
 * @property {KubernetesObject[]} pods those to place, complete and without a node
 * @property {string[]} scheduled those that have a node, `namespace/name`
 * @property {number} minCount
 * @property {string} [topologyKey]
 * @property {string} held why the group is not tried at all; empty if it is
 */

const MISSING_PODS = 'waiting for minCount pods from a gang to appear in scheduling queue';

/**
 * @param {Scheduler} scheduler one that keeps objects
 * @param {GroupQuestion} question
 * @returns {Gang}
 * @throws {InputError} if the group or a pod does not exist, or a field is invalid
 */
export function gangOf(scheduler, question) {
  return 'podGroup' in question
    ? gangOfPodGroup(scheduler, question.podGroup)
    : gangOfPods(scheduler, question);
}

/**
 * @param {Scheduler} scheduler
 * @param {string} name `namespace/name`
 * @returns {Gang}
 */
function gangOfPodGroup(scheduler, name) {
  if (typeof name !== 'string' || name === '')
    throw badArgument('podGroup', name, 'must be the namespace/name of a PodGroup');
  const podGroup = name.includes('/') ? name : `default/${name}`;
  const groups = scheduler.inspect().podGroups;
  if (!groups)
    throw invalid('PodGroup', podGroup, 'the feature gate GenericWorkload is off', 'podGroup');
  const group = groups.find((one) => one.podGroup === podGroup);
  const object = scheduler.get('PodGroup', podGroup);
  if (!group && !object) throw invalid('PodGroup', podGroup, 'there is no such PodGroup');
  const { unscheduled, assumed, assigned } = group ?? NO_MEMBERS;
  const known = unscheduled.length + assumed.length + assigned.length;
  const minCount = minCountOf(object, group) ?? (object ? 1 : known);
  const topologyKey = object?.spec?.schedulingConstraints?.topology?.[0]?.key;
  return {
    podGroup,
    object,
    pods: unscheduled.map((pod) => unplaced(podOf(scheduler, pod))),
    scheduled: [...assumed, ...assigned],
    minCount,
    ...(topologyKey && { topologyKey }),
    held: object ? (known < minCount ? MISSING_PODS : '') : missingGroup(podGroup),
  };
}

/** @type {PodGroupMembers} */
const NO_MEMBERS = { podGroup: '', unscheduled: [], assumed: [], assigned: [] };

/**
 * @param {KubernetesObject | undefined} object
 * @param {PodGroupMembers | undefined} group
 * @returns {number | undefined}
 */
function minCountOf(object, group) {
  return group?.minCount ?? object?.spec?.schedulingPolicy?.gang?.minCount;
}

/** In the words of GangScheduling. @param {string} podGroup */
function missingGroup(podGroup) {
  const { name } = splitKey(podGroup);
  return `waiting for pods's pod group "${name}" to appear in scheduling queue`;
}

/**
 * @param {Scheduler} scheduler
 * @param {Exclude<GroupQuestion, { podGroup: string }>} question
 * @returns {Gang}
 */
function gangOfPods(scheduler, { pods, minCount, topologyKey }) {
  if (typeof pods !== 'object' || !(Symbol.iterator in pods))
    throw badArgument('pods', pods, 'must be a list of pods');
  const asked = [...pods];
  if (asked.length === 0) throw badArgument('pods', asked.length, 'at least one pod is expected');
  const least = minCount ?? asked.length;
  checkCount('minCount', least, 1);
  const known = new Set();
  /** @type {KubernetesObject[]} */
  const found = [];
  const fork = scheduler.fork();
  try {
    for (const pod of asked) {
      const key = typeof pod === 'string' ? pod : podKeyOf(pod);
      if (known.has(key)) throw invalid('Pod', key, `Duplicate value: "${splitKey(key).name}"`);
      known.add(key);
      found.push(typeof pod === 'string' ? podOf(fork, pod) : completed(fork, pod));
    }
  } finally {
    fork.dispose();
  }
  const isScheduled = (/** @type {KubernetesObject} */ pod) => Boolean(pod.spec?.nodeName);
  return {
    podGroup: null,
    object: undefined,
    pods: found
      .filter((pod) => !isScheduled(pod))
      .map(unplaced)
      .sort(byPriority),
    scheduled: found.filter(isScheduled).map(podKeyOf),
    minCount: least,
    ...(topologyKey && { topologyKey }),
    held: asked.length < least ? MISSING_PODS : '',
  };
}

/**
 * The order in which a group's cycle tries pods of one age.
 * @param {KubernetesObject} a
 * @param {KubernetesObject} b
 */
function byPriority(a, b) {
  return (b.spec.priority ?? 0) - (a.spec.priority ?? 0);
}

/**
 * Returns a pod without a node as the engine reads it, which takes the place of the pod of its
 * name.
 * @param {Scheduler} fork
 * @param {KubernetesObject} pod
 */
function completed(fork, pod) {
  const key = podKeyOf(pod);
  const present = fork.get('Pod', key);
  if (present) fork.remove(present);
  const { nodeName: _, ...spec } = pod.spec ?? {};
  const metadata = { ...pod.metadata, ...splitKey(key) };
  fork.apply({ apiVersion: 'v1', kind: 'Pod', ...pod, metadata, spec });
  return podOf(fork, key);
}

/**
 * @param {Scheduler} scheduler
 * @param {string} key `namespace/name`
 * @returns {KubernetesObject}
 */
function podOf(scheduler, key) {
  const pod = scheduler.get('Pod', key);
  if (!pod) throw invalid('Pod', key, 'there is no such pod in the cluster');
  return pod;
}

/**
 * @param {string} kind
 * @param {string} key `namespace/name`
 * @param {string} detail
 * @param {string} [field]
 */
function invalid(kind, key, detail, field = 'metadata.name') {
  const { namespace, name } = splitKey(key);
  return new InputError({ code: 'FieldValueInvalid', kind, namespace, name, field, detail });
}
