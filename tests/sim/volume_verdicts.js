/**
 * The verdicts of the volume plugins about a pod and a node, computed a second time from the rules
 * (spec plugins/volume-restrictions, plugins/volume-binding, plugins/volume-zone,
 * plugins/node-volume-limits), and compared with an evaluation.
 */
import { hold } from './invariants.js';
import { userOfClaim } from './volume_fits.js';
import { volumesOverLimit } from './volume_limits.js';
import { choiceOn } from './volume_choice.js';
import {
  claimsOf,
  classOf,
  isControlledBy,
  isDelayed,
  isFullyBound,
  isInZoneOf,
  reaches,
} from './volumes.js';
import { keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */
/** @typedef {{told: ExpectedCache, aside: import('./set_aside.js').SetAside}} Known */
/** @typedef {{plugin: string, reasons: string[]}} Verdict */

const VOLUME = 'PersistentVolume';
const CLAIM = 'PersistentVolumeClaim';
const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const NO_VOLUME = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';
const IN_USE =
  'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode ' +
  'already in-use by another pod';
const OVER_LIMIT = 'node(s) exceed max volume count';
const WRONG_ZONE = 'node(s) had no available volume zone';
/** Plugins whose verdicts also depend on nominated pods. */
const COUNTING = ['VolumeRestrictions', 'NodeVolumeLimits'];
const PLUGINS = [...COUNTING, 'VolumeBinding', 'VolumeZone'];

/** @param {string} plugin @param {...string} reasons @returns {Verdict} */
const verdict = (plugin, ...reasons) => ({ plugin, reasons });

/**
 * The reasons that do not depend on the node.
 * @param {any} pod @param {Known} known @returns {Verdict | null}
 */
function refusalOf(pod, { told, aside }) {
  const claims = claimsOf(pod).map((one) => ({ ...one, claim: told.objects(CLAIM).get(one.key) }));
  const missing = claims.find(({ claim, isEphemeral }) => !claim && !isEphemeral);
  if (missing) {
    return verdict('VolumeRestrictions', `persistentvolumeclaim "${missing.name}" not found`);
  }
  for (const { name, claim, isEphemeral } of claims) {
    const fault = faultOfClaim(pod, name, claim, isEphemeral);
    if (fault) return verdict('VolumeBinding', fault);
  }
  const profile = pod.spec.schedulerName;
  const isImmediate = claims.some(({ key }) => {
    const claim = aside.get(profile, CLAIM, key);
    if (isFullyBound(claim)) return false;
    const storageClass = told.objects('StorageClass').get(classOf(claim));
    return claim.spec.volumeName || !isDelayed(storageClass);
  });
  if (isImmediate) {
    return verdict('VolumeBinding', 'pod has unbound immediate PersistentVolumeClaims');
  }
  const lost = claims.find(({ claim, isEphemeral }) => {
    const { volumeName } = claim.spec;
    return !isEphemeral && volumeName && !told.objects(VOLUME).has(volumeName);
  });
  if (!lost) return null;
  return verdict('VolumeZone', `persistentvolume "${lost.claim.spec.volumeName}" not found`);
}

/** @param {any} pod @param {string} name @param {any} claim @param {boolean} isEphemeral */
function faultOfClaim(pod, name, claim, isEphemeral) {
  if (!claim) {
    return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`;
  }
  const what = `persistentvolumeclaim "${name}"`;
  if (claim.status?.phase === 'Lost') {
    return `${what} bound to non-existent persistentvolume "${claim.spec.volumeName ?? ''}"`;
  }
  if (claim.metadata.deletionTimestamp) return `${what} is being deleted`;
  if (!isEphemeral || isControlledBy(claim, pod)) return '';
  return `PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`;
}

/**
 * The reasons that depend on the node.
 * @param {any} pod @param {any} node @param {Known} known @returns {Verdict | null}
 */
function verdictOn(pod, node, known) {
  const { told, aside } = known;
  const claims = claimsOf(pod);
  if (claims.some((claim) => userOfClaim(claim, told))) {
    return verdict('VolumeRestrictions', IN_USE);
  }
  if (volumesOverLimit(told, pod, node.metadata.name)) {
    return verdict('NodeVolumeLimits', OVER_LIMIT);
  }
  const reasons = bindingReasons(pod, node, known);
  if (reasons.length > 0) return verdict('VolumeBinding', ...reasons);
  const isFar = claims.some(({ key, isEphemeral }) => {
    const { volumeName } = aside.get(pod.spec.schedulerName, CLAIM, key).spec;
    return !isEphemeral && volumeName && !isInZoneOf(told.objects(VOLUME).get(volumeName), node);
  });
  return isFar ? verdict('VolumeZone', WRONG_ZONE) : null;
}

/** @param {any} pod @param {any} node @param {Known} known */
function bindingReasons(pod, node, known) {
  const profile = pod.spec.schedulerName;
  const claims = claimsOf(pod).map(({ key }) => known.aside.get(profile, CLAIM, key));
  const reasons = [];
  for (const claim of claims.filter(isFullyBound)) {
    const volume = known.aside.get(profile, VOLUME, claim.spec.volumeName);
    const reason = volume ? !reaches(volume, node) && NODE_CONFLICT : NO_VOLUME;
    if (!reason) continue;
    reasons.push(reason);
    break;
  }
  const { reason } = choiceOn(pod, node, known);
  return reason ? [...reasons, reason] : reasons;
}

/**
 * @param {any} evaluation  of the pod, node by node
 * @param {any} pod
 * @param {Known & {hasNominations: boolean}} known
 * @returns {number} the number of compared verdicts
 */
export function checkVolumeVerdicts(evaluation, pod, { hasNominations, ...known }) {
  const { preFilter, filter = [], feasible = [] } = evaluation;
  const text = (/** @type {Verdict | null | undefined} */ one) =>
    one ? `${one.plugin}: ${[...one.reasons].sort()}` : 'none';
  const differs = (
    /** @type {string} */ is,
    /** @type {string} */ must,
    /** @type {string} */ on,
  ) =>
    hold(is === must, 'volumes are judged', () => `${keyOf(pod)}${on}: ${is} instead of ${must}`);
  if (evaluation.numAllNodes === 0 || claimsOf(pod).length === 0) return 0;
  const refusal = refusalOf(pod, known);
  const isOthers = preFilter && !PLUGINS.includes(preFilter.plugin);
  if (isOthers) return 0;
  differs(text(preFilter), text(refusal), '');
  if (refusal) return 1;
  const nodeOf = (/** @type {string} */ name) => known.told.objects('Node').get(name);
  let judged = feasible.length;
  for (const name of feasible) {
    differs('none', text(verdictOn(pod, nodeOf(name), known)), ` on ${name}`);
  }
  for (const group of filter) {
    const isCounting = hasNominations && COUNTING.includes(group.plugin);
    if (!PLUGINS.includes(group.plugin) || isCounting) continue;
    judged += group.nodes.length;
    for (const name of group.nodes) {
      differs(text(group), text(verdictOn(pod, nodeOf(name), known)), ` on ${name}`);
    }
  }
  return judged;
}
