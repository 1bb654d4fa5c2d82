/** The present cluster, which commands about its future ask. */
import { Population } from '../whatif/population.js';
import { missingIn, printMissing } from './missing.js';
import { requireNodes } from './nodes.js';
import { placePods, readConfiguration, readManifests } from './simulation.js';
import { Progress } from './terminal.js';

/**
 * @import { PlacingOptions } from './arguments.js'
 * @import { Host } from './main.js'
 * @import { Missing } from '../check/types.js'
 * @import { ClusterOptions, Simulation } from './simulation.js'
 */

/**
 * A cluster whose pending pods have been tried. `missing` is what its decisions read and the input
 * lacks.
 * @typedef {Simulation & { population: Population, missing: Missing[], progress: Progress }}
 *   Present
 */

/**
 * Reads the cluster of the flags, places its pending pods, and calls `use`.
 * @param {ClusterOptions & PlacingOptions & { files: string[], cluster: string[], quiet: boolean }}
 *   options
 *   `files`: manifests that are applied to the cluster, or without `cluster` the cluster itself
 * @param {Host} host
 * @param {(present: Present) => Promise<number>} use returns the exit code
 * @returns {Promise<number>} the exit code
 * @throws {import('./problems.js').BadInputError}
 */
export async function withPresent(options, host, use) {
  const progress = new Progress(host.stderr, options);
  try {
    const configuration = await readConfiguration(options, host);
    const cluster = await readManifests(readingOf(options), { host, progress });
    requireNodes(cluster, options.cluster.length > 0 ? options.cluster : options.files, options);
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
