/** Reads the PodGroups of Kubernetes, Volcano and KAI, and which pods belong to them. */
import { groupOf } from '../../kubernetes/api_group.js';
import { podKeyOf, splitKey } from '../../kubernetes/keys.js';
import { isRecord, itemsIn } from '../../kubernetes/values.js';
import { INT32_MAX, wholeNumber } from '../counts.js';
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
 * @throws {import('../../kubernetes/errors.js').InputError} if a minimum is no count
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
        ...counted(object, 'spec.schedulingPolicy.gang.minCount', gang?.minCount),
        ...keyed(itemsIn(spec.schedulingConstraints?.topology)[0]?.key),
      };
    }
    case VOLCANO:
      return { ...read, ...counted(object, 'spec.minMember', spec.minMember) };
    case KAI:
      return {
        ...read,
        ...counted(object, 'spec.minMember', spec.minMember),
        ...levelOf(spec),
        subGroups: partsOf(object),
      };
    default:
      return undefined;
  }
}

/**
 * Subgroups with subgroups below them have no pods of their own.
 * @param {KubernetesObject} group
 * @returns {SubGroup[]}
 */
function partsOf(group) {
  const parts = itemsIn(group.spec.subGroups);
  const parents = new Set(parts.map((part) => part?.parent));
  return parts.flatMap((part, at) => {
    if (!isRecord(part) || parents.has(part.name)) return [];
    const least = counted(group, `spec.subGroups[${at}].minMember`, part.minMember);
    return [{ name: String(part.name), ...least, ...levelOf(part) }];
  });
}

/** @param {any} part with a topology constraint of KAI */
function levelOf({ topologyConstraint }) {
  return keyed(topologyConstraint?.requiredTopologyLevel);
}

/**
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {unknown} count 0 counts as absent
 */
function counted(object, field, count) {
  const minCount = wholeNumber(object, field, count ?? 0, INT32_MAX);
  return minCount > 0 ? { minCount } : {};
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
