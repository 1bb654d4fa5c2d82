/** Keeps the connections to one server for reuse. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { TunnelAgent } from './tunnel_agent.js';

/**
 * @import { RequestOptions } from 'node:http'
 * @import { Address } from '../../io/address.js'
 * @import { TlsOptions } from './tls_source.js'
 */

/**
 * How long an idle connection is kept, and after how long a silence TCP keep-alive probes the other
 * side: milliseconds, as in Go's `http.DefaultTransport` and client-go. The maximum number of
 * connections equals that of streams on one connection of Go's servers; further requests wait for a
 * free one.
 */
const KEPT = { keepAlive: true, keepAliveMsecs: 30_000, timeout: 90_000, maxSockets: 250 };

/**
 * @typedef {object} Place
 * @property {RequestOptions & { headers: Record<string, string> }} options
 * @property {string} host of the server
 * @property {string} origin what precedes a path that a proxy gets, or empty
 */

/** Connections has an agent for the current certificates. */
export class Connections {
  /** @type {URL | undefined} */
  #proxy;
  /** @type {TlsOptions | undefined} */
  #used;
  /** @type {HttpAgent | undefined} */
  #agent;
  /** The latest. @type {(Place & { server: URL }) | undefined} */
  #place;
  /** Agents of former certificates, which may still have requests in progress. */
  #former = /** @type {Set<HttpAgent>} */ (new Set());

  /** @param {string} [proxyUrl] */
  constructor(proxyUrl) {
    this.#proxy = proxyUrl === undefined ? undefined : new URL(proxyUrl);
  }

  /**
   * Returns the address to connect to and the path to request there.
   * @param {Address} address
   * @param {TlsOptions} tls
   * @returns {Pick<Place, 'options' | 'host'> & { path: string }}
   */
  to({ server, path }, tls) {
    if (!this.#agent || tls !== this.#used) this.#renew(server.protocol, tls);
    const { options, host, origin } = this.#placeOf(server);
    // A proxy gets the whole URL.
    return { options, host, path: origin + path };
  }

  /**
   * The same server's requests have the same options.
   * @param {URL} server
   */
  #placeOf(server) {
    if (this.#place?.server === server) return this.#place;
    const { host, protocol, hostname, port } = server;
    // A connection in use may be silent for any time.
    const common = { agent: this.#agent, timeout: 0 };
    const proxy = protocol === 'http:' ? this.#proxy : undefined;
    const there = proxy ?? { protocol, hostname, port };
    const options = {
      protocol: there.protocol,
      ...hostAndPort(there),
      ...common,
      headers: proxy ? authorization(proxy) : {},
    };
    this.#place = { server, host, options, origin: proxy ? server.origin : '' };
    return this.#place;
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
    this.#agent = withShortNames(this.#newAgent(protocol, tls));
    this.#place = undefined;
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

/**
 * An agent has one set of certificates, so its connections differ in the server at most. By Node's
 * names they differ in all options; these are put together several times for a request.
 * @template {HttpAgent} T
 * @param {T} agent
 */
function withShortNames(agent) {
  const latest = { host: '', port: '', name: ':' };
  agent.getName = (options) => {
    const { host, port } = /** @type {typeof latest} */ (options ?? {});
    if (host !== latest.host || port !== latest.port)
      Object.assign(latest, { host, port, name: `${host}:${port}` });
    return latest.name;
  };
  return agent;
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
