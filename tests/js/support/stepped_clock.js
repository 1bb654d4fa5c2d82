/** A clock that a test moves: sleeps end when their time has come, in order. */

/** Waits until all pending tasks are done. */
export async function settle() {
  for (let turn = 0; turn < 5; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
}

/** @param {number} [start] milliseconds since the epoch */
export function steppedClock(start = 0) {
  let time = start;
  /** @type {Set<{ until: number, wake: () => void }>} */
  const sleepers = new Set();
  const earliest = () => Math.min(...[...sleepers].map(({ until }) => until));

  /** @param {number} target */
  async function advanceTo(target) {
    await settle();
    for (let next; (next = earliest()) <= target; await settle()) {
      time = Math.max(time, next);
      for (const sleeper of [...sleepers]) if (sleeper.until <= time) sleeper.wake();
    }
    time = target;
  }

  return {
    now: () => time,
    /** @param {number} until @param {AbortSignal} [signal] @returns {Promise<void>} */
    sleep: (until, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const end = (/** @type {() => void} */ settleIt) => () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', abort);
          settleIt();
        };
        const abort = end(() => reject(signal?.reason));
        const sleeper = { until, wake: end(resolve) };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', abort);
      }),
    /** The milliseconds until each sleep ends, the earliest first. */
    sleeping: () => [...sleepers].map(({ until }) => until - time).sort((a, b) => a - b),
    /** @param {number} ms */
    advance: (ms) => advanceTo(time + ms),
    /** To the time when the first sleep ends. */
    advanceToNext: () => advanceTo(earliest()),
  };
}

/**
 * Waits in turns of the event loop.
 * @param {() => unknown} condition
 */
export async function eventually(condition) {
  for (const end = Date.now() + 20_000; !condition() && Date.now() < end;)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  if (!condition()) throw new Error(`never: ${condition}`);
}
