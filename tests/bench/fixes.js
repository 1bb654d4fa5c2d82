/** Measures how long it takes to find edits for pods that fit nowhere. */
import { fix } from '../../js/src/whatif.js';
import { unschedulable } from '../js/support/unschedulable.js';
import { percentile, ratioOf, repeatAsync } from './measure.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */

/** Pods of the warm-up, in which the code is compiled. */
const WARM_UP_PODS = 16;

/** The size of the clusters of the warm-up: the code is the same. */
const WARM_UP_NODES = 20;

/**
 * Each pod has a cluster of its own, whose nodes all refuse it.
 * @param {Engine} engine
 * @param {{ nodes: number, pods: number, runs: number }} load
 */
export async function measureFixes(engine, { nodes, pods, runs }) {
  const { calibration, results } = await repeatAsync(runs, async () => {
    for (let seed = 0; seed < WARM_UP_PODS; seed++) await timeOf(engine, seed, WARM_UP_NODES);
    const times = [];
    for (let seed = 0; seed < pods; seed++) times.push(await timeOf(engine, seed, nodes));
    return times;
  });
  const times = results.flat();
  const p50Ms = percentile(times, 50);
  return {
    pods: times.length,
    p50Ms,
    ratio: ratioOf(1000 / p50Ms, calibration),
    p95Ms: percentile(times, 95),
    maxMs: Math.max(...times),
    calibrationMs: calibration * 1000,
  };
}

/**
 * @param {Engine} engine
 * @param {number} seed
 * @param {number} nodes
 * @returns {Promise<number>} milliseconds
 */
async function timeOf(engine, seed, nodes) {
  const { objects, pod } = unschedulable(seed, { nodes });
  const scheduler = engine.createScheduler({ startTime: 0 });
  try {
    scheduler.apply([...objects, pod]);
    // As in a scheduler that has tried the pod: the nodes are known.
    scheduler.evaluate(pod, { detail: 'summary' });
    const start = performance.now();
    await fix(scheduler, pod);
    return performance.now() - start;
  } finally {
    scheduler.dispose();
  }
}
