/** Runs a list of tasks as the flags say: in threads, or as shards whose results are files. */
import { digestOf, nameOf, tasksOf } from '../../whatif/shards.js';
import { readPresent } from '../simulation/present.js';
import { BadInputError, EXIT } from '../terminal/problems.js';
import { shardsOf } from './arguments.js';
import { isFinished, readMerged, shardFile, writeShard } from './files.js';
import { WorkerPool } from './pool.js';
import { say } from '../terminal/terminal.js';

/**
 * @import { Shard, TaskList, Work } from '../../whatif/shards.js'
 * @import { Host } from '../host.js'
 * @import { PresentInput, PresentOptions } from '../simulation/present.js'
 * @import { SharedWorkOptions } from './arguments.js'
 * @import { Progress } from '../terminal/terminal.js'
 */

/** @typedef {PresentOptions & SharedWorkOptions} TaskOptions */

/**
 * What the tasks of a command are made of, in every thread. `question`: as JSON, everything of the
 * command line that the reports depend on, besides the cluster and how pods are placed.
 * @template Question
 * @template {TaskOptions} [Options=TaskOptions]
 * @typedef {{ input: PresentInput, options: Options, question: Question }} TaskInput
 */

/**
 * Opens the list of tasks in `data`, calls `use`, and closes it. Returns the exit code of `use`.
 * @template Report
 * @template Head
 * @typedef {(data: any, host: Host, use: (list: TaskList<Report & { task: number }, Head & object>,
 *   context: { progress: Progress }) => Promise<number>) => Promise<number>} WithTasks
 */

/**
 * The tasks of a command. `kind`: of the answer. `module` exports `withTasks`. `print` prints the
 * answer of all reports, and returns the exit code.
 * @template {{ task: number }} Report
 * @template {object} Head
 * @typedef {object} Tasks
 * @property {string} kind
 * @property {string} doing such as `sweeping`, for the progress
 * @property {URL} module
 * @property {WithTasks<Report, Head>} withTasks
 * @property {(head: Head, reports: Report[]) => number} print
 */

/**
 * Runs all tasks and prints their answer, or with `--results` writes the results of shards.
 * @template {{ task: number }} Report
 * @template {object} Head
 * @param {Tasks<Report, Head>} tasks
 * @param {unknown} question
 * @param {{ options: TaskOptions, host: Host }} command
 * @returns {Promise<number>} the exit code
 * @throws {import('../terminal/problems.js').BadInputError}
 */
export async function runTasks(tasks, question, { options, host }) {
  const { kind, doing, module, withTasks, print } = tasks;
  const shards = shardsOf(options, host.env);
  const data = { input: await readPresent(options, host), options, question };
  const pool = new WorkerPool({ workers: options.workers, module, data });
  try {
    return await withTasks(data, host, async (list, { progress }) => {
      const { length, head } = list;
      if (shards) {
        const work = { kind, input: await digestOfInput(data), tasks: length, head };
        const results = options.results ?? '';
        const run = { work, shards, results, pool, progress };
        await runShards(list, run, { host, quiet: options.quiet });
        return EXIT.yes;
      }
      const reports = await pool.run(list, { from: 0, to: length }, (done) =>
        progress.update(doing, done, length),
      );
      progress.clear();
      return print(head, reports);
    });
  } finally {
    await pool.end();
  }
}

/**
 * Prints the answer that a single run prints, from the results of shards.
 * @template {{ task: number }} Report
 * @template {{ kubernetesVersion: string }} Head
 * @param {Tasks<Report, Head>} tasks
 * @param {{ files: string[], kubernetesVersion?: string }} options `files`: also folders of them
 * @returns {Promise<number>} the exit code
 * @throws {BadInputError} also if the shards are of another release than the options
 */
export async function mergeTasks({ kind, print }, { files, kubernetesVersion: asked }) {
  const { work, reports } = await readMerged(files, kind);
  const head = /** @type {Head} */ (work.head);
  const release = head.kubernetesVersion;
  if (asked !== undefined && asked !== release)
    throw new BadInputError([`the shards are of ${release}, not of ${asked}`]);
  return print(head, /** @type {Report[]} */ (reports));
}

/**
 * Returns the digest of everything that the reports depend on, except what the head of the tasks
 * has: the release.
 * @param {TaskInput<unknown>} data
 */
async function digestOfInput({ input: { configuration, read }, options, question }) {
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

/**
 * Runs shards one after another, and skips those whose results are there.
 * @template {{ task: number }} Report
 * @param {TaskList<Report, object>} list
 * @param {{ work: Work, shards: Shard[], results: string, pool: WorkerPool, progress: Progress }}
 *   run
 * @param {{ host: Host, quiet: boolean }} command
 */
async function runShards(list, { work, shards, results, pool, progress }, { host, quiet }) {
  for (const shard of shards) {
    const path = shardFile(results, work, shard);
    const isThere = await isFinished(results, work, shard);
    if (!isThere) {
      const tasks = tasksOf(shard, list.length);
      const what = `shard ${nameOf(shard)}`;
      const reports = await pool.run(list, tasks, (done) =>
        progress.update(what, done, tasks.to - tasks.from),
      );
      await writeShard(results, { work, shard, reports });
    }
    progress.clear();
    if (quiet) continue;
    const how = isThere ? 'was finished before' : 'is finished';
    say(host.stderr, `shard ${nameOf(shard)} ${how}: ${path}`);
  }
}
