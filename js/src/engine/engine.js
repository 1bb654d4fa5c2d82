import { compileModule, packageModule, readModule } from '#runtime';
import { Boundary } from './boundary.js';
import { LoadError, StowageError } from '../kubernetes/errors.js';
import { loadGlue } from './glue.js';
import { replayLog } from './replay.js';
import { Scheduler } from './scheduler.js';

/**
 * @import { LogSource } from './log_lines.js'
 * @import { EngineSurface, ReplayOptions, SchedulerOptions, WasmSource } from './types.js'
 */

/** The form of the engine surface that this code speaks. */
const ABI = 1;

/** What a checkout without a module is told. */
export const NOT_BUILT = 'not built yet: run npm start';

/** What to write where a bundler took this code along, and not the module. */
const LEFT_BEHIND =
  "where a bundler took this code along without stowage.wasm, write import wasm from 'stowage/" +
  "stowage.wasm' and createScheduler({ wasm }) (esbuild: --loader:.wasm=binary --target=es2022), " +
  'or copy node_modules/stowage/js/dist/stowage.wasm to where the bundle is';

/** How many of the engine's last words are kept for the message of its end. */
const LAST_WORDS = 20;

/**
 * One running instance of the engine. Its schedulers share its memory, and its end.
 */
export class Engine {
  #boundary;
  #versions;
  /** @type {FinalizationRegistry<number>} */
  #forgotten;

  /**
   * @param {EngineSurface} surface the functions of the module, or of the native addon
   * @throws {LoadError} when the module belongs to another version of this code
   */
  constructor(surface) {
    this.#versions = readVersions(surface);
    const boundary = new Boundary(surface);
    this.#boundary = boundary;
    this.#forgotten = new FinalizationRegistry((handle) => boundary.destroy(handle));
  }

  /** The version of the engine, such as `0.1.0`. */
  get version() {
    return this.#versions.stowage;
  }

  /** The kube-scheduler that is rebuilt, such as `v1.36`. */
  get kubernetesVersion() {
    return this.#versions.kubernetes;
  }

  /** Why this engine can no longer be used, or null. */
  get failure() {
    return this.#boundary.failure;
  }

  /**
   * Creates a scheduler, at once. It lives until it is disposed of.
   * @param {SchedulerOptions} [options]
   * @returns {Scheduler}
   * @throws {ConfigurationError} when kube-scheduler would not start with this configuration, with
   *   its words; or when an option is unknown
   */
  createScheduler(options = {}) {
    return new Scheduler({ door: this.#boundary, ...this.#parts, options });
  }

  /**
   * Makes a scheduler again from its log.
   * @param {LogSource} log
   * @param {ReplayOptions} [options]
   * @returns {Promise<Scheduler>} it stands where the log ends, or after line `until`, with a
   *   virtual clock
   * @throws {ReplayError} when the log cannot be read, or its decisions are not made again
   * @throws {EngineError} when the engine stops itself, as it may have done then
   */
  replay(log, options = {}) {
    const { versions, forgotten } = this.#parts;
    return replayLog(
      log,
      {
        door: this.#boundary,
        versions,
        open: (parts) => new Scheduler({ ...parts, versions, forgotten }),
      },
      options,
    );
  }

  get #parts() {
    const { version: stowage, kubernetesVersion } = this;
    return { versions: { stowage, kubernetesVersion }, forgotten: this.#forgotten };
  }
}

/** @type {Promise<Engine> | undefined} */
let defaultEngine;

/**
 * Loads the engine. Without `wasm` it is the module of this package, loaded once and shared; with
 * it, a new instance each time.
 * @param {{ wasm?: WasmSource | Promise<WasmSource> }} [options] a compiled module, a Response,
 *   bytes, a URL, a path (where there are files), or a promise of one of these
 * @returns {Promise<Engine>}
 * @throws {LoadError}
 */
export async function loadEngine({ wasm } = {}) {
  if (wasm !== undefined) return instantiate(wasm);
  const known = defaultEngine;
  const loaded = await known?.catch(() => undefined);
  const isUsable = loaded !== undefined && !loaded.failure;
  // Somebody else who found the same may have begun meanwhile.
  if (!isUsable && defaultEngine === known) defaultEngine = instantiate(undefined);
  return /** @type {Promise<Engine>} */ (defaultEngine);
}

/**
 * Creates a scheduler on the shared engine, or on one made from `wasm`.
 * @param {SchedulerOptions & { wasm?: WasmSource | Promise<WasmSource> }} [options]
 * @returns {Promise<Scheduler>}
 * @throws {LoadError | ConfigurationError}
 */
export async function createScheduler({ wasm, ...options } = {}) {
  const engine = await loadEngine({ wasm });
  return engine.createScheduler(options);
}

/**
 * Makes a scheduler again from its log, on the shared engine, or on one made from `wasm`.
 * @param {LogSource} log its text or bytes, whole or in pieces
 * @param {ReplayOptions & { wasm?: WasmSource | Promise<WasmSource> }} [options]
 * @returns {Promise<Scheduler>} see `Engine.replay`
 * @throws {LoadError | ReplayError | EngineError}
 */
export async function replay(log, { wasm, ...options } = {}) {
  const engine = await loadEngine({ wasm });
  return engine.replay(log, options);
}

/**
 * @param {WasmSource | Promise<WasmSource> | undefined} wasm
 * @returns {Promise<Engine>}
 */
async function instantiate(wasm) {
  // The module is read and compiled while the glue is loaded.
  const module = compile(wasm);
  // Looked at only once the glue is there; until then a failure must not count as unhandled.
  module.catch(() => {});
  try {
    return new Engine(await startModule(module));
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
  // Only in a checkout the glue is a file of its own, which may be missing.
  if (isPackages && code === 'ERR_MODULE_NOT_FOUND') return new LoadError(NOT_BUILT, { cause });
  const why = cause instanceof Error ? cause.message : String(cause);
  const hint = isPackages ? `; ${LEFT_BEHIND}` : '';
  return new LoadError(`the engine cannot be loaded: ${why}${hint}`, { cause });
}

/**
 * The glue never learns of a failed compilation, so it is reported past it.
 * @param {Promise<WebAssembly.Module>} module
 * @returns {Promise<EngineSurface>}
 */
async function startModule(module) {
  const createModule = await loadGlue();
  /** @type {string[]} */
  const words = [];
  const listen = (/** @type {string} */ line) => {
    words.push(line);
    if (words.length > LAST_WORDS) words.shift();
  };
  const start = async (/** @type {WebAssembly.Imports} */ imports) => {
    const compiled = await module;
    return { compiled, instance: await WebAssembly.instantiate(compiled, imports) };
  };
  /** @type {EngineSurface} */
  const surface = await new Promise((resolve, reject) => {
    createModule({
      print: listen,
      printErr: listen,
      instantiateWasm(imports, done) {
        start(imports).then(({ compiled, instance }) => done(instance, compiled), reject);
        return {};
      },
    }).then(resolve, reject);
  });
  return withLastWords(surface, words);
}

/**
 * @param {WasmSource | Promise<WasmSource> | undefined} wasm
 * @returns {Promise<WebAssembly.Module>}
 */
async function compile(wasm) {
  const source = await fetched(await wasm);
  return isModule(source) ? source : compileModule(source);
}

/**
 * @param {WasmSource | undefined} source
 * @returns {Promise<WebAssembly.Module | Response | BufferSource>}
 */
async function fetched(source) {
  if (source !== undefined && typeof source !== 'string' && !(source instanceof URL)) return source;
  return source === undefined ? packageModule() : readModule(source);
}

/**
 * By its tag: where code runs in a context of its own, such as Next's edge runtime, the module may
 * have been compiled outside of it, by another `WebAssembly`.
 * @param {object} value
 * @returns {value is WebAssembly.Module}
 */
function isModule(value) {
  return Object.prototype.toString.call(value) === '[object WebAssembly.Module]';
}

/**
 * The place of a failed check is printed, not thrown: the surface adds it to what is thrown.
 * @param {any} surface
 * @param {string[]} words
 * @returns {EngineSurface}
 */
function withLastWords(surface, words) {
  const names = [
    'abi',
    'input',
    'output',
    'create',
    'destroy',
    'apply',
    'run',
    'evaluate',
    'inspect',
  ];
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
 * @returns {{ abi: number, stowage: string, kubernetes: string }}
 */
function readVersions(surface) {
  const versions = JSON.parse(surface.abi());
  if (versions.abi === ABI) return versions;
  throw new LoadError(
    `the module speaks abi ${versions.abi}, this code ${ABI}: they are not of one version`,
  );
}
