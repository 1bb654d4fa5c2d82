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
 * Leases have connections of their own: a leader's renewal must not wait behind its bindings, nor
 * for a new connection. Node accepts one in each turn of its event loop, and a burst of bindings
 * opens hundreds.
 */
const LEASES = '/apis/coordination.k8s.io/';

/**
 * @typedef {object} Place
 * @property {RequestOptions & { headers: Record<string, string> }} options without the agent
 * @property {string} host of the server
 * @property {string} origin what precedes a path that a proxy gets, or empty
 */

/** Connections has two agents for the current certificates. */
export class Connections {
  /** @type {URL | undefined} */
  #proxy;
  /** @type {TlsOptions | undefined} */
  #used;
  /** @type {{ leases: HttpAgent, others: HttpAgent } | undefined} */
  #agents;
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
   * @returns {Pick<Place, 'options' | 'host'> & { agent: HttpAgent, path: string }}
   */
  to({ server, path }, tls) {
    if (!this.#agents || tls !== this.#used) this.#agents = this.#renewed(server.protocol, tls);
    const { leases, others } = this.#agents;
    const { options, host, origin } = this.#placeOf(server);
    const agent = path.includes(LEASES) ? leases : others;
    // A proxy gets the whole URL.
    return { options, agent, host, path: origin + path };
  }

  /**
   * The same server's requests have the same options.
   * @param {URL} server
   */
  #placeOf(server) {
    if (this.#place?.server === server) return this.#place;
    const { host, protocol, hostname, port } = server;
    const proxy = protocol === 'http:' ? this.#proxy : undefined;
    const there = proxy ?? { protocol, hostname, port };
    const options = {
      protocol: there.protocol,
      ...hostAndPort(there),
      // A connection in use may be silent for any time.
      timeout: 0,
      headers: proxy ? authorization(proxy) : {},
    };
    this.#place = { server, host, options, origin: proxy ? server.origin : '' };
    return this.#place;
  }

  /** Ends all connections. */
  close() {
    for (const agent of [...this.#current(), ...this.#former]) agent.destroy();
  }

  /**
   * Requests in progress continue on the old connections.
   * @param {string} protocol
   * @param {TlsOptions} tls
   */
  #renewed(protocol, tls) {
    for (const agent of this.#former)
      if (Object.keys(agent.sockets).length === 0) this.#former.delete(agent);
    for (const old of this.#current()) {
      this.#former.add(old);
      /** @type {{ keepAlive?: boolean }} */ (old).keepAlive = false;
      for (const socket of Object.values(old.freeSockets).flat()) socket?.destroy();
    }
    const newAgent = () => withShortNames(this.#newAgent(protocol, tls));
    this.#place = undefined;
    this.#used = tls;
    return { leases: newAgent(), others: newAgent() };
  }

  #current() {
    return Object.values(this.#agents ?? {});
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
