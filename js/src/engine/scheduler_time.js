/** The time of a scheduler, as its calls of the engine carry it. */
import { virtualClock } from '../io/clock.js';
import { microseconds } from './options.js';
import { systemClock } from '../runtimes/system_clock.js';

/** @import { Clock, SchedulerOptions } from './types.js' */

export class SchedulerTime {
  /** @type {Clock} */
  clock;
  #latest = -Infinity;

  /**
   * @param {SchedulerOptions} options
   * @param {SchedulerTime} [outer] of the scheduler that a transaction changes
   */
  constructor({ clock, api, startTime }, outer) {
    this.clock = clock ?? (api === 'host' ? systemClock() : virtualClock(startTime));
    if (outer) this.advanceTo(outer);
  }

  /** Microseconds since the epoch; never less than before, even if the host's clock goes back. */
  now() {
    this.#latest = Math.max(this.#latest, microseconds(this.clock.now()));
    return this.#latest;
  }

  /** The time of the last `now`. */
  get latest() {
    return this.#latest;
  }

  /** A clock for a fork: a virtual one goes on separately. */
  forkedClock() {
    return this.clock.isVirtual ? virtualClock(this.clock.now()) : this.clock;
  }

  /**
   * Goes on at the time of another scheduler.
   * @param {SchedulerTime} other
   */
  advanceTo(other) {
    this.#latest = Math.max(this.#latest, other.#latest);
    // A virtual clock jumps within this call.
    if (this.clock.isVirtual) void this.clock.sleep(other.clock.now());
  }
}
