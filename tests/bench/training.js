/** The rows that `npm run profile` runs to count how often each block of the module runs. */
import { GOLDEN_DATA } from '../conformance/run.js';
import { runAnswering } from '../support/api_calls.js';
import { encodeLines } from '../support/raw_engine.js';
import { createScheduler, measureLoaded, podsFor, slicesOf } from './decisions.js';
import { boundPod, pendingPod } from './pipeline.js';
import { batchesOf, WORKLOADS } from './workloads.js';

/** @typedef {import('../support/raw_engine.js').RawEngine} RawEngine */
/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */

/**
 * What has just run: decisions that are to be fast, or anything else.
 *
 * @typedef {'decisions' | 'rest'} Part
 */

/**
 * The rows whose decisions are to be fast. Each makes as many, and so each time that it is listed:
 * most pods of clusters are owned by a ReplicaSet.
 */
export const TRAINED = [
  'basic',
  ...['basic-owned', 'basic-owned', 'basic-owned'],
  'hard-spread',
  'soft-spread',
  'required-pod-affinity',
  'namespace-selector-affinity',
  'policy-spread',
  'two-constraints',
  'node-affinity',
  'own-signature',
  'templates-1000',
  'templates-10000',
  'node-churn',
];
/** Pods of a production trace, which request resources that others do not. */
const TRACE = 'mixed-openb';

/** @typedef {{ nodes: number, cycles: number }} Size  cycles: the decisions of a row */

/** @type {Size} */
export const SIZE = { nodes: 2000, cycles: 4000 };
/** @type {Size} Of the rows that only show which functions run at all. */
const SMALL = { nodes: 500, cycles: 200 };
const BATCH = 100;
const START_US = Date.UTC(2026, 0, 1) * 1000;

/**
 * Runs all rows, and says after each part of one what it was.
 * @param {RawEngine} engine
 * @param {Size} size of the rows whose decisions are to be fast
 * @param {(part: Part) => void} finished
 */
export function train(engine, size, finished) {
  for (const row of TRAINED) decide(engine, row, size, finished);
  bindByHost(engine, size);
  finished('rest');
  const others = Object.keys(WORKLOADS).filter((row) => !TRAINED.includes(row));
  for (const row of others)
    decide(engine, row, row === TRACE ? size : SMALL, () => finished('rest'));
}

/**
 * @param {RawEngine} engine @param {string} row @param {Size} size
 * @param {(part: Part) => void} finished
 */
function decide(engine, row, { nodes, cycles }, finished) {
  const { node, pod, existing, changes } = WORKLOADS[row](GOLDEN_DATA);
  const bound = existing?.(nodes, 0) ?? { count: 0, object: node };
  const scheduler = createScheduler(engine, 'all');
  for (const [count, object] of /** @type {[number, (at: number) => object][]} */ ([
    [nodes, node],
    [bound.count, bound.object],
    [podsFor(cycles), pod],
  ])) {
    for (const batch of batchesOf(count, object)) scheduler.applyBytes(batch, START_US);
  }
  finished('rest');
  measureLoaded(scheduler, {
    cycles,
    budgetSeconds: Infinity,
    changes:
      changes &&
      Array.from({ length: slicesOf(cycles) }, (_, at) => encodeLines(changes(at, nodes))),
  });
  finished('decisions');
  for (const detail of /** @type {const} */ (['summary', 'nodes', 'table'])) {
    scheduler.evaluateText({ detail }, pod(0), START_US);
  }
  scheduler.fork().dispose();
  scheduler.dispose();
  finished('rest');
}

/**
 * Pods from their events to their confirmed bindings and their ends.
 * @param {RawEngine} engine @param {Size} size
 */
function bindByHost(engine, { nodes, cycles }) {
  const scheduler = engine.createScheduler({ api: 'host', startTimeUs: START_US });
  const apply = (/** @type {object[]} */ events) => scheduler.apply(events, START_US);
  for (const batch of batchesOf(nodes, WORKLOADS.basic('').node)) {
    scheduler.applyBytes(batch, START_US);
  }
  for (let from = 0; from < cycles; from += BATCH) {
    const pods = Array.from({ length: BATCH }, (_, at) => pendingPod(from + at));
    apply(pods.map((object) => ({ type: 'ADDED', object })));
    const records = runAnswering(scheduler, { nowUs: START_US, maxCycles: BATCH });
    const decisions = records.filter(({ kind }) => kind === 'Decision');
    const nodeOf = new Map(decisions.map(({ pod, node }) => [pod, node]));
    if (nodeOf.size !== BATCH) throw new Error(`${nodeOf.size} of ${BATCH} pods were bound`);
    const bound = pods.map((pod) => boundPod(pod, nodeOf));
    apply(bound.map((object) => ({ type: 'MODIFIED', object })));
    for (const object of bound) apply([{ type: 'DELETED', object }]);
  }
  scheduler.dispose();
}
