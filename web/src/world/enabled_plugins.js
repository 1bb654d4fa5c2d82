/** Enables a user's plugins in configurations that do not mention them. */
import { isRecord } from '../../../js/src/kubernetes.js';

/** @import { SchedulerOptions } from '../../../js/src/index.js' */

/**
 * Enables each plugin that the configuration does not mention, at all its extension points and in
 * every profile.
 * @param {SchedulerOptions['configuration']} configuration undefined: kube-scheduler's
 * @param {readonly string[]} names of plugins
 * @returns {{ configuration: SchedulerOptions['configuration'], added: string[] }} `added`: the
 *   plugins that the configuration did not mention
 */
export function withPluginsEnabled(configuration, names) {
  const base = configuration ?? DEFAULT;
  // The engine reports the error.
  if (!isRecord(base)) return { configuration, added: [] };
  const profiles = profilesOf(/** @type {Record<string, unknown>} */ (base));
  const known = new Set(profiles.flatMap(namesIn));
  const added = names.filter((name) => typeof name === 'string' && !known.has(name));
  if (added.length === 0) return { configuration, added };
  return {
    configuration: { ...base, profiles: profiles.map((profile) => enabling(profile, added)) },
    added,
  };
}

const DEFAULT = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
};

/** @param {Record<string, unknown>} configuration @returns {unknown[]} */
function profilesOf({ profiles }) {
  return Array.isArray(profiles) && profiles.length > 0 ? profiles : [{}];
}

/** The plugins that a profile enables or disables. @param {unknown} profile @returns {string[]} */
function namesIn(profile) {
  const sets = isRecord(profile) && isRecord(profile.plugins) ? profile.plugins : {};
  return Object.values(sets)
    .filter(isRecord)
    .flatMap(({ enabled, disabled }) => [enabled, disabled])
    .filter(Array.isArray)
    .flat()
    .map((plugin) => plugin?.name);
}

/** @param {unknown} profile @param {string[]} added */
function enabling(profile, added) {
  if (!isRecord(profile)) return profile;
  const plugins = isRecord(profile.plugins) ? profile.plugins : {};
  const multiPoint = isRecord(plugins.multiPoint) ? plugins.multiPoint : {};
  const before = Array.isArray(multiPoint.enabled) ? multiPoint.enabled : [];
  const enabled = [...before, ...added.map((name) => ({ name }))];
  return { ...profile, plugins: { ...plugins, multiPoint: { ...multiPoint, enabled } } };
}
