/**
 * The metadata that a write of the status changes: it may set what an update may set, except the
 * fields that the kind's status strategy restores. The same table determines the fields that the
 * writer does not own. Counterpart: `PrepareForUpdate` and `GetResetFields` of the status
 * strategies in pkg/registry, v1.36.
 */

/** The metadata that an update may set. */
export const SETTABLE = ['labels', 'annotations', 'ownerReferences', 'finalizers'];

/**
 * By kind: the metadata that its status strategy restores. The other kinds restore none.
 * @type {Record<string, 'all' | readonly string[]>}
 */
const RESTORED = {
  Deployment: ['labels'],
  DeviceTaintRule: 'all',
  // Old kubelets wrote owner references that garbage collection cannot read.
  Pod: ['deletionTimestamp', 'ownerReferences'],
  PodGroup: 'all',
  ResourceClaim: 'all',
  VolumeAttachment: 'all',
};

/**
 * @param {string} kind
 * @returns {'all' | readonly string[]}
 */
export function restoredByStatus(kind) {
  return RESTORED[kind] ?? [];
}
