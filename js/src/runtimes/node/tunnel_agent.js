/** Opens TLS connections through a proxy. */
import { request as httpRequest } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { connect } from 'node:tls';

/**
 * @import { ClientRequestArgs } from 'node:http'
 * @import { ConnectionOptions } from 'node:tls'
 * @import { Duplex } from 'node:stream'
 */

/** @typedef {(error: Error | null, socket: Duplex) => void} OnConnection */

/**
 * How long a proxy may take to answer, and a server's handshake after that: milliseconds. Sources:
 * Go's net/http/transport.go, and client-go/transport/cache.go, v1.36.
 */
const CONNECT_TIMEOUT = 60_000;
const HANDSHAKE_TIMEOUT = 10_000;

/** TunnelAgent asks a proxy to CONNECT to the server. */
export class TunnelAgent extends Agent {
  #proxy;
  #headers;
  /** Requests and handshakes in progress. Node's agents know only complete connections. */
  #opening = /** @type {Set<{ destroy(error: Error): unknown }>} */ (new Set());

  /**
   * @param {URL} proxy
   * @param {Record<string, string>} headers for the proxy
   * @param {import('node:https').AgentOptions} options
   */
  constructor(proxy, headers, options) {
    super(options);
    this.#proxy = proxy;
    this.#headers = headers;
  }

  /**
   * The method by which Node's agents create connections.
   * @override
   * @param {ClientRequestArgs & ConnectionOptions} options
   * @param {OnConnection} [onConnection]
   * @returns {undefined} undefined: the connection comes through the callback
   */
  createConnection(options, onConnection) {
    const succeed = /** @type {OnConnection} */ (onConnection);
    const fail = /** @type {(error: Error) => void} */ (onConnection);
    const { hostname, port, protocol } = this.#proxy;
    const host = options.host ?? '';
    const target = `${host.includes(':') ? `[${host}]` : host}:${options.port ?? 443}`;
    const make = protocol === 'https:' ? httpsRequest : httpRequest;
    const asking = make({
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      ...(port && { port }),
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...this.#headers },
      agent: false,
    });
    asking.on('close', this.#limit(asking, CONNECT_TIMEOUT));
    asking.on('connect', ({ statusCode, statusMessage }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        fail(new Error(`proxy ${this.#proxy.host}: ${statusCode} ${statusMessage}`));
        return;
      }
      const own = /** @type {ConnectionOptions} */ (options);
      const secured = connect({ ...own, socket });
      const release = this.#limit(secured, HANDSHAKE_TIMEOUT);
      secured.once('error', fail);
      secured.once('close', release);
      secured.once('secureConnect', () => {
        release();
        secured.off('error', fail);
        succeed(null, secured);
      });
    });
    asking.on('error', fail);
    asking.end();
    return undefined;
  }
  /** Ends all connections, also those that are being opened. @override */
  destroy() {
    super.destroy();
    for (const stage of this.#opening) stage.destroy(new Error('the connections were closed'));
  }

  /**
   * @param {{ destroy(error: Error): unknown }} stage of a connection that is being opened
   * @param {number} ms after which it is given up
   * @returns {() => void} to be called when the stage is over
   */
  #limit(stage, ms) {
    const message = `proxy ${this.#proxy.host}: no connection within ${ms / 1000} seconds`;
    const late = () => stage.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(late, ms);
    this.#opening.add(stage);
    return () => {
      clearTimeout(timer);
      this.#opening.delete(stage);
    };
  }
}
