/**
 * The whole path of a pod through the package's API, as in a live scheduler: the bytes of the ADDED
 * event, the decision, the binding call and its answer, and the MODIFIED event that confirms the
 * binding.
 */
import { completionLines } from '../../js/src/engine/records.js';
import { median, percentile, ratioOf, repeat } from './measure.js';
import { elapsedMs, startTime } from './stopwatch.js';
import { batchesOf, realisticPod, WORKLOADS } from './workloads.js';

/** @typedef {import('../../js/src/index.js').Engine} Engine */
/** @typedef {import('../../js/src/index.js').Scheduler} Scheduler */
/** @typedef {import('../../js/src/index.js').Call} Call */

/** Pods per read of the watch. */
export const BATCH = 100;
/**
 * The number of pods of this size on a node. Older pods are deleted, so that there is always room.
 */
export const PODS_MAX = 30_000;
const START = Date.UTC(2026, 0, 1);

const LINES = /** @type {const} */ ({ format: 'lines' });
const ENCODER = new TextEncoder();
const ALL_NODES = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  percentageOfNodesToScore: 100,
};

/**
 * Schedules one batch of pods at a time. Only the work of a live scheduler is timed, not the making
 * of events.
 * @param {Engine} engine
 * @param {{ nodes: number, pods: number, runs: number }} load
 */
export function measurePipeline(engine, { nodes, pods, runs }) {
  const { calibration, results } = repeat(runs, () => runOnce(engine, nodes, pods));
  const perSecond = median(results.map((one) => pods / one.seconds));
  return {
    perSecond,
    ratio: ratioOf(perSecond, calibration),
    p50Us: median(results.map(({ slices }) => percentile(slices, 50))),
    p99Us: median(results.map(({ slices }) => percentile(slices, 99))),
    calibrationMs: calibration * 1000,
  };
}

/** @param {Engine} engine @param {number} nodes @param {number} pods */
function runOnce(engine, nodes, pods) {
  const pipeline = new Pipeline(engine, nodes);
  try {
    const slices = [];
    let seconds = 0;
    for (let from = 0; from < pods; from += BATCH) {
      const spent = pipeline.batch(from);
      slices.push((spent * 1e6) / BATCH);
      seconds += spent;
    }
    return { seconds, slices };
  } finally {
    pipeline.dispose();
  }
}

/** A scheduler with an API server that accepts every call. */
export class Pipeline {
  #scheduler;
  #now = START;

  /** @param {Engine} engine @param {number} nodes */
  constructor(engine, nodes) {
    const clock = { now: () => this.#now, sleep: async () => {} };
    this.#scheduler = engine.createScheduler({
      api: 'host',
      keepObjects: false,
      clock,
      configuration: ALL_NODES,
    });
    for (const batch of batchesOf(nodes, WORKLOADS.basic('').node)) {
      this.#scheduler.apply(batch, LINES);
    }
  }

  dispose() {
    this.#scheduler.dispose();
  }

  /**
   * Schedules the pods from number `from` on, from their events to their confirmations.
   * @param {number} from
   * @returns {number} seconds spent in the scheduler
   */
  batch(from) {
    this.#now += 1;
    const pods = Array.from({ length: BATCH }, (_, at) => pendingPod(from + at));
    const added = linesOf(pods.map((object) => ({ type: 'ADDED', object })));
    const begin = startTime();
    this.#scheduler.apply(added, LINES);
    const { calls } = this.#scheduler.run({ maxCycles: BATCH });
    let spent = elapsedMs(begin);

    const bound = boundNodes(calls);
    if (bound.size !== BATCH) throw new Error(`${bound.size} of ${BATCH} pods were bound`);
    const events = pods.map((pod) => ({ type: 'MODIFIED', object: boundPod(pod, bound) }));
    const confirmed = linesOf([...events, ...this.#leaving(from)]);

    const again = startTime();
    this.#answer(calls);
    const { calls: recorded } = this.#scheduler.run({ maxCycles: 0 });
    this.#answer(recorded);
    this.#scheduler.apply(confirmed, LINES);
    this.#scheduler.run({ maxCycles: 0 });
    spent += elapsedMs(again);
    return spent / 1000;
  }

  /** @param {Call[]} calls */
  #answer(calls) {
    const answer = { status: 201, body: '{}' };
    const lines = completionLines(calls.map((call) => ({ call, answer })));
    if (lines.length > 0) this.#scheduler.apply(lines, LINES);
  }

  /** The pods to delete when these are created. @param {number} from */
  #leaving(from) {
    if (from < PODS_MAX) return [];
    return Array.from({ length: BATCH }, (_, at) => {
      const { apiVersion, kind, metadata } = pendingPod(from + at - PODS_MAX);
      return { type: 'DELETED', object: { apiVersion, kind, metadata } };
    });
  }
}

/** @param {object[]} items */
function linesOf(items) {
  return ENCODER.encode(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}

/** @param {number} count @returns {any} */
export function pendingPod(count) {
  const pod = realisticPod(count);
  return { ...pod, status: { phase: 'Pending', qosClass: 'Burstable' } };
}

/** The node of each pod. @param {Call[]} calls @returns {Map<string, string>} */
function boundNodes(calls) {
  const decoder = new TextDecoder();
  const bindings = calls.filter(({ verb }) => verb === 'bind');
  return new Map(
    bindings.map(({ pod, body }) => [
      pod,
      JSON.parse(decoder.decode(/** @type {Uint8Array} */ (body))).target.name,
    ]),
  );
}

/** @param {any} pod @param {Map<string, string>} bound  the node of each pod */
export function boundPod(pod, bound) {
  const { metadata, spec } = pod;
  const nodeName = bound.get(`${metadata.namespace}/${metadata.name}`);
  const conditions = [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:01Z' },
  ];
  return {
    ...pod,
    metadata: { ...metadata, resourceVersion: `${metadata.resourceVersion}1` },
    spec: { ...spec, nodeName },
    status: { ...pod.status, conditions },
  };
}
