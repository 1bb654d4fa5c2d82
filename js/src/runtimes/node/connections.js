/** The connections to one server, kept while they can be used again. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { TunnelAgent } from './tunnel_agent.js';

/**
 * @import { RequestOptions } from 'node:http'
 * @import { TlsOptions } from './tls_source.js'
 */

/**
 * How long a connection without requests is kept, and after which silence the other side is asked
 * whether it is still there: milliseconds, as in Go's `http.DefaultTransport` and client-go; and
 * how many there are at most, as many as Go's servers take streams on one connection. Requests wait
 * for one that is free.
 */
const KEPT = { keepAlive: true, keepAliveMsecs: 30_000, timeout: 90_000, maxSockets: 250 };

/** Connections has an agent for the certificates that hold now. */
export class Connections {
  /** @type {URL | undefined} */
  #proxy;
  /** @type {TlsOptions | undefined} */
  #used;
  /** @type {HttpAgent | undefined} */
  #agent;
  /** Those of former certificates, on which something may still be under way. */
  #former = /** @type {Set<HttpAgent>} */ (new Set());

  /** @param {string} [proxyUrl] */
  constructor(proxyUrl) {
    this.#proxy = proxyUrl === undefined ? undefined : new URL(proxyUrl);
  }

  /**
   * Where a request has to be made, and what it asks for there.
   * @param {URL} url
   * @param {TlsOptions} tls
   * @returns {{ options: RequestOptions & { headers: Record<string, string> }, path: string }}
   */
  to({ href, protocol, hostname, port, pathname, search }, tls) {
    if (!this.#agent || tls !== this.#used) this.#renew(protocol, tls);
    // While it is in use, a connection may be silent.
    const common = { agent: this.#agent, timeout: 0 };
    const proxy = this.#proxy;
    if (proxy && protocol === 'http:') {
      // A proxy is asked for the whole address.
      const there = { protocol: proxy.protocol, ...hostAndPort(proxy), ...common };
      return { options: { ...there, headers: authorization(proxy) }, path: href };
    }
    const options = { protocol, ...hostAndPort({ hostname, port }), ...common, headers: {} };
    return { options, path: pathname + search };
  }

  /** Ends all of them. */
  close() {
    for (const agent of [this.#agent, ...this.#former]) agent?.destroy();
  }

  /**
   * What is under way on the old connections goes on there.
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
