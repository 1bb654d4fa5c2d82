/** The invariants of volumes and claims after all work is done, whatever went wrong before. */
import { hold } from './invariants.js';
import {
  annotationsOf,
  BOUND_BY_CONTROLLER,
  isFullyBound,
  isSetAsideFor,
  PROVISIONED_BY,
} from './volumes.js';
import { keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */

/**
 * Every claim has its volume or none, and no volume stays reserved for nothing.
 * @param {World} world
 */
export function checkVolumesAtRest(world) {
  for (const claim of world.values('PersistentVolumeClaim')) {
    const volume = world.get('PersistentVolume', claim.spec.volumeName);
    if (!isFullyBound(claim) || claim.status.phase === 'Lost') continue;
    const isIts = volume?.spec.claimRef?.uid && isSetAsideFor(volume, claim);
    hold(Boolean(isIts), 'volumes are settled', () => {
      const { claimRef } = volume?.spec ?? {};
      return `${claim.spec.volumeName} of ${keyOf(claim)} is for ${JSON.stringify(claimRef)}`;
    });
  }
  for (const volume of world.values('PersistentVolume')) checkVolume(world, volume);
}

/** @param {World} world @param {any} volume */
function checkVolume(world, volume) {
  const { claimRef } = volume.spec;
  const annotations = annotationsOf(volume);
  // A volume that a user has reserved stays so.
  const isUsers = !(BOUND_BY_CONTROLLER in annotations) && !(PROVISIONED_BY in annotations);
  if (!claimRef || isUsers) return;
  const claim = world.get('PersistentVolumeClaim', `${claimRef.namespace}/${claimRef.name}`);
  if (!claim || !isSetAsideFor(volume, claim)) {
    return hold(volume.status.phase === 'Released', 'volumes are settled', () => {
      return `${volume.metadata.name} is kept for ${JSON.stringify(claimRef)}, who is gone`;
    });
  }
  hold(claim.spec.volumeName === volume.metadata.name, 'volumes are settled', () => {
    return `${volume.metadata.name} is kept for ${keyOf(claim)}, who has ${claim.spec.volumeName}`;
  });
}
