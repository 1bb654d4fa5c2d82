import deferred from '../../dist/stowage.deferred.wasm';
import compiled from '../../dist/stowage.wasm';

/**
 * The module of this package, which workerd compiled at deployment.
 * @returns {WebAssembly.Module}
 */
export function packageModule() {
  return compiled;
}

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
