/** The cluster whose objects the editor edits. */
import { resourceNamed, resourceOf } from '../../../js/src/kubernetes.js';

/**
 * @import { Cluster } from '../editor/editing.js'
 * @import { LiveCluster } from '../live/live_cluster.js'
 * @import { World } from '../world/world.js'
 */

/**
 * @param {World} world
 * @returns {Cluster}
 */
export function clusterOfWorld(world) {
  const { server, now, settings } = world;
  const { store } = server;
  return {
    list: async (resource) => store.list(resource),
    read: async (reference) => {
      const { namespace = '', name } = reference;
      const resource = resourceOf(reference);
      return (resource && store.get(resource.plural, namespace, name)) ?? null;
    },
    store,
    server,
    now,
    settings,
    check: (wanted) => world.check(wanted),
  };
}

/**
 * @param {LiveCluster} live
 * @param {World} waiting its scheduler can be configured, a live cluster's cannot
 * @returns {Cluster}
 */
export function clusterOfLive(live, waiting) {
  const { now, settings } = waiting;
  return {
    list: (resource) => live.list(resourceNamed(resource)),
    read: async (reference) => (await live.object(reference)) ?? null,
    store: live.objects,
    now,
    settings,
    check: (wanted) => waiting.check(wanted),
  };
}
