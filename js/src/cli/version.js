import { parsed } from './arguments/arguments.js';
import { HELP } from './arguments/flags.js';
import { FACT_TEXTS } from '../kubernetes/release_facts.js';
import { EXIT } from './terminal/problems.js';
import { formatTable } from './terminal/terminal.js';

/**
 * @import { Engine } from '../engine/engine.js'
 * @import { Host } from './host.js'
 */

const FLAGS = /** @type {const} */ ({
  verbose: {
    type: 'boolean',
    short: 'v',
    default: false,
    help: 'also list, by release, the facts that hold since then',
  },
  ...HELP,
});

/** @type {import('./arguments/manual.js').Manual} */
export const VERSION = {
  name: 'version',
  takes: '[flags]',
  summary: 'print the version',
  description: `\
Prints the version of stowage with the default of --kubernetes-version, and the releases of
kube-scheduler whose decisions it makes, each with the patch that it stands for.

With --verbose it lists in what else than feature gates a release differs from the one before, with
the source. A fact is recorded if recordings of both releases prove it.`,
  examples: [{ why: 'What has changed from release to release?', command: 'stowage version -v' }],
  flags: FLAGS,
  exitCodes: { 0: 'it is printed', 2: 'the command line is wrong', 3: 'stowage failed' },
};

/**
 * @param {string[]} argv the arguments after `version`
 * @returns {{ verbose: boolean, help: boolean }}
 * @throws {import('./terminal/problems.js').UsageError}
 */
export function parseVersionArguments(argv) {
  return parsed(argv, FLAGS).values;
}

/**
 * @param {{ verbose: boolean }} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function version({ verbose }, host) {
  const engine = await host.loadEngine();
  const { stdout } = host;
  const patches = engine.releases.map(({ version: release, patch = release }) => patch);
  stdout.write(`stowage ${engine.version} (kube-scheduler ${engine.kubernetesVersion})\n`);
  stdout.write(`releases: ${patches.join(', ')}\n`);
  if (verbose) stdout.write(`\n${factTable(engine)}`);
  return EXIT.yes;
}

/** @param {Engine} engine */
function factTable({ releases, releaseFacts }) {
  const rows = releases.flatMap(({ version: release }) =>
    releaseFacts
      .filter(({ since }) => since === release)
      .map(({ name }) => {
        const { sentence, source, scenario } = FACT_TEXTS[name];
        return [release, name, scenario ? 'recorded' : 'not recorded', source, sentence];
      }),
  );
  const header = ['SINCE', 'FACT', 'PROOF', 'SOURCE', 'WHAT HOLDS'];
  return formatTable([header, ...rows], { headers: true });
}
