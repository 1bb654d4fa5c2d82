/**
 * The fields that a request cannot set and therefore does not own: the status in requests for the
 * object itself, everything else in requests for its status. Counterpart: GetResetFields of the
 * strategies in pkg/registry, v1.36.
 */
import { restoredByStatus } from '../strategies/status_metadata.js';
import { EMPTY, setOf } from './field_set.js';

/** @import { FieldSet } from './field_set.js' */

/** Kinds without a status to reset. */
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
  'Workload',
]);

const STATUS = setOf([['f:status']]);

/** The fields that a status request cannot set, by kind. @type {Map<string, FieldSet>} */
const BESIDE_STATUS = new Map();

/** @param {string} kind */
function besideStatus(kind) {
  let found = BESIDE_STATUS.get(kind);
  if (!found) {
    const restored = restoredByStatus(kind);
    const metadata =
      restored === 'all' ? [['f:metadata']] : restored.map((name) => ['f:metadata', `f:${name}`]);
    BESIDE_STATUS.set(kind, (found = setOf([['f:spec'], ...metadata])));
  }
  return found;
}

/**
 * @param {string} kind
 * @param {string} [subresource]
 * @returns {FieldSet} members include everything below them
 */
export function resetFields(kind, subresource) {
  if (subresource === 'status') return besideStatus(kind);
  if (subresource || WITHOUT_STATUS.has(kind)) return EMPTY;
  return STATUS;
}
