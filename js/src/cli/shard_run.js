/** Runs the shards of a list of tasks, and writes their results. */
import { nameOf, tasksOf } from '../whatif/shards.js';
import { isFinished, shardFile, writeShard } from './shard_files.js';
import { say } from './terminal.js';

/**
 * @import { Shard, TaskList, Work } from '../whatif/shards.js'
 * @import { Host } from './main.js'
 * @import { WorkerPool } from './shard_pool.js'
 * @import { Progress } from './terminal.js'
 */

/**
 * Runs shards one after another, and skips those whose results are there.
 * @param {TaskList<{ task: number }, object>} list
 * @param {{ work: Work, shards: Shard[], results: string, pool: WorkerPool, progress: Progress }}
 *   run
 * @param {{ host: Host, quiet: boolean }} command
 */
export async function runShards(list, { work, shards, results, pool, progress }, { host, quiet }) {
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
