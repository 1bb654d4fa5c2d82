/** The time of an evaluation with the table of all nodes. */
import { createScheduler } from './decisions.js';
import { percentile, ratioOf, repeat } from './measure.js';
import { batchesOf, bound, nodeOf, podOf, renamed } from './objects.js';
import { elapsedMs, startTime } from './stopwatch.js';

/** Evaluations of the warm-up, in which the code is compiled. */
const WARM_UP_QUESTIONS = 20;
const PODS_PER_NODE = 10;

/**
 * Evaluations of pods of different sizes, from the object to the parsed result, in a cluster of
 * basic nodes and pods.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {{ nodes: number, questions: number, runs: number }} load
 */
export function measureQuestions(engine, { nodes, questions, runs }) {
  const placed = (/** @type {number} */ at) => bound(podOf(at), at % nodes);
  const batches = [...batchesOf(nodes, nodeOf), ...batchesOf(nodes * PODS_PER_NODE, placed)];
  const { calibration, results } = repeat(runs, () => {
    const scheduler = createScheduler(engine, 'all');
    try {
      for (const batch of batches) scheduler.applyBytes(batch, 0);
      const times = Array.from({ length: WARM_UP_QUESTIONS + questions }, (_, at) => {
        const pod = renamed(podOf(at), `asked-${at}`);
        const start = startTime();
        const text = scheduler.evaluateText({ detail: 'table' }, pod, 0);
        const { table } = JSON.parse(text);
        const time = elapsedMs(start);
        if (table.nodes.length !== nodes) throw new Error(`${table.nodes.length} rows: ${text}`);
        return time;
      });
      return times.slice(WARM_UP_QUESTIONS);
    } finally {
      scheduler.dispose();
    }
  });
  const times = results.flat();
  const p50Ms = percentile(times, 50);
  return {
    questions: times.length,
    p50Ms,
    ratio: ratioOf(1000 / p50Ms, calibration),
    p99Ms: percentile(times, 99),
    calibrationMs: calibration * 1000,
  };
}
