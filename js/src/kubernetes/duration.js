/**
 * Durations in Go's notation, which Kubernetes uses: `15s`, `1m30s` or `2.5s`. Counterpart:
 * time.ParseDuration and Duration.String of Go, as metav1.Duration uses them.
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

/** Milliseconds of the units that are written. */
const HOUR = 3_600_000;
const MINUTE = 60_000;
const SECOND = 1000;

/** The maximum length of a text, and the maximum duration in nanoseconds. */
const LONGEST = 256;
const MOST = 2n ** 63n;

/** The maximum value of the digits after a point; further digits are ignored. */
const MOST_FRACTION = MOST - 1n;

const DIGITS = /\d*/y;
const UNIT = /[^.\d]*/y;

/**
 * @param {string} text
 * @param {string} field the field's name, for the error
 * @returns {number} milliseconds
 * @throws {ConfigurationError} if it is not a duration; the detail ends with Go's message
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
    const nanoseconds = nanosecondsOf(part.number, unit);
    // Go adds unsigned numbers of 64 bits, so two parts of 2^63 ns are 0.
    sum = BigInt.asUintN(64, sum + nanoseconds);
    at = part.end;
    if (nanoseconds > MOST || sum > MOST) throw fault('invalid');
  }
  const isNegative = text[0] === '-';
  if (sum === MOST && !isNegative) throw fault('invalid');
  const ms = Number(sum / NANOS_PER_MS) + Number(sum % NANOS_PER_MS) / Number(NANOS_PER_MS);
  return isNegative ? -ms : ms;
}

/**
 * Returns whole nanoseconds. A fraction is truncated, with Go's arithmetic.
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
 * Returns a number and its unit, if present.
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
 * @param {RegExp} sticky a pattern that also matches the empty text
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
 * Formats a duration as Go does: `5s`, `2.5s`, `1m30s`, `500ms`.
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
