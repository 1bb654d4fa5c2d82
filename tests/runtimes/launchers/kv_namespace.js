/**
 * The protocol of a Workers KV with workerd: values with metadata, in memory. Source: workerd,
 * src/workerd/api/kv.c++.
 */

const METADATA = 'CF-KV-Metadata';

/** @type {Map<string, { value: ArrayBuffer, metadata: string | null }>} */
const kept = new Map();

export default {
  /** @param {Request} request */
  async fetch(request) {
    const key = decodeURIComponent(new URL(request.url).pathname.slice(1));
    if (request.method === 'PUT') {
      kept.set(key, {
        value: await request.arrayBuffer(),
        metadata: request.headers.get(METADATA),
      });
      return new Response();
    }
    const found = kept.get(key);
    if (!found) return new Response(null, { status: 404 });
    const headers = new Headers(found.metadata === null ? {} : { [METADATA]: found.metadata });
    return new Response(found.value, { headers });
  },
};
