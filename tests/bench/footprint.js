/** What the package weighs: bytes to fetch, time to the first decision, decoding, memory. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { ARTIFACTS } from '../support/targets.js';
import { createScheduler } from './decisions.js';
import { median, ratioOf, repeat } from './measure.js';
import { batchesOf, realisticPod } from './workloads.js';

const CHILD = fileURLToPath(new URL('child.js', import.meta.url));

/** Raw and compressed bytes: the module, and what `import 'stowage'` loads of the bundle. */
export function measureSizes() {
  const loaded = filesLoadedBy(join(dirname(ARTIFACTS.module), 'index.js'));
  return [sizesOf('wasm', [ARTIFACTS.module]), sizesOf('js', loaded)];
}

/**
 * A file of the bundle with those that it imports, at once or later.
 * @param {string} file
 * @param {Set<string>} [found]
 */
function filesLoadedBy(file, found = new Set()) {
  if (found.has(file)) return [...found];
  found.add(file);
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/["']\.\/([\w-]+\.js)["']/g))
    filesLoadedBy(join(dirname(file), name), found);
  return [...found];
}

/** @param {string} kind @param {string[]} files  each compressed by itself */
function sizesOf(kind, files) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const contents = files.map((file) => readFileSync(file));
  const sum = (/** @type {(bytes: Buffer) => Buffer} */ compress) =>
    contents.reduce((total, bytes) => total + compress(bytes).length, 0);
  return {
    kind,
    raw: sum((bytes) => bytes),
    gzip: sum((bytes) => gzipSync(bytes, { level: 9 })),
    brotli: sum((bytes) => brotliCompressSync(bytes, { params })),
  };
}

/**
 * Pods of 1.5 KB through `apply`: `foreign` ones are another scheduler's, which the engine
 * reads and leaves alone; `bound` ones go into the cache.
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
  const bytes = batches.reduce((sum, { length }) => sum + length, 0);
  const { calibration, results } = repeat(runs, () => {
    const scheduler = createScheduler(engine, 'all');
    try {
      const start = performance.now();
      for (const batch of batches) scheduler.applyBytes(batch, 0);
      return (performance.now() - start) / 1000;
    } finally {
      scheduler.dispose();
    }
  });
  const seconds = median(results);
  return {
    megabytesPerSecond: bytes / 1e6 / seconds,
    perSecond: count / seconds,
    ratio: ratioOf(count / seconds, calibration),
    podBytes: Math.round(bytes / count),
    calibrationMs: calibration * 1000,
  };
}

/** Each run is a process of its own. @param {{runs: number}} options */
export function measureStart({ runs }) {
  const { calibration, results } = repeat(runs, () => runChild(['start']));
  return {
    readyMs: median(results.map(({ readyMs }) => readyMs)),
    firstDecisionMs: median(results.map(({ firstDecisionMs }) => firstDecisionMs)),
    calibrationMs: calibration * 1000,
  };
}

/** @param {{target: string, nodes: number, pods: number}} options */
export function measureMemory({ target, nodes, pods }) {
  return runChild(['memory', target, String(nodes), String(pods)], { flags: ['--expose-gc'] });
}

/** @param {{nodes: number, pods: number}} options */
export function measureSoak({ nodes, pods }) {
  return runChild(['soak', String(nodes), String(pods)], { flags: ['--expose-gc'] });
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
