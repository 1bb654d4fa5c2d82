/**
 * The rows of the table of releases: the facts of core/config/behaviour.cc and the feature gates of
 * core/config/features.cc. A test compares this list with both.
 */
import { InputError } from '../../kubernetes/errors.js';
import { releaseOf } from '../../kubernetes/release.js';

/** @import { SchedulerOptions } from '../../engine/types.js' */

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

const RELEASES = ['v1.33', 'v1.34', 'v1.35', 'v1.36'];

/**
 * By fact: the first release of which it is true, and what that means.
 * @type {Readonly<Record<string, readonly [since: string, text: string]>>}
 */
export const FACTS = Object.freeze({
  'balanced-allocation': [
    'v1.36',
    'NodeResourcesBalancedAllocation scores how much the pod changes the balance',
  ],
  'image-volumes': ['v1.36', 'ImageLocality counts the images of image volumes'],
  'csi-missing-optin': ['v1.36', 'a missing CSI driver refuses only if the driver asks for it'],
  'dra-score-plugin': ['v1.35', 'DynamicResources scores nodes'],
  'nomination-without-postfilter': [
    'v1.35',
    'without PostFilter plugins, a pod that finds no node keeps its nomination',
  ],
  'victim-already-terminating': ['v1.35', 'terminating victims are not deleted again'],
  'taint-text': ['v1.34', "TaintToleration's reason does not name the taint"],
  'fit-unresolvable': ['v1.34', 'a request above allocatable rules preemption out on that node'],
  'rwop-text': ['v1.34', 'the reason for ReadWriteOncePod claims begins with "node(s)"'],
  'interpod-namespace-selector': [
    'v1.34',
    "InterPodAffinity keeps the namespaceSelector of the pod's own terms",
  ],
});

/**
 * By feature gate, its state in each release: absent (-), off (a, b, g), on (A, B, G), or locked
 * on (L). The listed ones are on in some of the releases.
 * @type {Readonly<Record<string, string>>}
 */
export const GATES = Object.freeze({
  InPlacePodLevelResourcesVerticalScaling: '--aB',
  PodLevelResources: 'aBBB',
  NodeDeclaredFeatures: '--aB',
  DRAAdminAccess: 'aBBL',
  DRAPrioritizedList: 'aBBG',
  DRAConsumableCapacity: '-aaB',
  DRADeviceTaints: 'aaaB',
  DRADeviceBindingConditions: '-aaB',
  DRAExtendedResource: '-aaB',
  DRAPartitionableDevices: 'aaaB',
  DRASchedulerFilterTimeout: '-BBB',
  DynamicResourceAllocation: 'bGLL',
  OpportunisticBatching: '--BB',
  NominatedNodeNameForExpectation: '-aBB',
  ClearingNominatedNodeNameAfterBinding: '-aBB',
  PodObservedGenerationTracking: 'aBLL',
  MatchLabelKeysInPodTopologySpreadSelectorMerge: '-BBB',
  VolumeAttributesClass: 'bGGL',
  MutableCSINodeAllocatableCount: 'aBBL',
});

/** A gate that goes off with another, which it needs. @type {Readonly<Record<string, string>>} */
const NEEDED_BY = Object.freeze({
  PodLevelResources: 'InPlacePodLevelResourcesVerticalScaling',
  NodeDeclaredFeatures: 'InPlacePodLevelResourcesVerticalScaling',
});

/**
 * Returns the rows that distinguish two releases: facts, then feature gates.
 * @param {string} from such as `1.34`
 * @param {string} to
 * @param {Record<string, boolean>} [given] feature gates that are the same in both
 * @returns {Row[]}
 * @throws {InputError} if the table has no such release, or they are the same
 */
export function rowsBetween(from, to, given = {}) {
  const [first, second] = [columnOf('from', from), columnOf('to', to)];
  if (first === second) throw fault('to', to, `must be another release than ${releaseOf(from)}`);
  const facts = Object.entries(FACTS).flatMap(([name, [since, text]]) => {
    const [was, is] = [first, second].map((column) => column >= RELEASES.indexOf(since));
    return was === is ? [] : [factRow(name, text, { was, is })];
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
 * @param {string} text
 * @param {{ was: boolean, is: boolean }} values
 * @returns {Row}
 */
function factRow(name, text, { was, is }) {
  const [back, forth] = [was, is].map((value) => ({ behaviour: { [name]: value } }));
  return { name, kind: 'Fact', text, back, forth };
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
  if ('L-'.includes(GATES[name][column])) return undefined;
  const other = value ? undefined : NEEDED_BY[name];
  const follows = other !== undefined && isOn(GATES[other][column]);
  return { featureGates: { [name]: value, ...(follows && { [other]: false }) } };
}

/** @param {string} state */
function isOn(state) {
  return 'ABGL'.includes(state);
}

/**
 * @param {string} field
 * @param {unknown} release
 * @returns {number} in RELEASES
 */
function columnOf(field, release) {
  const column = typeof release === 'string' ? RELEASES.indexOf(releaseOf(release)) : -1;
  if (column >= 0) return column;
  throw fault(field, release, `must be one of ${RELEASES.join(', ')}`);
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} detail
 */
function fault(field, value, detail) {
  return new InputError({ code: 'FieldValueInvalid', field, value, detail });
}
