import { failure } from '../kubernetes/status_errors.js';

/** @import { SnapshotStore } from './snapshot_store.js' */

/** All snapshots together: bytes. */
const MOST_BYTES = 64 << 20;

/**
 * A store in this process, for snapshots that are pushed. They end with it.
 * @param {{ maxBytes?: number }} [options] of all snapshots together, default 64 MiB; what would
 *   be more is refused
 * @returns {Required<SnapshotStore>}
 */
export function memorySnapshots({ maxBytes = MOST_BYTES } = {}) {
  /** @type {Map<string, { body: Uint8Array, etag: string, time: Date }>} */
  const kept = new Map();
  return {
    get: (name) => kept.get(name) ?? null,
    put(name, snapshot) {
      const others = [...kept].filter(([other]) => other !== name);
      const bytes = others.reduce((sum, [, { body }]) => sum + body.length, snapshot.body.length);
      if (bytes > maxBytes) {
        const message = `the snapshots would have ${bytes} bytes together: limit is ${maxBytes}`;
        throw failure(507, 'InsufficientStorage', message);
      }
      kept.set(name, snapshot);
    },
  };
}
