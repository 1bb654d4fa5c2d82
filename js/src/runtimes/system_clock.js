import { LONGEST, tickingClock } from './ticking_clock.js';

/** @import { Clock } from '../io/clock.js' */

/**
 * The host's clock.
 * @returns {Clock}
 */
export function systemClock() {
  return tickingClock(() => Date.now());
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
