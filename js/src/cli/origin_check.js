/** Which pages of a browser may send requests to a server without authentication. */
import { fetchOf, PLAIN, PlainResponse } from '../io/plain_http.js';

/** @import { Fetch, PlainFetch, PlainRequest } from '../io/plain_http.js' */

/** Addresses that only this machine can reach. */
const LOOPBACK = /^(127(\.\d+){3}|\[?::1\]?|([\w-]+\.)*localhost)$/;

/** As a URL says it. */
const ADDRESS = /^(\d+(\.\d+){3}|\[[^\]]+\])$/;

/** @param {string} host a name or an address */
export function isLoopback(host) {
  return LOOPBACK.test(host);
}

/**
 * Refuses what pages from elsewhere have a browser ask, changes and WebSockets above all: only
 * those of this server, and those that this machine serves itself, may. The server has the names of
 * this machine alone, and at no loopback address also addresses and the name that it listens at:
 * any other Host that resolves here indicates DNS rebinding. Other clients send no Origin.
 * @param {Fetch} fetch
 * @param {{ host: string }} options the address, or the name, that is listened at
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
