/**
 * Parses schedules. Counterpart: github.com/robfig/cron/v3/parser.go, which Kubernetes v1.36 uses.
 */
import { ConfigurationError } from '../../src/kubernetes/errors.js';
import { parseDuration } from '../../src/kubernetes/duration.js';

/**
 * The possible values of each field.
 * @typedef {{ min: number, max: number, names?: Map<string, number> }} Bounds
 */

/** @type {Bounds} */
const MINUTES = { min: 0, max: 59 };
/** @type {Bounds} */
const HOURS = { min: 0, max: 23 };
/** @type {Bounds} */
const DAYS = { min: 1, max: 31 };
/** @type {Bounds} */
const MONTHS = {
  min: 1,
  max: 12,
  names: numbered('jan feb mar apr may jun jul aug sep oct nov dec', 1),
};
/** @type {Bounds} */
const WEEKDAYS = { min: 0, max: 6, names: numbered('sun mon tue wed thu fri sat', 0) };

/** @type {Record<string, string>} */
const DESCRIPTORS = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

const EVERY = '@every ';

/** The maximum duration in Go: milliseconds. */
const LONGEST = 2 ** 63 / 1e6;

/**
 * The values of a field; `isAny` if it contains a star without a step.
 * @typedef {{ values: Set<number>, isAny: boolean }} Field
 */

/**
 * @typedef {{ minute: Field, hour: Field, day: Field, month: Field, weekday: Field }} ClockFields
 */

/**
 * A schedule by the fields of a clock, or by its period.
 * @typedef {ClockFields | { period: number }} CronFields `period`: milliseconds
 */

/**
 * @param {string} text
 * @returns {CronFields}
 * @throws {SyntaxError} with Kubernetes' message
 */
export function parseCron(text) {
  const spec = text.startsWith('TZ=') || text.startsWith('CRON_TZ=') ? withoutZone(text) : text;
  if (text === '') throw new SyntaxError('empty spec string');
  if (spec.startsWith(EVERY)) return { period: periodOf(spec) };
  if (spec.startsWith('@')) {
    if (!Object.hasOwn(DESCRIPTORS, spec))
      throw new SyntaxError(`unrecognized descriptor: ${spec}`);
    return parseCron(DESCRIPTORS[spec]);
  }
  const parts = spec.split(/\s+/).filter(Boolean);
  if (parts.length !== 5) {
    const found = `found ${parts.length}: [${parts.join(' ')}]`;
    throw new SyntaxError(`expected exactly 5 fields, ${found}`);
  }
  const [minute, hour, day, month, weekday] = parts;
  return {
    minute: parseField(minute, MINUTES),
    hour: parseField(hour, HOURS),
    day: parseField(day, DAYS),
    month: parseField(month, MONTHS),
    weekday: parseField(weekday, WEEKDAYS),
  };
}

/** @param {string} text */
function withoutZone(text) {
  return /\s/.test(text) ? text.slice(text.search(/\s/)).trim() : '';
}

/**
 * Rounds down to whole seconds, at least one.
 * @param {string} spec
 * @returns {number} milliseconds
 */
function periodOf(spec) {
  const text = spec.slice(EVERY.length);
  try {
    const period = parseDuration(text, EVERY);
    if (period < LONGEST) return Math.max(1000, Math.floor(period / 1000) * 1000);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
  }
  const cause = `time: invalid duration ${JSON.stringify(text)}`;
  throw new SyntaxError(`failed to parse duration ${spec}: ${cause}`);
}

/**
 * @param {string} text
 * @param {Bounds} bounds
 * @returns {Field}
 */
function parseField(text, bounds) {
  const values = new Set();
  let isAny = false;
  for (const part of text.split(',').filter(Boolean)) {
    const range = parseRange(part, bounds);
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
    isAny ||= range.isAny;
  }
  return { values, isAny };
}

/**
 * @param {string} text
 * @param {Bounds} bounds
 */
function parseRange(text, bounds) {
  const [range, stepText, ...moreSteps] = text.split('/');
  const [first, last, ...moreLasts] = range.split('-');
  const isStar = first === '*' || first === '?';
  const start = isStar ? bounds.min : numberOf(first, bounds.names);
  if (!isStar && moreLasts.length > 0) throw new SyntaxError(`too many hyphens: ${text}`);
  let end = isStar ? bounds.max : last === undefined ? start : numberOf(last, bounds.names);
  if (moreSteps.length > 0) throw new SyntaxError(`too many slashes: ${text}`);
  const step = stepText === undefined ? 1 : numberOf(stepText);
  // `N/step` runs from N to the maximum.
  if (stepText !== undefined && last === undefined) end = bounds.max;
  const refuse = (/** @type {string} */ fault) => new SyntaxError(`${fault}: ${text}`);
  if (start < bounds.min)
    throw refuse(`beginning of range (${start}) below minimum (${bounds.min})`);
  if (end > bounds.max) throw refuse(`end of range (${end}) above maximum (${bounds.max})`);
  if (start > end) throw refuse(`beginning of range (${start}) beyond end of range (${end})`);
  if (step === 0) throw refuse('step of range should be a positive number');
  return { start, end, step, isAny: isStar && step === 1 };
}

/**
 * @param {string} names
 * @param {number} first the number of the first one
 */
function numbered(names, first) {
  return new Map(names.split(' ').map((name, index) => [name, index + first]));
}

/**
 * @param {string} text
 * @param {Map<string, number>} [names]
 */
function numberOf(text, names) {
  const named = names?.get(text.toLowerCase());
  if (named !== undefined) return named;
  const fault = /^[+-]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  const value = fault === 'invalid syntax' ? NaN : Number(text);
  if (!Number.isSafeInteger(value)) {
    const cause = `strconv.Atoi: parsing ${JSON.stringify(text)}: ${fault}`;
    throw new SyntaxError(`failed to parse int from ${text}: ${cause}`);
  }
  if (value < 0) throw new SyntaxError(`negative number (${value}) not allowed: ${text}`);
  return value;
}
