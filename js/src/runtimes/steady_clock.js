import { tickingClock } from './ticking_clock.js';

/** @import { Clock } from '../io/clock.js' */

/**
 * A clock for durations: it goes forward evenly, whatever becomes of the host's time of day.
 * @returns {Clock}
 */
export function steadyClock() {
  return tickingClock(() => performance.timeOrigin + performance.now());
}
