/** Node's streams as web streams, read no faster than somebody reads on. */

/** Bodies up to here are taken at once, which costs less: bytes. */
export const SMALL_BODY = 64 << 10;

/**
 * All of it. What a stream's own `toArray` costs is more than most bodies are worth.
 * @param {import('node:stream').Readable} readable
 * @returns {Promise<Buffer<ArrayBuffer>>}
 */
export function bytesOf(readable) {
  return new Promise((resolve, reject) => {
    /** @type {Buffer<ArrayBuffer>[]} */
    const chunks = [];
    readable.on('data', (chunk) => void chunks.push(chunk));
    readable.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    readable.once('error', reject);
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
      },
    },
    { highWaterMark: 0 },
  );
}
