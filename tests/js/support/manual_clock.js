/**
 * A clock that a test moves: sleeps end in the order of their times, and all that follows from one
 * is done before the time goes on.
 */

/** Waits until all pending tasks that need no time are done. */
export async function settle() {
  for (let turn = 0; turn < 10; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

export class ManualClock {
  #now;
  /** @type {Set<{ until: number, wake: () => void }>} */
  #sleepers = new Set();

  /** @param {number} [start] milliseconds since the epoch */
  constructor(start = Date.UTC(2026, 2, 1)) {
    this.#now = start;
  }

  now = () => this.#now;

  /** @type {(until: number, signal?: AbortSignal) => Promise<void>} */
  sleep = (until, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const end = (/** @type {() => void} */ settleIt) => () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
        settleIt();
      };
      const abort = end(() => reject(signal?.reason));
      const sleeper = { until, wake: end(resolve) };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
      if (until <= this.#now) sleeper.wake();
    });

  /** The number of open sleeps. */
  get sleepers() {
    return this.#sleepers.size;
  }

  /** @param {number} ms */
  async advance(ms) {
    const end = this.#now + ms;
    for (await settle(); ; await settle()) {
      const next = Math.min(...[...this.#sleepers].map(({ until }) => until));
      if (next > end) break;
      this.#now = Math.max(this.#now, next);
      for (const sleeper of this.#sleepers) {
        if (sleeper.until <= this.#now) sleeper.wake();
      }
    }
    this.#now = end;
    await settle();
  }

  /**
   * The same time with an offset, as the clock of another machine.
   * @param {number} offset
   */
  skewed(offset) {
    return {
      now: () => this.#now + offset,
      /** @type {typeof this.sleep} */
      sleep: (until, signal) => this.sleep(until - offset, signal),
    };
  }
}
