/** The embedded API server in this process, with faults that a test injects into its answers. */
import { createApiServer } from '../../../js/apiserver/index.js';

/**
 * @typedef {{ method: string, path: string, query: URLSearchParams, headers: Headers, body?: any }}
 *   Asked
 */

/**
 * Answers in place of the server, or lets it answer: undefined, or what `serve` returns.
 * @typedef {(asked: Asked, serve: () => Promise<Response>, signal: AbortSignal) =>
 *   Promise<Response | undefined> | Response | undefined} Disturb
 */

export class DisturbedApiServer {
  #server;
  /** The requests, in order. @type {Asked[]} */
  asked = [];
  /** @type {Disturb} */
  disturb = () => undefined;

  /** @param {import('../../../js/apiserver/api_server.js').ApiServerOptions} [options] */
  constructor(options = {}) {
    this.#server = createApiServer({ controllers: [], ...options });
  }

  get store() {
    return this.#server.store;
  }

  /** @param {string} resource such as `pods` @returns {any[]} */
  objects(resource) {
    return this.store.list(resource);
  }

  /** The requests that are not GETs, as `method path`. */
  get writes() {
    return this.asked
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  }

  /** Stores objects, or replaces those of the same names. @param {...any} objects */
  put(...objects) {
    for (const object of objects) this.store.load(structuredClone(object));
  }

  /** @type {(request: Request) => Promise<Response>} */
  fetch = async (request) => {
    const { method, headers, url, signal } = request;
    const { pathname: path, searchParams: query } = new URL(url);
    const text = await request.text();
    const asked = { method, path, query, headers, ...(text && { body: JSON.parse(text) }) };
    this.asked.push(asked);
    // A write that was sent is done, even if the client does not wait for its answer.
    const sent = method === 'GET' ? { signal } : { body: text || undefined };
    const serve = () => this.#server.fetch(new Request(url, { method, headers, ...sent }));
    const answer = await this.disturb(asked, serve, signal);
    signal.throwIfAborted();
    return answer ?? serve();
  };

  dispose() {
    this.#server.dispose();
  }
}
