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

const WHOLE = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/**
 * @param {string} text
 * @param {string} field what it is the value of, for the error
 * @returns {number} milliseconds
 * @throws {ConfigurationError} when it is none
 */
export function parseDuration(text, field) {
  if (!WHOLE.test(text)) {
    const value = JSON.stringify(text);
    const detail = `Invalid value: ${value}: must be a duration such as 15s or 1m30s`;
    throw new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
  }
  let sum = 0;
  for (const [, number, unit] of text.matchAll(PART))
    sum += Number(number) * UNITS[/** @type {keyof UNITS} */ (unit)];
  return text.startsWith('-') ? -sum : sum;
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
