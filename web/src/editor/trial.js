/** What the API server would say, without doing it: the same writes on a server of their own. */
import { createApiServer } from '../../../js/apiserver/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { resourceOf } from '../../../js/src/kubernetes.js';
import { ClusterWrites } from '../world/cluster_writes.js';
import { seededRandom } from '../world/seeded_random.js';
import { SteppedClock } from '../world/stepped_clock.js';

/**
 * @import { ApiServer } from '../../../js/apiserver/index.js'
 * @import { KubernetesObject } from '../../../js/src/index.js'
 */

/** What objects refer to when they are admitted. */
const REFERRED = ['namespaces', 'priorityclasses', 'runtimeclasses', 'storageclasses'];

/**
 * Tries writes as if they were made at `server`, one after the other: each finds what those before
 * it made.
 * @template T
 * @param {ApiServer} server stays as it is
 * @param {number} now of its clock
 * @param {T[]} all
 * @param {{ about: (one: T) => KubernetesObject, write: (writes: ClusterWrites, one: T) =>
 *   Promise<void> }} options `about`: the object that it is about
 * @returns {Promise<{ one: T, error: unknown }[]>} what is refused
 */
export async function refusals(server, now, all, { about, write }) {
  const trial = createApiServer({
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
 * Those of the objects that are there.
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
