/** KubeSchedulerConfigurations as text, and the errors with which a scheduler would refuse them. */
import { stringify } from 'yaml';

import { parse, parseSingle, positionOf, YAML_OPTIONS } from '../../../js/src/manifests.js';
import { fieldProblems } from './field_problems.js';
import { fieldText, inOrder, problem, problemsOf } from './problems.js';
import { documentPlace } from './types.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { Step } from '../../../js/src/manifests.js'
 * @import { SchedulerSettings } from '../world/world.js'
 * @import { Problem } from './problems.js'
 */

/** The text for a scheduler that runs with the defaults: a template in comments. */
const TEMPLATE = `# kube-scheduler's defaults are in force. Take away a # to change one.
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: default-scheduler
    # plugins:
    #   multiPoint: # a plugin at all of its extension points
    #     disabled: [{ name: ImageLocality }]
    #   score:
    #     enabled: [{ name: NodeResourcesFit, weight: 5 }]
    # pluginConfig:
    #   - name: NodeResourcesFit
    #     args:
    #       scoringStrategy:
    #         type: MostAllocated # LeastAllocated is the default
    #         resources: [{ name: cpu, weight: 1 }, { name: memory, weight: 1 }]
# percentageOfNodesToScore: 0 # adaptive
# podInitialBackoffSeconds: 1
# podMaxBackoffSeconds: 10
`;

/** @param {SchedulerSettings} settings the settings in force */
export function configurationText({ configuration }) {
  if (configuration === undefined) return TEMPLATE;
  return typeof configuration === 'string' ? configuration : stringify(configuration, YAML_OPTIONS);
}

/**
 * Throws for settings that a scheduler could not start with.
 * @typedef {(settings: SchedulerSettings) => Promise<void>} SettingsCheck
 */

/**
 * @param {string} text
 * @param {{ check: SettingsCheck, settings: SchedulerSettings }} scheduler `settings`: those in
 *   force; the check replaces their configuration only
 * @returns {Promise<{ settings: SchedulerSettings, problems: Problem[] }>}
 */
export async function checkConfiguration(text, { check, settings }) {
  const { document, problems } = readConfiguration(text);
  if (!document) return { settings, problems };
  const wanted = { ...settings, configuration: document };
  return { settings: wanted, problems: await configurationProblems(check, wanted, document, []) };
}

/**
 * @param {string} text
 * @returns {{ document?: KubernetesObject, problems: Problem[] }}
 */
function readConfiguration(text) {
  try {
    // `read` refuses keys that appear twice; `parse` knows the positions.
    parseSingle(text);
    const [document] = parse(text);
    if (document) return { document, problems: [] };
    return { problems: [problem('error', 'a KubeSchedulerConfiguration is expected')] };
  } catch (error) {
    return { problems: problemsOf(error) };
  }
}

/**
 * The engine's error, which is the first that it finds, and the type errors of all other fields.
 * @param {SettingsCheck} check
 * @param {SchedulerSettings} settings
 * @param {KubernetesObject} document the document that holds the configuration
 * @param {Step[]} path where
 * @returns {Promise<Problem[]>}
 */
export async function configurationProblems(check, settings, document, path) {
  try {
    await check(settings);
    return [];
  } catch (error) {
    const said = problemsOf(error, document, fieldText(path));
    const lines = new Set(said.map(({ line }) => line));
    const others = typeProblems(document, path).filter(({ line }) => !lines.has(line));
    return inOrder([...said, ...others]);
  }
}

/**
 * @param {KubernetesObject} document
 * @param {Step[]} path
 */
function typeProblems(document, path) {
  const value = path.reduce((/** @type {any} */ at, step) => at?.[step], document);
  return [...fieldProblems(documentPlace('configuration', value), path)].map(({ field, message }) =>
    problem('error', message, positionOf(document, field)),
  );
}
