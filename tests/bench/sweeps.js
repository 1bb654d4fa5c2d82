/**
 * Measures sweeps: the failures of single nodes and zones of a large cluster, of pairs of nodes,
 * and how threads share them.
 */
import { Worker } from 'node:worker_threads';
import { WorkerPool } from '../../js/src/cli/shards/pool.js';
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

/** Some of the failures of a cluster: runs of RUN neighbours, evenly spread over all. */
class Sample {
  #tasks;
  #chosen;

  /** @param {SweepTasks} tasks @param {number} most */
  constructor(tasks, most) {
    this.#tasks = tasks;
    this.#chosen = sampleOf(tasks.length, most);
  }

  get length() {
    return this.#chosen.length;
  }

  /** The number of all failures. */
  get failures() {
    return this.#tasks.length;
  }

  get head() {
    return this.#tasks.head;
  }

  /** @param {number} at less than `length` @param {object} options */
  run(at, options) {
    return this.#tasks.run(this.#chosen[at], options);
  }
}

/**
 * Opens failures of a cluster, as the threads of a WorkerPool do.
 * @param {{ load: Load }} data
 * @param {{ loadEngine: () => Promise<Engine> }} host
 * @param {(list: Sample) => Promise<number>} use
 */
export async function withTasks({ load }, { loadEngine }, use) {
  const scheduler = clusterOf(await loadEngine(), load);
  await scheduler.schedule();
  const tasks = new SweepTasks(scheduler, { failures: load.failures }, { onlyInTree: true });
  try {
    return await use(new Sample(tasks, load.tasks));
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
    failures = list.failures;
    const before = process.cpuUsage();
    for (let at = 0; at < list.length; at += 1) {
      const start = performance.now();
      if (await list.run(at, {})) waiting += 1;
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
 * Runs failures in threads, this one included; `seconds` is the time of all failures, measured or
 * computed from the part that ran.
 * @param {Engine} engine
 * @param {Load & { workers: number }} load
 */
export async function measurePool(engine, { workers, ...load }) {
  const pool = new WorkerPool({ workers, module: new URL(import.meta.url), data: { load } });
  const result = { workers, failures: 0, measured: 0, seconds: 0, leavePending: 0 };
  try {
    await withTasks({ load }, { loadEngine: async () => engine }, async (list) => {
      await pool.ready();
      const start = performance.now();
      const reports = await pool.run(list, { from: 0, to: list.length }, () => {});
      const seconds = (performance.now() - start) / 1000;
      result.failures = list.failures;
      result.measured = list.length;
      result.seconds = (seconds * list.failures) / list.length;
      result.leavePending = reports.length;
      return 0;
    });
  } finally {
    await pool.end();
  }
  return result;
}

/**
 * Runs the same failures in one thread and in several; `ofCores` is the share of the threads' time
 * that is gained. `machine` is that share for a loop that only computes: what the machine allows
 * while its threads share processors.
 * @param {Engine} engine
 * @param {Load & { workers: number }} load
 */
export async function measureThreads(engine, { workers, ...load }) {
  const machine = await scaleOfMachine(workers);
  const { seconds: alone, measured } = await measurePool(engine, { ...load, workers: 1 });
  const { seconds } = await measurePool(engine, { ...load, workers });
  const ofCores = alone / seconds / workers;
  return { workers, measured, alone, seconds, ofCores, machine, ofMachine: ofCores / machine };
}

/** A loop that only computes: its time in milliseconds. */
const LOOP = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', (steps) => {
    const start = performance.now();
    let value = 1;
    for (let step = 0; step < steps; step += 1) value = (Math.imul(value, 1664525) + step) | 0;
    parentPort.postMessage({ time: performance.now() - start, value });
  });`;
const LOOP_STEPS = 500_000_000;

/**
 * The share of the threads' time that is gained when each of them runs the same loop at once.
 * @param {number} threads
 */
async function scaleOfMachine(threads) {
  const workers = Array.from({ length: threads }, () => new Worker(LOOP, { eval: true }));
  const timeIn = (/** @type {Worker} */ worker, steps = LOOP_STEPS) => {
    const time = new Promise((resolve) => worker.once('message', (loop) => resolve(loop.time)));
    worker.postMessage(steps);
    return /** @type {Promise<number>} */ (time);
  };
  try {
    // The first steps compile the loop.
    for (const worker of workers) await timeIn(worker, LOOP_STEPS / 10);
    const alone = await timeIn(workers[0]);
    const together = await Promise.all(workers.map((worker) => timeIn(worker)));
    return alone / Math.max(...together);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
