/** Node's streams as web streams, read no faster than somebody reads on. */

/** Bodies up to here are taken at once, which costs less: bytes. */
export const SMALL_BODY = 64 << 10;

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
