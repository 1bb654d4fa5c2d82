/** Serves a Request handler on a port. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { isIPv6 } from 'node:net';
import { StowageError } from '../../kubernetes/errors.js';
import { InProgress } from '../../io/in_progress.js';
import { PLAIN } from '../../io/plain_http.js';
import { wordsOf } from '../../kubernetes/values.js';
import { systemClock } from '../system_clock.js';
import { discardRest } from './body_stream.js';
import { plainRequestOf, requestOf } from './incoming_request.js';
import { send, sendPlain } from './outgoing_response.js';
import { isWebSocket, plainAnswer, sendMessages } from './web_socket.js';

/**
 * @import { IncomingMessage, Server, ServerResponse } from 'node:http'
 * @import { Duplex } from 'node:stream'
 * @import { PlainFetch, PlainRequest, PlainResponse } from '../../io/plain_http.js'
 * @import { Clock } from '../../io/clock.js'
 */

/**
 * @typedef {object} ListenOptions
 * @property {number} port 0: any free port
 * @property {string} [host] default `127.0.0.1`
 * @property {import('node:https').ServerOptions} [tls] certificate, key and so on: serves https
 * @property {(error: unknown) => void} [onError] gets the exceptions of the handler and of bodies;
 *   the client gets a Status with 500, or a broken connection
 * @property {boolean} [webSockets] whether WebSocket clients get the lines of a stream as messages,
 *   as kube-apiserver serves watches; default: they get a plain response
 * @property {Clock} [clock] for the second that `close` waits; default: the host's
 */

/**
 * @typedef {object} Listening
 * @property {string} url
 * @property {number} port
 * @property {() => Promise<void>} close accepts no more requests, and waits for those in progress;
 *   after a second it breaks their connections
 */

/**
 * @typedef {((request: Request) => Response | Promise<Response>) & { [PLAIN]?: PlainFetch }}
 *   FetchHandler
 */

/**
 * How long an idle connection stays open: milliseconds. Longer than Go's clients keep one (90 s),
 * so that the client closes first: a server that closes may hit a request on its way.
 */
const KEEP_ALIVE = 120_000;

/** How long responses in progress may take when the server ends: milliseconds. */
const GRACE = 1_000;

/**
 * Serves over HTTP. The signal of a Request aborts when its client has gone, and when the server is
 * closed: the handler then has to end its endless streams.
 * @param {FetchHandler} handler
 * @param {ListenOptions} options
 * @returns {Promise<Listening>}
 * @throws {StowageError} `ListenFailed` if the port is taken or unavailable
 */
export async function listen(handler, options) {
  const { port, host = '127.0.0.1', tls, onError = () => {}, clock = systemClock() } = options;
  const listener = new Listener(handler, onError, tls ? 'https' : 'http');
  const answer = listener.answer.bind(listener);
  const server = tls ? createTlsServer(tls, answer) : createServer(answer);
  if (options.webSockets) server.on('upgrade', listener.upgrade.bind(listener));
  server.keepAliveTimeout = KEEP_ALIVE;
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new StowageError('ListenFailed', wordsOf(cause), { cause });
  }
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  listener.authority = `${isIPv6(host) ? `[${host}]` : host}:${address.port}`;
  return {
    url: `${listener.scheme}://${listener.authority}`,
    port: address.port,
    close: () => listener.close(server, clock),
  };
}

/** Listener answers the requests of one server, and ends them with it. */
class Listener {
  #handler;
  #onError;
  /** @type {InProgress<{ answered: Promise<void>, end: AbortController, place: number }>} */
  #requests = new InProgress();
  authority = '';

  /**
   * @param {FetchHandler} handler
   * @param {(error: unknown) => void} onError
   * @param {'http' | 'https'} scheme
   */
  constructor(handler, onError, scheme) {
    this.#handler = handler;
    this.#onError = onError;
    this.scheme = scheme;
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   */
  answer(incoming, outgoing) {
    const end = new AbortController();
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) end.abort(new Error('the other side has gone'));
    });
    this.#keep(this.#answer(incoming, outgoing, end), end);
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {Duplex} socket
   */
  upgrade(incoming, socket) {
    socket.on('error', () => {});
    if (!isWebSocket(incoming)) return this.answer(incoming, plainAnswer(incoming, socket));
    const end = new AbortController();
    socket.on('close', () => end.abort(new Error('the other side has gone')));
    this.#keep(this.#upgrade(incoming, socket, end), end);
  }

  /**
   * @param {Promise<void>} answering
   * @param {AbortController} end
   */
  #keep(answering, end) {
    const answered = answering.finally(() => this.#requests.remove(request));
    const request = { answered, end, place: -1 };
    this.#requests.add(request);
  }

  /**
   * A response without a stream is sent as usual, so the client learns that it gets no socket.
   * @param {IncomingMessage} incoming
   * @param {Duplex} socket
   * @param {AbortController} end
   * @returns {Promise<void>} never rejects
   */
  async #upgrade(incoming, socket, end) {
    try {
      const request = await this.#request(incoming, end);
      const response = request instanceof Response ? request : await this.#handled(request);
      const { status, body } = response;
      const isStream = status === 200 && body !== null;
      if (isStream) await sendMessages(incoming, socket, body);
      else await sendAny(plainAnswer(incoming, socket), response, { isHead: false });
    } catch (cause) {
      this.#onError(cause);
      socket.destroy();
    }
  }

  /**
   * @param {Request | PlainRequest} request
   * @returns {Promise<Response | PlainResponse>}
   */
  async #handled(request) {
    if (request instanceof Request) return this.#handler(request);
    return /** @type {PlainFetch} */ (this.#handler[PLAIN])(request);
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {ServerResponse} outgoing
   * @param {AbortController} end
   * @returns {Promise<void>} never rejects
   */
  async #answer(incoming, outgoing, end) {
    const isHead = incoming.method === 'HEAD';
    try {
      const request = await this.#request(incoming, end);
      const response = request instanceof Response ? request : await this.#handled(request);
      await sendAny(outgoing, response, { isHead });
    } catch (cause) {
      if (outgoing.destroyed) return;
      const { aborted, reason } = end.signal;
      const isOver = aborted && cause === reason;
      if (!isOver) this.#onError(cause);
      if (outgoing.headersSent) outgoing.destroy();
      else if (isOver) await send(outgoing, unavailable(), { isHead });
      else await send(outgoing, failure(cause), { isHead });
    } finally {
      if (!incoming.complete) discardRest(incoming);
    }
  }

  /**
   * @param {IncomingMessage} incoming
   * @param {AbortController} end
   * @returns {Promise<Request | PlainRequest | Response>} the response to an invalid request
   */
  async #request(incoming, end) {
    const { scheme, authority } = this;
    try {
      const origin = { scheme, authority, end };
      if (this.#handler[PLAIN]) return plainRequestOf(incoming, origin);
      return await requestOf(incoming, origin);
    } catch (cause) {
      return statusResponse(400, 'BadRequest', wordsOf(cause));
    }
  }

  /**
   * @param {Server} server
   * @param {Clock} clock
   * @returns {Promise<void>}
   */
  async close(server, clock) {
    const closed = new Promise((resolve) => void server.close(resolve));
    server.closeIdleConnections();
    const requests = this.#requests.all();
    const ended = Promise.all(requests.map(({ answered }) => answered));
    for (const { end } of requests) end.abort(new Error('the server ends'));
    const done = new AbortController();
    const late = clock.sleep(clock.now() + GRACE, done.signal).catch(() => {});
    await Promise.race([ended, late]);
    done.abort();
    server.closeAllConnections();
    await closed;
  }
}

/**
 * @param {ServerResponse} outgoing
 * @param {Response | PlainResponse} response
 * @param {{ isHead: boolean }} options
 */
function sendAny(outgoing, response, options) {
  if (response instanceof Response) return send(outgoing, response, options);
  return sendPlain(outgoing, response, options);
}

/** The response to clients that are still connected when the server ends. */
function unavailable() {
  return statusResponse(503, 'ServiceUnavailable', 'the server ends');
}

/** @param {unknown} cause */
function failure(cause) {
  if (!(cause instanceof StowageError)) return statusResponse(500, 'InternalError', wordsOf(cause));
  const status = cause.toStatus();
  return Response.json(status, { status: status.code ?? 500 });
}

/**
 * @param {number} code
 * @param {string} reason
 * @param {string} message
 */
function statusResponse(code, reason, message) {
  const kind = { apiVersion: 'v1', kind: 'Status' };
  const status = { ...kind, metadata: {}, status: 'Failure', message, reason, code };
  return Response.json(status, { status: code });
}
