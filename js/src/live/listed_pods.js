/**
 * Lists all pods in full on demand: informers keep only parts of them, and full pods are rarely
 * needed.
 */
import { collectionPath, SCHEDULER_KINDS } from '../kubernetes/watched_kinds.js';

/**
 * @import { ApiClient } from '../client/api_client.js'
 * @import { Kind } from '../kubernetes/watched_kinds.js'
 */

const isPods = (/** @type {Kind} */ { group, resource }) => !group && resource === 'pods';

/**
 * Yields the pods that the informers follow, as they are now, page by page.
 * @param {{ client: Pick<ApiClient, 'list'>, kinds?: readonly Kind[] }} options
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<any[], void, void>}
 * @throws {ApiError} ConnectionError and others, as the client's `list`
 */
export async function* listedPods({ client, kinds = SCHEDULER_KINDS }, signal) {
  const kind = /** @type {Kind} */ (kinds.find(isPods) ?? SCHEDULER_KINDS.find(isPods));
  const { fieldSelector, labelSelector } = kind;
  const query = { fieldSelector, labelSelector };
  for await (const { bytes } of client.list(collectionPath(kind), { query, signal }))
    yield JSON.parse(new TextDecoder().decode(bytes)).items ?? [];
}
