/**
 * A Cloudflare Worker that answers where a pod would go. Clients push snapshots to it; it keeps
 * them in Workers KV, from which every isolate loads them.
 */
import { createEdgeHandler } from 'stowage/edge';

/** @type {import('stowage/edge').SnapshotStore} */
const snapshots = {
  async get(name, { env }) {
    const { value, metadata } = await env.SNAPSHOTS.getWithMetadata(name, 'stream');
    return value && { body: value, ...metadata };
  },
  put(name, { body, etag, time }, { env }) {
    const metadata = { etag, time: time.getTime() };
    return env.SNAPSHOTS.put(name, body, { metadata });
  },
};

export default createEdgeHandler({ snapshots, secret: (env) => env.PUSH_SECRET });
