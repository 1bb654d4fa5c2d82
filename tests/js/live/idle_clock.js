/**
 * A clock that goes on by itself, but only when nothing else does: a day of waiting takes as long
 * as what happens in it.
 */

/** How often the event loop has to come round with nothing left to do. */
const QUIET_ROUNDS = 3;

/** Until nothing goes on any more that does not wait for this clock. */
async function idle() {
  for (let quiet = 0; quiet < QUIET_ROUNDS; quiet += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    // Who pauses to let others work waits for the host's timer.
    if (!process.getActiveResourcesInfo().includes('Timeout')) continue;
    quiet = -1;
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
  }
}

/**
 * @typedef {{ until: number, order: number, wake: () => void }} Sleeper
 */

export class IdleClock {
  #now = Date.UTC(2026, 2, 1);
  #count = 0;
  /** @type {Set<Sleeper>} */
  #sleepers = new Set();

  now = () => this.#now;

  /** @type {(until: number, signal?: AbortSignal) => Promise<void>} */
  sleep = (until, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const leave = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', abort);
      };
      const abort = () => {
        leave();
        reject(signal?.reason);
      };
      const wake = () => {
        leave();
        resolve();
      };
      const sleeper = { until, order: this.#count, wake };
      this.#count += 1;
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', abort, { once: true });
    });

  /** How many sleep. */
  get sleepers() {
    return this.#sleepers.size;
  }

  /**
   * @param {number} ms
   * @returns {Promise<void>} when so much time is over, and everything that was due is done
   */
  async advance(ms) {
    const end = this.#now + ms;
    for (await idle(); this.#goTo(end); await idle());
    this.#now = end;
  }

  /**
   * @param {() => unknown} condition looked at whenever nothing goes on
   * @param {number} [most] milliseconds
   * @returns {Promise<void>} when it holds
   */
  async until(condition, most = 3_600_000) {
    const end = this.#now + most;
    for (await idle(); !condition(); await idle()) {
      if (!this.#goTo(end)) throw new Error(`not within ${most / 1000} s: ${condition}`);
    }
  }

  /**
   * Advances to the next time at which a sleep ends.
   * @param {number} end
   * @returns {boolean} false: that is later than the end
   */
  #goTo(end) {
    let next = Infinity;
    for (const { until } of this.#sleepers) next = Math.min(next, until);
    if (next > end) return false;
    this.#now = Math.max(this.#now, next);
    for (const sleeper of [...this.#sleepers]) if (sleeper.until <= this.#now) sleeper.wake();
    return true;
  }
}
