/**
 * Computes the times of a schedule. Counterpart: github.com/robfig/cron/v3 (SpecSchedule,
 * ConstantDelaySchedule), as Kubernetes v1.36 uses it.
 */
import { parseCron } from './cron_fields.js';
import { changeBetween } from './time_zone.js';

/**
 * @import { ClockFields, Field } from './cron_fields.js'
 * @import { Offset } from './time_zone.js'
 */

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A schedule without a time in the next five years and the rest of that year counts as empty. */
const MOST_DAYS = 6 * 366;

/**
 * The minutes whose local date and time in a zone match the fields. A local time that the clock
 * skips never matches; one that it repeats matches twice.
 */
export class CronSchedule {
  #fields;
  #offset;
  /** Minutes of a day that match, ascending. @type {number[]} */
  #minutes;

  /**
   * @param {string} text
   * @param {Offset} offset of the zone
   * @throws {SyntaxError} with Kubernetes' message
   */
  constructor(text, offset) {
    /** @type {import('./cron_fields.js').CronFields} */
    this.#fields = parseCron(text);
    this.#offset = offset;
    this.#minutes = 'period' in this.#fields ? [] : minutesOf(this.#fields);
  }

  /**
   * @param {number} time milliseconds since the epoch
   * @returns {number | null} the first time of the schedule after it; null if there is none within
   *   five years
   */
  next(time) {
    if ('period' in this.#fields) return Math.floor(time / 1000) * 1000 + this.#fields.period;
    const lastYear = yearOf(time + this.#offset(time)) + 5;
    return this.#search(time, 1, (found) => {
      const isLater = found.find((one) => one > time);
      return isLater !== undefined && yearOf(isLater + this.#offset(isLater)) <= lastYear
        ? isLater
        : undefined;
    });
  }

  /**
   * Returns the last time of the schedule after `earliest` and not after `time`.
   * @param {number} earliest
   * @param {number} time
   * @returns {number | null}
   */
  last(earliest, time) {
    if ('period' in this.#fields) {
      const { period } = this.#fields;
      const start = Math.floor(earliest / 1000) * 1000;
      const count = Math.floor((time - start) / period);
      return count > 0 ? start + count * period : null;
    }
    const found = this.#search(time, -1, (times) => times.findLast((one) => one <= time));
    return found !== null && found > earliest ? found : null;
  }

  /**
   * Searches date by date, from the date before `time` in the search's direction on. If the clock's
   * offset changes, the times of adjacent dates may interleave, so they are searched together.
   * @param {number} time
   * @param {1 | -1} direction
   * @param {(times: number[]) => number | undefined} choose chooses from ascending times
   * @returns {number | null}
   */
  #search(time, direction, choose) {
    const start = Math.floor((time + this.#offset(time)) / DAY) - direction;
    for (let day = start; Math.abs(day - start) < MOST_DAYS;) {
      const times = [...this.#timesOf(day), ...this.#timesOf(day + 1)].sort((a, b) => a - b);
      const chosen = choose(times);
      if (chosen !== undefined) return chosen;
      day = this.#beside(day, direction);
    }
    return null;
  }

  /**
   * Returns the adjacent date, skipping months without times.
   * @param {number} day
   * @param {1 | -1} direction
   */
  #beside(day, direction) {
    const next = day + direction;
    const date = new Date((direction > 0 ? next + 1 : next) * DAY);
    const { month } = /** @type {ClockFields} */ (this.#fields);
    if (month.values.has(date.getUTCMonth() + 1)) return next;
    const [year, index] = [date.getUTCFullYear(), date.getUTCMonth()];
    return Date.UTC(year, direction > 0 ? index + 1 : index, 1) / DAY - 1;
  }

  /**
   * @param {number} day days since the epoch, by the zone's calendar
   */
  #matches(day) {
    const { day: dayOfMonth, month, weekday } = /** @type {ClockFields} */ (this.#fields);
    const date = new Date(day * DAY);
    if (!month.values.has(date.getUTCMonth() + 1)) return false;
    const isDay = dayOfMonth.values.has(date.getUTCDate());
    const isWeekday = weekday.values.has(date.getUTCDay());
    // If both fields are restricted, one match is enough.
    return dayOfMonth.isAny || weekday.isAny ? isDay && isWeekday : isDay || isWeekday;
  }

  /** @param {number} day */
  #timesOf(day) {
    if (!this.#matches(day)) return [];
    const [from, until] = [(day - 1) * DAY, (day + 2) * DAY];
    const [before, after] = [this.#offset(from), this.#offset(until)];
    const shown = this.#minutes.map((minute) => day * DAY + minute * MINUTE);
    if (before === after) return shown.map((wall) => wall - before);
    const change = changeBetween(this.#offset, from, until);
    return shown.flatMap((wall) => [
      ...(wall - before < change ? [wall - before] : []),
      ...(wall - after >= change ? [wall - after] : []),
    ]);
  }
}

/** @param {{ minute: Field, hour: Field }} fields */
function minutesOf({ minute, hour }) {
  const minutes = [];
  for (let one = 0; one < DAY / MINUTE; one += 1)
    if (hour.values.has(Math.floor(one / 60)) && minute.values.has(one % 60)) minutes.push(one);
  return minutes;
}

/** @param {number} wall */
function yearOf(wall) {
  return new Date(wall).getUTCFullYear();
}
