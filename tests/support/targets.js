/** Loads the engine under test, the native addon or the WASM module, as a `RawEngine`. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { DeferredModule } from '../../js/src/engine/deferred_module.js';
import { RawEngine } from './raw_engine.js';

const root = new URL('../../', import.meta.url);

export const TARGETS = /** @type {const} */ (['native', 'wasm']);

/** The files of each target, by role. */
export const ARTIFACTS = {
  addon: fileURLToPath(new URL('build/native/stowage_native.node', root)),
  glue: fileURLToPath(new URL('js/dist/stowage.js', root)),
  module: fileURLToPath(new URL('js/dist/stowage.wasm', root)),
  deferred: fileURLToPath(new URL('js/dist/stowage.deferred.wasm', root)),
};

/** A target's files are missing: it was not built. */
export class NotBuiltError extends Error {
  /** @param {string} target @param {string} file */
  constructor(target, file) {
    super(`The ${target} engine is not built: ${file} is missing. \`npm test\` builds it.`);
    this.name = 'NotBuiltError';
    this.code = 'NotBuilt';
  }
}

/**
 * @param {string} target  one of TARGETS
 * @param {string} [module] the module's file
 * @returns {Promise<RawEngine>}
 */
export async function loadTarget(target, module = ARTIFACTS.module) {
  return target === 'native' ? loadNative() : loadWasm(module);
}

function loadNative() {
  requireFiles('native', [ARTIFACTS.addon]);
  return new RawEngine(createRequire(import.meta.url)(ARTIFACTS.addon));
}

/** @param {string} file */
async function loadWasm(file) {
  requireFiles('wasm', [ARTIFACTS.glue, file]);
  const { default: createModule } = await import(pathToFileURL(ARTIFACTS.glue).href);
  return instantiate(createModule, new WebAssembly.Module(readFileSync(file)));
}

/**
 * @param {(options: object) => Promise<any>} createModule  the glue's factory
 * @param {WebAssembly.Module} module
 * @param {DeferredModule} [deferred]
 */
export async function instantiate(createModule, module, deferred = new DeferredModule()) {
  /** @type {WebAssembly.Memory | undefined} */
  let memory;
  const surface = await createModule({
    loadDeferred: () => deferred.ensure(),
    /** @param {WebAssembly.Imports} imports @param {Function} done */
    instantiateWasm(imports, done) {
      const instance = deferred.startPrimaryNow(module, imports);
      memory = Object.values(instance.exports).find((value) => value instanceof WebAssembly.Memory);
      done(instance, module);
      return instance.exports;
    },
  });
  return new RawEngine(surface, { memoryBytes: () => memory?.buffer.byteLength ?? 0 });
}

/** @param {string} target @param {string[]} files */
function requireFiles(target, files) {
  const missing = files.find((file) => !existsSync(file));
  if (missing) throw new NotBuiltError(target, missing);
}
