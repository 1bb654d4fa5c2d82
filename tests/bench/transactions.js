/** The time and memory of forks, and the time of transactions that are reverted. */
import { createScheduler } from './decisions.js';
import { median, percentile, ratioOf, repeat } from './measure.js';
import { batchesOf, bound, nodeOf, podOf } from './objects.js';
import { encodeLines } from '../support/raw_engine.js';

/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */

/** Transactions of the warm-up, in which the code is compiled and the caches are filled. */
const WARM_UP = 8;
/** Forks until the memory has grown twice, at most. */
const LIVE_FORKS_MAX = 2000;

/**
 * Forks of a cluster of basic nodes and pods; and transactions that remove a node with its pods,
 * queue these again, schedule them and revert it all.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {{ nodes: number, podsPerNode: number, transactions: number, runs: number }} load
 */
export function measureTransactions(engine, { nodes, podsPerNode, transactions, runs }) {
  const placed = (/** @type {number} */ at) => bound(podOf(at), at % nodes);
  const batches = [...batchesOf(nodes, nodeOf), ...batchesOf(nodes * podsPerNode, placed)];
  const { calibration, results } = repeat(runs, () => {
    const scheduler = createScheduler(engine, 'all');
    try {
      for (const batch of batches) scheduler.applyBytes(batch, 0);
      // The first cycle takes the snapshot.
      scheduler.applyBytes(encodeLines([podOf(nodes * podsPerNode)]), 0);
      scheduler.run(0, 1);
      const bytesPerFork = bytesOfForks(engine, scheduler);
      const times = timesOfLosses(scheduler, { nodes, podsPerNode, transactions });
      const forkTimes = Array.from({ length: transactions }, () => timeOfFork(scheduler));
      return { times, forkTimes, bytesPerFork };
    } finally {
      scheduler.dispose();
    }
  });
  const p50Ms = percentile(
    results.flatMap(({ times }) => times),
    50,
  );
  return {
    p50Ms,
    ratio: ratioOf(1000 / p50Ms, calibration),
    forkMs: median(results.flatMap(({ forkTimes }) => forkTimes)),
    bytesPerFork: median(results.map((one) => one.bytesPerFork)),
    calibrationMs: calibration * 1000,
  };
}

/**
 * Milliseconds of each transaction that removes a node.
 * @param {RawScheduler} scheduler
 * @param {{ nodes: number, podsPerNode: number, transactions: number }} load
 */
export function timesOfLosses(scheduler, { nodes, podsPerNode, transactions }) {
  const losses = Array.from({ length: WARM_UP + transactions }, (_, at) =>
    lossOf(at % nodes, { nodes, podsPerNode }),
  );
  const times = losses.map((loss) => timeOf(() => tryOut(scheduler, loss, podsPerNode)));
  return times.slice(WARM_UP);
}

/**
 * The events of a node's removal and of its pods' return to the queue.
 * @param {number} row
 * @param {{ nodes: number, podsPerNode: number }} load
 */
function lossOf(row, { nodes, podsPerNode }) {
  const ats = Array.from({ length: podsPerNode }, (_, index) => row + index * nodes);
  return encodeLines([
    { type: 'DELETED', object: nodeOf(row) },
    ...ats.map((at) => ({ type: 'DELETED', object: bound(podOf(at), row) })),
    ...ats.map((at) => podOf(at)),
  ]);
}

/**
 * @param {RawScheduler} scheduler
 * @param {Uint8Array} loss
 * @param {number} podsPerNode
 */
function tryOut(scheduler, loss, podsPerNode) {
  scheduler.transact('begin');
  scheduler.applyBytes(loss, 0);
  const records = scheduler.run(0, podsPerNode);
  scheduler.transact('revert');
  const placed = records.filter(({ kind, node }) => kind === 'Decision' && node);
  if (placed.length !== podsPerNode) throw new Error(`${placed.length} of ${podsPerNode} pods`);
}

/** @param {RawScheduler} scheduler */
function timeOfFork(scheduler) {
  /** @type {RawScheduler | undefined} */
  let fork;
  const time = timeOf(() => {
    fork = scheduler.fork();
  });
  fork?.dispose();
  return time;
}

/**
 * The memory of a module grows in steps and is full just before each: what one fork takes follows
 * from the forks between two steps. 0 for an engine that does not report its memory.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {RawScheduler} scheduler
 */
function bytesOfForks(engine, scheduler) {
  if (engine.memoryBytes === null) return 0;
  const forks = [];
  const steps = [{ count: 0, bytes: engine.memoryBytes }];
  while (steps.length < 3 && forks.length < LIVE_FORKS_MAX) {
    forks.push(scheduler.fork());
    const bytes = engine.memoryBytes;
    if (bytes > steps[steps.length - 1].bytes) steps.push({ count: forks.length, bytes });
  }
  for (const fork of forks) fork.dispose();
  const [, first, second] = steps;
  return second ? Math.round((second.bytes - first.bytes) / (second.count - first.count)) : 0;
}

/** Milliseconds. @param {() => void} work */
function timeOf(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}
