/** Local times of a time zone, by the host's table of zones. */
import { remembered } from '../../src/kubernetes/remembered.js';

const MINUTE = 60_000;

/**
 * Returns the milliseconds by which a zone's clock is ahead of UTC at a time.
 * @typedef {(time: number) => number} Offset
 */

/**
 * @param {string} name of a zone; '' is UTC
 * @returns {Offset | null} null if the zone is unknown
 */
export function offsetOf(name) {
  if (name === '' || name === 'UTC') return () => 0;
  return zones(name) || null;
}

/** False if there is no such zone. @type {(name: string) => Offset | false} */
const zones = remembered((name) => {
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    return (time) => wallTime(format, time) - Math.floor(time / 1000) * 1000;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
});

/**
 * Returns the local time as if it were UTC.
 * @param {Intl.DateTimeFormat} format
 * @param {number} time
 */
function wallTime(format, time) {
  const shown = Object.fromEntries(
    format.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute, shown.second);
}

/**
 * Finds the change of the clock's offset between two times. Within a few days there is at most one.
 * @param {Offset} offset
 * @param {number} from
 * @param {number} until its offset differs from that of `from`
 * @returns {number} the first minute with the later offset
 */
export function changeBetween(offset, from, until) {
  const first = offset(from);
  let [low, high] = [Math.floor(from / MINUTE), Math.ceil(until / MINUTE)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle * MINUTE) === first) low = middle;
    else high = middle;
  }
  return high * MINUTE;
}

/**
 * Returns RFC 3339 with the zone's offset.
 * @param {number} time
 * @param {Offset} offset
 */
export function zonedTimestamp(time, offset) {
  const ahead = offset(time);
  const text = new Date(time + ahead).toISOString().slice(0, 19);
  if (ahead === 0) return `${text}Z`;
  const minutes = Math.abs(ahead) / MINUTE;
  const [hour, minute] = [Math.floor(minutes / 60), Math.floor(minutes % 60)].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${text}${ahead < 0 ? '-' : '+'}${hour}:${minute}`;
}
