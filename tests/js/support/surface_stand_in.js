/**
 * The buffers of a surface and its guard against reentrant calls, for tests. Memory moves on every
 * call, so that views from before are detached; the real module does this only if it grows.
 */

const UTF8 = new TextEncoder();

export class SurfaceStandIn {
  #memory = new Uint8Array(64);
  #outputSize = 0;
  #isInside = false;

  input = (/** @type {number} */ size) => this.#move(size);

  output = () => this.#move(this.#memory.length).subarray(0, this.#outputSize);

  /** The content of an `input` of this size. @param {number} size */
  bytes(size) {
    return this.#memory.subarray(0, size);
  }

  /** @param {number} size */
  text(size) {
    return new TextDecoder().decode(this.bytes(size));
  }

  /** Makes the value the output. @param {unknown} value */
  say(value) {
    return this.sayBytes(UTF8.encode(typeof value === 'string' ? value : JSON.stringify(value)));
  }

  /** @param {Uint8Array} bytes */
  sayBytes(bytes) {
    this.#move(bytes.length).set(bytes);
    this.#outputSize = bytes.length;
    return bytes.length;
  }

  /** @param {() => number} body */
  enter(body) {
    if (this.#isInside) return -2;
    this.#isInside = true;
    try {
      return body();
    } finally {
      this.#isInside = false;
    }
  }

  /** New memory of at least this size with the old content. @param {number} size */
  #move(size) {
    const grown = new ArrayBuffer(Math.max(size, this.#memory.length));
    new Uint8Array(grown).set(this.#memory);
    structuredClone(this.#memory.buffer, { transfer: [this.#memory.buffer] });
    this.#memory = new Uint8Array(grown);
    return this.#memory.subarray(0, size);
  }
}
