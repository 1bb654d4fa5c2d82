/**
 * Requests and answers as plain values, between sides that both know them: a client, a server in
 * the same process, Node's HTTP. All others get Requests and Responses, whose bodies are streams,
 * which cost several times what is asked for.
 */
import { readAll } from './read_all.js';

/**
 * Under this name a `fetch` has the same for plain values.
 * @type {unique symbol}
 */
export const PLAIN = Symbol.for('stowage.plain');

/** @typedef {(request: PlainRequest) => Promise<PlainResponse>} PlainFetch */
/** @typedef {((request: Request) => Promise<Response>) & { [PLAIN]?: PlainFetch }} Fetch */

/** By names in lower case. @typedef {Record<string, string | string[]>} PlainHeaderValues */

/** PlainHeaders are read as Headers are. */
export class PlainHeaders {
  /** @param {PlainHeaderValues} all */
  constructor(all) {
    this.all = all;
  }

  /** @param {string} name */
  get(name) {
    const value = this.all[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }
}

/** A Request without a stream. */
export class PlainRequest {
  /**
   * @param {object} parts
   * @param {string} parts.method
   * @param {string} parts.url absolute
   * @param {PlainHeaders} parts.headers
   * @param {(limit?: number) => Uint8Array | Promise<Uint8Array>} parts.content reads the body; it
   *   throws an InputError as soon as that has more bytes than the limit
   * @param {AbortSignal} [parts.signal] default: none that comes
   */
  constructor({ method, url, headers, content, signal = new AbortController().signal }) {
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.content = content;
    this.signal = signal;
  }
}

/** A Response whose body is a stream only where it comes by and by; only it has `content`. */
export class PlainResponse {
  /**
   * @param {string | Uint8Array | ReadableStream<Uint8Array> | null} content of a stream: `body`
   * @param {{ status: number, headers: PlainHeaderValues }} parts
   */
  constructor(content, { status, headers }) {
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = new PlainHeaders(headers);
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
 * A `fetch` out of what serves plain values.
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
