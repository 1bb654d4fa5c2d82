import { tickingClock } from './ticking_clock.js';

/** @import { Clock } from '../io/clock.js' */

/**
 * Returns a monotonic clock for durations, which changes of the host's time of day do not affect.
 * @returns {Clock}
 */
export function steadyClock() {
  return tickingClock(() => performance.timeOrigin + performance.now());
}
