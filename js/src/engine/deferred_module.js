import { deferredModule, deferredModuleNow } from '#runtime';
import { LoadError } from '../kubernetes/errors.js';
import { compiled } from './module_source.js';

/** @import { WasmSource } from './types.js' */

/**
 * The first module, started; `stamp` names its build.
 * @typedef {{ stamp: string, exports: WebAssembly.Exports }} Primary
 */

/** The section that two modules of one build share (wasm/toolchain/split_module.js). */
const SPLIT_SECTION = 'stowage.split';

const HINT =
  'pass the file as deferredWasm to loadEngine or createScheduler, or deferredWasm: true to load ' +
  "the package's ahead";

/**
 * The second module, `stowage.deferred.wasm`: code that only clusters with devices or pod groups
 * use, schedulers with extenders or plugins, forks and transactions. It shares the memory and the
 * table of the first module, which asks for it before it does the first of these. Then it is
 * loaded, synchronously, unless it was loaded ahead.
 */
export class DeferredModule {
  #readNow;
  /** @type {Primary | undefined} */
  #primary;
  /** Why the module could not be loaded. @type {LoadError | undefined} */
  #fault;
  #isLoaded = false;

  /** @param {() => WebAssembly.Module} [readNow] reads the package's, synchronously */
  constructor(readNow = deferredModuleNow) {
    this.#readNow = readNow;
  }

  /** The next object that needs the module tries again to load it. */
  forgetFault() {
    this.#fault = undefined;
  }

  /** Whether the second module is there. */
  get isLoaded() {
    return this.#isLoaded;
  }

  /**
   * Starts the first module.
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Imports} imports those of the glue
   * @returns {Promise<WebAssembly.Instance>}
   */
  async startPrimary(module, imports) {
    const instance = await WebAssembly.instantiate(module, this.#withLoad(imports));
    this.#link(module, instance);
    return instance;
  }

  /**
   * Starts the first module, synchronously.
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Imports} imports those of the glue
   */
  startPrimaryNow(module, imports) {
    const instance = new WebAssembly.Instance(module, this.#withLoad(imports));
    this.#link(module, instance);
    return instance;
  }

  /**
   * Loads the second module unless it is there. Called by the engine.
   * @returns {string} why that is impossible; empty if the module is there
   */
  ensure() {
    try {
      this.#load();
      return '';
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause);
    }
  }

  /**
   * Loads the second module ahead, asynchronously.
   * @param {WasmSource | Promise<WasmSource>} [source] default: the package's
   * @throws {LoadError}
   */
  async loadAhead(source) {
    if (this.#isLoaded) return;
    try {
      this.#use(await compiled(source, deferredModule));
    } catch (cause) {
      throw loadError(cause);
    }
  }

  /**
   * Until the second module is there, the table has for each of its functions one that calls this
   * import and then that function (wasm/toolchain/loading_calls.js).
   * @param {WebAssembly.Imports} imports
   * @returns {WebAssembly.Imports}
   */
  #withLoad(imports) {
    return { ...imports, deferred: { load: () => this.#load() } };
  }

  /** @param {WebAssembly.Module} module @param {WebAssembly.Instance} instance */
  #link(module, { exports }) {
    const stamp = stampOf(module);
    this.#primary = { stamp, exports };
    // A module that was not split has all functions.
    if (stamp === '') this.#isLoaded = true;
  }

  #load() {
    if (this.#isLoaded) return;
    // A failure is remembered until a scheduler is made: each object that needs the module asks
    // for it.
    if (this.#fault) throw this.#fault;
    try {
      this.#use(this.#readNow());
    } catch (cause) {
      this.#fault = loadError(cause);
      throw this.#fault;
    }
  }

  /** @param {WebAssembly.Module} module */
  #use(module) {
    const { stamp, exports } = /** @type {Primary} */ (this.#primary);
    if (stampOf(module) !== stamp) throw new Error('it belongs to another stowage.wasm');
    // Its instance replaces the functions in the table that load it.
    new WebAssembly.Instance(module, { primary: withTable(exports) });
    this.#isLoaded = true;
  }
}

/**
 * What the second module imports: exports by their names, and functions by their slots in the table
 * (wasm/toolchain/split_table.js).
 * @param {WebAssembly.Exports} exports of the first module
 * @returns {WebAssembly.ModuleImports}
 */
function withTable(exports) {
  const table = /** @type {WebAssembly.Table} */ (exports.__indirect_function_table);
  return new Proxy({}, { get: (_, name) => exports[String(name)] ?? table.get(Number(name)) });
}

/** @param {unknown} cause */
function loadError(cause) {
  const why = cause instanceof Error ? cause.message : String(cause);
  const code = 'the code for devices, pod groups, extenders, plugins, forks and transactions';
  const message = `stowage.deferred.wasm, ${code}, cannot be loaded`;
  return new LoadError(`${message}: ${why}; ${HINT}`, { cause });
}

/** @param {WebAssembly.Module} module */
function stampOf(module) {
  const [section] = WebAssembly.Module.customSections(module, SPLIT_SECTION);
  return section === undefined ? '' : new TextDecoder().decode(section);
}
