/**
 * A Cloudflare Worker that says where a pod would go. Snapshots are pushed to it and kept in
 * Workers KV, from where every isolate loads them.
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
