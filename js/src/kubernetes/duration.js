/**
 * Durations as Kubernetes writes them: those of Go, such as `15s`, `1m30s` or `2.5s`.
 * Counterpart: time.ParseDuration and Duration.String of Go, as metav1.Duration uses them.
 */
import { ConfigurationError } from './errors.js';

/** Nanoseconds of each unit. */
const UNITS = new Map([
  ['ns', 1],
  ['us', 1000],
  ['µs', 1000],
  ['μs', 1000],
  ['ms', 1_000_000],
  ['s', 1_000_000_000],
  ['m', 60_000_000_000],
  ['h', 3_600_000_000_000],
]);

const NANOS_PER_MS = 1_000_000n;

/** Milliseconds of the units that durations are written in. */
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;

/** The longest text, and the longest duration: nanoseconds of which none is negative. */
const LONGEST = 256;
const MOST = 2n ** 63n;

/** The most that the digits behind a point say: further ones do not count. */
const MOST_FRACTION = MOST - 1n;

const DIGITS = /\d*/y;
const UNIT = /[^.\d]*/y;

/**
 * @param {string} text
 * @param {string} field what it is the value of, for the error
 * @returns {number} milliseconds
 * @throws {ConfigurationError} when it is none; the detail ends with Go's words
 */
export function parseDuration(text, field) {
  const fault = (/** @type {string} */ why) => {
    const value = quoted(text);
    const detail = `Invalid value: ${value}: time: ${why} duration ${value}`;
    return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
  };
  if (text.length > LONGEST) throw fault(`more than ${LONGEST} characters in`);
  const start = /^[+-]/.test(text) ? 1 : 0;
  if (text.slice(start) === '0') return 0;
  if (text.length === start) throw fault('invalid');
  let sum = 0n;
  for (let at = start; at < text.length;) {
    const part = partAt(text, at);
    if (part.number === '' || part.number === '.') throw fault('invalid');
    if (part.unit === '') throw fault('missing unit in');
    const unit = UNITS.get(part.unit);
    if (unit === undefined) throw fault(`unknown unit "${part.unit}" in`);
    sum += nanosecondsOf(part.number, unit);
    at = part.end;
    if (sum > MOST) throw fault('invalid');
  }
  const isNegative = text[0] === '-';
  if (sum === MOST && !isNegative) throw fault('invalid');
  const ms = Number(sum / NANOS_PER_MS) + Number(sum % NANOS_PER_MS) / Number(NANOS_PER_MS);
  return isNegative ? -ms : ms;
}

/**
 * Whole nanoseconds: a fraction is cut there, and counted as Go counts it.
 * @param {string} number
 * @param {number} unit
 */
function nanosecondsOf(number, unit) {
  const [whole, digits = ''] = number.split('.');
  let fraction = 0n;
  let scale = 1;
  for (const digit of digits) {
    const next = fraction * 10n + BigInt(digit);
    if (next > MOST_FRACTION) break;
    fraction = next;
    scale *= 10;
  }
  const rest = Math.trunc(Number(fraction) * (unit / scale));
  return BigInt(whole) * BigInt(unit) + BigInt(rest);
}

/**
 * A number and its unit, as far as they are there.
 * @param {string} text
 * @param {number} start
 */
function partAt(text, start) {
  const whole = taken(DIGITS, text, start);
  const dot = text[start + whole.length] === '.' ? '.' : '';
  const fraction = dot && taken(DIGITS, text, start + whole.length + 1);
  const number = whole + dot + fraction;
  const unit = taken(UNIT, text, start + number.length);
  return { number, unit, end: start + number.length + unit.length };
}

/**
 * @param {RegExp} sticky one that matches anything, be it nothing
 * @param {string} text
 * @param {number} at
 */
function taken(sticky, text, at) {
  sticky.lastIndex = at;
  return sticky.exec(text)?.[0] ?? '';
}

/** @param {string} text */
function quoted(text) {
  return JSON.stringify(text.length > LONGEST ? `${text.slice(0, 32)}…` : text);
}

/**
 * As Go prints it: `5s`, `2.5s`, `1m30s`, `500ms`.
 * @param {number} ms ≥ 0, whole milliseconds
 */
export function durationText(ms) {
  if (ms < 1000) return ms === 0 ? '0s' : `${ms}ms`;
  const hours = Math.floor(ms / HOUR);
  const minutes = Math.floor((ms % HOUR) / MINUTE);
  const seconds = (ms % MINUTE) / SECOND;
  const head = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : '';
  return `${head}${seconds}s`;
}
