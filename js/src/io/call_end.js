/** The end of one call, for code that makes many calls. */

/**
 * What such code needs of an AbortSignal.
 * @typedef {object} EndSignal
 * @property {boolean} aborted
 * @property {any} reason
 * @property {() => void} throwIfAborted
 * @property {(type: 'abort', listener: () => void) => void} addEventListener
 * @property {(type: 'abort', listener: () => void) => void} removeEventListener
 */

/**
 * Under this property, a function that performs calls says that it takes a CallEnd for a signal.
 */
export const TAKES_END = Symbol('takes an end');

/**
 * CallEnd is an AbortController and its signal in one. An AbortSignal and its listeners cost a fair
 * part of a request, and hardly any call is aborted.
 * @implements {EndSignal}
 */
export class CallEnd {
  /** There are few. @type {(() => void)[]} */
  #listeners = [];
  /** @type {AbortController | undefined} */
  #controller;
  aborted = false;
  /** @type {any} */
  reason = undefined;

  /** The same as an AbortSignal, for functions that take only such a signal. */
  get signal() {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.aborted) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** @param {unknown} [reason] default: an AbortError, as that of an AbortController */
  abort(reason) {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason ?? AbortSignal.abort().reason;
    this.#controller?.abort(this.reason);
    for (let next; (next = this.#listeners.shift());) next();
  }

  throwIfAborted() {
    if (this.aborted) throw this.reason;
  }

  /**
   * @param {'abort'} _type
   * @param {() => void} listener called once
   */
  addEventListener(_type, listener) {
    if (!this.#listeners.includes(listener)) this.#listeners.push(listener);
  }

  /**
   * @param {'abort'} _type
   * @param {() => void} listener
   */
  removeEventListener(_type, listener) {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}

/**
 * @template {EndSignal | undefined} T
 * @param {T} signal
 * @returns {AbortSignal | Extract<T, undefined>}
 */
export function abortSignalOf(signal) {
  return /** @type {any} */ (signal instanceof CallEnd ? signal.signal : signal);
}
