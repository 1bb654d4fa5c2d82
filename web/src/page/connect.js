/** The page's side of the worker. */
import { wrap } from 'comlink';

/** @import { RemotePlayground } from './session.js' */

/**
 * A worker with a playground in it.
 * @returns {Promise<RemotePlayground>} rejected when the engine cannot be loaded
 */
export async function connect() {
  const worker = new Worker(new URL('../worker/worker.js', import.meta.url), { type: 'module' });
  const create = /** @type {() => Promise<any>} */ (/** @type {unknown} */ (wrap(worker)));
  return create();
}
