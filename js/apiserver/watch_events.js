/**
 * The events of a watch with a selector.
 * Counterpart: `convertToWatchEvent` of apiserver/pkg/storage/cacher/cache_watcher.go, v1.36.
 */
import { deepFreeze } from './frozen.js';

/**
 * @import { KubernetesObject } from '../src/kubernetes/types.js'
 * @import { StorageEvent } from './storage.js'
 */

/**
 * The event of a change for a watch: an object that begins to match is ADDED, one that no longer
 * matches is DELETED, in its last matching state.
 * @param {StorageEvent} event
 * @param {(object: KubernetesObject) => boolean} matches
 * @returns {{ type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubernetesObject } | null}
 */
export function watchEvent({ type, object, previous }, matches) {
  const is = type !== 'DELETED' && matches(object);
  const was = previous !== undefined && matches(previous);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', object };
  if (!was) return null;
  if (type === 'DELETED') return { type, object };
  const { resourceVersion } = object.metadata;
  const last = { ...previous, metadata: { ...previous.metadata, resourceVersion } };
  return { type: 'DELETED', object: deepFreeze(last) };
}
