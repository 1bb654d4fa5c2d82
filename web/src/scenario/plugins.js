/** The JavaScript plugins of scenarios. */
import { isRecord } from '../../../js/src/kubernetes.js';

/**
 * @import { PluginModule } from '../world/plugin_modules.js'
 * @import { Action, SchedulerSettings } from '../world/world.js'
 * @import { Scenario } from './scenario.js'
 */

/**
 * All of them: those at the start and those of later steps.
 * @param {Scenario} scenario
 * @returns {PluginModule[]}
 */
export function pluginModulesOf({ scheduler, steps }) {
  return [scheduler, ...steps.flatMap(({ actions }) => actions.flatMap(schedulersOf))].flatMap(
    ({ plugins = [] }) => plugins,
  );
}

/**
 * The scenario without its JavaScript. Its configuration no longer names those plugins either.
 * @param {Scenario} scenario
 * @returns {Scenario}
 */
export function withoutPlugins(scenario) {
  const { scheduler, steps } = scenario;
  const sources = pluginModulesOf(scenario).map(({ source }) => source);
  return {
    ...scenario,
    scheduler: settingsWithout(scheduler, sources),
    steps: steps.map(({ actions, ...step }) => ({
      ...step,
      actions: actions.map((action) =>
        action.do === 'configure'
          ? { ...action, scheduler: settingsWithout(action.scheduler, sources) }
          : action,
      ),
    })),
  };
}

/** @param {Action} action @returns {SchedulerSettings[]} */
function schedulersOf(action) {
  return action.do === 'configure' ? [action.scheduler] : [];
}

/**
 * @param {SchedulerSettings} settings
 * @param {string[]} sources
 * @returns {SchedulerSettings}
 */
function settingsWithout({ plugins, configuration, ...settings }, sources) {
  if (configuration === undefined) return settings;
  return { ...settings, configuration: withoutNames(configuration, sources) };
}

/**
 * @param {any} value a configuration's value
 * @param {string[]} sources
 * @returns {any}
 */
function withoutNames(value, sources) {
  if (Array.isArray(value))
    return value
      .filter((item) => !sources.some((source) => names(source, item?.name)))
      .map((item) => withoutNames(item, sources));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNames(item, sources)]));
}

/**
 * True if a text contains a plugin of that name. The text is searched, not run.
 * @param {string} source
 * @param {unknown} name
 */
function names(source, name) {
  if (typeof name !== 'string' || name === '') return false;
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) =>
    source.replaceAll(/\s+/g, '').includes(`name:${quoted.replaceAll(/\s+/g, '')}`),
  );
}
