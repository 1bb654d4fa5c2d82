import { MEMORY_STEP, packageModule } from '#runtime';
import { Boundary } from './boundary.js';
import { DeferredModule } from './deferred_module.js';
import { LoadError, StowageError } from '../kubernetes/errors.js';
import { loadGlue } from './glue.js';
import { growInSteps } from './memory_steps.js';
import { compiled } from './module_source.js';
import { releaseOf } from '../kubernetes/release.js';
import { replayLog } from './replay.js';
import { Scheduler } from './scheduler.js';

/**
 * @import { LogSource } from './log_lines.js'
 * @import { EngineSources, EngineSurface, Release, ReleaseFact, ReplayOptions } from './types.js'
 * @import { SchedulerOptions, SecondModule, WasmSource } from './types.js'
 */

/** The version of the engine surface that this code expects. */
const ABI = 1;

/** The hint for a checkout without a built module. */
export const NOT_BUILT = 'not built yet: run npm start';

/** The hint for a bundle that contains this code but not the module. */
const LEFT_BEHIND =
  "if a bundler included this code without stowage.wasm, write import wasm from 'stowage/" +
  "stowage.wasm' and createScheduler({ wasm }) (esbuild: --loader:.wasm=binary --target=es2022), " +
  'or copy node_modules/stowage/js/dist/stowage.wasm beside the bundle; likewise ' +
  'stowage.deferred.wasm, as deferredWasm';

/** The number of the engine's last printed lines that its EngineError repeats. */
const LAST_WORDS = 20;

/**
 * One running instance of the engine. Its schedulers share its memory, and all end when it stops.
 */
export class Engine {
  #boundary;
  #versions;
  #deferred;
  /** @type {FinalizationRegistry<number>} */
  #forgotten;

  /**
   * @param {EngineSurface} surface the functions of the module, or of the native addon
   * @param {SecondModule} [deferred] `stowage.deferred.wasm`; the native addon has none
   * @throws {LoadError} if the module belongs to another version of this code
   */
  constructor(surface, deferred) {
    this.#versions = readVersions(surface);
    this.#deferred = deferred;
    const boundary = new Boundary(surface);
    this.#boundary = boundary;
    this.#forgotten = new FinalizationRegistry((handle) => boundary.destroy(handle));
  }

  /** The version of the engine, such as `0.1.0`. */
  get version() {
    return this.#versions.stowage;
  }

  /** The newest kube-scheduler release that the engine can be, such as `v1.36`: the default. */
  get kubernetesVersion() {
    return this.#versions.kubernetes;
  }

  /**
   * The releases that the engine can be, the oldest first, each with the patch that it decides as.
   * @returns {Release[]}
   */
  get releases() {
    return this.#versions.releases;
  }

  /**
   * The facts in which the releases differ, besides feature gates.
   * @returns {ReleaseFact[]}
   */
  get releaseFacts() {
    return this.#versions.facts;
  }

  /** The error that ended this engine, or null. */
  get failure() {
    return this.#boundary.failure;
  }

  /**
   * Returns the plugins that mattered to decisions since the last call, and of which no recordings
   * of the release exist: all names in `notProved`.
   * @returns {string[]}
   */
  takeNotProved() {
    return this.#boundary.takeNotProved();
  }

  /** Whether the second module, `stowage.deferred.wasm`, is loaded. */
  get hasDeferred() {
    return this.#deferred?.isLoaded ?? true;
  }

  /**
   * Loads `stowage.deferred.wasm`, the code for devices, pod groups, extenders, plugins, forks and
   * transactions, ahead and asynchronously. Otherwise the engine loads it, synchronously, before
   * the first of these.
   * @param {WasmSource | Promise<WasmSource>} [source] default: the package's
   * @throws {LoadError}
   */
  async loadDeferred(source) {
    await this.#deferred?.loadAhead(source);
  }

  /**
   * Creates a scheduler, synchronously. It lives until `dispose`.
   * @param {SchedulerOptions} [options]
   * @returns {Scheduler}
   * @throws {ConfigurationError} if kube-scheduler would reject the configuration, with its
   *   message; or if an option is unknown, or the release is not supported
   */
  createScheduler(options = {}) {
    this.#deferred?.forgetFault();
    return new Scheduler({ door: this.#boundary, ...this.#partsOf(options), options });
  }

  /**
   * Creates a scheduler from its log.
   * @param {LogSource} log
   * @param {ReplayOptions} [options]
   * @returns {Promise<Scheduler>} the scheduler as of the end of the log, or of line `until`, with
   *   a virtual clock
   * @throws {ReplayError} if the log cannot be read, or the decisions differ
   * @throws {EngineError} if the engine stops itself, as it may have then
   */
  replay(log, options = {}) {
    return replayLog(
      log,
      {
        door: this.#boundary,
        stowage: this.version,
        open: (parts) => new Scheduler({ ...parts, ...this.#partsOf(parts.options) }),
      },
      options,
    );
  }

  /** @param {SchedulerOptions} options */
  #partsOf({ kubernetesVersion = this.kubernetesVersion }) {
    const versions = { stowage: this.version, kubernetesVersion: releaseOf(kubernetesVersion) };
    return { versions, forgotten: this.#forgotten };
  }
}

/** @type {Promise<Engine> | undefined} */
let defaultEngine;

/**
 * Loads the engine. Without a module it is that of this package, loaded once and shared; with one,
 * each call creates a new instance.
 * @param {EngineSources} [options]
 * @returns {Promise<Engine>}
 * @throws {LoadError}
 */
export async function loadEngine({ wasm, deferredWasm } = {}) {
  const isAhead = deferredWasm === true;
  const deferred = isAhead ? undefined : deferredWasm;
  const engine = await (wasm === undefined && deferred === undefined
    ? sharedEngine()
    : instantiate(wasm));
  if (deferredWasm !== undefined) await engine.loadDeferred(deferred);
  return engine;
}

/** @returns {Promise<Engine>} */
async function sharedEngine() {
  const known = defaultEngine;
  const loaded = await known?.catch(() => undefined);
  const isUsable = loaded !== undefined && !loaded.failure;
  // Another caller may have found the same failure and started a new load already.
  if (!isUsable && defaultEngine === known) defaultEngine = instantiate(undefined);
  return /** @type {Promise<Engine>} */ (defaultEngine);
}

/**
 * Creates a scheduler on the shared engine, or on one made from `wasm`.
 * @param {SchedulerOptions & EngineSources} [options]
 * @returns {Promise<Scheduler>}
 * @throws {LoadError | ConfigurationError}
 */
export async function createScheduler({ wasm, deferredWasm, ...options } = {}) {
  const engine = await loadEngine({ wasm, deferredWasm });
  return engine.createScheduler(options);
}

/**
 * Creates a scheduler from its log, on the shared engine, or on one made from `wasm`.
 * @param {LogSource} log its text or bytes, whole or in pieces
 * @param {ReplayOptions & EngineSources} [options]
 * @returns {Promise<Scheduler>} see `Engine.replay`
 * @throws {LoadError | ReplayError | EngineError}
 */
export async function replay(log, { wasm, deferredWasm, ...options } = {}) {
  const engine = await loadEngine({ wasm, deferredWasm });
  return engine.replay(log, options);
}

/**
 * @param {WasmSource | Promise<WasmSource> | undefined} wasm
 * @returns {Promise<Engine>}
 */
async function instantiate(wasm) {
  // The module is read and compiled while the glue loads.
  const module = compiled(wasm, packageModule);
  // The promise is awaited only after the glue: until then its rejection must not count as
  // unhandled.
  module.catch(() => {});
  try {
    const deferred = new DeferredModule();
    return new Engine(await startModule(module, deferred), deferred);
  } catch (cause) {
    throw loadError(cause, wasm === undefined);
  }
}

/**
 * @param {unknown} cause
 * @param {boolean} isPackages whether it was the module of this package
 */
function loadError(cause, isPackages) {
  if (cause instanceof StowageError) return cause;
  const { code } = /** @type {NodeJS.ErrnoException} */ (cause);
  // Only in a checkout is the glue a separate file, which may be missing.
  if (isPackages && code === 'ERR_MODULE_NOT_FOUND') return new LoadError(NOT_BUILT, { cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  const hint = isPackages ? `; ${LEFT_BEHIND}` : '';
  return new LoadError(`the engine cannot be loaded: ${why}${hint}`, { cause });
}

/**
 * Emscripten's glue does not report a failed compilation, so this code reports it.
 * @param {Promise<WebAssembly.Module>} module
 * @param {DeferredModule} deferred
 * @returns {Promise<EngineSurface>}
 */
async function startModule(module, deferred) {
  const createModule = await loadGlue();
  /** @type {string[]} */
  const words = [];
  const listen = (/** @type {string} */ line) => {
    words.push(line);
    if (words.length > LAST_WORDS) words.shift();
  };
  const start = async (/** @type {WebAssembly.Imports} */ imports) => {
    const primary = await module;
    const instance = await deferred.startPrimary(primary, imports);
    growInSteps(instance, MEMORY_STEP);
    return { primary, instance };
  };
  /** @type {EngineSurface} */
  const surface = await new Promise((resolve, reject) => {
    createModule({
      print: listen,
      printErr: listen,
      loadDeferred: () => deferred.ensure(),
      instantiateWasm(imports, done) {
        start(imports).then(({ primary, instance }) => done(instance, primary), reject);
        return {};
      },
    }).then(resolve, reject);
  });
  return withLastWords(surface, words);
}

/**
 * The module prints the place of a failed check instead of throwing it; this wrapper adds the text
 * to the error.
 * @param {any} surface
 * @param {string[]} words
 * @returns {EngineSurface}
 */
function withLastWords(surface, words) {
  const names = Object.keys(surface).filter((name) => typeof surface[name] === 'function');
  const calls = names.map((name) => [
    name,
    (/** @type {unknown[]} */ ...values) => {
      try {
        return surface[name](...values);
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        const place = words.filter((line) => !message.includes(line)).join('; ');
        throw new Error(place ? `${message} (${place})` : message, { cause });
      }
    },
  ]);
  return /** @type {EngineSurface} */ (Object.fromEntries(calls));
}

/**
 * @param {EngineSurface} surface
 * @returns {{ abi: number, stowage: string, kubernetes: string, releases: Release[], facts:
 *   ReleaseFact[] }}
 */
function readVersions(surface) {
  const versions = { releases: [], facts: [], ...JSON.parse(surface.abi()) };
  if (versions.abi === ABI) return versions;
  throw new LoadError(
    `the module has abi ${versions.abi}, this code expects ${ABI}: they are of different versions`,
  );
}
