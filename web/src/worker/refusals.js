/** Finds out which objects an API server would refuse, before they are opened. */
import { createJsonApiServer } from '../../../js/apiserver/index.js';
import { seededRandom } from '../world/seeded_random.js';

/** @import { KubernetesObject } from '../../../js/src/index.js' */

/** After this many errors the check stops. */
const MOST = 20;

/**
 * Loads objects into a temporary server, one after the other.
 * @param {readonly KubernetesObject[]} objects
 * @returns {{ index: number, error: any }[]} the objects that are refused, with the API server's
 *   errors
 */
export function refusalsOf(objects) {
  const server = createJsonApiServer({ controllers: [], history: 0, random: seededRandom(0) });
  /** @type {{ index: number, error: any }[]} */
  const refusals = [];
  for (let index = 0; index < objects.length && refusals.length < MOST; index += 1) {
    try {
      server.store.load(objects[index]);
    } catch (error) {
      refusals.push({ index, error });
    }
  }
  server.dispose();
  return refusals;
}
