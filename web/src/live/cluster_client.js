/**
 * The client of a live cluster's API server. It sends only reads unless the user allows changes.
 */
import { StowageError } from '../../../js/src/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { watchBySocket } from './watch_socket.js';

/**
 * @import { Fetch, ListPage, Query, RequestOptions } from '../../../js/src/informer.js'
 */

/** Thrown instead of sending a change that the user has not allowed. */
class ReadOnlyError extends StowageError {
  /** @override */
  name = 'ReadOnlyError';

  /** @param {string} method @param {string} path */
  constructor(method, path) {
    const why = 'this cluster is read-only; to make changes, choose “Allow changes” in Connect…';
    super('ReadOnly', `${why} (${method.toLowerCase()} ${path})`);
  }
}

/**
 * Length in seconds of a watch over plain HTTP, used where there are no WebSockets. A browser opens
 * six connections to a host, and there are more kinds than that, so the watches take turns.
 */
const TURN_SECONDS = 5;

/** The platform that the server of `stowage up` reports. */
const SANDBOX = 'stowage/embedded';

/**
 * Whether changes are sent. `sandbox`: only to a server of `stowage up`. The client asks the server
 * before each change, because another server may have taken over the address.
 * @typedef {boolean | 'sandbox'} Permission
 */

export class ClusterClient {
  #client;
  #baseUrl;
  #allowsChanges;
  #isBrowser;
  /** True until a server has answered without a WebSocket. */
  #hasSockets = 'WebSocket' in globalThis;

  /**
   * @param {{ baseUrl: string, allowsChanges: Permission, fetch?: Fetch }} options `fetch` replaces
   *   the browser's
   * @throws {import('../../../js/src/index.js').ConfigurationError} of an address that
   *   is none
   */
  constructor({ baseUrl, allowsChanges, fetch }) {
    this.#client = createApiClient({ baseUrl, ...(fetch && { fetch }) });
    this.#baseUrl = this.#client.baseUrl;
    this.#allowsChanges = allowsChanges;
    this.#isBrowser = fetch === undefined;
  }

  /**
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   * @throws {ReadOnlyError}
   * @throws {import('../../../js/src/index.js').StowageError} as ApiClient.json
   */
  async json(path, options = {}) {
    const { method = 'GET' } = options;
    if (method !== 'GET' && !(await this.mayChange())) throw new ReadOnlyError(method, path);
    return this.#client.json(path, options);
  }

  /** Whether changes may be sent to the server. @returns {Promise<boolean>} */
  async mayChange() {
    if (this.#allowsChanges !== 'sandbox') return this.#allowsChanges;
    const { platform } = await this.#client.json('/version');
    return platform === SANDBOX;
  }

  /**
   * @param {string} path
   * @param {Parameters<import('../../../js/src/informer.js').ApiClient['list']>[1]}
   *   [options]
   * @returns {AsyncGenerator<ListPage, void, void>}
   */
  list(path, options) {
    return this.#client.list(path, options);
  }

  /**
   * As ApiClient.watch, over a WebSocket if the server offers one.
   * @param {string} path
   * @param {Query} [query]
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Uint8Array, void, void>}
   */
  async *watch(path, query = {}, signal = undefined) {
    if (!this.#isBrowser) return yield* this.#client.watch(path, query, signal);
    const lines = this.#hasSockets && (await watchBySocket(this.#baseUrl, path, query, signal));
    if (lines) return yield* lines;
    // The error needs no report: the HTTP request that follows fails with the same cause.
    const turn = { ...query, timeoutSeconds: TURN_SECONDS };
    yield* this.#client.watch(path, turn, signal);
    this.#hasSockets = false;
  }
}
