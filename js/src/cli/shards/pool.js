/** Threads that run the tasks of a list; this thread is one of them. */
import { Worker } from 'node:worker_threads';
import { pause } from '../../runtimes/pause.js';

/**
 * @import { TaskList } from '../../whatif/shards.js'
 * @import { Host } from '../host.js'
 */

/**
 * A module whose tasks other threads can run as well: it exports `withTasks`, which opens the list
 * in `data`, calls `use` with it, and closes it.
 * @template Data
 * @typedef {{ withTasks: (data: Data, host: Host, use: (list: TaskList<{ task: number }, object>)
 *   => Promise<number>) => Promise<number> }} TaskModule
 */

/** Consecutive tasks, without `to`. */
/** @typedef {{ from: number, to: number }} Tasks */

/**
 * The most tasks that a thread takes at once; and its share of the tasks that are left, so that the
 * last chunks are small and all threads end at about the same time.
 */
const CHUNK_MAX = 256;
const SHARE = 1 / 8;

/** Other threads, each with the same list. They start when the pool is made. */
export class WorkerPool {
  /**
   * Each with a promise for its list to be open.
   * @type {{ worker: Worker, open: Promise<unknown> }[]}
   */
  #workers;
  /** Rejects when a thread fails. @type {Promise<never>} */
  #failed;

  /**
   * @param {object} parts
   * @param {number} parts.workers the number of threads, this one included
   * @param {URL} parts.module a TaskModule
   * @param {unknown} parts.data its input, which is copied
   */
  constructor({ workers, module, data }) {
    const file = new URL('./worker.js', import.meta.url);
    const workerData = { module: module.href, data };
    this.#workers = Array.from({ length: workers - 1 }, () => {
      const worker = new Worker(file, { workerData });
      const open = new Promise((resolve) => worker.once('message', resolve));
      return { worker, open };
    });
    this.#failed = new Promise((_, reject) => {
      for (const { worker } of this.#workers) worker.on('error', reject);
    });
    this.#failed.catch(() => {});
  }

  /** Resolves when all threads have opened their lists. Running tasks does not wait for that. */
  async ready() {
    await Promise.race([this.#failed, Promise.all(this.#workers.map(({ open }) => open))]);
  }

  /**
   * Runs tasks, in this thread and the others.
   * @template {{ task: number }} Report
   * @param {TaskList<Report, object>} list
   * @param {Tasks} tasks
   * @param {(done: number) => void} progress
   * @returns {Promise<Report[]>} in the order of their tasks
   */
  async run(list, tasks, progress) {
    const chunks = chunksOf(tasks, this.#workers.length + 1);
    /** @type {Report[]} */
    const reports = [];
    let done = 0;
    const add = (/** @type {Report[]} */ some, /** @type {number} */ count) => {
      reports.push(...some);
      done += count;
      progress(done);
    };
    const here = runHere(list, chunks, add);
    const others = this.#workers.map(async ({ worker, open }) => {
      await Promise.race([open, here]);
      await runElsewhere(worker, chunks, add);
    });
    await Promise.race([this.#failed, Promise.all([here, ...others])]);
    return reports.sort((a, b) => a.task - b.task);
  }

  /** Ends the threads. */
  async end() {
    await Promise.all(this.#workers.map(({ worker }) => worker.terminate()));
  }
}

/**
 * @param {Tasks} tasks
 * @param {number} workers
 * @returns {Generator<Tasks, void>}
 */
function* chunksOf({ from, to }, workers) {
  for (let start = from; start < to;) {
    const size = Math.min(CHUNK_MAX, Math.ceil(((to - start) * SHARE) / workers));
    yield { from: start, to: start + size };
    start += size;
  }
}

/**
 * @template {{ task: number }} Report
 * @param {TaskList<Report, object>} list
 * @param {Iterable<Tasks>} chunks
 * @param {(reports: Report[], count: number) => void} add
 */
async function runHere(list, chunks, add) {
  for (const { from, to } of chunks) {
    for (let task = from; task < to; task += 1) {
      const report = await list.run(task, {});
      add(report ? [report] : [], 1);
    }
    // The other threads wait for the next chunk.
    await pause();
  }
}

/**
 * While the worker runs a chunk of several tasks, it has the next one already. Single tasks may be
 * long, and another thread may be free before.
 * @template {{ task: number }} Report
 * @param {Worker} worker
 * @param {Iterator<Tasks, void>} chunks
 * @param {(reports: Report[], count: number) => void} add
 * @returns {Promise<void>}
 */
function runElsewhere(worker, chunks, add) {
  let running = 0;
  let hasSeveral = false;
  return new Promise((resolve) => {
    const fill = () => {
      while (running === 0 || (running === 1 && hasSeveral)) {
        const { value } = chunks.next();
        if (!value) break;
        running += 1;
        hasSeveral = value.to - value.from > 1;
        worker.postMessage(value);
      }
      if (running > 0) return;
      worker.off('message', take);
      resolve();
    };
    const take = (/** @type {{ reports: Report[], count: number }} */ { reports, count }) => {
      running -= 1;
      fill();
      add(reports, count);
    };
    worker.on('message', take);
    fill();
  });
}
