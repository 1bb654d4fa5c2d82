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
const ACCEPTED = { status: 201, body: '{}' };
const ENCODER = new TextEncoder();
const ALL_NODES = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  percentageOfNodesToScore: 100,
};

/**
 * Schedules one batch of pods at a time. Only the work of a live scheduler is timed. The events are
 * made before: else the garbage collections of the timed work would copy the objects that they are
 * made of.
 * @param {Engine} engine
 * @param {{ nodes: number, pods: number, runs: number }} load
 */
export function measurePipeline(engine, { nodes, pods, runs }) {
  const batches = Array.from({ length: pods / BATCH }, (_, at) => new BatchEvents(at * BATCH));
  const { calibration, results } = repeat(runs, () => runOnce(engine, nodes, batches));
  const perSecond = median(results.map((one) => pods / one.seconds));
  return {
    perSecond,
    ratio: ratioOf(perSecond, calibration),
    p50Us: median(results.map(({ slices }) => percentile(slices, 50))),
    p99Us: median(results.map(({ slices }) => percentile(slices, 99))),
    calibrationMs: calibration * 1000,
  };
}

/** @param {Engine} engine @param {number} nodes @param {BatchEvents[]} batches */
function runOnce(engine, nodes, batches) {
  const pipeline = new Pipeline(engine, nodes);
  try {
    const slices = [];
    let seconds = 0;
    for (const batch of batches) {
      const spent = pipeline.batch(batch);
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
   * Schedules pods, from their events to their confirmations.
   * @param {BatchEvents} events
   * @returns {number} seconds spent in the scheduler
   */
  batch(events) {
    this.#now += 1;
    const begin = startTime();
    this.#scheduler.apply(events.added, LINES);
    const { calls } = this.#scheduler.run({ maxCycles: BATCH });
    let spent = elapsedMs(begin);

    const confirmed = events.confirmed(boundNodes(calls));

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
    const lines = completionLines(calls.map((call) => new Accepted(call)));
    if (lines.length > 0) this.#scheduler.apply(lines, LINES);
  }
}

/**
 * The answer to a call. It is no literal, because V8 makes the objects of a literal old from the
 * start in some processes (see engine/calls.js), and old answers keep their calls.
 */
class Accepted {
  answer = ACCEPTED;

  /** @param {Call} call */
  constructor(call) {
    this.call = call;
  }
}

/** BatchEvents holds the events of the `BATCH` pods from number `from` on as bytes. */
export class BatchEvents {
  /** The pods' ADDED events. @type {Uint8Array} */
  added;
  #keys;
  /** Their MODIFIED events without the nodes' names, then the DELETED events of older pods. */
  #template;
  /** Where in the template the names belong. @type {number[]} */
  #gaps = [];

  /** @param {number} from */
  constructor(from) {
    const pods = Array.from({ length: BATCH }, (_, at) => pendingPod(from + at));
    this.added = linesOf(pods.map((object) => ({ type: 'ADDED', object })));
    this.#keys = pods.map(({ metadata: { namespace, name } }) => `${namespace}/${name}`);
    const unnamed = new Map(this.#keys.map((key) => [key, '']));
    const events = pods.map((pod) => ({ type: 'MODIFIED', object: boundPod(pod, unnamed) }));
    const text = textOf([...events, ...leaving(from)]);
    for (const { index } of text.matchAll(/(?<="nodeName":")/g)) this.#gaps.push(Number(index));
    this.#template = ENCODER.encode(text);
  }

  /**
   * Returns the events that follow the bindings.
   * @param {Map<string, string>} bound the node of each pod
   */
  confirmed(bound) {
    const names = this.#keys.flatMap((key) => bound.get(key) ?? []);
    if (names.length !== BATCH) throw new Error(`${names.length} of ${BATCH} pods were bound`);
    const added = names.reduce((sum, { length }) => sum + length, 0);
    const bytes = new Uint8Array(this.#template.length + added);
    let read = 0;
    let written = 0;
    for (const [index, gap] of this.#gaps.entries()) {
      bytes.set(this.#template.subarray(read, gap), written);
      written += gap - read;
      written += ENCODER.encodeInto(names[index], bytes.subarray(written)).written;
      read = gap;
    }
    bytes.set(this.#template.subarray(read), written);
    return bytes;
  }
}

/** The DELETED events of the pods that make room for those from number `from` on. */
function leaving(/** @type {number} */ from) {
  if (from < PODS_MAX) return [];
  return Array.from({ length: BATCH }, (_, at) => {
    const { apiVersion, kind, metadata } = pendingPod(from + at - PODS_MAX);
    return { type: 'DELETED', object: { apiVersion, kind, metadata } };
  });
}

/** @param {object[]} items */
function linesOf(items) {
  return ENCODER.encode(textOf(items));
}

/** @param {object[]} items */
function textOf(items) {
  return items.map((item) => `${JSON.stringify(item)}\n`).join('');
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
