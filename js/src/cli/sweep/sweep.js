import { sweepOf } from '../../whatif/sweep/sweep.js';
import { jsonText, yamlText } from '../terminal/documents.js';
import { EXIT } from '../terminal/problems.js';
import { mergeTasks, runTasks } from '../shards/run.js';
import { jobOf } from './job.js';
import { readPlan } from './plan.js';
import { formatSweep } from './table.js';
import { withTasks } from './tasks.js';

/**
 * @import { FailureReport, SweepHead } from '../../whatif/sweep/tasks.js'
 * @import { Sweep } from '../../whatif/sweep/sweep.js'
 * @import { Host } from '../host.js'
 * @import { Tasks } from '../shards/run.js'
 * @import { SweepOptions } from './arguments.js'
 * @import { PlannedQuestion } from './plan.js'
 */

/**
 * `stowage sweep`: reports the failures that leave pods pending.
 * @param {SweepOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function sweep(options, host) {
  /** @type {Tasks<FailureReport, SweepHead>} */
  const tasks = {
    kind: 'Sweep',
    doing: 'sweeping',
    module: new URL('./tasks.js', import.meta.url),
    withTasks,
    print: (head, reports) => print(sweepOf(head, reports), options, host),
  };
  if (options.action === 'merge') return mergeTasks(tasks, options);
  const question = await questionOf(options, host);
  if (!options.job) return runTasks(tasks, question, { options, host });
  host.stdout.write(jobOf(options.job, question, options));
  return EXIT.yes;
}

/**
 * @param {SweepOptions} options
 * @param {Host} host
 * @returns {Promise<PlannedQuestion>}
 */
async function questionOf({ question, plan = '' }, host) {
  return question ?? readPlan(plan, host);
}

/**
 * @param {Sweep} answer
 * @param {SweepOptions} options
 * @param {Host} host
 * @returns {number} the exit code
 */
function print(answer, options, host) {
  const { output } = options;
  if (output === 'json') host.stdout.write(jsonText(answer));
  else if (output === 'yaml') host.stdout.write(yamlText(answer));
  else host.stdout.write(formatSweep(answer, options, host));
  return answer.failures.length > 0 ? EXIT.no : EXIT.yes;
}
