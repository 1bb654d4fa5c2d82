/**
 * The rows of the table of releases: the engine's facts, and the feature gates of
 * core/config/features.cc, with which a test compares the list here.
 */
import { RELEASES, releaseOf } from '../../kubernetes/release.js';
import { FACT_TEXTS } from '../../kubernetes/release_facts.js';
import { badArgument } from '../arguments.js';

/**
 * @import { Engine } from '../../engine/engine.js'
 * @import { SchedulerOptions } from '../../engine/types.js'
 */

/** @typedef {Pick<SchedulerOptions, 'behaviour' | 'featureGates'>} Switch */

/**
 * What one release does and the other does not. `back`: the options with which a scheduler of the
 * second release does it as the first one. `forth`: those with which one of the first release does
 * it as the second. Undefined if the release has no such option.
 * @typedef {object} Row
 * @property {string} name
 * @property {'Fact' | 'FeatureGate'} kind
 * @property {string} text what the newer release does
 * @property {Switch} [back]
 * @property {Switch} [forth]
 */

/**
 * By feature gate, its state in each release: absent (-), off (a, b, g), on (A, B, G), locked on
 * (L), or gone because it is always on (R). The listed ones are on in some of the releases.
 * @type {Readonly<Record<string, string>>}
 */
export const GATES = Object.freeze({
  OpportunisticBatching: '--BBB',
  NominatedNodeNameForExpectation: '-aBBB',
  ClearingNominatedNodeNameAfterBinding: '-aBBB',
  NodeDeclaredFeatures: '--aBL',
  DynamicResourceAllocation: 'bGLLL',
  DRAAdminAccess: 'aBBLL',
  DRAPrioritizedList: 'aBBGL',
  DRAConsumableCapacity: '-aaBB',
  DRADeviceTaints: 'aaaBG',
  DRADeviceBindingConditions: '-aaBB',
  DRAExtendedResource: '-aaBL',
  DRAPartitionableDevices: 'aaaBB',
  DRASchedulerFilterTimeout: '-BBBB',
  DRADeviceTaintRules: '--abG',
  InPlacePodLevelResourcesVerticalScaling: '--aBB',
  PodLevelResources: 'aBBBB',
  PodObservedGenerationTracking: 'aBLLL',
  MatchLabelKeysInPodTopologySpreadSelectorMerge: '-BBBB',
  VolumeAttributesClass: 'bGGLL',
  MutableCSINodeAllocatableCount: 'abBLL',
  StorageCapacityScoring: 'aaaaB',
  VolumeLimitScaling: '--aaB',
});

/** A gate that goes off with another, which it needs. @type {Readonly<Record<string, string>>} */
const NEEDED_BY = Object.freeze({
  DRADeviceTaints: 'DRADeviceTaintRules',
  PodLevelResources: 'InPlacePodLevelResourcesVerticalScaling',
  NodeDeclaredFeatures: 'InPlacePodLevelResourcesVerticalScaling',
});

/**
 * Returns the rows that distinguish two releases: facts, then feature gates.
 * @param {Pick<Engine, 'releaseFacts'>} engine
 * @param {{ from: string, to: string }} releases such as `1.34`
 * @param {Record<string, boolean>} [given] feature gates that are the same in both
 * @returns {Row[]}
 * @throws {import('../../kubernetes/errors.js').InputError} if the table has no such release, or
 *   they are the same
 */
export function rowsBetween({ releaseFacts }, { from, to }, given = {}) {
  const [first, second] = [columnOf('from', from), columnOf('to', to)];
  if (first === second)
    throw badArgument('to', to, `must be another release than ${releaseOf(from)}`);
  const facts = releaseFacts.flatMap(({ name, since }) => {
    const start = columnNamed(since) ?? RELEASES.length;
    const [was, is] = [first, second].map((column) => column >= start);
    return was === is ? [] : [factRow(name, { was, is })];
  });
  const gates = Object.entries(GATES).flatMap(([name, states]) => {
    const [was, is] = [states[first], states[second]];
    return isOn(was) === isOn(is) || Object.hasOwn(given, name)
      ? []
      : [gateRow(name, first, second)];
  });
  return [...facts, ...gates];
}

/**
 * @param {string} name
 * @param {{ was: boolean, is: boolean }} values
 * @returns {Row}
 */
function factRow(name, { was, is }) {
  const [back, forth] = [was, is].map((value) => ({ behaviour: { [name]: value } }));
  return { name, kind: 'Fact', text: FACT_TEXTS[name].sentence, back, forth };
}

/**
 * @param {string} name
 * @param {number} first the column of a release
 * @param {number} second
 * @returns {Row}
 */
function gateRow(name, first, second) {
  const [was, is] = [first, second].map((column) => (isOn(GATES[name][column]) ? 'on' : 'off'));
  return {
    name,
    kind: 'FeatureGate',
    text: `the feature gate is ${was}, then ${is}`,
    back: gateSwitch(name, was === 'on', second),
    forth: gateSwitch(name, is === 'on', first),
  };
}

/**
 * @param {string} name
 * @param {boolean} value
 * @param {number} column the release that is switched
 * @returns {Switch | undefined}
 */
function gateSwitch(name, value, column) {
  if ('LR-'.includes(GATES[name][column])) return undefined;
  const other = value ? undefined : NEEDED_BY[name];
  const follows = other !== undefined && isOn(GATES[other][column]);
  return { featureGates: { [name]: value, ...(follows && { [other]: false }) } };
}

/** @param {string} state */
function isOn(state) {
  return 'ABGLR'.includes(state);
}

/**
 * @param {string} field
 * @param {unknown} release
 * @returns {number} in RELEASES
 */
function columnOf(field, release) {
  const column = typeof release === 'string' ? columnNamed(release) : undefined;
  if (column !== undefined) return column;
  throw badArgument(
    field,
    release,
    `must be one of ${RELEASES.map((one) => releaseOf(one)).join(', ')}`,
  );
}

/**
 * @param {string} release
 * @returns {number | undefined} in RELEASES
 */
function columnNamed(release) {
  const column = RELEASES.findIndex((one) => releaseOf(one) === releaseOf(release));
  return column < 0 ? undefined : column;
}
