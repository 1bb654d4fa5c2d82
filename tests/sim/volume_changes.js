/** Changes of classes, volumes and claims by users and administrators, by name. */
import { keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {import('./world_changes.js').Happen} Happen */

const VOLUME = 'PersistentVolume';
const CLAIM = 'PersistentVolumeClaim';

/**
 * A finalizer delays the deletion by this time.
 * @param {World} world @param {any} object
 * @param {number} graceUs @param {import('./world.js').Surroundings} surroundings
 */
function removeGently(world, object, graceUs, { later }) {
  const { kind, metadata } = object;
  const key = keyOf(object);
  if (graceUs === 0) return world.remove(kind, key);
  if (metadata.deletionTimestamp) return;
  const deletionTimestamp = '2026-02-02T03:00:00Z';
  world.put({ ...object, metadata: { ...metadata, deletionTimestamp } });
  later(graceUs, () => {
    if (world.get(kind, key)?.metadata.uid === metadata.uid) world.remove(kind, key);
  });
}

/** @param {string} kind @param {string} member  of the change, with the key @returns {Happen} */
const removal = (kind, member) => (world, change, surroundings) => {
  const object = world.get(kind, change[member]);
  if (!object) return false;
  removeGently(world, object, change.graceUs, surroundings);
  return true;
};

/** @type {Happen} */
function create(world, { object }) {
  if (world.get(object.kind, keyOf(object))) return false;
  world.put(object);
  return true;
}

/** @type {Record<string, Happen>} */
export const volumeChanges = {
  createVolume: create,
  createClaim: create,
  deleteVolume: removal(VOLUME, 'volume'),
  deleteClaim: removal(CLAIM, 'claim'),

  /** An administrator makes a released volume available. */
  freeVolume(world, { volume: name }) {
    const volume = world.get(VOLUME, name);
    if (volume?.status.phase !== 'Released') return false;
    const { claimRef: _, ...spec } = volume.spec;
    world.put({ ...volume, spec });
    return true;
  },

  putStorage(world, { object }) {
    world.put(object);
    return true;
  },

  deleteStorage(world, { kind, key }) {
    if (!world.get(kind, key)) return false;
    world.remove(kind, key);
    return true;
  },

  /** A write without effect that makes older versions stale. */
  touch(world, { kind, key }) {
    const object = world.get(kind, key);
    if (!object) return false;
    touch(world, object);
    return true;
  },
};

/** @param {World} world @param {any} object  as it is */
export function touch(world, object) {
  const { metadata } = object;
  const labels = { ...metadata.labels, touched: world.resourceVersion };
  world.put({ ...object, metadata: { ...metadata, labels } });
}
