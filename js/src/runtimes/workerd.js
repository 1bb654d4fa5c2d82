import compiled from '../../dist/stowage.wasm';

/**
 * The module of this package, which workerd compiled at deployment.
 * @returns {WebAssembly.Module}
 */
export function packageModule() {
  return compiled;
}

export { compileModule } from './compile_module.js';
export { readModule } from './fetch_module.js';
