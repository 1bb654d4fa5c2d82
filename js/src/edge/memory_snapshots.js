import { ConfigurationError } from '../kubernetes/errors.js';
import { failure } from '../kubernetes/status_errors.js';

/** @import { SnapshotStore } from './snapshot_store.js' */

/** The default limit of all snapshots together: bytes. */
const MOST_BYTES = 64 << 20;

/**
 * Creates a store in this process for pushed snapshots, which end with the process.
 * @param {{ maxBytes?: number }} [options] limit of all snapshots together, default 64 MiB; a
 *   snapshot beyond it is rejected
 * @returns {Required<SnapshotStore>}
 * @throws {ConfigurationError} if the limit is none
 */
export function memorySnapshots({ maxBytes = MOST_BYTES } = {}) {
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    const [field, detail] = ['maxBytes', 'must be an integer from 1'];
    throw new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
  }
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
