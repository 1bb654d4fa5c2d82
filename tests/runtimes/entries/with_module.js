/** @import { EngineSources } from 'stowage' */

/**
 * The package, with the caller's modules passed to all its functions.
 *
 * @param {typeof import('stowage')} stowage
 * @param {EngineSources} modules
 * @returns {typeof import('stowage')}
 */
export function withModule(stowage, modules) {
  const { createScheduler, loadEngine, replay } = stowage;
  return {
    ...stowage,
    createScheduler: (options = {}) => createScheduler({ ...modules, ...options }),
    loadEngine: (options = {}) => loadEngine({ ...modules, ...options }),
    replay: (source, options = {}) => replay(source, { ...modules, ...options }),
  };
}
