/** The tasks of a sweep, for this thread and for others. */
import { hasOnlyInTreeFilters } from '../../whatif/sweep/in_tree_filters.js';
import { SweepTasks } from '../../whatif/sweep/tasks.js';
import { inPresent } from '../simulation/present.js';

/**
 * @import { TaskList } from '../../whatif/shards.js'
 * @import { FailureReport, SweepHead } from '../../whatif/sweep/tasks.js'
 * @import { Host } from '../host.js'
 * @import { TaskInput } from '../shards/run.js'
 * @import { SweepOptions } from './arguments.js'
 * @import { PlannedQuestion } from './plan.js'
 * @import { Progress } from '../terminal/terminal.js'
 */

/** @typedef {TaskList<FailureReport, SweepHead>} SweepList */

/**
 * Opens the list of a sweep's failures.
 * @param {TaskInput<PlannedQuestion, SweepOptions>} data
 * @param {Host} host
 * @param {(list: SweepList, context: { progress: Progress }) => Promise<number>} use returns the
 *   exit code
 * @returns {Promise<number>}
 */
export async function withTasks({ input, options, question }, host, use) {
  return inPresent(input, { options, host }, async ({ scheduler, population, progress }) => {
    const onlyInTree = hasOnlyInTreeFilters({ configuration: input.configuration.document });
    const tasks = new SweepTasks(scheduler, question, { population, onlyInTree });
    try {
      return await use(tasks, { progress });
    } finally {
      tasks.dispose();
    }
  });
}
