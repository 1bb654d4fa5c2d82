/** Checks which browser pages may send requests to a server without authentication. */
import { fetchOf, PLAIN, PlainResponse } from '../../io/plain_http.js';

/** @import { Fetch, PlainFetch, PlainRequest } from '../../io/plain_http.js' */

/** Addresses that only this machine can reach. */
const LOOPBACK = /^(127(\.\d+){3}|\[?::1\]?|([\w-]+\.)*localhost)$/;

/** An address as in a URL. */
const ADDRESS = /^(\d+(\.\d+){3}|\[[^\]]+\])$/;

/** @param {string} host a name or an address */
export function isLoopback(host) {
  return LOOPBACK.test(host);
}

/**
 * Refuses requests that browsers send for foreign pages, in particular writes and WebSockets: only
 * pages of this server, and of other servers on this machine, are allowed. The Host must be one of
 * this machine's names or, if the server does not listen on a loopback address, an address or the
 * name that it listens at: any other Host that resolves here indicates DNS rebinding. Clients that
 * are not browsers send no Origin.
 * @param {Fetch} fetch
 * @param {{ host: string }} options the address or name that the server listens at
 * @returns {Fetch & { [PLAIN]: PlainFetch }}
 */
export function withOriginCheck(fetch, { host }) {
  const plain = fetch[PLAIN] ?? (async () => Promise.reject(new Error('no plain values')));
  return fetchOf(async (request) => {
    const fault = faultOf(request, host);
    return fault === undefined ? plain(request) : forbidden(fault);
  });
}

/**
 * @param {PlainRequest} request
 * @param {string} listened
 * @returns {string | undefined}
 */
function faultOf({ url, headers }, listened) {
  const { hostname, host } = new URL(url);
  if (!isLoopback(hostname)) {
    if (isLoopback(listened))
      return `this server is at a loopback address, and has no name ${hostname}`;
    if (!ADDRESS.test(hostname) && hostname !== listened.toLowerCase())
      return `this server has no name ${hostname}: ask it by its address, or --host gives the name`;
  }
  const origin = headers.get('Origin');
  if (origin === null) return undefined;
  const from = URL.canParse(origin) ? new URL(origin) : undefined;
  if (from && (from.host === host || isLoopback(from.hostname))) return undefined;
  return `pages of ${origin} may not ask this server`;
}

/** @param {string} message */
function forbidden(message) {
  const kind = { apiVersion: 'v1', kind: 'Status', metadata: {} };
  const status = { ...kind, status: 'Failure', message, reason: 'Forbidden', code: 403 };
  const headers = { 'content-type': 'application/json' };
  return new PlainResponse(JSON.stringify(status), { status: 403, headers });
}
