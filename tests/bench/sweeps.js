/**
 * Measures sweeps: the failures of single nodes and zones of a large cluster, of pairs of nodes,
 * and how threads share them.
 */
import { WorkerPool } from '../../js/src/cli/shard_pool.js';
import { SweepTasks } from '../../js/src/whatif/sweep/tasks.js';
import { median, percentile } from './measure.js';
import { bound, realisticPod } from './objects.js';
import { WORKLOADS } from './workloads.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */
/**
 * @typedef {object} Load
 * @property {string} workload
 * @property {number} nodes
 * @property {number} pods on them, in turn
 * @property {string} failures
 * @property {number} tasks at most so many are run, evenly spread over all in runs of RUN
 */

/** The number of consecutive failures: neighbours among pairs share their first node. */
const RUN = 50;

/** Lines per call. */
const BATCH = 5000;

const OWNERS = realisticPod(0).metadata.ownerReferences;

/**
 * A scheduler with a cluster whose pods return when their node is lost.
 * @param {Engine} engine
 * @param {Load} load
 */
function clusterOf(engine, { workload, nodes, pods }) {
  const { node, pod } = WORKLOADS[workload]('');
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 1) });
  const make = (/** @type {number} */ at) => {
    if (at < nodes) return node(at);
    const placed = bound(pod(at - nodes), (at - nodes) % nodes);
    return { ...placed, metadata: { ...placed.metadata, ownerReferences: OWNERS } };
  };
  for (let from = 0; from < nodes + pods; from += BATCH) {
    const length = Math.min(BATCH, nodes + pods - from);
    const lines = Array.from({ length }, (_, at) => JSON.stringify(make(from + at)));
    scheduler.apply(lines.join('\n'), { format: 'lines' });
  }
  return scheduler;
}

/**
 * Opens the failures of a cluster, as the threads of a WorkerPool do.
 * @param {{ load: Load }} data
 * @param {{ loadEngine: () => Promise<Engine> }} host
 * @param {(list: SweepTasks) => Promise<number>} use
 */
export async function withTasks({ load }, { loadEngine }, use) {
  const scheduler = clusterOf(await loadEngine(), load);
  await scheduler.schedule();
  const tasks = new SweepTasks(scheduler, { failures: load.failures }, { onlyInTree: true });
  try {
    return await use(tasks);
  } finally {
    tasks.dispose();
    scheduler.dispose();
  }
}

/**
 * Runs failures one after the other; `seconds` is the time of all of them, measured or computed
 * from the part that ran. `cpuMs`: the processor's time of one, whatever else runs on the machine.
 * @param {Engine} engine
 * @param {Load} load
 */
export async function measureSweep(engine, load) {
  /** @type {number[]} */
  const times = [];
  let failures = 0;
  let waiting = 0;
  let cpuMs = 0;
  await withTasks({ load }, { loadEngine: async () => engine }, async (list) => {
    failures = list.length;
    const before = process.cpuUsage();
    for (const task of sampleOf(list.length, load.tasks)) {
      const start = performance.now();
      if (await list.run(task)) waiting += 1;
      times.push(performance.now() - start);
    }
    const { user, system } = process.cpuUsage(before);
    cpuMs = (user + system) / 1000 / times.length;
    return 0;
  });
  const sum = times.reduce((total, time) => total + time, 0);
  const meanMs = sum / times.length;
  return {
    failures,
    measured: times.length,
    seconds: (meanMs * failures) / 1000,
    meanMs,
    cpuMs,
    p50Ms: median(times),
    p99Ms: percentile(times, 99),
    leavePending: waiting,
  };
}

/** @param {number} length @param {number} most @returns {number[]} */
function sampleOf(length, most) {
  const all = Array.from({ length }, (_, at) => at);
  if (length <= most) return all;
  const runs = Math.ceil(most / RUN);
  return Array.from({ length: runs }, (_, at) => Math.floor((at * (length - RUN)) / runs)).flatMap(
    (start) => all.slice(start, start + RUN),
  );
}

/**
 * Runs the same failures in one thread and in several; `ofCores` is the share of the threads' time
 * that is gained.
 * @param {Engine} engine
 * @param {Load & { workers: number }} load
 */
export async function measureThreads(engine, { workers, ...load }) {
  const module = new URL(import.meta.url);
  /** @type {number[]} */
  const seconds = [];
  for (const threads of [1, workers]) {
    const pool = new WorkerPool({ workers: threads, module, data: { load } });
    try {
      await withTasks({ load }, { loadEngine: async () => engine }, async (list) => {
        await pool.ready();
        const tasks = { from: 0, to: Math.min(list.length, load.tasks) };
        const start = performance.now();
        await pool.run(list, tasks, () => {});
        seconds.push((performance.now() - start) / 1000);
        return 0;
      });
    } finally {
      await pool.end();
    }
  }
  const [alone, together] = seconds;
  return {
    workers,
    tasks: load.tasks,
    alone,
    seconds: together,
    ofCores: alone / together / workers,
  };
}
