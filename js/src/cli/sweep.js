import { sweepOf } from '../whatif/sweep/sweep.js';
import { jsonText, yamlText } from './documents.js';
import { EXIT } from './problems.js';
import { mergeTasks, runTasks } from './shard_run.js';
import { jobOf } from './sweep_job.js';
import { readPlan } from './sweep_plan.js';
import { formatSweep } from './sweep_table.js';
import { withTasks } from './sweep_tasks.js';

/**
 * @import { FailureReport, SweepHead } from '../whatif/sweep/tasks.js'
 * @import { Sweep } from '../whatif/sweep/sweep.js'
 * @import { Host } from './host.js'
 * @import { Tasks } from './shard_run.js'
 * @import { SweepOptions } from './sweep_arguments.js'
 * @import { PlannedQuestion } from './sweep_plan.js'
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
    module: new URL('./sweep_tasks.js', import.meta.url),
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
