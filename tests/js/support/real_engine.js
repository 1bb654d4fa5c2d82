/** The engine as it is built: as WebAssembly, and as the native addon. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { DeferredModule } from '../../../js/src/engine/deferred_module.js';
import { Engine } from '../../../js/src/index.js';

const root = new URL('../../../', import.meta.url);

export const modulePath = new URL('js/dist/stowage.wasm', root);
export const commandPath = new URL('js/src/cli/stowage.js', root);

/**
 * @typedef {object} RealEngine
 * @property {Engine} engine
 * @property {import('../../../js/src/engine/types.js').EngineSurface} surface
 * @property {() => number} [memoryBytes]
 * @property {() => ArrayBuffer} [memory] all of the module's memory, until it grows
 */

/** @returns {Promise<RealEngine>} */
export async function startWasm() {
  const { default: createModule } = await import(new URL('js/dist/stowage.js', root).href);
  const module = await WebAssembly.compile(await readFile(modulePath));
  /** @type {WebAssembly.Memory} */
  let memory;
  const deferred = new DeferredModule();
  const surface = await createModule({
    loadDeferred: () => deferred.ensure(),
    /**
     * @param {WebAssembly.Imports} imports
     * @param {(instance: WebAssembly.Instance, module: WebAssembly.Module) => void} done
     */
    instantiateWasm(imports, done) {
      const instance = deferred.startPrimaryNow(module, imports);
      const found = Object.values(instance.exports).find(
        (value) => value instanceof WebAssembly.Memory,
      );
      memory = /** @type {WebAssembly.Memory} */ (found);
      done(instance, module);
      return instance.exports;
    },
  });
  return {
    engine: new Engine(surface, deferred),
    surface,
    memory: () => memory.buffer,
    memoryBytes: () => memory.buffer.byteLength,
  };
}

/** @returns {Promise<RealEngine>} */
export async function startNative() {
  const surface = createRequire(import.meta.url)('../../../build/native/stowage_native.node');
  return { engine: new Engine(surface), surface };
}

export const TARGETS = Object.freeze({ wasm: startWasm, native: startNative });
