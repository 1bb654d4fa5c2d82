/** A text that the user opens: a scenario, a configuration, or the objects of a cluster. */
import { FileError, foundIn } from '../worker/opened_files.js';
import { checkConfiguration } from './configuration.js';
import { problem } from './problems.js';
import { checkScenario } from './scenario_text.js';

/**
 * @import { KubernetesObject } from '../../../js/src/index.js'
 * @import { SchedulerSettings } from '../world/world.js'
 * @import { SettingsCheck } from './configuration.js'
 * @import { Problem } from './problems.js'
 */

/**
 * The problems because of which a text cannot be opened.
 * @param {string} text
 * @param {{ check: SettingsCheck, settings: SchedulerSettings, readFile: (name: string) =>
 *   Promise<KubernetesObject[]> }} parts
 * @returns {Promise<Problem[]>}
 */
export async function checkFile(text, parts) {
  try {
    const found = foundIn([{ source: '', text }]);
    if ('text' in found) return await checkScenario(text, parts);
    return 'configuration' in found ? (await checkConfiguration(text, parts)).problems : [];
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return error.causes.map((cause) => problem('error', cause.message, cause));
  }
}
