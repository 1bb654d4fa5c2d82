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

const OPTION_NAMES = new Set([
  'configuration',
  'kubernetesVersion',
  'behaviour',
  'featureGates',
  'tieBreak',
  'seed',
  'api',
  'simulate',
  'clock',
  'startTime',
  'detail',
  'limits',
  'extenders',
  'fetch',
  'quirks',
  'plugins',
  'onPluginError',
  'events',
  'moves',
  'metrics',
  'keepObjects',
  'keepBatches',
  'apiCallTimeout',
  'assumedPodExpiry',
  'podMaxInUnschedulablePodsDuration',
  'hostname',
  'log',
]);

const TIMES = `at most ${LATEST_TIME} milliseconds from the epoch`;

/** Boolean options, and those in milliseconds. */
const SWITCHES = /** @type {const} */ ([
  'events',
  'moves',
  'metrics',
  'keepObjects',
  'keepBatches',
]);
const DURATIONS = /** @type {const} */ ([
  'apiCallTimeout',
  'assumedPodExpiry',
  'podMaxInUnschedulablePodsDuration',
]);

/** Options that are objects or functions, and those that go to the engine unchanged. */
const OBJECTS = /** @type {const} */ (['behaviour', 'simulate', 'limits', 'extenders']);
const FUNCTIONS = /** @type {const} */ (['fetch', 'onPluginError', 'log']);
const PLAIN = /** @type {const} */ (['configuration', 'featureGates', 'tieBreak', 'api', 'quirks']);

/** The default duration of turns before `start` yields. */
const BUDGET_MS = 10;

/** The levels of detail of decisions, and of evaluations. */
const DECISION_DETAILS = ['summary', 'nodes'];
const EVALUATION_DETAILS = ['summary', 'nodes', 'table'];

/**
 * Checks what the engine could not see in JSON; it checks the rest itself.
 * @param {SchedulerOptions} options
 * @throws {ConfigurationError}
 */
export function checkOptions(options) {
  const unknown = Object.keys(options).filter((name) => !OPTION_NAMES.has(name));
  if (unknown.length > 0) {
    const known = [...OPTION_NAMES].join(', ');
    throw new ConfigurationError(
      `unknown option ${unknown.join(', ')}; there are ${known}`,
      unknown.map((field) => ({ field, detail: 'unknown option' })),
    );
  }
  const { seed = 0, startTime = 0, detail = 'summary' } = options;
  if (!Number.isSafeInteger(seed) || seed < 0) throw badOption('seed', seed, 'an integer from 0');
  const time = startTime instanceof Date ? startTime.getTime() : startTime;
  if (!Number.isFinite(time))
    throw badOption('startTime', startTime, 'a valid Date or milliseconds since the epoch');
  if (Math.abs(time) > LATEST_TIME) throw badOption('startTime', startTime, TIMES);
  if (!DECISION_DETAILS.includes(detail))
    throw badOption('detail', detail, `one of ${DECISION_DETAILS.join(', ')}`);
  for (const name of SWITCHES) {
    const value = options[name] ?? false;
    if (typeof value !== 'boolean') throw badOption(name, value, 'true or false');
  }
  for (const name of DURATIONS) {
    const value = options[name] ?? 0;
    if (!Number.isSafeInteger(value) || value < 0)
      throw badOption(name, value, 'a whole number of milliseconds');
  }
  checkShapes(options);
}

/** @param {SchedulerOptions} options */
function checkShapes(options) {
  const { clock, plugins = [], hostname = '', kubernetesVersion = '' } = options;
  if (typeof hostname !== 'string') throw badOption('hostname', hostname, 'a string');
  if (typeof kubernetesVersion !== 'string')
    throw badOption('kubernetesVersion', kubernetesVersion, 'a string such as 1.34');
  if (clock !== undefined && !isClock(clock))
    throw badOption('clock', clock, 'an object with the functions now and sleep');
  if (!Array.isArray(plugins)) throw badOption('plugins', plugins, 'a list');
  for (const name of OBJECTS) {
    const value = options[name];
    if (value !== undefined && !isRecord(value)) throw badOption(name, value, 'an object');
  }
  for (const name of FUNCTIONS) {
    const value = options[name];
    if (value !== undefined && typeof value !== 'function')
      throw badOption(name, value, 'a function');
  }
  for (const name of PLAIN) {
    const value = options[name];
    if (value !== undefined && !isPlain(value)) throw badOption(name, value, 'plain data');
  }
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
  const end = milliseconds(until);
  if (typeof perform !== 'function') throw badInput('perform', perform, 'a function');
  if (typeof budgetMs !== 'number' || !(budgetMs > 0))
    throw badInput('budgetMs', budgetMs, 'more than 0 milliseconds');
  if (typeof end !== 'number' || Number.isNaN(end))
    throw badInput('until', until, 'a valid Date or milliseconds since the epoch');
  if (typeof gracePeriod !== 'number' || !(gracePeriod >= 0))
    throw badInput('gracePeriod', gracePeriod, 'milliseconds');
  if (typeof aroundTurn !== 'function') throw badInput('aroundTurn', aroundTurn, 'a function');
  return { perform, signal, budgetMs, until: end, gracePeriod, aroundTurn };
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
  if (EVALUATION_DETAILS.includes(detail)) return { ...options, detail };
  throw new InputError({
    code: 'FieldValueNotSupported',
    field: 'detail',
    value: detail,
    detail: `${String(detail)} is not one of ${EVALUATION_DETAILS.join(', ')}`,
  });
}

/**
 * @param {number} maxCycles
 * @returns {number} in the engine's form
 * @throws {InputError}
 */
export function cyclesOf(maxCycles) {
  if (maxCycles === Infinity || (Number.isInteger(maxCycles) && maxCycles >= 0))
    return Math.min(maxCycles, MOST_CYCLES);
  throw badInput('maxCycles', maxCycles, 'an integer from 0, or Infinity');
}

/**
 * @param {string} field
 * @param {unknown} value
 * @param {string} wanted
 */
function badInput(field, value, wanted) {
  const detail = `${wanted} is expected, not ${String(value)}`;
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
