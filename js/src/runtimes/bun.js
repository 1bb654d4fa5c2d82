// `bun build --compile` includes a file that is imported this way in its program.
import path from '../../dist/stowage.wasm' with { type: 'file' };
import { readModule } from './node.js';

/**
 * The module of this package.
 * @returns {Promise<BufferSource | Response>}
 */
export function packageModule() {
  return readModule(/** @type {string} */ (/** @type {unknown} */ (path)));
}

/** The memory grows by as much as the engine asks for. */
export const MEMORY_STEP = 0;

export { compileModule } from './compile_module.js';
export { readModule };
