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

/** TunnelAgent asks a proxy to CONNECT to the server. */
export class TunnelAgent extends Agent {
  #proxy;
  #headers;

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
    asking.on('connect', ({ statusCode, statusMessage }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        fail(new Error(`proxy ${this.#proxy.host}: ${statusCode} ${statusMessage}`));
        return;
      }
      const own = /** @type {ConnectionOptions} */ (options);
      const secured = connect({ ...own, socket });
      secured.once('error', fail);
      secured.once('secureConnect', () => {
        secured.off('error', fail);
        succeed(null, secured);
      });
    });
    asking.on('error', fail);
    asking.end();
    return undefined;
  }
}
