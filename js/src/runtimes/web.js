import { readModule, readModuleNow } from './fetch_module.js';

/**
 * The module of this package, for browsers, workers, and other runtimes with web standards only.
 * Bundlers recognize this form of a URL and include the file.
 * @returns {Promise<Response>}
 */
export function packageModule() {
  return readModule(new URL('../../dist/stowage.wasm', import.meta.url));
}

/** The memory grows by as much as the engine asks for, as a phone may have little. */
export const MEMORY_STEP = 0;

const deferredLocation = () => new URL('../../dist/stowage.deferred.wasm', import.meta.url);

/**
 * The second module of this package.
 * @returns {Promise<Response>}
 */
export const deferredModule = () => readModule(deferredLocation());

/** The second module of this package, at once. */
export const deferredModuleNow = () => readModuleNow(deferredLocation());

export { compileModule } from './compile_module.js';
export { readModule };
