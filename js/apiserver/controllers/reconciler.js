import { ChangeSignal } from '../../src/io/change_signal.js';
import { isApiError } from './api_errors.js';
import { WorkQueue } from './work_queue.js';

/** @import { Clock } from '../../src/io/clock.js' */

/** How many keys are processed before the event loop runs other work. */
const KEYS_PER_TICK = 100;

/**
 * Processes the queue of one controller. `sync` reconciles a key by looking at the current state,
 * never at events. Failures are retried after a delay. Nothing polls: without keys nothing runs and
 * no timer is set.
 */
export class Reconciler {
  #options;
  #queue;
  #changes = new ChangeSignal();
  #isRunning = false;
  #ended = new AbortController();

  /**
   * @param {object} options
   * @param {(key: string) => void} options.sync throws if the key has to be retried
   * @param {Clock} options.clock
   * @param {(error: unknown, key: string) => void} options.onError gets errors that are not
   *   refusals of the API: a controller cannot handle them
   */
  constructor(options) {
    this.#options = options;
    this.#queue = new WorkQueue(options.clock);
  }

  /** @param {string} key */
  enqueue(key) {
    this.#queue.add(key);
    this.#wake();
  }

  /**
   * @param {string} key
   * @param {number} delay milliseconds
   */
  enqueueAfter(key, delay) {
    this.#queue.addAfter(key, delay);
    this.#wake();
  }

  /** Stops the processing. */
  stop() {
    this.#ended.abort();
  }

  #wake() {
    if (this.#ended.signal.aborted) return undefined;
    if (this.#isRunning) return this.#changes.notify();
    this.#isRunning = true;
    void this.#run();
    return undefined;
  }

  async #run() {
    const { clock } = this.#options;
    const { signal } = this.#ended;
    try {
      // The writer that caused the event finishes first.
      await Promise.resolve();
      for (;;) {
        this.#tick();
        if (signal.aborted) return;
        const at = this.#queue.length > 0 ? clock.now() : this.#queue.nextReadyAt;
        if (at === null) return;
        if (this.#queue.length > 0) await clock.sleep(at, signal);
        else await this.#changes.sleep(clock, at, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#isRunning = false;
    }
  }

  #tick() {
    const { signal } = this.#ended;
    for (let count = 0; count < KEYS_PER_TICK && !signal.aborted; count += 1) {
      const key = this.#queue.get();
      if (key === undefined) return;
      this.#process(key);
    }
  }

  /** @param {string} key */
  #process(key) {
    const { sync, onError } = this.#options;
    try {
      sync(key);
      this.#queue.forget(key);
    } catch (error) {
      this.#queue.addRateLimited(key);
      if (!isApiError(error)) onError(error, key);
    } finally {
      this.#queue.done(key);
    }
  }
}
