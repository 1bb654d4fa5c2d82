/** Cuts streams of bytes into whole lines. */
import { InputError } from '../kubernetes/errors.js';

const LINE_FEED = 10;

/** The maximum line length: bytes. API servers store much smaller objects. */
const MOST_LINE_BYTES = 64 << 20;

/** LineCutter keeps the start of a line until its end arrives. */
export class LineCutter {
  /** @type {Uint8Array[]} */
  #parts = [];
  #limit;
  /** The number of bytes that wait for the end of their line. */
  rest = 0;

  /** @param {number} [limit] of a line's bytes */
  constructor(limit = MOST_LINE_BYTES) {
    this.#limit = limit;
  }

  /**
   * @param {Uint8Array} chunk
   * @returns {Uint8Array | undefined} all lines that are complete now, each with its line feed;
   *   undefined if there are none
   * @throws {InputError} `TooLarge`
   */
  push(chunk) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    const lines = end === 0 ? undefined : this.#take(chunk.subarray(0, end));
    if (end < chunk.length) {
      this.#parts.push(chunk.subarray(end));
      this.rest += chunk.length - end;
    }
    if (this.rest <= this.#limit) return lines;
    const detail = `a line of more than ${this.#limit} bytes`;
    throw new InputError({ code: 'TooLarge', detail });
  }

  /** @param {Uint8Array} last */
  #take(last) {
    if (this.rest === 0) return last;
    const lines = new Uint8Array(this.rest + last.length);
    let at = 0;
    for (const part of [...this.#parts, last]) {
      lines.set(part, at);
      at += part.length;
    }
    this.#parts = [];
    this.rest = 0;
    return lines;
  }
}

/**
 * Yields the lines of a stream, in chunks of whole lines. An unfinished line at the stream's end is
 * dropped; `cutter.rest` is its length. The stream is cancelled when the reader stops, or when the
 * signal aborts, whose reason is thrown.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {{ signal?: AbortSignal, cutter?: LineCutter }} [options]
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
export async function* wholeLines(stream, { signal, cutter = new LineCutter() } = {}) {
  const reader = stream.getReader();
  const stop = () => void reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      const lines = cutter.push(value);
      if (lines) yield lines;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    await reader.cancel().catch(() => {});
  }
}
