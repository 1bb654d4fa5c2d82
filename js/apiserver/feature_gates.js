/** The feature gates that decide what the server accepts and stores. */
import { NEWEST, RELEASES } from '../src/kubernetes/release.js';
import { withoutDisabledFields } from './disabled_fields.js';
import { inForce } from './validation/gated_errors.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { FieldError } from '../src/kubernetes/field_errors.js'
 */

/**
 * By feature gate, its state in each release, as in core/config/features.cc, with which a test
 * compares them: absent (-), off (a, b), on (B, G), or locked on (L).
 */
export const GATES = Object.freeze({
  DRAAdminAccess: 'aBBLL',
  DRAConsumableCapacity: '-aaBB',
  DRAPrioritizedList: 'aBBGL',
  MatchLabelKeysInPodTopologySpread: 'BBBBB',
  MutablePVNodeAffinity: '--aaa',
  PodLevelResources: 'aBBBB',
  TaintTolerationComparisonOperators: '--aaa',
});

/** @typedef {keyof typeof GATES} Gate */

/**
 * Feature gates. `on`: whether a gate is on. `inForce` returns the errors without those that a gate
 * allows; `enabled` an object without the fields of features that are off, except those that `old`,
 * the stored one, has.
 * @typedef {object} FeatureGates
 * @property {Readonly<Record<string, boolean>>} on
 * @property {(errors: FieldError[]) => FieldError[]} inForce
 * @property {(object: KubernetesObject, old?: KubernetesObject) => KubernetesObject} enabled
 */

/**
 * Returns the gates of a release, with those that differ from its defaults. `AllAlpha` and
 * `AllBeta` set the gates of their stage that are not named; other names have no effect.
 * @param {Record<string, boolean>} [given]
 * @param {string} [version] a release, such as `1.34` or `v1.34.9`; unknown ones are as the newest
 * @returns {FeatureGates}
 */
export function featureGatesOf(given = {}, version = NEWEST) {
  const release = /\d+\.\d+/.exec(version)?.[0];
  const known = RELEASES.findIndex((one) => one.replace('-preview', '') === release);
  const column = known < 0 ? RELEASES.indexOf(NEWEST) : known;
  const gates = Object.entries(GATES).map(([gate, states]) => {
    const state = states[column];
    const isDefault = 'BGL'.includes(state);
    const set = given[gate] ?? given[STAGES[state]] ?? isDefault;
    return [gate, state === 'L' ? isDefault : set];
  });
  const on = Object.freeze(Object.fromEntries(gates));
  return {
    on,
    inForce: (errors) => inForce(errors, on),
    enabled: (object, old) => withoutDisabledFields(object, on, old),
  };
}

/** @type {Record<string, string>} */
const STAGES = { a: 'AllAlpha', b: 'AllBeta', B: 'AllBeta' };
