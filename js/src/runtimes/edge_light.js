import compiled from '../../dist/stowage.wasm?module';

/**
 * The module of this package, which was compiled when it was deployed.
 * @returns {WebAssembly.Module}
 */
export function packageModule() {
  return compiled;
}

/**
 * Next refuses to build code for its edge runtime that calls `WebAssembly.compile`.
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compileModule() {
  throw new Error(
    'an edge runtime compiles no modules: pass one that was compiled when it was deployed, ' +
      "import wasm from 'stowage/stowage.wasm?module'",
  );
}

export { readModule } from './fetch_module.js';
