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
  'alpha.jobset.sigs.k8s.io/exclusive-topology': 'the exclusive topology',
  'leaderworkerset.sigs.k8s.io/exclusive-topology': 'the exclusive topology',
  'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology': 'the exclusive topology',
});

/**
 * @param {KubernetesObject | undefined} object a PodGroup or a workload
 * @param {KubernetesObject[]} pods
 * @returns {string[]}
 */
export function notModelledIn(object, pods) {
  /** @type {Set<string>} */
  const found = new Set();
  if (object) for (const words of ofSpec(object)) found.add(words);
  for (const { metadata } of object ? [object, ...pods] : pods) {
    for (const marks of [metadata?.labels, metadata?.annotations])
      for (const [mark, words] of Object.entries(MARKS))
        if (isRecord(marks) && Object.hasOwn(marks, mark)) found.add(words);
  }
  return [...found];
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
