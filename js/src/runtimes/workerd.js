import deferred from '../../dist/stowage.deferred.wasm';
import compiled from '../../dist/stowage.wasm';

/**
 * The module of this package, which workerd compiled at deployment.
 * @returns {WebAssembly.Module}
 */
export function packageModule() {
  return compiled;
}

/** The memory grows by as much as the engine asks for, as a worker may have 128 MB in all. */
export const MEMORY_STEP = 0;

/**
 * The second module of this package, which workerd compiled at deployment.
 * @returns {WebAssembly.Module}
 */
export function deferredModule() {
  return deferred;
}

export { deferredModule as deferredModuleNow };
export { compileModule } from './compile_module.js';
export { readModule } from './fetch_module.js';
