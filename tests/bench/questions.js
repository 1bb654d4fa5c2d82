/** The time of an evaluation: a summary, or the table of all nodes. */
import { createScheduler } from './decisions.js';
import { percentile, ratioOf, repeat } from './measure.js';
import { batchesOf, bound, nodeOf, renamed } from './objects.js';
import { elapsedMs, startTime } from './stopwatch.js';
import { withRequests } from './varied.js';
import { WORKLOADS } from './workloads.js';

/** Evaluations of the warm-up, in which the code is compiled: the summary takes far less time. */
const WARM_UP_QUESTIONS = { table: 20, summary: 160 };
const PODS_PER_NODE = 10;

/** The workloads whose pods are in the cluster, and are asked about in turn, by detail. */
const WORKLOADS_OF = {
  table: ['basic'],
  summary: [
    ...['basic', 'node-affinity', 'image-locality', 'soft-spread', 'hard-spread'],
    ...['required-pod-affinity', 'preferred-pod-affinity', 'required-pod-anti-affinity'],
  ],
};

/**
 * Evaluations of pods of which no two have the same requests, so that each is the first of its
 * signature: from the object to the parsed result.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {object} load
 * @param {number} load.nodes @param {number} load.questions @param {number} load.runs
 * @param {keyof typeof WORKLOADS_OF} load.detail of the evaluation
 * @param {string} load.data the folder of recorded data
 */
export function measureQuestions(engine, { nodes, questions, runs, detail, data }) {
  const makers = WORKLOADS_OF[detail].map((name) => WORKLOADS[name](data).pod);
  const podAt = (/** @type {number} */ at) => makers[at % makers.length](at);
  const placed = (/** @type {number} */ at) => bound(podAt(at), at % nodes);
  const batches = [...batchesOf(nodes, nodeOf), ...batchesOf(nodes * PODS_PER_NODE, placed)];
  const warmUp = WARM_UP_QUESTIONS[detail];
  const { calibration, results } = repeat(runs, () => {
    const scheduler = createScheduler(engine, 'all');
    try {
      for (const batch of batches) scheduler.applyBytes(batch, 0);
      const times = Array.from({ length: warmUp + questions }, (_, at) => {
        const asked = withRequests(podAt(at), { cpu: `${100 + at}m`, memory: '500Mi' });
        return timeOf(scheduler, { detail, nodes, pod: renamed(asked, `asked-${at}`) });
      });
      return times.slice(warmUp);
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

/**
 * @param {import('../support/raw_engine.js').RawScheduler} scheduler
 * @param {{ detail: string, nodes: number, pod: object }} question
 * @returns {number} milliseconds
 */
function timeOf(scheduler, { detail, nodes, pod }) {
  const start = startTime();
  const text = scheduler.evaluateText({ detail }, pod, 0);
  const { table, evaluatedNodes } = JSON.parse(text);
  const time = elapsedMs(start);
  const seen = detail === 'table' ? table.nodes.length : evaluatedNodes;
  if (seen !== nodes) throw new Error(`${seen} nodes: ${text}`);
  return time;
}
