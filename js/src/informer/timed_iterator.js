/** Answers that come piece by piece, from a server that may fall silent without a word. */
import { ConnectionError } from '../client/connection_error.js';

/** @import { Clock } from '../engine/types.js' */

/**
 * TimedIterator reads pages or lines and gives up when none comes for too long: a connection whose
 * other side is gone looks like one on which nothing happens.
 * @template T
 */
export class TimedIterator {
  #pieces;
  #clock;
  /** Null: what came is being read. @type {number | null} */
  #waitsSince = null;
  #end = new AbortController();
  #closed = new AbortController();
  /** @type {T | undefined} */
  #unread;
  /** The longest silence: milliseconds. It may grow. */
  idleMs;
  /** Whether it was given up for its silence. */
  isIdle = false;
  /** How many pieces came. */
  count = 0;

  /**
   * @param {(signal: AbortSignal) => AsyncIterator<T>} begin the signal ends it
   * @param {{ clock: Clock, idleMs: number, signal: AbortSignal }} options
   */
  constructor(begin, { clock, idleMs, signal }) {
    this.#clock = clock;
    this.idleMs = idleMs;
    const abort = () => this.#end.abort(signal.reason);
    signal.addEventListener('abort', abort, { signal: this.#closed.signal });
    if (signal.aborted) abort();
    this.#pieces = begin(this.#end.signal);
    this.#limitSilence();
  }

  /**
   * @returns {Promise<T | undefined>} undefined: the other side has ended it
   * @throws {ConnectionError} `Timeout`; the signal's reason; what the iterator throws
   */
  async next() {
    if (this.#unread !== undefined) {
      const unread = this.#unread;
      this.#unread = undefined;
      return unread;
    }
    this.#waitsSince = this.#clock.now();
    const { done, value } = await this.#unlessEnded(() => this.#pieces.next());
    this.#waitsSince = null;
    if (done) return undefined;
    this.count += 1;
    return value;
  }

  /**
   * What the next reader gets first.
   * @param {T} piece
   */
  unread(piece) {
    this.#unread = piece;
  }

  /** Ends the request, if it has not ended. */
  close() {
    this.#closed.abort();
    this.#end.abort();
  }

  async #limitSilence() {
    const { signal } = this.#closed;
    for (let until; (until = this.#givesUpAt()) > this.#clock.now();) {
      await this.#clock.sleep(until, signal).catch(() => {});
      if (signal.aborted) return;
    }
    this.isIdle = true;
    const message = `nothing came for ${this.idleMs / 1000} seconds`;
    this.#end.abort(new ConnectionError('Timeout', message));
  }

  #givesUpAt() {
    return (this.#waitsSince ?? this.#clock.now()) + this.idleMs;
  }

  /**
   * What the promise gives, unless the end comes first, which not everything listens to.
   * @template P
   * @param {() => Promise<P>} make
   * @returns {Promise<P>}
   */
  #unlessEnded(make) {
    const { signal } = this.#end;
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      make()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stop));
    });
  }
}
