import { readModule } from './fetch_module.js';

/**
 * The module of this package; bundlers know this form of a location and bring the file along.
 * Browsers, their workers, and everything else that has only web standards.
 * @returns {Promise<Response>}
 */
export function packageModule() {
  return readModule(new URL('../../dist/stowage.wasm', import.meta.url));
}

export { compileModule } from './compile_module.js';
export { readModule };
