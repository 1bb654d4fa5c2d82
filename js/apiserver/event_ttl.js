/**
 * Deletes old Events, as kube-apiserver does with --event-ttl.
 */

/**
 * @import { Clock } from '../src/io/clock.js'
 * @import { Storage } from './storage.js'
 */

/**
 * Deletes events that were not written for this time, whenever another one is written.
 * @param {Storage} storage
 * @param {Clock} clock
 * @param {number} ttl milliseconds
 * @returns {() => void} ends the deletions
 */
export function forgetOldEvents(storage, clock, ttl) {
  /** The last write of each event, the oldest first. @type {Map<string, number>} */
  const written = new Map();
  return storage.subscribe('events', ({ type, key }) => {
    written.delete(key);
    if (type === 'DELETED') return;
    const now = clock.now();
    written.set(key, now);
    for (const [old, at] of written) {
      if (at + ttl > now) break;
      written.delete(old);
      storage.remove('events', old);
    }
  });
}
