/** Tries writes on a copy of an API server, to learn its errors without changing anything. */
import { createJsonApiServer } from '../../../js/apiserver/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { resourceOf } from '../../../js/src/kubernetes.js';
import { ClusterWrites } from '../world/cluster_writes.js';
import { seededRandom } from '../world/seeded_random.js';
import { SteppedClock } from '../world/stepped_clock.js';

/**
 * @import { ApiServer } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 */

/** Resources that admission looks up. */
const REFERRED = ['namespaces', 'priorityclasses', 'runtimeclasses', 'storageclasses'];

/**
 * Tries writes as if they were made at `server`, in order: each finds the results of those before
 * it.
 * @template T
 * @param {ApiServer} server is not changed
 * @param {number} now the time of its clock
 * @param {T[]} all
 * @param {{ about: (one: T) => KubernetesObject, write: (writes: ClusterWrites, one: T) =>
 *   Promise<void> }} options `about`: the object that an item writes
 * @returns {Promise<{ one: T, error: unknown }[]>} the items that were refused
 */
export async function refusals(server, now, all, { about, write }) {
  const trial = createJsonApiServer({
    clock: new SteppedClock(now),
    random: seededRandom(0),
    controllers: [],
    taintNodesByCondition: false,
  });
  try {
    for (const object of [...referred(server), ...present(server, all.map(about))])
      trial.store.load(object);
    const client = createApiClient({ baseUrl: 'http://trial', fetch: trial.fetch });
    const writes = new ClusterWrites({ store: trial.store, client });
    /** @type {{ one: T, error: unknown }[]} */
    const refused = [];
    for (const one of all) {
      try {
        await write(writes, one);
      } catch (error) {
        refused.push({ one, error });
      }
    }
    return refused;
  } finally {
    trial.dispose();
  }
}

/** @param {ApiServer} server */
function referred({ store }) {
  return REFERRED.flatMap((resource) => store.list(resource));
}

/**
 * The objects, without those that do not exist.
 * @param {ApiServer} server
 * @param {KubernetesObject[]} objects
 */
function present({ store }, objects) {
  return objects.flatMap(({ apiVersion, kind, metadata }) => {
    const resource = resourceOf({ apiVersion, kind });
    if (!resource || !metadata?.name) return [];
    const namespace = resource.namespaced ? metadata.namespace || 'default' : '';
    return store.get(resource.plural, namespace, metadata.name) ?? [];
  });
}
