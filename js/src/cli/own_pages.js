/** Which pages of a browser may talk to a server that asks nobody for a password. */
import { fetchOf, PLAIN, PlainResponse } from '../plain_http.js';

/** @import { Fetch, PlainFetch, PlainRequest } from '../plain_http.js' */

/** Addresses that nobody else can reach. */
const LOOPBACK = /^(127(\.\d+){3}|\[?::1\]?|([\w-]+\.)*localhost)$/;

/** @param {string} host a name or an address */
export function isLoopback(host) {
  return LOOPBACK.test(host);
}

/**
 * Refuses what pages from elsewhere have a browser ask, changes and WebSockets above all: only
 * those of this server, and those that this machine serves itself, may. Where the server is at a
 * loopback address, its name must be one as well: another name that leads here is somebody's trick.
 * Whoever is no browser names no origin.
 * @param {Fetch} fetch
 * @param {{ host: string }} options the address that is listened at
 * @returns {Fetch & { [PLAIN]: PlainFetch }}
 */
export function forOwnPages(fetch, { host }) {
  const plain = fetch[PLAIN] ?? (async () => Promise.reject(new Error('no plain values')));
  const isLocal = isLoopback(host);
  return fetchOf(async (request) => {
    const fault = faultOf(request, isLocal);
    return fault === undefined ? plain(request) : forbidden(fault);
  });
}

/**
 * @param {PlainRequest} request
 * @param {boolean} isLocal
 * @returns {string | undefined}
 */
function faultOf({ url, headers }, isLocal) {
  const { hostname, host } = new URL(url);
  if (isLocal && !isLoopback(hostname))
    return `this server is at a loopback address, and has no name ${hostname}`;
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
