import deferred from '../../dist/stowage.deferred.wasm?module';
import compiled from '../../dist/stowage.wasm?module';

/**
 * The module of this package, compiled at deployment.
 * @returns {WebAssembly.Module}
 */
export function packageModule() {
  return compiled;
}

/**
 * The second module of this package, compiled at deployment.
 * @returns {WebAssembly.Module}
 */
export function deferredModule() {
  return deferred;
}

export { deferredModule as deferredModuleNow };

/**
 * Next's build rejects code for its edge runtime that calls `WebAssembly.compile`.
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileModule() {
  throw new Error(
    'an edge runtime cannot compile modules: pass one that was compiled at deployment, ' +
      "import wasm from 'stowage/stowage.wasm?module'",
  );
}

/** The memory grows by as much as the engine asks for, as a function may have little. */
export const MEMORY_STEP = 0;

export { readModule } from './fetch_module.js';
