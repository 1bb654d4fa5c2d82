/** Keeps the connections to one server for reuse. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { TunnelAgent } from './tunnel_agent.js';

/**
 * @import { RequestOptions } from 'node:http'
 * @import { TlsOptions } from './tls_source.js'
 */

/**
 * How long an idle connection is kept, and after how long a silence TCP keep-alive probes the other
 * side: milliseconds, as in Go's `http.DefaultTransport` and client-go. The maximum number of
 * connections equals that of streams on one connection of Go's servers; further requests wait for a
 * free one.
 */
const KEPT = { keepAlive: true, keepAliveMsecs: 30_000, timeout: 90_000, maxSockets: 250 };

/** Connections has an agent for the current certificates. */
export class Connections {
  /** @type {URL | undefined} */
  #proxy;
  /** @type {TlsOptions | undefined} */
  #used;
  /** @type {HttpAgent | undefined} */
  #agent;
  /** Agents of former certificates, which may still have requests in progress. */
  #former = /** @type {Set<HttpAgent>} */ (new Set());

  /** @param {string} [proxyUrl] */
  constructor(proxyUrl) {
    this.#proxy = proxyUrl === undefined ? undefined : new URL(proxyUrl);
  }

  /**
   * Returns the address to connect to and the path to request there.
   * @param {URL} url
   * @param {TlsOptions} tls
   * @returns {{ options: RequestOptions & { headers: Record<string, string> }, path: string }}
   */
  to({ href, protocol, hostname, port, pathname, search }, tls) {
    if (!this.#agent || tls !== this.#used) this.#renew(protocol, tls);
    // A connection in use may be silent for any time.
    const common = { agent: this.#agent, timeout: 0 };
    const proxy = this.#proxy;
    if (proxy && protocol === 'http:') {
      // A proxy gets the whole URL.
      const there = { protocol: proxy.protocol, ...hostAndPort(proxy), ...common };
      return { options: { ...there, headers: authorization(proxy) }, path: href };
    }
    const options = { protocol, ...hostAndPort({ hostname, port }), ...common, headers: {} };
    return { options, path: pathname + search };
  }

  /** Ends all connections. */
  close() {
    for (const agent of [this.#agent, ...this.#former]) agent?.destroy();
  }

  /**
   * Requests in progress continue on the old connections.
   * @param {string} protocol
   * @param {TlsOptions} tls
   */
  #renew(protocol, tls) {
    const old = this.#agent;
    for (const agent of this.#former)
      if (Object.keys(agent.sockets).length === 0) this.#former.delete(agent);
    if (old) {
      this.#former.add(old);
      /** @type {{ keepAlive?: boolean }} */ (old).keepAlive = false;
      for (const socket of Object.values(old.freeSockets).flat()) socket?.destroy();
    }
    this.#agent = this.#newAgent(protocol, tls);
    this.#used = tls;
  }

  /**
   * @param {string} protocol of the server
   * @param {TlsOptions} tls
   */
  #newAgent(protocol, { ca, cert, key, serverName, insecure }) {
    const options = {
      ...KEPT,
      ca,
      cert,
      key,
      ...(serverName && { servername: serverName }),
      rejectUnauthorized: !insecure,
    };
    const proxy = this.#proxy;
    if (protocol === 'https:')
      return proxy
        ? new TunnelAgent(proxy, authorization(proxy), options)
        : new HttpsAgent(options);
    return proxy?.protocol === 'https:' ? new HttpsAgent(KEPT) : new HttpAgent(KEPT);
  }
}

/** @param {{ hostname: string, port: string }} url */
function hostAndPort({ hostname, port }) {
  return { hostname: hostname.replace(/^\[|\]$/g, ''), ...(port && { port }) };
}

/**
 * @param {URL} proxy
 * @returns {Record<string, string>}
 */
function authorization({ username, password }) {
  if (!username && !password) return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
