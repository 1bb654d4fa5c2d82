/**
 * Requests and responses as plain values, between parties that both know them: a client, a server
 * in the same process, Node's HTTP. All others use Request and Response, whose streams cost several
 * times as much as the request itself.
 */
import { addressOf } from './address.js';
import { abortSignalOf } from './call_end.js';
import { readAll } from './read_all.js';

/**
 * @import { Address } from './address.js'
 * @import { EndSignal } from './call_end.js'
 */

/**
 * The property under which a `fetch` offers the same operation on plain values.
 * @type {unique symbol}
 */
export const PLAIN = Symbol.for('stowage.plain');

/** @typedef {(request: PlainRequest) => Promise<PlainResponse>} PlainFetch */
/** @typedef {((request: Request) => Promise<Response>) & { [PLAIN]?: PlainFetch }} Fetch */

/** By names in lower case. @typedef {Record<string, string | string[]>} PlainHeaderValues */

/** PlainHeaders has the read methods of Headers. */
export class PlainHeaders {
  #all;

  /** @param {PlainHeaderValues} all */
  constructor(all) {
    this.#all = all;
  }

  get all() {
    return this.#all;
  }

  /**
   * @param {string} name
   * @returns {string | null}
   */
  get(name) {
    const value = this.all[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }
}

/** A Request without a stream. */
export class PlainRequest {
  #parts;
  /** @type {AbortSignal | undefined} */
  #signal;
  /** @type {Address | undefined} */
  #address;

  /**
   * @param {object} parts
   * @param {string} parts.method
   * @param {string} parts.url absolute
   * @param {PlainHeaders} parts.headers
   * @param {(limit?: number) => Uint8Array | Promise<Uint8Array>} parts.content reads the body;
   *   throws an InputError if that exceeds the limit
   * @param {EndSignal} [parts.signal] default: one that never aborts. It is read when it is
   *   needed, because few requests need one, and it costs as much as parsing the URL
   */
  constructor(parts) {
    this.#parts = parts;
    this.method = parts.method;
    this.url = parts.url;
    this.headers = parts.headers;
    this.content = parts.content;
  }

  /**
   * @returns {Address}
   * @throws {TypeError} if the URL is invalid
   */
  get address() {
    return (this.#address ??= addressOf(this.url));
  }

  /** The signal as it was given, for those that only listen to it. */
  get end() {
    return this.#parts.signal;
  }

  get signal() {
    return (this.#signal ??= abortSignalOf(this.end) ?? new AbortController().signal);
  }
}

/** A Response that has a stream only if its body arrives over time; else it has `content`. */
export class PlainResponse {
  /**
   * @param {string | Uint8Array | ReadableStream<Uint8Array> | null} content of a stream: `body`
   * @param {{ status: number, headers: PlainHeaderValues | PlainHeaders }} parts
   */
  constructor(content, { status, headers }) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = headers instanceof PlainHeaders ? headers : new PlainHeaders(headers);
    this.body = content instanceof ReadableStream ? content : null;
    this.content = content instanceof ReadableStream ? null : content;
  }

  /** @returns {Promise<ArrayBuffer>} */
  arrayBuffer() {
    return this.toResponse().arrayBuffer();
  }

  /** @returns {Response} */
  toResponse() {
    const { status } = this;
    const entries = Object.entries(this.headers.all);
    const headers = entries.flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
    const body = /** @type {BodyInit | null} */ (this.body ?? this.content);
    return new Response(body, { status, headers: /** @type {[string, string][]} */ (headers) });
  }
}

/**
 * Creates a `fetch` from a handler of plain values.
 * @param {PlainFetch} serve
 * @returns {Fetch & { [PLAIN]: PlainFetch }}
 */
export function fetchOf(serve) {
  const fetch = async (/** @type {Request} */ request) => {
    const { method, url, signal } = request;
    const headers = new PlainHeaders(Object.fromEntries(request.headers));
    const content = (limit = Infinity) => readAll(request.body ?? '', { limit });
    const plain = new PlainRequest({ method, url, headers, content, signal });
    return (await serve(plain)).toResponse();
  };
  return Object.assign(fetch, { [PLAIN]: serve });
}
