// `bun build --compile` includes files that are imported this way in its program.
import deferredPath from '../../dist/stowage.deferred.wasm' with { type: 'file' };
import path from '../../dist/stowage.wasm' with { type: 'file' };
import { readModule, readModuleNow } from './node.js';

const pathOf = (/** @type {unknown} */ imported) => /** @type {string} */ (imported);

/**
 * The module of this package.
 * @returns {Promise<BufferSource | Response>}
 */
export function packageModule() {
  return readModule(pathOf(path));
}

/**
 * The second module of this package.
 * @returns {Promise<BufferSource | Response>}
 */
export function deferredModule() {
  return readModule(pathOf(deferredPath));
}

/** The second module of this package, at once. */
export function deferredModuleNow() {
  return readModuleNow(pathOf(deferredPath));
}

/** The memory grows by as much as the engine asks for. */
export const MEMORY_STEP = 0;

export { compileModule } from './compile_module.js';
export { readModule };
