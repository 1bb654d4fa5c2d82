import { tickingClock } from './ticking_clock.js';

/** @import { Clock } from '../types.js' */

/**
 * The host's clock.
 * @returns {Clock}
 */
export function systemClock() {
  return tickingClock(() => Date.now());
}

/** Lets everything else that waits in this thread have its turn. @returns {Promise<void>} */
export function pause() {
  return new Promise((resolve) => void setTimeout(resolve, 0));
}
