/** @import { WasmSource } from 'stowage' */

/**
 * The package, with the caller's module passed to all its functions.
 *
 * @param {typeof import('stowage')} stowage
 * @param {WasmSource | Promise<WasmSource>} wasm
 * @returns {typeof import('stowage')}
 */
export function withModule(stowage, wasm) {
  const { createScheduler, loadEngine, replay } = stowage;
  return {
    ...stowage,
    createScheduler: (options = {}) => createScheduler({ wasm, ...options }),
    loadEngine: (options = {}) => loadEngine({ wasm, ...options }),
    replay: (source, options = {}) => replay(source, { wasm, ...options }),
  };
}
