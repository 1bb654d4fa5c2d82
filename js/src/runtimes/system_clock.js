import { LONGEST, tickingClock } from './ticking_clock.js';

/** @import { Clock } from '../io/clock.js' */

/** When the clock was last read: by the clock itself, and by the monotonic timer. */
let latest = 0;
let steady = 0;

/**
 * The host's clock. Where the time of day is set back, it goes on from the time before, so that
 * what waits does not wait longer.
 * @returns {Clock}
 */
export function systemClock() {
  return tickingClock(() => {
    const before = steady;
    const time = Date.now();
    steady = performance.now();
    latest = time < latest ? latest + steady - before : time;
    return latest;
  });
}

/**
 * Calls back once, after that time.
 * @param {number} ms
 * @param {() => void} callback
 * @returns {() => void} cancels the call
 */
export function after(ms, callback) {
  const end = systemClock().now() + ms;
  let timer = setTimeout(finish, Math.min(ms, LONGEST));
  function finish() {
    const left = end - systemClock().now();
    if (left > 0) timer = setTimeout(finish, Math.min(left, LONGEST));
    else callback();
  }
  return () => clearTimeout(timer);
}
