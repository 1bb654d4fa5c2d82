import { itemsIn } from '../../kubernetes/values.js';

/** @import { SchedulerOptions } from '../../engine/types.js' */

/**
 * Whether `sweep` may prove failures harmless for schedulers with these options (`onlyInTree`): no
 * plugin of the host, no extender, and no arguments of PodTopologySpread, whose default constraints
 * filter. False for a configuration that is still text or bytes.
 * @param {Pick<SchedulerOptions, 'configuration'> & { plugins?: readonly unknown[] }} options
 * @returns {boolean}
 */
export function hasOnlyInTreeFilters({ configuration = {}, plugins = [] }) {
  if (plugins.length > 0) return false;
  if (typeof configuration === 'string' || configuration instanceof Uint8Array)
    return configuration.length === 0;
  const { extenders, profiles } = configuration;
  const isSpread = (/** @type {any} */ plugin) => plugin?.name === 'PodTopologySpread';
  return (
    itemsIn(extenders).length === 0 &&
    itemsIn(profiles).every((profile) => !itemsIn(profile?.pluginConfig).some(isSpread))
  );
}
