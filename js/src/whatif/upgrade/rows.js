/**
 * The rows of the table of releases: the engine's facts, and the feature gates of
 * core/config/features.cc, with which a test compares the list here.
 */
import { InputError } from '../../kubernetes/errors.js';
import { RELEASES, releaseOf } from '../../kubernetes/release.js';
import { own } from '../../kubernetes/values.js';

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

/** What the facts mean: what is so since the release of the fact. */
export const FACT_TEXTS = Object.freeze({
  'balanced-allocation':
    'NodeResourcesBalancedAllocation scores how much the pod changes the balance',
  'image-volumes': 'ImageLocality counts the images of image volumes',
  'csi-missing-optin': 'a missing CSI driver refuses only if the driver asks for it',
  'dra-score-plugin': 'DynamicResources scores nodes',
  'nomination-without-postfilter':
    'without PostFilter plugins, a pod that finds no node loses its nomination',
  'victim-already-terminating': 'terminating victims are not deleted again',
  'taint-text': "TaintToleration's reason does not name the taint",
  'fit-unresolvable': 'a request above allocatable rules preemption out on that node',
  'rwop-text': 'the reason for ReadWriteOncePod claims begins with "node(s)"',
  'interpod-namespace-selector':
    "InterPodAffinity keeps the namespaceSelector of the pod's own terms",
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
 * @param {Pick<Engine, 'releaseFacts'>} engine
 * @param {{ from: string, to: string }} releases such as `1.34`
 * @param {Record<string, boolean>} [given] feature gates that are the same in both
 * @returns {Row[]}
 * @throws {InputError} if the table has no such release, or they are the same
 */
export function rowsBetween({ releaseFacts }, { from, to }, given = {}) {
  const [first, second] = [columnOf('from', from), columnOf('to', to)];
  if (first === second) throw fault('to', to, `must be another release than ${releaseOf(from)}`);
  const facts = releaseFacts.flatMap(({ name, since, source }) => {
    const start = columnNamed(since) ?? RELEASES.length;
    const [was, is] = [first, second].map((column) => column >= start);
    const text = own(FACT_TEXTS, name) ?? source;
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
  const column = typeof release === 'string' ? columnNamed(release) : undefined;
  if (column !== undefined) return column;
  throw fault(field, release, `must be one of ${RELEASES.map((one) => releaseOf(one)).join(', ')}`);
}

/**
 * @param {string} release
 * @returns {number | undefined} in RELEASES
 */
function columnNamed(release) {
  const column = RELEASES.findIndex((one) => releaseOf(one) === releaseOf(release));
  return column < 0 ? undefined : column;
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} detail
 */
function fault(field, value, detail) {
  return new InputError({ code: 'FieldValueInvalid', field, value, detail });
}
