/** Mistakes of volume controllers, each a single write in place of a correct step. */
import {
  annotated,
  claimedBy,
  freeVolumeFor,
  inPhase,
  newVolume,
  volumeFor,
} from './volume_steps.js';
import {
  annotationsOf,
  BIND_COMPLETED,
  classOf,
  hasProvisioner,
  isFullyBound,
  SELECTED_NODE,
} from './volumes.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {(world: World, object: any, random: import('./random.js').Random) => any} Mistake */

/** The claim gets a free volume, although another may be reserved for it. @type {Mistake} */
function bindOther(world, claim) {
  const other = freeVolumeFor(world, claim);
  if (!other || isFullyBound(claim)) return null;
  const marked = inPhase(annotated(claim, { [BIND_COMPLETED]: 'yes' }), 'Bound');
  return { ...marked, spec: { ...claim.spec, volumeName: other.metadata.name } };
}

/** Another volume claims to be the claim's. @type {Mistake} */
function setOtherAside(world, claim) {
  const other = freeVolumeFor(world, claim);
  return other && !isFullyBound(claim) ? claimedBy(other, claim) : null;
}

/** Provisioning failed. @type {Mistake} */
function dropSelectedNode(_world, claim) {
  if (!(SELECTED_NODE in annotationsOf(claim)) || isFullyBound(claim)) return null;
  return annotated(claim, { [SELECTED_NODE]: undefined });
}

/** @type {Mistake} */
function provisionElsewhere(world, claim, random) {
  const storageClass = world.get('StorageClass', classOf(claim));
  const isAsked = SELECTED_NODE in annotationsOf(claim) && !isFullyBound(claim);
  if (!isAsked || !hasProvisioner(storageClass) || volumeFor(world, claim)) return null;
  return newVolume(world, claim, random.pick(['z0', 'z1', 'z2']));
}

/** @type {Mistake} */
function provisionTwice(world, claim, random) {
  const storageClass = world.get('StorageClass', classOf(claim));
  if (!hasProvisioner(storageClass) || !volumeFor(world, claim)) return null;
  return newVolume(world, claim, random.pick(['z0', undefined]));
}

/** @type {Mistake} */
function loseClaim(_world, claim) {
  return isFullyBound(claim) ? inPhase(claim, 'Lost') : null;
}

/** The volume alone says that it is unclaimed. @type {Mistake} */
function resetClaimRef(_world, volume) {
  if (!volume.spec.claimRef) return null;
  const { claimRef: _, ...spec } = volume.spec;
  return { ...inPhase(volume, 'Available'), spec };
}

/** @type {Mistake} */
function forgetUid(_world, volume) {
  if (!volume.spec.claimRef?.uid) return null;
  const { uid: _, ...claimRef } = volume.spec.claimRef;
  return { ...volume, spec: { ...volume.spec, claimRef } };
}

/** By kind. @type {Record<string, Mistake[]>} */
const MISTAKES = {
  PersistentVolumeClaim: [
    bindOther,
    setOtherAside,
    dropSelectedNode,
    provisionElsewhere,
    provisionTwice,
    loseClaim,
  ],
  PersistentVolume: [resetClaimRef, forgetUid],
  Pod: [],
};

/**
 * A wrong write to the object; null if no such write would be wrong.
 * @param {World} world @param {any} object @param {import('./random.js').Random} random
 */
export function mistakeIn(world, object, random) {
  const possible = MISTAKES[object.kind].flatMap((mistake) => mistake(world, object, random) ?? []);
  return possible.length > 0 ? random.pick(possible) : null;
}
