/** A request that came in over HTTP, as a Request. */
import { SMALL_BODY, streamOf } from './body_stream.js';

/** Whatever has no body, whatever its sender says. */
const WITHOUT_BODY = ['GET', 'HEAD'];

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {{ scheme: string, authority: string, signal: AbortSignal }} options `authority`: the
 *   host's where the request names none
 * @returns {Promise<Request>}
 * @throws {TypeError} of an address, a method or a header that no Request can have
 */
export async function requestOf(incoming, { scheme, authority, signal }) {
  const { method = 'GET', url = '', headersDistinct, rawHeaders } = incoming;
  const host = headersDistinct.host?.[0] || authority;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at], rawHeaders[at + 1]);
  const address = url.startsWith('/') ? `${scheme}://${host}${url}` : url;
  if (WITHOUT_BODY.includes(method)) return new Request(address, { method, headers, signal });
  const options = { method, headers, signal, body: await bodyOf(incoming), duplex: 'half' };
  return new Request(address, options);
}

/**
 * A large body is read as fast as somebody reads it on; what nobody wants is thrown away by Node
 * when the answer is out.
 * @param {import('node:http').IncomingMessage} incoming
 * @returns {Promise<Buffer<ArrayBuffer> | ReadableStream<Uint8Array> | null>}
 */
async function bodyOf(incoming) {
  const { 'content-length': length, 'transfer-encoding': coding } = incoming.headers;
  if (coding === undefined && Number(length ?? 0) === 0) return null;
  if (Number(length ?? Infinity) > SMALL_BODY)
    return streamOf(incoming, { destroyOnReturn: false });
  return Buffer.concat(await incoming.toArray());
}
