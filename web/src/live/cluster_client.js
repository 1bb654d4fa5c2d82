/** The API server of a live cluster, which is only read unless somebody allows more. */
import { StowageError } from '../../../js/src/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { watchBySocket } from './watch_socket.js';

/**
 * @import { Fetch, ListPage, Query, RequestOptions } from '../../../js/src/informer.js'
 */

/** Something would have changed, and nobody has allowed that. Nothing was sent. */
export class ReadOnlyError extends StowageError {
  /** @override */
  name = 'ReadOnlyError';

  /** @param {string} method @param {string} path */
  constructor(method, path) {
    const why = 'this cluster is read-only; to make changes, choose “Allow changes” in Connect…';
    super('ReadOnly', `${why} (${method.toLowerCase()} ${path})`);
  }
}

/**
 * How long a watch goes on where there are no WebSockets: seconds. A browser has six connections
 * to a host, and there are more kinds than that: they take turns.
 */
const TURN_SECONDS = 5;

/** What the server of `stowage up` says that it runs on. */
const SANDBOX = 'stowage/embedded';

/**
 * Whether anything but reads is sent. `sandbox`: where the server is one of `stowage up`, which is
 * asked before each change: another may have come to its address.
 * @typedef {boolean | 'sandbox'} Permission
 */

export class ClusterClient {
  #client;
  #baseUrl;
  #allowsChanges;
  #isBrowser;
  /** Until a server has answered without one. */
  #hasSockets = 'WebSocket' in globalThis;

  /**
   * @param {{ baseUrl: string, allowsChanges: Permission, fetch?: Fetch }} options `fetch`: what
   *   answers in place of the browser's
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

  /** Whether the server may be sent anything but reads. @returns {Promise<boolean>} */
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
   * As ApiClient.watch, over a WebSocket where the server has them.
   * @param {string} path
   * @param {Query} [query]
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Uint8Array, void, void>}
   */
  async *watch(path, query = {}, signal = undefined) {
    if (!this.#isBrowser) return yield* this.#client.watch(path, query, signal);
    const lines = this.#hasSockets && (await watchBySocket(this.#baseUrl, path, query, signal));
    if (lines) return yield* lines;
    // Why there is no WebSocket nobody is told: the answer to a usual request says it.
    const turn = { ...query, timeoutSeconds: TURN_SECONDS };
    yield* this.#client.watch(path, turn, signal);
    this.#hasSockets = false;
  }
}
