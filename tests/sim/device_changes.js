/** Changes of devices, classes and claims by users, administrators and hardware, by name. */
import { removeClaim } from './claim_writes.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {import('./world_changes.js').Happen} Happen */

/**
 * @param {(spec: any, change: any) => object | null} changed  members of the pool's spec; null:
 *   nothing changes
 * @returns {Happen}
 */
const ofPool = (changed) => (world, change) => {
  const pool = world.get('DevicePool', change.pool);
  const members = pool ? changed(pool.spec, change) : null;
  if (!members) return false;
  world.put({ ...pool, spec: { ...pool.spec, ...members } });
  return true;
};

/** @type {Record<string, Happen>} */
export const deviceChanges = {
  /** A driver starts, or publishes its pool anew. */
  putPool(world, { object }) {
    const old = world.get('DevicePool', object.metadata.name);
    const generation = (old?.spec.generation ?? 0) + 1;
    world.put({ ...object, spec: { ...object.spec, generation } });
    return true;
  },

  dropPool(world, { pool }) {
    if (!world.get('DevicePool', pool)) return false;
    world.remove('DevicePool', pool);
    return true;
  },

  /** A device breaks, or works again. Its driver reports this without a new generation. */
  taintDevice: ofPool(({ devices }, { at, taints }) => {
    const place = at % devices.length;
    return {
      devices: devices.map((/** @type {any} */ device, /** @type {number} */ index) =>
        index === place ? { ...device, taints } : device,
      ),
    };
  }),

  loseDevice: ofPool(({ devices, generation }, { at }) => {
    if (devices.length < 2) return null;
    const rest = devices.toSpliced(at % devices.length, 1);
    return { generation: generation + 1, devices: rest };
  }),

  deleteDeviceClaim(world, { claim }) {
    const object = world.get('ResourceClaim', claim);
    if (!object) return false;
    removeClaim(world, object);
    return true;
  },
};
