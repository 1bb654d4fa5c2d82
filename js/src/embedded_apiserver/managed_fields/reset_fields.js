/**
 * What a request cannot set, and so does not come to own: the status on the object itself, the rest
 * on its status.
 * Counterpart: GetResetFields of the strategies in pkg/registry, v1.36.
 */
import { EMPTY, setOf } from './field_set.js';

/** @import { FieldSet } from './field_set.js' */

/** Kinds without a status that could be reset. */
const WITHOUT_STATUS = new Set([
  'Binding',
  'ConfigMap',
  'ControllerRevision',
  'CSIDriver',
  'CSINode',
  'CSIStorageCapacity',
  'DeviceClass',
  'Endpoints',
  'EndpointSlice',
  'Event',
  'Lease',
  'LimitRange',
  'PodTemplate',
  'PriorityClass',
  'ResourceClaimTemplate',
  'ResourceSlice',
  'Secret',
  'ServiceAccount',
  'StorageClass',
]);

const STATUS = setOf([['f:status']]);
const SPEC = setOf([['f:spec']]);

/**
 * What a status request cannot set, where it is more than the spec.
 * @type {Record<string, FieldSet>}
 */
const BESIDE_STATUS = {
  Deployment: setOf([['f:spec'], ['f:metadata', 'f:labels']]),
  Pod: setOf([
    ['f:spec'],
    ['f:metadata', 'f:deletionTimestamp'],
    ['f:metadata', 'f:ownerReferences'],
  ]),
  ResourceClaim: setOf([['f:spec'], ['f:metadata']]),
  VolumeAttachment: setOf([['f:spec'], ['f:metadata']]),
};

/**
 * @param {string} kind
 * @param {string} [subresource]
 * @returns {FieldSet} members go with all that is below them
 */
export function resetFields(kind, subresource) {
  if (subresource === 'status') return BESIDE_STATUS[kind] ?? SPEC;
  if (subresource || WITHOUT_STATUS.has(kind)) return EMPTY;
  return STATUS;
}
