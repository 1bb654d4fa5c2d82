/** Describes stores of snapshots, and reads what they return. */
import { isRecord } from '../kubernetes/values.js';
import { readAll } from '../io/read_all.js';

/**
 * A List's JSON. A stream is read once, or cancelled.
 * @typedef {string | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array>} SnapshotText
 */

/**
 * A snapshot as a store returns it.
 * @typedef {object} StoredSnapshot
 * @property {SnapshotText | null} [body] absent if the question's etag is still the current one
 * @property {string} [etag] absent: it is computed from the body
 * @property {Date | number} [time] when it was made; absent: when it was first seen here
 */

/**
 * The parameters of a question to a store.
 * @typedef {object} StoreContext
 * @property {string} [etag] of the loaded snapshot, as the store returned it
 * @property {any} [env] the second argument of the handler's `fetch`
 * @property {AbortSignal} [signal] aborts when the answer is no longer needed
 */

/**
 * A store keeps snapshots by the names of their clusters. Its exceptions become 503.
 * @typedef {object} SnapshotStore
 * @property {(name: string, context: StoreContext) => StoredSnapshot | null | undefined |
 *   Promise<StoredSnapshot | null | undefined>} get
 * @property {(name: string, snapshot: { body: Uint8Array, etag: string, time: Date }, context:
 *   StoreContext) => unknown} [put] stores a pushed snapshot
 */

/**
 * Returns the store's snapshot with its bytes; undefined if there is none.
 * @param {unknown} found
 * @param {{ limit: number, held?: string, signal: AbortSignal }} options `held`: the store's etag
 *   of the loaded snapshot
 * @returns {Promise<{ bytes?: Uint8Array, etag?: string, time?: number } | undefined>} without
 *   `bytes` if it is the loaded one
 * @throws {TypeError} if it is not a snapshot, and InputError `TooLarge`
 */
export async function storedSnapshot(found, { limit, held, signal }) {
  if (found === null || found === undefined) return undefined;
  if (!isRecord(found)) throw new TypeError('a store gives { body, etag } or null');
  const { body, etag, time: given } = found;
  if (etag !== undefined && (typeof etag !== 'string' || etag === ''))
    throw new TypeError('the etag of a snapshot is text');
  const time = given === undefined || given === null ? undefined : Number(given);
  if (Number.isNaN(time)) throw new TypeError('the time of a snapshot is a Date or milliseconds');
  const isHeld = held !== undefined && (etag ?? held) === held;
  if (body === undefined || body === null) {
    if (isHeld) return { etag, time };
    throw new TypeError('a snapshot without a body');
  }
  if (isHeld && etag !== undefined) {
    if (body instanceof ReadableStream) await body.cancel();
    return { etag, time };
  }
  return { bytes: await readAll(body, { limit, signal }), etag, time };
}
