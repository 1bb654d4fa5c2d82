/** Checks the options of schedulers and evaluations, and encodes them for the engine. */
import { LATEST_TIME, milliseconds } from '../io/clock.js';
import { ConfigurationError, InputError } from '../kubernetes/errors.js';
import { releaseOf } from '../kubernetes/release.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';

/** @import { EvaluateOptions, SchedulerOptions, StartOptions } from './types.js' */

/** Default upper bounds of inputs: bytes per object, levels of nesting, bytes per batch. */
export const LIMITS = { objectBytes: 4 << 20, depth: 64, batchBytes: 256 << 20 };

/** The largest cycle count of the engine's interface, which stands for "no bound". */
const MOST_CYCLES = 2 ** 31 - 1;

const A_TIME = 'a valid Date or milliseconds since the epoch';
const TIMES = `at most ${LATEST_TIME} milliseconds from the epoch`;

/** The default duration of turns before `start` yields. */
const BUDGET_MS = 10;

/** The levels of detail of decisions, and of evaluations. */
const DECISION_DETAILS = ['summary', 'nodes'];
const EVALUATION_DETAILS = ['summary', 'nodes', 'table'];

/**
 * Whether a value is what an option takes, and the words for that.
 * @typedef {[isRight: (value: any) => boolean, wanted: string]} Check
 */

/** @type {Check} */
const SWITCH = [(value) => typeof (value ?? false) === 'boolean', 'true or false'];
/** @type {Check} */
const DURATION = [(value) => isCount(value ?? 0), 'a whole number of milliseconds'];
/** @type {Check} */
const OBJECT = [isRecord, 'an object'];
/** @type {Check} */
const FUNCTION = [(value) => typeof value === 'function', 'a function'];
/** What the engine checks. @type {Check} */
const PLAIN = [isPlain, 'plain data'];

/** All options. @type {Record<keyof SchedulerOptions, Check>} */
const CHECKS = {
  configuration: PLAIN,
  kubernetesVersion: [isText, 'a string such as 1.34'],
  behaviour: OBJECT,
  featureGates: PLAIN,
  tieBreak: PLAIN,
  seed: [isCount, 'an integer from 0'],
  api: PLAIN,
  simulate: OBJECT,
  clock: [isClock, 'an object with the functions now and sleep'],
  startTime: [(value) => Number.isFinite(milliseconds(value)), A_TIME],
  detail: [(value) => DECISION_DETAILS.includes(value), `one of ${DECISION_DETAILS.join(', ')}`],
  limits: OBJECT,
  extenders: OBJECT,
  fetch: FUNCTION,
  quirks: PLAIN,
  plugins: [Array.isArray, 'a list'],
  onPluginError: FUNCTION,
  events: SWITCH,
  moves: SWITCH,
  metrics: SWITCH,
  keepObjects: SWITCH,
  keepBatches: SWITCH,
  apiCallTimeout: DURATION,
  assumedPodExpiry: DURATION,
  podMaxInUnschedulablePodsDuration: DURATION,
  hostname: [isText, 'a string'],
  log: FUNCTION,
};

/**
 * Checks what the engine could not see in JSON; it checks the rest itself.
 * @param {SchedulerOptions} options
 * @throws {ConfigurationError}
 */
export function checkOptions(options) {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(CHECKS, name));
  if (unknown.length > 0) {
    const known = Object.keys(CHECKS).join(', ');
    throw new ConfigurationError(
      `unknown option ${unknown.join(', ')}; there are ${known}`,
      unknown.map((field) => ({ field, detail: 'unknown option' })),
    );
  }
  for (const [name, value] of Object.entries(options)) {
    const [isRight, wanted] = CHECKS[/** @type {keyof SchedulerOptions} */ (name)];
    if (value !== undefined && !isRight(value)) throw badOption(name, value, wanted);
  }
  const { startTime = 0, limits = {} } = options;
  if (Math.abs(milliseconds(startTime)) > LATEST_TIME)
    throw badOption('startTime', startTime, TIMES);
  for (const [name, value] of Object.entries(limits))
    // JSON would have null, which is the default.
    if (typeof value === 'number' && !Number.isFinite(value))
      throw badOption(`limits.${name}`, value, 'an integer');
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string';
}

/** @param {any} value */
function isClock(value) {
  return typeof value?.now === 'function' && typeof value.sleep === 'function';
}

/** Whether the value survives JSON. Bytes count as text. @param {unknown} value */
function isPlain(value) {
  if (value instanceof Uint8Array) return true;
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

/**
 * @param {StartOptions} options
 * @throws {InputError}
 */
export function checkedStart({
  perform,
  signal,
  budgetMs = BUDGET_MS,
  until = Infinity,
  gracePeriod = 0,
  aroundTurn = (run) => run(),
}) {
  if (typeof perform !== 'function') throw badInput('perform', perform, 'a function');
  if (typeof budgetMs !== 'number' || !(budgetMs > 0))
    throw badInput('budgetMs', budgetMs, 'more than 0 milliseconds');
  if (typeof gracePeriod !== 'number' || !(gracePeriod >= 0))
    throw badInput('gracePeriod', gracePeriod, 'milliseconds');
  if (typeof aroundTurn !== 'function') throw badInput('aroundTurn', aroundTurn, 'a function');
  return { perform, signal, budgetMs, until: endOf(until), gracePeriod, aroundTurn };
}

/**
 * @param {Date | number} until
 * @returns {number} milliseconds since the epoch
 * @throws {InputError}
 */
export function endOf(until) {
  const end = milliseconds(until);
  if (end <= Infinity) return end;
  throw badInput('until', until, A_TIME);
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} wanted
 */
function badOption(field, value, wanted) {
  const detail = `Invalid value: ${wordsOf(value)}: must be ${wanted}`;
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}

/**
 * @param {number} time of a clock, milliseconds since the epoch
 * @returns {number} microseconds
 * @throws {InputError} if the engine cannot represent it
 */
export function microseconds(time) {
  if (Math.abs(time) <= LATEST_TIME) return Math.round(time * 1000);
  throw badInput('clock', time, TIMES);
}

/**
 * Checks an evaluation's options and returns them in the engine's form.
 * @param {EvaluateOptions} options
 * @returns {EvaluateOptions}
 * @throws {InputError}
 */
export function checkedQuestion({ detail = 'nodes', ...options }) {
  // JSON writes these numbers as null, which sets no limit.
  if ([NaN, -Infinity].includes(options.maxSteps ?? 0))
    throw badInput('maxSteps', options.maxSteps, 'an integer from 1');
  if (EVALUATION_DETAILS.includes(detail)) return { ...options, detail };
  throw new InputError({
    code: 'FieldValueNotSupported',
    field: 'detail',
    value: detail,
    detail: `${wordsOf(detail)} is not one of ${EVALUATION_DETAILS.join(', ')}`,
  });
}

/**
 * @param {number} count
 * @param {string} field
 * @returns {number} in the engine's form
 * @throws {InputError}
 */
export function cyclesOf(count, field = 'maxCycles') {
  if (count === Infinity || (Number.isInteger(count) && count >= 0))
    return Math.min(count, MOST_CYCLES);
  throw badInput(field, count, 'an integer from 0, or Infinity');
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} wanted
 */
function badInput(field, value, wanted) {
  const detail = `${wanted} is expected, not ${wordsOf(value)}`;
  return new InputError({ code: 'FieldValueInvalid', field, value, detail });
}

/**
 * Returns the engine's options in one line, followed by the unchanged configuration: the engine has
 * to find its duplicate keys.
 * @param {SchedulerOptions} options
 * @param {typeof LIMITS} limits
 * @param {number} startTimeUs
 * @param {{ name: string, methods: string[], events?: object[] }[]} plugins
 * @returns {(string | Uint8Array)[]}
 */
export function creationDocument(options, limits, startTimeUs, plugins) {
  const {
    kubernetesVersion,
    behaviour,
    featureGates = {},
    seed = 0,
    tieBreak,
    api = 'simulated',
    detail = 'summary',
    quirks = {},
    events,
    moves,
    metrics,
    keepObjects = true,
    keepBatches,
    apiCallTimeout,
    assumedPodExpiry,
    podMaxInUnschedulablePodsDuration,
    hostname,
  } = options;
  const simulate = { volumes: true, gracefulDeletion: false, ...options.simulate };
  const line = JSON.stringify({
    kubernetesVersion: kubernetesVersion && releaseOf(kubernetesVersion),
    behaviour,
    featureGates,
    seed,
    tieBreak,
    api,
    simulate,
    startTimeUs,
    detail,
    limits,
    quirks,
    events,
    moves,
    metrics,
    keepObjects,
    keepBatches,
    apiCallTimeout,
    assumedPodExpiry,
    podMaxInUnschedulablePodsDuration,
    hostname,
    plugins,
  });
  const { configuration = '' } = options;
  const raw = typeof configuration === 'string' || configuration instanceof Uint8Array;
  return [line, '\n', raw ? configuration : JSON.stringify(configuration)];
}
