/**
 * Pods scheduled live: an embedded API server, informers, the engine, and bindings and events that
 * are written back. Each run is a process of its own, live_child.js.
 */
import { fileURLToPath } from 'node:url';

import { runChild } from './footprint.js';
import { median, ratioOf, repeat } from './measure.js';

const CHILD = fileURLToPath(new URL('live_child.js', import.meta.url));

/**
 * The place of the API server: in the scheduler's process, called through its `fetch`; in a process
 * of its own, over HTTP on 127.0.0.1; or over HTTP in the scheduler's process.
 */
export const WAYS = /** @type {const} */ (['fetch', 'http', 'http-one-process']);

/**
 * @typedef {object} LiveRun
 * @property {number} perSecond pods, from the first creation to the last binding
 * @property {number} p50Ms from creation to binding, at a steady rate of creations
 * @property {number} p99Ms
 * @property {number} cpuUsPerPod of the process that is the bottleneck
 * @property {number} heapBytesPerPod of all processes, including the stored pods
 */

/** @param {{ way: typeof WAYS[number], nodes: number, pods: number, runs: number }} load */
export function measureLive({ way, nodes, pods, runs }) {
  const { calibration, results } = repeat(
    runs,
    () =>
      /** @type {LiveRun} */ (
        runChild([way, String(nodes), String(pods)], { script: CHILD, flags: ['--expose-gc'] })
      ),
  );
  const of = (/** @type {keyof LiveRun} */ figure) => median(results.map((run) => run[figure]));
  return {
    perSecond: of('perSecond'),
    ratio: ratioOf(of('perSecond'), calibration),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    cpuUsPerPod: of('cpuUsPerPod'),
    heapBytesPerPod: of('heapBytesPerPod'),
    calibrationMs: calibration * 1000,
  };
}
