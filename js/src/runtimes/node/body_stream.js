/** Converts Node's streams to web streams, with backpressure. */
import { tooLarge } from '../../io/read_all.js';

/** Bodies up to this size are read at once, which costs less: bytes. */
export const SMALL_BODY = 64 << 10;

/**
 * The bytes that are read of an unwanted body, so that the connection can be reused. A longer body
 * ends the connection.
 */
const DISCARDED_MAX = 16 << 20;

/**
 * Reads a whole stream. The stream's own `toArray` costs more than most bodies.
 * @param {import('node:stream').Readable} readable
 * @param {number} [limit] bytes; data beyond it is dropped
 * @returns {Promise<Buffer<ArrayBuffer>>} rejects with an InputError `TooLarge`
 */
export function bytesOf(readable, limit = Infinity) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer<ArrayBuffer>[]} */
    let chunks = [];
    let length = 0;
    const take = (/** @type {Buffer<ArrayBuffer>} */ chunk) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length <= limit) return;
      chunks = [];
      readable.off('data', take);
      reject(tooLarge(limit));
    };
    readable.on('data', take);
    readable.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    readable.once('error', reject);
  });
}

/**
 * Reads the rest of a request after its response: the next request follows it on the connection.
 * @param {import('node:stream').Readable} readable
 */
export function discardRest(readable) {
  let length = 0;
  readable.on('error', () => {});
  readable.on('data', (chunk) => {
    length += chunk.length;
    if (length > DISCARDED_MAX) readable.destroy();
  });
}

/**
 * @param {import('node:stream').Readable} readable
 * @param {{ destroyOnReturn: boolean }} options whether unread data ends the stream
 * @returns {ReadableStream<Uint8Array>}
 */
export function streamOf(readable, { destroyOnReturn }) {
  /** @type {AsyncIterator<Buffer>} */
  let chunks;
  return new ReadableStream(
    {
      start() {
        chunks = readable.iterator({ destroyOnReturn });
      },
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        if (destroyOnReturn) readable.destroy();
        else void chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
