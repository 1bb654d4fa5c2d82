/** The feature gates that decide what the server accepts and stores, and what controllers do. */
import { columnOf, SERVER_GATES } from '../src/kubernetes/server_gates.js';
import { withoutDisabledFields } from './disabled_fields.js';
import { inForce } from './validation/gated_errors.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { FieldError } from '../src/kubernetes/field_errors.js'
 * @import { StatefulSetUpdates } from '../src/kubernetes/workloads/stateful_update.js'
 */

/**
 * By feature gate, its state in each release, as in core/config/features.cc, with which a test
 * compares them: absent (-), off (a, b), on (B, G), or locked on (L).
 */
const SHARED_GATES = Object.freeze({
  DRAAdminAccess: 'aBBLL',
  DRAConsumableCapacity: '-aaBB',
  DRADeviceBindingConditions: '-aaBB',
  DRADeviceTaints: 'aaaBG',
  DRAExtendedResource: '-aaBL',
  DRAListTypeAttributes: '---aa',
  DRANodeAllocatableResources: '---aa',
  DRAPartitionableDevices: 'aaaBB',
  DRAPrioritizedList: 'aBBGL',
  DRAResourceClaimDeviceStatus: 'BBBBL',
  DRAWorkloadResourceClaims: '---ab',
  DynamicResourceAllocation: 'bGLLL',
  GenericWorkload: '--aab',
  InPlacePodLevelResourcesVerticalScaling: '--aBB',
  InPlacePodVerticalScaling: 'BBLLL',
  MatchLabelKeysInPodTopologySpread: 'BBBBB',
  MatchLabelKeysInPodTopologySpreadSelectorMerge: '-BBBB',
  MutableCSINodeAllocatableCount: 'abBLL',
  MutablePVNodeAffinity: '--aaa',
  NodeDeclaredFeatures: '--aBL',
  PodLevelResources: 'aBBBB',
  PodObservedGenerationTracking: 'aBLLL',
  TaintTolerationComparisonOperators: '--aaa',
  TopologyAwareWorkloadScheduling: '---aa',
  UserNamespacesHostNetworkSupport: '--aaa',
  VolumeAttributesClass: 'bGGLL',
  VolumeLimitScaling: '--aaB',
  WorkloadAwarePreemption: '---a-',
});

export const GATES = Object.freeze({ ...SHARED_GATES, ...SERVER_GATES });

/** @typedef {keyof typeof GATES} Gate */

/**
 * Feature gates. `on`: whether a gate is on. `inForce` returns the errors without those that a gate
 * allows, or that the stored object has, too; `enabled` an object without the fields of features
 * that are off, except those that `old`, the stored one, has, and those of the gates `kept`.
 * @typedef {object} FeatureGates
 * @property {Readonly<Record<string, boolean>>} on
 * @property {StatefulSetUpdates} statefulSetUpdates
 * @property {(errors: FieldError[], ofOld?: () => FieldError[]) => FieldError[]} inForce
 * @property {(object: KubernetesObject, old?: KubernetesObject, kept?: readonly Gate[]) =>
 *   KubernetesObject} enabled
 */

/**
 * Returns the gates of a release, with those that differ from its defaults. `AllAlpha` and
 * `AllBeta` set the gates of their stage that are not named; names that the release does not have
 * or has locked have no effect here: `checkGates` refuses them.
 * @param {Record<string, boolean>} [given]
 * @param {string} [version] a release, such as `1.34` or `v1.34.9`; unknown ones are as the newest
 * @returns {FeatureGates}
 */
export function featureGatesOf(given = {}, version) {
  const column = columnOf(version);
  const gates = Object.entries(GATES).map(([gate, states]) => {
    const state = states[column];
    const isDefault = 'BGL'.includes(state);
    const set = given[gate] ?? given[STAGES[state]] ?? isDefault;
    return [gate, '-L'.includes(state) ? isDefault : set];
  });
  const on = Object.freeze(Object.fromEntries(gates));
  return {
    on,
    statefulSetUpdates: statefulSetUpdatesOf(on, column),
    inForce: (errors, ofOld) => inForce(errors, on, ofOld),
    enabled: (object, old, kept = []) =>
      withoutDisabledFields(object, (gate) => on[gate] || kept.includes(gate), old),
  };
}

/** @type {Record<string, string>} */
const STAGES = { a: 'AllAlpha', b: 'AllBeta', B: 'AllBeta' };

/**
 * PR 137666 of v1.37 changed what the gate does.
 * @param {Readonly<Record<string, boolean>>} on
 * @param {number} column
 * @returns {StatefulSetUpdates}
 */
function statefulSetUpdatesOf({ MaxUnavailableStatefulSet: isOn }, column) {
  if (!isOn) return 'OneByOne';
  return column > columnOf('1.36') ? 'UnavailableFirst' : 'MaxUnavailable';
}
