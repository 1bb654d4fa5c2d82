/** Reads a whole body of any form, up to a limit. */
import { InputError } from '../kubernetes/errors.js';

/** The initial buffer for a stream of unknown length: bytes. */
const FIRST_ROOM = 64 << 10;

/**
 * @param {unknown} body text, bytes, or a stream of bytes; the stream is cancelled if it is too
 *   long or the signal aborts
 * @param {{ limit: number, expected?: number, signal?: AbortSignal }} options bytes; `expected`:
 *   the announced length
 * @returns {Promise<Uint8Array>}
 * @throws {InputError} `TooLarge`; and the signal's reason
 */
export async function readAll(body, { limit, expected = FIRST_ROOM, signal }) {
  if (body instanceof ReadableStream) return readStream(body, { limit, expected, signal });
  const bytes = bytesOf(body);
  if (bytes.length > limit) throw tooLarge(limit);
  return bytes;
}

/** @param {unknown} body */
function bytesOf(body) {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError('a body is text, an ArrayBuffer, a Uint8Array or a ReadableStream');
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {{ limit: number, expected: number, signal?: AbortSignal }} options
 */
async function readStream(stream, { limit, expected, signal }) {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  let room = new Uint8Array(Math.min(limit, expected));
  let length = 0;
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return room.subarray(0, length);
      if (length + value.length > limit) throw tooLarge(limit);
      if (length + value.length > room.length) room = larger(room, length + value.length, limit);
      room.set(value, length);
      length += value.length;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    await reader.cancel().catch(() => {});
  }
}

/**
 * @param {Uint8Array} room
 * @param {number} needed
 * @param {number} limit
 */
function larger(room, needed, limit) {
  const grown = new Uint8Array(Math.min(limit, Math.max(needed, 2 * room.length)));
  grown.set(room);
  return grown;
}

/** @param {number} limit bytes */
export function tooLarge(limit) {
  return new InputError({ code: 'TooLarge', detail: `limit is ${limit} bytes` });
}
