import { sweepOf } from '../whatif/sweep/sweep.js';
import { jsonText, yamlText } from './documents.js';
import { readPresent } from './present.js';
import { BadInputError, EXIT } from './problems.js';
import { shardsOf } from './shard_arguments.js';
import { readMerged } from './shard_files.js';
import { WorkerPool } from './shard_pool.js';
import { runShards } from './shard_run.js';
import { jobOf } from './sweep_job.js';
import { readPlan } from './sweep_plan.js';
import { formatSweep } from './sweep_table.js';
import { digestOfInput, withTasks } from './sweep_tasks.js';

/**
 * @import { FailureReport, SweepHead } from '../whatif/sweep/tasks.js'
 * @import { Sweep } from '../whatif/sweep/sweep.js'
 * @import { Host } from './main.js'
 * @import { SweepOptions } from './sweep_arguments.js'
 * @import { PlannedQuestion } from './sweep_plan.js'
 */

/** The kind of the results of shards. */
const KIND = 'Sweep';

/**
 * `stowage sweep`: reports the failures that leave pods pending.
 * @param {SweepOptions} options
 * @param {Host} host
 * @returns {Promise<number>} the exit code
 */
export async function sweep(options, host) {
  if (options.action === 'merge') return merge(options, host);
  const question = await questionOf(options, host);
  if (options.job) {
    host.stdout.write(jobOf(options.job, question, options));
    return EXIT.yes;
  }
  const shards = shardsOf(options, host.env);
  const data = { input: await readPresent(options, host), options, question };
  const module = new URL('./sweep_tasks.js', import.meta.url);
  const pool = new WorkerPool({ workers: options.workers, module, data });
  try {
    return await withTasks(data, host, async (list, { progress }) => {
      const { length: tasks, head } = list;
      if (shards) {
        const work = { kind: KIND, input: await digestOfInput(data), tasks, head };
        const results = options.results ?? '';
        const run = { work, shards, results, pool, progress };
        await runShards(list, run, { host, quiet: options.quiet });
        return EXIT.yes;
      }
      const reports = await pool.run(list, { from: 0, to: tasks }, (done) =>
        progress.update('sweeping', done, tasks),
      );
      progress.clear();
      return print(sweepOf(head, reports), options, host);
    });
  } finally {
    await pool.end();
  }
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
 * `stowage sweep merge`: prints what a single run prints.
 * @param {SweepOptions} options
 * @param {Host} host
 */
async function merge(options, host) {
  const { work, reports } = await readMerged(options.files, KIND);
  const head = /** @type {SweepHead} */ (work.head);
  requireRelease(head.kubernetesVersion, options);
  return print(sweepOf(head, /** @type {FailureReport[]} */ (reports)), options, host);
}

/**
 * @param {string} release of the shards
 * @param {SweepOptions} options
 * @throws {BadInputError} if `--kubernetes-version` is another one
 */
function requireRelease(release, { kubernetesVersion: asked = release }) {
  if (asked !== release) throw new BadInputError([`the shards are of ${release}, not of ${asked}`]);
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
