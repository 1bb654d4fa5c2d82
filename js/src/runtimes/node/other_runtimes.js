/** `fetch` with custom certificates, by the means of Bun and Deno. */
import { StowageError } from '../../kubernetes/errors.js';

/**
 * @import { Fetch } from '../../io/plain_http.js'
 * @import { TlsOptions } from './tls_source.js'
 */

/** @typedef {{ tls: () => Promise<TlsOptions>, proxyUrl?: string }} Options */
/** @typedef {(request: Request, init: object) => Promise<Response>} FetchWithOptions */

/**
 * Bun's.
 * @param {Options} options
 * @param {FetchWithOptions} fetch
 * @returns {{ fetch: Fetch, close: () => Promise<void> }}
 */
export function bunFetch({ tls, proxyUrl }, fetch) {
  return {
    async fetch(request) {
      const { ca, cert, key, serverName, insecure } = await tls();
      const options = { ca, cert, key, serverName, rejectUnauthorized: !insecure };
      return fetch(request, { tls: options, ...(proxyUrl && { proxy: proxyUrl }) });
    },
    async close() {},
  };
}

/**
 * Deno's, which configures connections by a client object.
 * @param {Options} options
 * @param {FetchWithOptions} fetch
 * @param {(options: object) => { close(): void }} createHttpClient
 * @returns {{ fetch: Fetch, close: () => Promise<void> }}
 */
export function denoFetch({ tls, proxyUrl }, fetch, createHttpClient) {
  /** @type {TlsOptions | undefined} */
  let used;
  /** @type {Set<{ close(): void }>} */
  const clients = new Set();
  /** @type {{ close(): void } | undefined} */
  let client;
  const renew = (/** @type {TlsOptions} */ current) => {
    const { ca, cert, key, serverName, insecure } = current;
    if (insecure || serverName) {
      const field = insecure ? 'insecure-skip-tls-verify' : 'tls-server-name';
      throw new StowageError('NotSupported', `Deno cannot set ${field} for a single server`);
    }
    client = createHttpClient({
      ...(ca && { caCerts: [ca] }),
      ...(cert && { cert, key }),
      ...(proxyUrl && { proxy: { url: proxyUrl } }),
    });
    clients.add(client);
    used = current;
  };
  return {
    async fetch(request) {
      const current = await tls();
      if (current !== used) renew(current);
      return fetch(request, { client });
    },
    async close() {
      for (const one of clients) one.close();
    },
  };
}
