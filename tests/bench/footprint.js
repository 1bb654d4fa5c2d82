/** Measures the package's cost: time to the first decision, decoding, memory. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { createScheduler } from './decisions.js';
import { median, ratioOf, repeat } from './measure.js';
import { elapsedMs, startTime } from './stopwatch.js';
import { batchesOf, realisticPod, WORKLOADS } from './workloads.js';

const CHILD = fileURLToPath(new URL('child.js', import.meta.url));
const START_CHILD = fileURLToPath(new URL('start_child.js', import.meta.url));
const FIRST_APPLY_CHILD = fileURLToPath(new URL('first_apply_child.js', import.meta.url));

/**
 * Applies pods of 1.5 KB: `foreign` ones belong to another scheduler, and the engine decodes and
 * ignores them; `bound` ones go into the cache.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {{kind: 'foreign' | 'bound', count: number, runs: number}} options
 */
export function measureDecode(engine, { kind, count, runs }) {
  const batches = batchesOf(count, (at) =>
    realisticPod(
      at,
      kind === 'bound' ? { nodeName: `node-${at % 1000}` } : { schedulerName: 'someone-else' },
    ),
  );
  const { bytes, calibration, seconds } = timeApply(engine, { batches, runs });
  return {
    megabytesPerSecond: bytes / 1e6 / seconds,
    perSecond: count / seconds,
    ratio: ratioOf(count / seconds, calibration),
    podBytes: Math.round(bytes / count),
    calibrationMs: calibration * 1000,
  };
}

/**
 * The time to apply `batches`, after warm-up batches.
 * @param {import('../support/raw_engine.js').RawEngine} engine
 * @param {{ before?: Uint8Array[], batches: Uint8Array[], runs: number }} load
 */
export function timeApply(engine, { before = [], batches, runs }) {
  const { calibration, results } = repeat(runs, () => {
    const scheduler = createScheduler(engine, 'all');
    try {
      for (const batch of before) scheduler.applyBytes(batch, 0);
      const start = startTime();
      for (const batch of batches) scheduler.applyBytes(batch, 0);
      return elapsedMs(start) / 1000;
    } finally {
      scheduler.dispose();
    }
  });
  const bytes = batches.reduce((sum, { length }) => sum + length, 0);
  return { bytes, calibration, seconds: median(results) };
}

/** Each run is a process of its own. @param {{runs: number}} options */
export function measureStart({ runs }) {
  const { node, pod } = WORKLOADS.basic('');
  const objects = [node(0), pod(0)].map((object) => JSON.stringify(object));
  const firstApply = (/** @type {string} */ way) =>
    runChild([way], { script: FIRST_APPLY_CHILD }).ms;
  const { calibration, results } = repeat(runs, () => ({
    ...runChild(objects, { script: START_CHILD }),
    listMs: firstApply('bytes'),
    listObjectsMs: firstApply('objects'),
  }));
  const readyMs = median(results.map((one) => one.readyMs));
  return {
    readyMs,
    ratio: ratioOf(1000 / readyMs, calibration),
    firstDecisionMs: median(results.map(({ firstDecisionMs }) => firstDecisionMs)),
    listMs: median(results.map(({ listMs }) => listMs)),
    listObjectsMs: median(results.map(({ listObjectsMs }) => listObjectsMs)),
    calibrationMs: calibration * 1000,
  };
}

/** @param {{target: string, nodes: number, pods: number}} options */
export function measureMemory({ target, nodes, pods }) {
  return runChild(['memory', target, String(nodes), String(pods)], { flags: ['--expose-gc'] });
}

/** @param {{nodes: number, pods: number, cycles: number, failures: number}} options */
export function measureLarge({ nodes, pods, cycles, failures }) {
  const values = [nodes, pods, cycles, failures].map(String);
  const { calibration, results } = repeat(1, () => runChild(['large', ...values]));
  const ratio = ratioOf(results[0].perSecond, calibration);
  return { ratio, ...results[0], calibrationMs: calibration * 1000 };
}

/** @param {{nodes: number, pods: number}} options */
export function measureSoak({ nodes, pods }) {
  const soak = () => runChild(['soak', String(nodes), String(pods)], { flags: ['--expose-gc'] });
  const { calibration, results } = repeat(1, soak);
  const [{ perSecond, ...figures }] = results;
  const ratio = ratioOf(perSecond, calibration);
  return { perSecond, ratio, ...figures, calibrationMs: calibration * 1000 };
}

/**
 * @param {string[]} args
 * @param {{ flags?: string[], script?: string }} [options] `flags`: Node's own
 * @returns {any} the JSON that it prints
 */
export function runChild(args, { flags = [], script = CHILD } = {}) {
  const command = [...flags, script, ...args];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }));
}
