/**
 * Finds the pods of manifests that are to start together. The groups of other systems are read
 * where their meaning is plain; what a gang cannot express is in its `notModelled`.
 */
import { groupOf } from '../../kubernetes/api_group.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { grouped } from './grouped.js';
import { membershipOf, readGroup } from './pod_groups.js';
import { notModelledIn } from './not_modelled.js';
import { podSets } from './pod_sets.js';
import { foldedKindOf } from './unfold.js';

/**
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { ReadGroup } from './pod_groups.js'
 */

/**
 * Pods that are to start together.
 * @typedef {object} Gang
 * @property {string} name of its part of the workload: `podgroup default/train`, `group 0`; empty
 *   for all of it
 * @property {KubernetesObject[]} pods
 * @property {number} minCount
 * @property {string} [topologyKey] the label of nodes in whose domain all of them have to be
 * @property {string[]} notModelled what decides about the gang elsewhere, and not here
 */

/**
 * A written workload, and its pods.
 * @typedef {{ object: KubernetesObject, pods: KubernetesObject[] }} Row
 */

/**
 * Returns the gangs of manifests, in their order. A pod is in one gang at most.
 * @param {Row[]} rows
 * @param {{ objects: KubernetesObject[], pods: KubernetesObject[] }} cluster with the manifests:
 *   their PodGroups, and all unfinished pods
 * @returns {Gang[]}
 */
export function gangsIn(rows, { objects, pods }) {
  const read = objects.flatMap((object) => readGroup(object) ?? []);
  const groups = new Map(read.map((group) => [group.key, group]));
  const members = grouped(pods, (pod) => membershipOf(pod)?.key ?? '');
  /** @type {Set<string>} */
  const done = new Set();
  return rows.flatMap(({ object, pods: own }) => {
    const keys = new Set(own.map((pod) => membershipOf(pod)?.key ?? ''));
    const asGroup = readGroup(object);
    if (asGroup) keys.add(asGroup.key);
    const alone = own.filter((pod) => membershipOf(pod) === undefined);
    keys.delete('');
    const fresh = [...keys].filter((key) => !done.has(key));
    for (const key of fresh) done.add(key);
    return [
      ...fresh.flatMap((key) => groupGangs(groups.get(key), members.get(key) ?? [], key)),
      ...workloadGangs(object, alone),
    ];
  });
}

/**
 * @param {ReadGroup | undefined} group
 * @param {KubernetesObject[]} pods
 * @param {string} key
 * @returns {Gang[]}
 */
function groupGangs(group, pods, key) {
  if (pods.length === 0) return [];
  const notModelled = notModelledIn(group?.object, pods);
  const name = `podgroup ${key.slice(key.indexOf(' ') + 1)}`;
  if (!group) {
    const absent = 'its PodGroup is not in the input: all pods count';
    return [{ name, pods, minCount: pods.length, notModelled: [absent, ...notModelled] }];
  }
  if (group.subGroups.length > 0) return subGroupGangs(group, { name, pods, notModelled });
  const { minCount = 1, topologyKey } = group;
  return [{ name, pods, minCount, ...(topologyKey && { topologyKey }), notModelled }];
}

/**
 * Each subgroup is asked by itself, one after another.
 * @param {ReadGroup} group
 * @param {Pick<Gang, 'name' | 'pods' | 'notModelled'>} whole
 * @returns {Gang[]}
 */
function subGroupGangs({ subGroups }, { name, pods, notModelled }) {
  const known = new Set(subGroups.map((one) => one.name));
  const rest = pods.filter((pod) => !known.has(membershipOf(pod)?.subGroup ?? ''));
  const gangs = subGroups.map(({ name: part, minCount = 1, topologyKey }) => ({
    name: `${name}, subgroup ${part}`,
    pods: pods.filter((pod) => membershipOf(pod)?.subGroup === part),
    minCount,
    ...(topologyKey && { topologyKey }),
    notModelled,
  }));
  const others = { name, pods: rest, minCount: 1, notModelled };
  return [...gangs, others].filter((gang) => gang.pods.length > 0);
}

/**
 * @param {KubernetesObject} object
 * @param {KubernetesObject[]} pods those that name no PodGroup
 * @returns {Gang[]}
 */
function workloadGangs(object, pods) {
  if (pods.length === 0) return [];
  const notModelled = notModelledIn(object, pods);
  switch (foldedKindOf(object) ?? `${groupOf(object.apiVersion)}/${object.kind}`) {
    case 'batch/Job':
    case 'batch/CronJob':
    case 'jobset.x-k8s.io/JobSet':
      return podSets(pods).map((part) => ({
        ...part,
        minCount: part.pods.length,
        notModelled,
      }));
    case 'leaderworkerset.x-k8s.io/LeaderWorkerSet':
      return [...grouped(pods, (pod) => groupIndexOf(pod, object))].flatMap(([index, own]) =>
        podSets(own).map((part) => ({
          ...part,
          name: [`group ${index}`, part.name].filter(Boolean).join(', '),
          minCount: part.pods.length,
          notModelled,
        })),
      );
    case 'batch.volcano.sh/Job': {
      const { minAvailable } = object.spec;
      const minCount = minAvailable > 0 ? minAvailable : pods.length;
      return [{ name: '', pods, minCount, notModelled }];
    }
    default:
      return [];
  }
}

/**
 * `NAME-GROUP` is the leader of a group, `NAME-GROUP-N` a worker.
 * @param {KubernetesObject} pod
 * @param {KubernetesObject} lws
 */
function groupIndexOf(pod, lws) {
  return podKeyOf(pod)
    .slice(podKeyOf(lws).length + 1)
    .split('-')[0];
}
