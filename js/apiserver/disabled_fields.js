/**
 * Drops the fields of features whose gate is off. Counterparts: `DropDisabledPodFields` of
 * pkg/api/pod/util.go, and `dropDisabledFields` of pkg/registry/resource/resourceclaim/strategy.go,
 * v1.36.
 */
import { isRecord } from '../src/kubernetes/values.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { Gate } from './feature_gates.js'
 */

/**
 * A field of a gate; `*` is each item of a list. A place is a spec with such fields.
 * @typedef {readonly [Gate, string]} Field
 * @typedef {readonly [string, readonly Field[]]} Place
 */

/** @type {Field[]} */
const OF_PODS = [
  ['PodLevelResources', 'resources'],
  ['MatchLabelKeysInPodTopologySpread', 'topologySpreadConstraints.*.matchLabelKeys'],
];

/** @type {Field[]} */
const OF_CLAIMS = [
  ['DRAAdminAccess', 'devices.requests.*.exactly.adminAccess'],
  ['DRAPrioritizedList', 'devices.requests.*.firstAvailable'],
  ['DRAConsumableCapacity', 'devices.requests.*.exactly.capacity'],
  ['DRAConsumableCapacity', 'devices.requests.*.firstAvailable.*.capacity'],
  ['DRAConsumableCapacity', 'devices.constraints.*.distinctAttribute'],
];

/** By kind, where these are; elsewhere in the template of pods. @type {Record<string, Place>} */
const PLACES = {
  Pod: ['spec', OF_PODS],
  CronJob: ['spec.jobTemplate.spec.template.spec', OF_PODS],
  ResourceClaim: ['spec', OF_CLAIMS],
  ResourceClaimTemplate: ['spec.spec', OF_CLAIMS],
};

/** @type {Place} */
const TEMPLATE = ['spec.template.spec', OF_PODS];

/**
 * Returns the object without the fields of features that are off. A field stays that the stored
 * object has already.
 * @param {KubernetesObject} object
 * @param {Readonly<Record<string, boolean>>} gates whether they are on
 * @param {KubernetesObject} [old] what is stored
 * @returns {KubernetesObject} the same if there is nothing to drop
 */
export function withoutDisabledFields(object, gates, old) {
  const [place, fields] = PLACES[object.kind ?? ''] ?? TEMPLATE;
  return fields.reduce((left, [gate, field]) => {
    if (gates[gate]) return left;
    const path = `${place}.${field}`.split('.');
    return old && without(old, path) !== old ? left : without(left, path);
  }, object);
}

/**
 * @param {any} part
 * @param {string[]} path
 * @returns {any} the same without such a field
 */
function without(part, [name, ...rest]) {
  if (name === '*') {
    const items = Array.isArray(part) ? part.map((item) => without(item, rest)) : [];
    return items.some((item, index) => item !== part[index]) ? items : part;
  }
  if (!isRecord(part) || part[name] == null) return part;
  const { [name]: field, ...others } = part;
  if (rest.length === 0) return others;
  const left = without(field, rest);
  return left === field ? part : { ...part, [name]: left };
}
