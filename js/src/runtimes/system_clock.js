import { LONGEST, tickingClock } from './ticking_clock.js';

/** @import { Clock } from '../types.js' */

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
 * @returns {() => void} lets it be
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

/**
 * Lets everything else that waits in this thread have its turn.
 * @returns {Promise<void>}
 */
export function pause() {
  return new Promise((resolve) => void soon(resolve));
}

/** Timers wait for a millisecond or more. @type {(callback: () => void) => unknown} */
const soon = globalThis.setImmediate ?? ((callback) => setTimeout(callback, 0));
