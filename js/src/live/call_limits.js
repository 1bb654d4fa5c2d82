/**
 * Limits the calls in progress and the calls begun per second: decisions that outpace the API
 * server wait here, in order. Counterpart of the rate: client-go util/flowcontrol, v1.36, a token
 * bucket.
 */

import { sleepOrStop } from '../io/in_time.js';
import { CallQueue } from './call_queue.js';

/** @import { Clock } from '../engine/types.js' */
/** @import { EndSignal } from '../io/call_end.js' */

export class CallLimits {
  #concurrency;
  #rate;
  #clock;
  #underWay = 0;
  #queue = new CallQueue();
  #tokens = 0;
  #countedAt = 0;
  #isSleeping = false;
  #signal;

  /**
   * @param {{ concurrency: number, rate?: { qps: number, burst: number }, clock: Clock, signal:
   *   AbortSignal }} limits `rate` calls per second, with `burst` at once after a rest; after the
   *   signal no call begins any more
   */
  constructor({ concurrency, rate, clock, signal }) {
    this.#signal = signal;
    this.#concurrency = concurrency;
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate?.burst ?? 0;
    this.#countedAt = clock.now();
  }

  /** The number of waiting calls. */
  get waiting() {
    return this.#queue.length;
  }

  /**
   * Performs a call when its turn comes.
   * @template T
   * @param {EndSignal} signal
   * @param {() => Promise<T>} make
   * @returns {Promise<T>} rejected with the signal's reason if that aborts while the call waits
   */
  async run(signal, make) {
    await this.#turn(signal);
    try {
      return await make();
    } finally {
      this.#underWay -= 1;
      this.#begin();
    }
  }

  /**
   * @param {EndSignal} signal
   * @returns {Promise<void> | undefined} undefined: the turn has come
   */
  #turn(signal) {
    signal.throwIfAborted();
    if (this.#queue.length === 0 && this.#mayBegin()) {
      this.#underWay += 1;
      return undefined;
    }
    return /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        const leave = () => {
          this.#queue.remove(call);
          reject(signal.reason);
        };
        const begin = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        signal.addEventListener('abort', leave);
        const call = this.#queue.add(begin);
      })
    );
  }

  /** Begins the waiting calls that may begin now. */
  #begin() {
    while (this.#queue.length > 0 && this.#mayBegin()) {
      this.#underWay += 1;
      this.#queue.take()();
    }
  }

  /** Takes a token if another call may be in progress. */
  #mayBegin() {
    return this.#underWay < this.#concurrency && this.#takeToken();
  }

  #takeToken() {
    if (!this.#rate) return true;
    const { qps, burst } = this.#rate;
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#countedAt) / 1000) * qps);
    this.#countedAt = now;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return true;
    }
    if (!this.#isSleeping) void this.#sleep(now + ((1 - this.#tokens) / qps) * 1000);
    return false;
  }

  /** @param {number} until */
  async #sleep(until) {
    this.#isSleeping = true;
    await sleepOrStop(this.#clock, until, this.#signal);
    this.#isSleeping = false;
    if (!this.#signal.aborted) this.#begin();
  }
}
