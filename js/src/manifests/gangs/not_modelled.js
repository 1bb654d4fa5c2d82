/** Lists what other systems decide about a gang, and kube-scheduler does not. */
import { groupOf } from '../../kubernetes/api_group.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/** Fields of specs, by the kind that has them, and what they mean. */
const FIELDS = /** @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */ ({
  'scheduling.k8s.io/PodGroup': { resourceClaims: 'the claims of the group itself' },
  'scheduling.volcano.sh/PodGroup': {
    queue: 'the queue',
    minResources: 'minResources',
    minTaskMember: 'minTaskMember',
    networkTopology: 'networkTopology',
    subGroupPolicy: 'subGroupPolicy',
  },
  'batch.volcano.sh/Job': {
    queue: 'the queue',
    networkTopology: 'networkTopology',
  },
  'scheduling.run.ai/PodGroup': {
    queue: 'the queue',
    minSubGroup: 'minSubGroup: every subgroup is asked by itself, one after another',
  },
  'jobset.x-k8s.io/JobSet': { startupPolicy: 'the startup policy: all start together' },
  'leaderworkerset.x-k8s.io/LeaderWorkerSet': {
    startupPolicy: 'the startup policy: all start together',
    networkConfig: 'the network configuration',
  },
});

/** Labels and annotations of workloads and pods. */
const MARKS = /** @type {Readonly<Record<string, string>>} */ ({
  'kueue.x-k8s.io/queue-name': 'the quota of its queue',
  'kueue.x-k8s.io/podset-preferred-topology': 'the preferred topology',
  'kueue.x-k8s.io/podset-unconstrained-topology': 'the unconstrained topology',
  'kueue.x-k8s.io/podset-slice-required-topology': 'the topology of slices',
  'kueue.x-k8s.io/podset-topology-spreading': 'the topology spreading',
  'alpha.jobset.sigs.k8s.io/exclusive-topology': 'the exclusive topology',
  'leaderworkerset.sigs.k8s.io/exclusive-topology': 'the exclusive topology',
  'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology': 'the exclusive topology',
});

/** Of these, the annotations that restrict where pods run, and one that only gangs follow. */
const TOPOLOGIES = Object.freeze({
  ...Object.fromEntries(
    Object.entries(MARKS).filter(([mark]) => /exclusive-|slice-|spreading/.test(mark)),
  ),
  'kueue.x-k8s.io/podset-required-topology': 'the required topology',
});

/**
 * @param {KubernetesObject | undefined} object a PodGroup or a workload
 * @param {KubernetesObject[]} pods
 * @returns {string[]}
 */
export function notModelledIn(object, pods) {
  const own = object ? ofSpec(object) : [];
  return [...new Set([...own, ...marksIn(object ? [object, ...pods] : pods, MARKS)])];
}

/**
 * Returns the topologies in which the pods of a workload have to be, if it is not asked as a gang.
 * @param {KubernetesObject} object
 * @param {KubernetesObject[]} pods
 * @returns {string[]}
 */
export function topologiesIn(object, pods) {
  return [...new Set(marksIn([object, ...pods], TOPOLOGIES))];
}

/**
 * @param {KubernetesObject[]} objects
 * @param {Readonly<Record<string, string>>} known labels and annotations
 * @returns {string[]} what those of the objects mean
 */
function marksIn(objects, known) {
  const given = objects.flatMap(({ metadata }) => [metadata?.labels, metadata?.annotations]);
  return given.filter(isRecord).flatMap((marks) =>
    Object.entries(known)
      .filter(([mark]) => Object.hasOwn(marks, mark))
      .map(([, words]) => words),
  );
}

/** @param {KubernetesObject} object @returns {string[]} */
function ofSpec({ apiVersion, kind, spec }) {
  if (!isRecord(spec)) return [];
  const fields = FIELDS[`${groupOf(apiVersion)}/${kind}`] ?? {};
  const own = Object.entries(fields).flatMap(([field, words]) =>
    spec[field] === undefined ? [] : [words],
  );
  const parts = [...itemsIn(spec.subGroups), spec];
  if (parts.some((part) => part?.topologyConstraint?.preferredTopologyLevel !== undefined))
    own.push('the preferred topology');
  const tasks = itemsIn(spec.tasks);
  if (tasks.some((task) => task?.minAvailable !== undefined))
    own.push('minAvailable of single tasks');
  if (itemsIn(spec.replicatedJobs).some((job) => itemsIn(job?.dependsOn).length > 0))
    own.push('dependsOn: all start together');
  return own;
}
