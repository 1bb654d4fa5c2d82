/** The present cluster, which commands about its future ask. */
import { Population } from '../../whatif/population.js';
import { missingIn, printMissing } from '../outcome/missing.js';
import { requireNodes } from '../cluster/nodes.js';
import { clusterFrom, placePods, readAllSources, readConfiguration } from './simulation.js';
import { Progress } from '../terminal/terminal.js';

/**
 * @import { PlacingOptions } from '../arguments/arguments.js'
 * @import { Cluster } from '../cluster/cluster.js'
 * @import { Host } from '../host.js'
 * @import { Missing } from '../../check/types.js'
 * @import { ClusterOptions, Configuration, ReadSources, Simulation } from './simulation.js'
 */

/**
 * A cluster whose pending pods have been tried. `missing` is what its decisions read and the input
 * lacks.
 * @typedef {Simulation & { population: Population, missing: Missing[], progress: Progress }}
 *   Present
 */

/**
 * The input of a command about the future, as bytes: another thread can have a copy.
 * @typedef {{ configuration: Configuration, read: ReadSources }} PresentInput
 */

/**
 * The options of a command about the future. `files`: manifests that are applied to the cluster, or
 * without `cluster` the cluster itself.
 * @typedef {ClusterOptions & PlacingOptions & { files: string[], cluster: string[], quiet: boolean
 *   }} PresentOptions
 */

/**
 * Reads the cluster of the flags, places its pending pods, and calls `use`.
 * @param {PresentOptions} options
 * @param {Host} host
 * @param {(present: Present) => Promise<number>} use returns the exit code
 * @returns {Promise<number>} the exit code
 * @throws {import('../terminal/problems.js').BadInputError}
 */
export async function withPresent(options, host, use) {
  return inPresent(await readPresent(options, host), { options, host }, use);
}

/**
 * Reads the input of `inPresent`.
 * @param {PresentOptions} options
 * @param {Host} host
 * @returns {Promise<PresentInput>}
 * @throws {import('../terminal/problems.js').BadInputError}
 */
export async function readPresent(options, host) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration(options, host);
    return { configuration, read: await readAllSources(readingOf(options), { host, progress }) };
  } finally {
    progress.clear();
  }
}

/**
 * Places the pending pods of a cluster, and calls `use`.
 * @param {PresentInput} input
 * @param {{ options: PresentOptions, host: Host, prepare?: (cluster: Cluster) => Promise<void> }}
 *   command `prepare` is called before pods are placed
 * @param {(present: Present) => Promise<number>} use returns the exit code
 * @returns {Promise<number>} the exit code
 * @throws {import('../terminal/problems.js').BadInputError}
 */
export async function inPresent({ configuration, read }, { options, host, prepare }, use) {
  const progress = new Progress(host.stderr, options);
  try {
    const cluster = await clusterFrom(read, readingOf(options), { host, progress });
    requireNodes(cluster, options.cluster.length > 0 ? options.cluster : options.files, options);
    await prepare?.(cluster);
    const engine = await host.loadEngine();
    const parts = { engine, cluster, configuration, options, progress, keepObjects: true };
    return await placePods(parts, async (simulation) => {
      const population = new Population(simulation.scheduler);
      const missing = missingIn(cluster, simulation);
      const code = await use({ ...simulation, population, missing, progress });
      progress.clear();
      return printMissing(missing, options, host) ?? code;
    });
  } finally {
    progress.clear();
  }
}

/**
 * The namespace of the flag is that of manifests: without any, it restricts nothing.
 * @template {ClusterOptions & { files: string[] }} Options
 * @param {Options} options
 * @returns {Options}
 */
function readingOf(options) {
  return options.files.length > 0 ? options : { ...options, namespace: undefined };
}
