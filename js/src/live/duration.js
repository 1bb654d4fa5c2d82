/**
 * Durations as Kubernetes writes them: those of Go, such as `15s`, `1m30s` or `2.5s`.
 * Counterpart: time.ParseDuration and Duration.String of Go, as metav1.Duration uses them.
 */
import { ConfigurationError } from '../errors.js';

/** Milliseconds of each unit. */
const UNITS = Object.freeze({
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
});

/** The longest text, and the longest duration: milliseconds of 2^63 ns. */
const LONGEST = 256;
const MOST_MS = 2 ** 63 * UNITS.ns;

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
  let sum = 0;
  for (let at = start; at < text.length;) {
    const part = partAt(text, at);
    if (part.number === '' || part.number === '.') throw fault('invalid');
    if (part.unit === '') throw fault('missing unit in');
    if (!Object.hasOwn(UNITS, part.unit)) throw fault(`unknown unit "${part.unit}" in`);
    sum += Number(part.number) * UNITS[/** @type {keyof UNITS} */ (part.unit)];
    at = part.end;
  }
  if (sum >= MOST_MS) throw fault('invalid');
  return text[0] === '-' ? -sum : sum;
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
  const hours = Math.floor(ms / UNITS.h);
  const minutes = Math.floor((ms % UNITS.h) / UNITS.m);
  const seconds = (ms % UNITS.m) / UNITS.s;
  const head = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : '';
  return `${head}${seconds}s`;
}
