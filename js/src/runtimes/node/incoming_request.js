/** Converts an incoming HTTP request to a Request, or to plain values. */
import { PlainRequest } from '../../io/plain_http.js';
import { bytesOf, SMALL_BODY, streamOf } from './body_stream.js';
import { RawHeaders } from './raw_headers.js';

/** Methods without a body, even if the client sends one. */
const WITHOUT_BODY = ['GET', 'HEAD'];

/**
 * @typedef {{ scheme: string, authority: string, end: AbortController }} Origin `authority`: the
 *   server's own host, for requests without a Host; `end` of the request
 */

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {Origin} origin
 * @returns {Promise<Request>}
 * @throws {TypeError} if a Request cannot have the address, method or header
 */
export async function requestOf(incoming, origin) {
  const { method = 'GET', rawHeaders } = incoming;
  const { signal } = origin.end;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at], rawHeaders[at + 1]);
  const url = requestedUrl(incoming.url ?? '', incoming.headers.host, origin);
  if (WITHOUT_BODY.includes(method)) return new Request(url, { method, headers, signal });
  const options = { method, headers, signal, body: await bodyOf(incoming), duplex: 'half' };
  return new Request(url, options);
}

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {Origin} origin
 * @returns {PlainRequest}
 * @throws {TypeError} if the address is invalid
 */
export function plainRequestOf(incoming, origin) {
  const { method = 'GET', rawHeaders } = incoming;
  const headers = new RawHeaders(rawHeaders);
  const url = requestedUrl(incoming.url ?? '', headers.get('host'), origin);
  const content = (/** @type {number | undefined} */ limit) => bytesOf(incoming, limit);
  const request = new IncomingPlainRequest({ method, url, headers, content }, origin.end);
  // An invalid address is the client's fault, and must not reach the handler.
  void request.address;
  return request;
}

/** Its signal is made when it is read, because few requests need one. */
class IncomingPlainRequest extends PlainRequest {
  #end;

  /**
   * @param {ConstructorParameters<typeof PlainRequest>[0]} parts
   * @param {AbortController} end of the request
   */
  constructor(parts, end) {
    super(parts);
    this.#end = end;
  }

  /** @override */
  get end() {
    return this.#end.signal;
  }
}

/**
 * @param {string} url as it was sent
 * @param {string | null | undefined} host
 * @param {Origin} origin
 */
function requestedUrl(url, host, { scheme, authority }) {
  if (!url.startsWith('/')) return url;
  return `${scheme}://${host || authority}${url}`;
}

/**
 * A large body is a stream with backpressure; Node discards unread data after the response.
 * @param {import('node:http').IncomingMessage} incoming
 * @returns {Promise<Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null>}
 */
async function bodyOf(incoming) {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && Number(length ?? 0) === 0) return null;
  if (Number(length ?? Infinity) > SMALL_BODY)
    return streamOf(incoming, { destroyOnReturn: false });
  return bytesOf(incoming);
}
