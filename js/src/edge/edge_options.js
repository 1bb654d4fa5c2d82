/** Checks the options of an edge handler. */
import { loadEngine } from '../engine/engine.js';
import { ConfigurationError } from '../kubernetes/errors.js';
import { checkOptions } from '../engine/options.js';
import { systemClock } from '../runtimes/system_clock.js';
import { isToken } from './bearer_token.js';
import { memorySnapshots } from './memory_snapshots.js';

/**
 * @import { Clock, EngineSources, SchedulerOptions } from '../engine/types.js'
 * @import { Engine } from '../engine/engine.js'
 * @import { SnapshotStore } from './snapshot_store.js'
 */

/**
 * A secret, or a function that reads it from the bindings of a request.
 * @typedef {string | ((env: any) => string | undefined)} Secret
 */

/**
 * @typedef {object} EdgeLimits
 * @property {number} bodyBytes size of a question; default 1 MiB
 * @property {number} snapshotBytes size of a snapshot; default 25 MiB
 * @property {number} clusters loaded clusters; default 8
 * @property {number} objects objects of all loaded clusters, default 40,000, with about 1.3 KB of
 *   memory each. The most recently used cluster stays loaded regardless of its size
 * @property {number} rankedClusters clusters in one question; default 16
 * @property {number} timeoutMs time limit of an answer, of the request's body, and of the store;
 *   default 10,000
 * @property {number} refreshMs time before the store is asked again for a loaded snapshot, or for
 *   one that it did not have; default 5,000
 */

/**
 * @typedef {object} EdgeOptions
 * @property {SnapshotStore} [snapshots] the source of snapshots; default: `memorySnapshots()`
 * @property {Secret} [secret] the token for pushing snapshots; without it pushing is disabled
 * @property {Secret} [readSecret] the token for questions; without it they need none
 * @property {Partial<EdgeLimits>} [limits]
 * @property {Engine} [engine] default: the package's, or one made from `wasm`
 * @property {EngineSources['wasm']} [wasm]
 * @property {EngineSources['deferredWasm']} [deferredWasm]
 * @property {Clock} [clock] default: the host's
 */

/**
 * All other options are the schedulers'.
 * @typedef {EdgeOptions & Pick<SchedulerOptions, 'configuration' | 'kubernetesVersion' |
 *   'featureGates' | 'tieBreak' | 'seed' | 'plugins' | 'onPluginError' | 'extenders' | 'fetch' |
 *   'quirks'>} EdgeHandlerOptions
 */

/**
 * @typedef {object} EdgeSettings
 * @property {SnapshotStore} snapshots
 * @property {Secret | undefined} secret
 * @property {Secret | undefined} readSecret
 * @property {EdgeLimits} limits
 * @property {Clock} clock
 * @property {() => Promise<Engine>} engine a usable engine
 * @property {SchedulerOptions} schedulerOptions
 */

/** @type {Readonly<EdgeLimits>} */
const LIMITS = Object.freeze({
  bodyBytes: 1 << 20,
  snapshotBytes: 25 << 20,
  clusters: 8,
  objects: 40_000,
  rankedClusters: 16,
  timeoutMs: 10_000,
  refreshMs: 5_000,
});

const SCHEDULER_OPTIONS = [
  'configuration',
  'kubernetesVersion',
  'featureGates',
  'tieBreak',
  'seed',
  'plugins',
  'onPluginError',
  'extenders',
  'fetch',
  'quirks',
];

/**
 * @param {EdgeHandlerOptions} options
 * @returns {EdgeSettings}
 * @throws {ConfigurationError}
 */
export function edgeOptions({
  snapshots = memorySnapshots(),
  secret,
  readSecret,
  limits = {},
  engine,
  wasm,
  deferredWasm,
  clock = systemClock(),
  ...schedulerOptions
}) {
  const unknown = Object.keys(schedulerOptions).find((name) => !SCHEDULER_OPTIONS.includes(name));
  if (unknown) throw badOption(unknown, 'an edge handler has no such option');
  checkOptions({ ...schedulerOptions, clock });
  if (typeof snapshots?.get !== 'function')
    throw badOption('snapshots', 'must be a store with the function get');
  for (const [name, value] of Object.entries({ secret, readSecret })) {
    if (value !== undefined && typeof value !== 'function' && !isToken(value))
      throw badOption(name, 'must be printable ASCII without spaces, or a function');
  }
  return {
    snapshots,
    secret,
    readSecret,
    limits: checkedLimits(limits),
    clock,
    engine: engine ? async () => engine : usableEngine({ wasm, deferredWasm }),
    schedulerOptions,
  };
}

/**
 * @param {Partial<EdgeLimits>} limits
 * @returns {EdgeLimits}
 */
function checkedLimits(limits) {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(LIMITS, name)) throw badOption(`limits.${name}`, 'there is no such limit');
    const least = name === 'refreshMs' ? 0 : 1;
    if (!Number.isSafeInteger(value) || value < least)
      throw badOption(`limits.${name}`, `must be an integer from ${least}`);
  }
  return { ...LIMITS, ...limits };
}

/**
 * Returns a function that gives all requests one engine, and a new one after that has stopped.
 * @param {EngineSources} sources
 * @returns {() => Promise<Engine>}
 */
function usableEngine(sources) {
  /** @type {Promise<Engine> | undefined} */
  let current;
  return async () => {
    const loaded = await current?.catch(() => undefined);
    if (loaded && !loaded.failure) return loaded;
    current = loadEngine(sources);
    return current;
  };
}

/**
 * @param {string} field
 * @param {string} detail
 */
function badOption(field, detail) {
  return new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
