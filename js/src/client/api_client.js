/** The API server's client: credentials, retries and refusals, over any `fetch`. */
import { ConfigurationError, StowageError } from '../kubernetes/errors.js';
import { PLAIN, PlainHeaders, PlainRequest } from '../io/plain_http.js';
import { systemClock } from '../runtimes/system_clock.js';
import { wordsOf } from '../kubernetes/values.js';
import { ConnectionError } from './connection_error.js';
import { abortSignalOf } from '../io/call_end.js';
import { LineCutter, wholeLines } from '../io/byte_lines.js';
import { connectionError } from './connection_faults.js';
import { listPages } from './list_pages.js';
import { answeredJson, refusalOf } from './responses.js';
import { MOST_RETRIES, secondsAfterFault, secondsToWait } from './retry_after.js';
import { baseOf, urlOf } from './urls.js';

/**
 * @import { Answer, Call } from '../engine/types.js'
 * @import { EndSignal } from '../io/call_end.js'
 * @import { ApiError } from '../kubernetes/api_error.js'
 * @import { ApiClientOptions, HeadersLike } from '../io/client_options.js'
 * @import { PlainResponse } from '../io/plain_http.js'
 * @import { ListPage, Query } from './list_pages.js'
 */

/**
 * Sends requests: the host's `fetch`, or any function that answers a Request.
 * @typedef {import('../io/plain_http.js').Fetch} Fetch
 */

/** @typedef {Response | PlainResponse} AnyResponse */

/**
 * A request. Its body can be sent again, so it is not a stream.
 * @typedef {object} RequestOptions
 * @property {string} [method] default GET
 * @property {HeadersLike} [headers] in addition to the client's. Default: JSON is accepted, and a
 *   body is JSON
 * @property {string | Uint8Array} [body]
 * @property {Query} [query] undefined values are left out
 * @property {AbortSignal} [signal]
 * @property {() => void} [beforeAttempt] called before each attempt, including retries; its
 *   exception ends the request unsent
 */

/** @typedef {Omit<RequestOptions, 'signal'> & { signal?: EndSignal }} Sent */

const NOTHING = new Uint8Array();

const OPTION_NAMES = ['baseUrl', 'fetch', 'headers', 'userAgent', 'clock', 'namespace', 'close'];

/** @type {Fetch} */
const hostFetch = (request) => globalThis.fetch(request);

/**
 * Creates a client of the API server at `baseUrl`.
 * @param {ApiClientOptions} options
 * @returns {ApiClient}
 * @throws {ConfigurationError}
 */
export function createApiClient(options) {
  return new ApiClient(options);
}

/**
 * ApiClient makes requests to one API server. Paths begin with a slash and are below the base URL.
 */
export class ApiClient {
  #fetch;
  #headers;
  #userAgent;
  #clock;
  #close;

  /** @param {ApiClientOptions} options */
  constructor(options) {
    const unknown = Object.keys(options).filter((name) => !OPTION_NAMES.includes(name));
    if (unknown.length > 0)
      throw badOption(unknown[0], `unknown option; there are ${OPTION_NAMES.join(', ')}`);
    const { baseUrl, fetch = hostFetch, headers, userAgent, clock = systemClock() } = options;
    const base = baseOf(baseUrl);
    if (base === undefined)
      throw badOption('baseUrl', 'must be an http or https URL without credentials and query');
    /** Without trailing slashes. */
    this.baseUrl = base;
    this.#fetch = fetch;
    this.#headers = headers;
    this.#userAgent = userAgent;
    this.#clock = clock;
    this.#close = options.close;
    /** The user's namespace. */
    this.namespace = options.namespace ?? 'default';
  }

  /**
   * Returns the server's response, including refusals. After a 401 it refreshes the credentials and
   * retries once. It also retries 429 and 5xx responses with `Retry-After`, after that time, and
   * GETs whose connection was lost, ten times at most.
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<Response>}
   * @throws {ConnectionError} if there is no response; the signal's reason; exceptions of `headers`
   *   or `beforeAttempt`
   */
  async request(path, options = {}) {
    const response = await this.#request(path, options, false);
    return 'content' in response ? response.toResponse() : response;
  }

  /**
   * Returns the parsed JSON of the response.
   * @param {string} path
   * @param {RequestOptions} [options]
   * @returns {Promise<any>}
   * @throws {ApiError} the refusal; else as `request`, and an InputError `MalformedJson`
   */
  async json(path, options = {}) {
    const response = await this.#request(path, options, false);
    const bytes = await this.#body(path, options, response);
    return answeredJson(aboutOf(path, options), response, bytes);
  }

  /**
   * Performs the calls of `Scheduler.start`.
   * @param {Pick<Call, 'method' | 'path' | 'contentType' | 'body'>} call
   * @param {EndSignal} [signal]
   * @param {Pick<RequestOptions, 'beforeAttempt'>} [more]
   * @returns {Promise<Answer>} rejected only with the signal's reason
   */
  async perform({ method, path = '', contentType, body }, signal, { beforeAttempt } = {}) {
    const headers = { 'Content-Type': contentType };
    const options = { method, headers, body, signal, beforeAttempt };
    try {
      const response = await this.#request(path, options, false);
      const { status } = response;
      if ('content' in response && !response.body) return { status, body: response.content ?? '' };
      return { status, body: await this.#body(path, options, response) };
    } catch (cause) {
      signal?.throwIfAborted();
      const isTimeout = cause instanceof ConnectionError && cause.code === 'Timeout';
      return { error: isTimeout ? 'timeout' : 'network', message: wordsOf(cause) };
    }
  }

  /**
   * Yields the pages of a list, each requested when the reader needs it.
   * @param {string} path
   * @param {{ limit?: number, query?: Query, signal?: AbortSignal }} [options] `limit` default 500;
   *   0: everything in one page
   * @returns {AsyncGenerator<ListPage, void, void>}
   * @throws {ApiError} such as `Expired` (410) if the reader takes too long; else as `json`
   */
  list(path, { limit, query, signal } = {}) {
    return listPages(
      async (asked) => {
        const options = { query: asked, signal };
        const response = await this.#request(path, options, false);
        const bytes = await this.#body(path, options, response);
        if (!response.ok) throw refusalOf(aboutOf(path, options), response, bytes);
        return bytes;
      },
      { limit, query },
    );
  }

  /**
   * Yields the events of a watch as bytes, in chunks of whole lines. It ends when the server ends
   * it; an unfinished event is dropped, because the next watch sends it again.
   * @param {string} path
   * @param {Query} [query] `watch=true` is added
   * @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Uint8Array, void, void>}
   * @throws {ApiError} the refusal; ConnectionError, also when the connection breaks later; the
   *   signal's reason; InputError `TooLarge` for a line beyond 64 MiB
   */
  async *watch(path, query = {}, signal = undefined) {
    const options = { query: { ...query, watch: true }, signal };
    const about = aboutOf(path, options);
    const response = await this.#request(path, options, true);
    if (!response.ok || !response.body)
      throw refusalOf(about, response, await this.#body(path, options, response));
    const cutter = new LineCutter();
    const lines = wholeLines(response.body, { signal, cutter });
    try {
      for (;;) {
        const { done, value } = await this.#unbroken(about, signal, () => lines.next());
        if (done) break;
        yield value;
      }
    } finally {
      await lines.return();
    }
    if (cutter.rest > 0) {
      const message = `${about.method} ${about.path}: the stream ended within an event`;
      throw new ConnectionError('ConnectionReset', message);
    }
  }

  /** Ends the kept connections, and all requests in progress. */
  async close() {
    await this.#close?.();
  }

  /**
   * @param {string} path
   * @param {Sent} options
   * @param {boolean} isWatch
   * @returns {Promise<AnyResponse>}
   */
  async #request(path, options, isWatch) {
    const { method = 'GET', signal } = options;
    signal?.throwIfAborted();
    let canRefresh = this.#headers !== undefined;
    let refresh = false;
    /** @type {HeadersLike | undefined} */
    let own;
    for (let retries = 0; ;) {
      if (this.#headers) own = await this.#headers({ refresh, ...(refresh && { refused: own }) });
      const answer = await this.#attempt(path, options, own);
      const isLost = answer instanceof ConnectionError;
      refresh = canRefresh && !isLost && answer.status === 401;
      const seconds = isLost
        ? secondsAfterFault(answer, { method, isWatch })
        : secondsToWait(answer);
      if (!refresh && (seconds === undefined || retries === MOST_RETRIES)) {
        if (isLost) throw answer;
        return answer;
      }
      // The connection can be reused once the response has been read.
      if (!isLost) await this.#body(path, options, answer).catch(() => {});
      if (refresh) {
        canRefresh = false;
        continue;
      }
      retries += 1;
      const until = this.#clock.now() + Number(seconds) * 1000;
      await this.#clock.sleep(until, abortSignalOf(signal));
    }
  }

  /**
   * @param {string} path
   * @param {Sent} options
   * @param {HeadersLike | undefined} own the client's signal
   * @returns {Promise<AnyResponse | ConnectionError>} other errors are thrown
   */
  async #attempt(path, options, own) {
    const { method = 'GET', body, query, signal } = options;
    signal?.throwIfAborted();
    options.beforeAttempt?.();
    const headers = this.#headersOf(options, own);
    const url = urlOf(this.baseUrl, path, query);
    const send = sending(this.#fetch, { method, url, headers, body, signal });
    try {
      return await send();
    } catch (cause) {
      signal?.throwIfAborted();
      return connectionError(`${method} ${this.baseUrl}${path}`, cause);
    }
  }

  /**
   * @param {Sent} options
   * @param {HeadersLike | undefined} own
   * @returns {Record<string, string>} by names in lower case
   */
  #headersOf({ headers, body }, own) {
    return {
      accept: 'application/json',
      ...(body?.length && { 'content-type': 'application/json' }),
      ...(this.#userAgent && { 'user-agent': this.#userAgent }),
      ...byLowerCase(own),
      ...byLowerCase(headers),
    };
  }

  /**
   * @param {string} path
   * @param {Sent} options
   * @param {AnyResponse} response
   * @returns {Promise<Uint8Array>}
   */
  async #body(path, options, response) {
    const about = aboutOf(path, options);
    const read = () => response.arrayBuffer();
    return new Uint8Array(await this.#unbroken(about, options.signal, read));
  }

  /**
   * @template T
   * @param {{ method: string, path: string }} about
   * @param {EndSignal | undefined} signal
   * @param {() => Promise<T>} read
   * @returns {Promise<T>}
   * @throws {ConnectionError}
   */
  async #unbroken({ method, path }, signal, read) {
    try {
      return await read();
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof StowageError) throw cause;
      throw connectionError(`${method} ${this.baseUrl}${path}`, cause);
    }
  }
}

/**
 * @param {Fetch} fetch
 * @param {{ method: string, url: string, headers: Record<string, string>, body?: string |
 *   Uint8Array, signal?: EndSignal }} parts
 * @returns {() => Promise<AnyResponse>}
 */
function sending(fetch, { method, url, headers, body, signal }) {
  const plain = fetch[PLAIN];
  if (plain) {
    const content = () =>
      typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? NOTHING);
    const parts = { method, url, headers: new PlainHeaders(headers), content, signal };
    return () => plain(new PlainRequest(parts));
  }
  const sent = /** @type {BodyInit | undefined} */ (body?.length ? body : undefined);
  const options = { method, headers, body: sent, signal: abortSignalOf(signal) };
  const request = new Request(url, options);
  return () => fetch(request);
}

/**
 * @param {HeadersLike} [headers]
 * @returns {Record<string, string>}
 */
function byLowerCase(headers = {}) {
  const isPlain = !(headers instanceof Headers) && !Array.isArray(headers);
  const entries = isPlain ? Object.entries(headers) : [...new Headers(headers)];
  /** @type {Record<string, string>} */
  const found = {};
  for (const [name, value] of entries) found[name.toLowerCase()] = value;
  return found;
}

/**
 * @param {string} path
 * @param {Sent} options
 */
function aboutOf(path, { method = 'GET' }) {
  return { method, path };
}

/**
 * @param {string} field
 * @param {string} detail
 */
function badOption(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
