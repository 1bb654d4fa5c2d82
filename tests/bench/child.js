/**
 * Measurements that need a new process: `memory TARGET NODES PODS`, `soak NODES PODS`,
 * `large NODES PODS CYCLES FAILURES`. Prints one JSON object.
 */
import { ARTIFACTS, loadTarget } from '../support/targets.js';
import { createScheduler, measureLoaded, podsFor } from './decisions.js';
import { percentile } from './measure.js';
import { bound, podOf } from './objects.js';
import { timesOfLosses } from './transactions.js';
import { batchesOf, realisticPod, WORKLOADS } from './workloads.js';

const BATCH_STEP = 1000;

/** @param {string} target @param {number} nodes @param {number} pods */
async function memory(target, nodes, pods) {
  const engine = await loadTarget(target);
  const scheduler = createScheduler(engine, 'all');
  const measure = target === 'wasm' ? () => engine.memoryBytes ?? 0 : residentBytes;
  const perObject = target === 'wasm' ? slopeOfGrowth : slopeOfAll;
  const apply = (/** @type {Uint8Array} */ batch) => scheduler.applyBytes(batch, 0);
  const { node } = WORKLOADS.basic('');
  const pod = (/** @type {number} */ at) => realisticPod(at, { nodeName: `node-${at % nodes}` });
  // Both texts are made once without being applied, so that the JS heap has its final size.
  load(nodes, node, { apply: () => {}, measure });
  load(Math.min(pods, nodes), pod, { apply: () => {}, measure });
  const bytesPerNode = perObject(load(nodes, node, { apply, measure }));
  const bytesPerPod = perObject(load(pods, pod, { apply, measure }));
  return { bytesPerNode, bytesPerPod, totalBytes: measure() };
}

/**
 * Pods are created, bound and deleted; any growth is a leak. The first tenth fills the caches.
 * @param {number} nodes @param {number} pods
 */
async function soak(nodes, pods) {
  const { loadEngine } = await import('../../js/src/index.js');
  const { BatchEvents, Pipeline, BATCH, PODS_MAX } = await import('./pipeline.js');
  const pipeline = new Pipeline(await loadEngine({ wasm: ARTIFACTS.module }), nodes);
  const heap = () => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const full = Math.max(pods / 10, PODS_MAX);
  let seconds = 0;
  let before = 0;
  for (let from = 0; from < pods; from += BATCH) {
    if (from === full) before = heap();
    seconds += pipeline.batch(new BatchEvents(from));
  }
  const jsHeapGrowthBytes = heap() - before;
  return { pods, perSecond: pods / seconds, jsHeapGrowthBytes };
}

/**
 * A cluster that is loaded once, because that takes minutes: its memory, decisions for basic pods,
 * and nodes that fail.
 * @param {number} nodes @param {number} pods @param {number} cycles @param {number} failures
 */
async function large(nodes, pods, cycles, failures) {
  const engine = await loadTarget('wasm');
  const scheduler = createScheduler(engine, 'all');
  const { node } = WORKLOADS.basic('');
  const placed = (/** @type {number} */ at) => bound(podOf(at), at % nodes);
  const apply = (/** @type {Uint8Array} */ batch) => scheduler.applyBytes(batch, 0);
  load(nodes, node, { apply, measure: () => 0 });
  load(pods, placed, { apply, measure: () => 0 });
  batchesOf(podsFor(cycles), (at) => podOf(pods + at)).forEach(apply);
  const decided = measureLoaded(scheduler, { cycles, budgetSeconds: Infinity });
  const podsPerNode = Math.floor(pods / nodes);
  const losses = timesOfLosses(scheduler, { nodes, podsPerNode, transactions: failures });
  return {
    perSecond: decided.cycles / decided.seconds,
    failureMs: percentile(losses, 50),
    totalBytes: engine.memoryBytes ?? 0,
  };
}

/**
 * The memory of this process outside the JS heap, after a collection, so that only the engine's
 * growth shows.
 */
function residentBytes() {
  globalThis.gc?.();
  const { rss, heapTotal, external } = process.memoryUsage();
  return rss - heapTotal - external;
}

/**
 * @param {number} count @param {(at: number) => object} make
 * @param {{apply: (batch: Uint8Array) => unknown, measure: () => number}} engine
 * @returns {{count: number, bytes: number}[]}  one point per batch
 */
function load(count, make, { apply, measure }) {
  const points = [{ count: 0, bytes: measure() }];
  for (let from = 0; from < count; from += BATCH_STEP) {
    const length = Math.min(BATCH_STEP, count - from);
    batchesOf(length, (at) => make(from + at)).forEach(apply);
    points.push({ count: from + length, bytes: measure() });
  }
  return points;
}

/** @param {{count: number, bytes: number}[]} points */
function slopeOfAll(points) {
  const [first, last] = [points[0], points[points.length - 1]];
  return Math.round((last.bytes - first.bytes) / (last.count - first.count));
}

/**
 * Linear memory grows in large steps and is full just before each. The slope between the fill
 * levels at the first and the last step is therefore exact.
 * @param {{count: number, bytes: number}[]} points
 */
function slopeOfGrowth(points) {
  const full = points
    .slice(1)
    .flatMap(({ count, bytes }, at) =>
      bytes > points[at].bytes ? [{ count, bytes: points[at].bytes }] : [],
    );
  return slopeOfAll(full.length > 1 ? full : points);
}

const [what, ...values] = process.argv.slice(2);
const measures = {
  memory: () => memory(values[0], Number(values[1]), Number(values[2])),
  soak: () => soak(Number(values[0]), Number(values[1])),
  large: () => {
    const [nodes, pods, cycles, failures] = values.map(Number);
    return large(nodes, pods, cycles, failures);
  },
};
console.log(JSON.stringify(await measures[/** @type {keyof typeof measures} */ (what)]()));
