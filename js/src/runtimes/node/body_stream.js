/** Node's streams as web streams, read no faster than somebody reads on. */
import { tooLarge } from '../../io/read_all.js';

/** Bodies up to here are taken at once, which costs less: bytes. */
export const SMALL_BODY = 64 << 10;

/**
 * What is read of a body that is not wanted any more, so that the connection can be used again:
 * bytes. Beyond, the connection ends.
 */
const DISCARDED_MAX = 16 << 20;

/**
 * All of it. What a stream's own `toArray` costs is more than most bodies are worth.
 * @param {import('node:stream').Readable} readable
 * @param {number} [limit] bytes; what comes beyond it is not kept
 * @returns {Promise<Buffer<ArrayBuffer>>} rejected with an InputError `TooLarge`
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
 * Reads on what is left of a request after its answer: the next one stands behind it.
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
 * @param {{ destroyOnReturn: boolean }} options whether it is over when nobody reads on
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
