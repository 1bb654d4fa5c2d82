/** Reads results that arrive in pieces from a server that may stop responding. */
import { ConnectionError } from '../client/connection_error.js';

/** @import { Clock } from '../engine/types.js' */

/**
 * TimedIterator reads pages or lines and gives up if none arrives for too long: a dead connection
 * looks like an idle one.
 * @template T
 */
export class TimedIterator {
  #pieces;
  #clock;
  /** Null while a received piece is being processed. @type {number | null} */
  #waitsSince = null;
  #end = new AbortController();
  #closed = new AbortController();
  /** @type {T | undefined} */
  #unread;
  /** The maximum silence: milliseconds. It may be raised. */
  idleMs;
  /** Whether it gave up because of silence. */
  isIdle = false;
  /** The number of received pieces. */
  count = 0;

  /**
   * @param {(signal: AbortSignal) => AsyncIterator<T>} begin starts the request; the signal ends it
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
   * @returns {Promise<T | undefined>} undefined if the server has ended it
   * @throws {ConnectionError} `Timeout`; the signal's reason; the iterator's exceptions
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
   * Returns a piece to the iterator: the next reader gets it first.
   * @param {T} piece
   */
  unread(piece) {
    this.#unread = piece;
  }

  /** Ends the request, if it is still open. */
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
   * Returns the promise's result, or rejects when the iterator ends first: not every promise reacts
   * to the signal.
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
