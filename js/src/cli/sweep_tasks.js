/** The tasks of a sweep, for this thread and for others. */
import { digestOf } from '../whatif/shards.js';
import { itemsIn } from '../kubernetes/values.js';
import { SweepTasks } from '../whatif/sweep/tasks.js';
import { inPresent } from './present.js';

/**
 * @import { TaskList } from '../whatif/shards.js'
 * @import { FailureReport, SweepHead } from '../whatif/sweep/tasks.js'
 * @import { Host } from './main.js'
 * @import { PresentInput } from './present.js'
 * @import { SweepOptions } from './sweep_arguments.js'
 * @import { PlannedQuestion } from './sweep_plan.js'
 * @import { Progress } from './terminal.js'
 */

/**
 * @typedef {{ input: PresentInput, options: SweepOptions, question: PlannedQuestion }} SweepInput
 */

/** @typedef {TaskList<FailureReport, SweepHead>} SweepList */

/**
 * Opens the list of a sweep's failures.
 * @param {SweepInput} data
 * @param {Host} host
 * @param {(list: SweepList, context: { progress: Progress }) => Promise<number>} use returns the
 *   exit code
 * @returns {Promise<number>}
 */
export async function withTasks({ input, options, question }, host, use) {
  return inPresent(input, { options, host }, async ({ scheduler, population, progress }) => {
    const onlyInTree = hasOnlyInTreeFilters(input.configuration.document);
    const tasks = new SweepTasks(scheduler, question, { population, onlyInTree });
    try {
      return await use(tasks, { progress });
    } finally {
      tasks.dispose();
    }
  });
}

/**
 * Whether no extender filters nodes, and PodTopologySpread has no default constraints.
 * @param {any} configuration a KubeSchedulerConfiguration
 */
function hasOnlyInTreeFilters(configuration) {
  const { extenders, profiles } = Object(configuration);
  const isSpread = (/** @type {any} */ { name } = {}) => name === 'PodTopologySpread';
  return (
    itemsIn(extenders).length === 0 &&
    itemsIn(profiles).every((profile) => !itemsIn(profile?.pluginConfig).some(isSpread))
  );
}

/**
 * Returns the digest of everything that the reports depend on, except the version and the release.
 * @param {SweepInput} data
 */
export async function digestOfInput({ input: { configuration, read }, options, question }) {
  const { featureGates, tieBreak, seed, volumes, validate, skipInvalid } = options;
  const { sources, manifests = [], namespace } = read;
  const settings = { featureGates, tieBreak, seed, volumes, validate, skipInvalid, namespace };
  const counts = [sources.length, manifests.length];
  return digestOf([
    JSON.stringify({ question, settings, counts }),
    configuration.bytes,
    ...[...sources, ...manifests].map(({ bytes }) => bytes),
  ]);
}
