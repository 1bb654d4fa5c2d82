/** Reads the PodGroups of Kubernetes, Volcano and KAI, and which pods belong to them. */
import { groupOf } from '../../kubernetes/api_group.js';
import { podKeyOf, splitKey } from '../../kubernetes/keys.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { VOLCANO_GROUP } from './unfold.js';

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

/** The API groups of PodGroups, as in the keys. */
const KUBERNETES = 'scheduling.k8s.io';
const VOLCANO = 'scheduling.volcano.sh';
const KAI = 'scheduling.run.ai';

const KAI_GROUP = 'pod-group-name';
const KAI_SUBGROUP = 'kai.scheduler/subgroup-name';

/**
 * A part of a PodGroup with a minimum of its own.
 * @typedef {{ name: string, minCount?: number, topologyKey?: string }} SubGroup
 */

/**
 * A PodGroup of any system. `key`: its API group, a space, and its `namespace/name`.
 * @typedef {object} ReadGroup
 * @property {string} key
 * @property {KubernetesObject} object
 * @property {number} [minCount] absent: 1
 * @property {string} [topologyKey]
 * @property {SubGroup[]} subGroups
 */

/**
 * @param {KubernetesObject} object
 * @returns {ReadGroup | undefined} undefined if it is no PodGroup
 */
export function readGroup(object) {
  const { apiVersion, kind, metadata, spec } = object;
  const group = groupOf(apiVersion);
  if (kind !== 'PodGroup' || !isRecord(metadata) || !isRecord(spec)) return undefined;
  const read = { key: `${group} ${podKeyOf(object)}`, object, subGroups: [] };
  switch (group) {
    case KUBERNETES: {
      const { gang } = spec.schedulingPolicy ?? {};
      return {
        ...read,
        ...counted(gang?.minCount),
        ...keyed(itemsIn(spec.schedulingConstraints?.topology)[0]?.key),
      };
    }
    case VOLCANO:
      return { ...read, ...counted(spec.minMember) };
    case KAI:
      return { ...read, ...counted(spec.minMember), ...levelOf(spec), subGroups: partsOf(spec) };
    default:
      return undefined;
  }
}

/**
 * Subgroups with subgroups below them have no pods of their own.
 * @param {any} spec
 * @returns {SubGroup[]}
 */
function partsOf(spec) {
  const parts = itemsIn(spec.subGroups).filter(isRecord);
  const parents = new Set(parts.map(({ parent }) => parent));
  return parts
    .filter(({ name }) => !parents.has(name))
    .map((part) => ({ name: String(part.name), ...counted(part.minMember), ...levelOf(part) }));
}

/** @param {any} part with a topology constraint of KAI */
function levelOf({ topologyConstraint }) {
  return keyed(topologyConstraint?.requiredTopologyLevel);
}

/** @param {unknown} count */
function counted(count) {
  return Number.isInteger(count) && Number(count) > 0 ? { minCount: Number(count) } : {};
}

/** @param {unknown} key of a node's label */
function keyed(key) {
  return typeof key === 'string' && key !== '' ? { topologyKey: key } : {};
}

/**
 * Returns the PodGroup of a pod: the key as in `ReadGroup`, and the subgroup.
 * @param {KubernetesObject} pod
 * @returns {{ key: string, subGroup?: string } | undefined}
 */
export function membershipOf(pod) {
  const { annotations = {}, labels = {} } = pod.metadata ?? {};
  const { namespace } = splitKey(podKeyOf(pod));
  const own = pod.spec?.schedulingGroup?.podGroupName;
  if (own) return { key: `${KUBERNETES} ${namespace}/${own}` };
  const kai = annotations[KAI_GROUP];
  if (kai) return { key: `${KAI} ${namespace}/${kai}`, subGroup: labels[KAI_SUBGROUP] };
  const volcano = annotations[VOLCANO_GROUP];
  return volcano ? { key: `${VOLCANO} ${namespace}/${volcano}` } : undefined;
}
