import { ConfigurationError } from '../kubernetes/errors.js';

/** @import { SnapshotStore } from './snapshot_store.js' */

/** Responses that mean that there is no snapshot. */
const ABSENT = [404, 410];
const NOT_MODIFIED = 304;

/**
 * Creates a store that reads snapshots over HTTP, conditionally if the server sends an `ETag`.
 * Their time is `Last-Modified`.
 * @param {string | ((name: string) => string | URL)} url with `{name}` in place of the cluster's
 *   name, or a function that returns the URL
 * @param {{ fetch?: (request: Request) => Promise<Response>, headers?: Headers |
 *   Record<string, string> }} [options]
 *   default: the host's fetch
 * @returns {SnapshotStore}
 * @throws {ConfigurationError} if the text lacks `{name}`
 */
export function urlSnapshots(
  url,
  { fetch = (request) => globalThis.fetch(request), headers } = {},
) {
  if (typeof url === 'string' && !url.includes('{name}')) {
    const detail = 'must contain {name}';
    throw new ConfigurationError(`url: ${detail}`, [{ field: 'url', detail }]);
  }
  const urlOf = (/** @type {string} */ name) =>
    typeof url === 'string' ? url.replaceAll('{name}', encodeURIComponent(name)) : url(name);
  return {
    async get(name, { etag, signal }) {
      const request = new Request(urlOf(name), { headers, signal });
      if (etag !== undefined) request.headers.set('If-None-Match', etag);
      const response = await fetch(request);
      if (response.ok) return { body: response.body ?? '', ...validators(response) };
      await response.body?.cancel();
      if (response.status === NOT_MODIFIED) return { etag, ...validators(response) };
      if (ABSENT.includes(response.status)) return null;
      throw new Error(`the snapshot's server answered ${response.status}`);
    },
  };
}

/** @param {Response} response */
function validators({ headers }) {
  const etag = headers.get('ETag');
  const time = Date.parse(headers.get('Last-Modified') ?? '');
  return { ...(etag && { etag }), ...(!Number.isNaN(time) && { time }) };
}
