/**
 * Requests and answers as plain values, between sides that both know them: a client, a server in
 * the same process, Node's HTTP. All others get Requests and Responses, whose bodies are streams,
 * which cost several times what is asked for.
 */

/**
 * Under this name a `fetch` has the same for plain values.
 * @type {unique symbol}
 */
export const PLAIN = Symbol.for('stowage.plain');

/** @typedef {(request: PlainRequest) => Promise<PlainResponse>} PlainFetch */
/** @typedef {((request: Request) => Promise<Response>) & { [PLAIN]?: PlainFetch }} Fetch */

/** What is read of Headers. @typedef {{ get(name: string): string | null }} AnyHeaders */

/** PlainHeaders are read as Headers are. */
export class PlainHeaders {
  /** @param {Record<string, string>} all by names in lower case */
  constructor(all) {
    this.all = all;
  }

  /** @param {string} name */
  get(name) {
    return this.all[name.toLowerCase()] ?? null;
  }
}

/** A Request without a stream. */
export class PlainRequest {
  /**
   * @param {object} parts
   * @param {string} parts.method
   * @param {string} parts.url absolute
   * @param {AnyHeaders} parts.headers
   * @param {() => Uint8Array | Promise<Uint8Array>} parts.content reads the body
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
   * @param {string | Uint8Array | ReadableStream<Uint8Array> | null} content
   * @param {{ status: number, headers: Record<string, string> }} parts `headers` by names in lower
   *   case
   */
  constructor(content, { status, headers }) {
    this.content = content;
    this.status = status;
    this.ok = status >= 200 && status < 300;
    this.headers = new PlainHeaders(headers);
    this.body = content instanceof ReadableStream ? content : null;
  }

  /** @returns {Promise<ArrayBuffer>} */
  arrayBuffer() {
    return this.toResponse().arrayBuffer();
  }

  /** @returns {Response} */
  toResponse() {
    const { status, headers } = this;
    const body = /** @type {BodyInit | null} */ (this.content);
    return new Response(body, { status, headers: headers.all });
  }
}

/**
 * A `fetch` out of what serves plain values.
 * @param {PlainFetch} serve
 * @returns {Fetch & { [PLAIN]: PlainFetch }}
 */
export function fetchOf(serve) {
  const fetch = async (/** @type {Request} */ request) => {
    const { method, url, headers, signal } = request;
    const content = async () => new Uint8Array(await request.arrayBuffer());
    const plain = new PlainRequest({ method, url, headers, content, signal });
    return (await serve(plain)).toResponse();
  };
  return Object.assign(fetch, { [PLAIN]: serve });
}
