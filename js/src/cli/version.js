import { parsed } from './arguments.js';
import { HELP } from './flags.js';
import { EXIT } from './problems.js';

/** @import { Host } from './main.js' */

/** @type {import('./manual.js').Manual} */
export const VERSION = {
  name: 'version',
  takes: '',
  summary: 'print the version',
  description: 'Prints the version of stowage and of the kube-scheduler whose decisions it makes.',
  examples: [],
  flags: HELP,
  exitCodes: { 0: 'it is printed', 3: 'stowage failed' },
};

/**
 * @param {string[]} argv the arguments after `version`
 * @returns {{ help: boolean }}
 * @throws {import('./problems.js').UsageError}
 */
export function parseVersionArguments(argv) {
  return parsed(argv, HELP).values;
}

/**
 * @param {unknown} _options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function version(_options, host) {
  const engine = await host.loadEngine();
  host.stdout.write(`stowage ${engine.version} (kube-scheduler ${engine.kubernetesVersion})\n`);
  return EXIT.yes;
}
