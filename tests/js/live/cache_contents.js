/** What a scheduler is to have in its cache, by what the API server has. */
import { keyOf } from './known_objects.js';

/** @import { Store } from '../../../js/apiserver/store.js' */

/** Those that have not ended. @param {Store} store */
export function podsOf(store) {
  return store.list('pods', { fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed' });
}

/**
 * What a scheduler's cache is to hold. Pods may be on nodes that are not there.
 * @param {Store} store
 */
export function cacheOf(store) {
  const names = store.list('nodes').map(keyOf);
  /** @type {{ nodes: Record<string, string[]>, ghostNodes: Record<string, string[]> }} */
  const cache = { nodes: Object.fromEntries(names.map((name) => [name, []])), ghostNodes: {} };
  for (const pod of podsOf(store)) {
    const { nodeName } = pod.spec;
    if (!nodeName) continue;
    const pods = cache.nodes[nodeName] ?? (cache.ghostNodes[nodeName] ??= []);
    pods.push(keyOf(pod));
  }
  return cache;
}
