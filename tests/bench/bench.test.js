/** Tests the bench's own arithmetic, and that its reports match what it ran. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { loadEngine } from '../../js/src/index.js';
import { GOLDEN_DATA } from '../conformance/run.js';
import { encodeLines } from '../support/raw_engine.js';
import { ARTIFACTS, loadTarget } from '../support/targets.js';
import { measureAdmission } from './admission.js';
import { compareRuns, readBaseline } from './against.js';
import { main } from './bench.js';
import { createScheduler } from './decisions.js';
import { heartbeat } from './heartbeats.js';
import { measureInformer, SOURCES } from './informer.js';
import { measureLive } from './live.js';
import { median, percentile, repeat } from './measure.js';
import { measureFixes } from './fixes.js';
import { measureQuestions } from './questions.js';
import { REQUIRED } from './required.js';
import { measurePool, measureSweep, measureThreads } from './sweeps.js';
import { measureTune } from './tunes.js';
import { VARIED } from './varied.js';
import { train, TRAINED } from './training.js';
import { prepareWatches } from './watch_source.js';
import { batchesOf, realisticPod, WORKLOADS } from './workloads.js';

const TYPES = new Set(['ADDED', 'MODIFIED', 'DELETED']);

test('percentiles are values that occurred', () => {
  /** @type {[number[], number, number][]} */
  const table = [
    [[5], 50, 5],
    [[3, 1, 2], 50, 2],
    [[4, 1, 3, 2], 50, 2],
    [[3, 1, 2], 99, 3],
    [Array.from({ length: 200 }, (_, at) => at + 1), 99, 198],
  ];
  for (const [values, percent, want] of table) assert.equal(percentile(values, percent), want);
  assert.equal(median([9, 1, 5]), 5);
  assert.throws(() => median([]), /nothing/);
});

test('every run is calibrated', () => {
  let runs = 0;
  const { calibration, results } = repeat(3, () => (runs += 1));
  assert.deepEqual(results, [1, 2, 3]);
  assert.ok(calibration > 0);
});

test('workloads are deterministic, have distinct names, and have the stated size', () => {
  for (const [name, make] of Object.entries(WORKLOADS)) {
    const [first, second] = [make(GOLDEN_DATA), make(GOLDEN_DATA)];
    const nodes = batchesOf(2500, first.node);
    assert.equal(nodes.length, 3, name);
    assert.deepEqual(nodes, batchesOf(2500, second.node), name);
    assert.deepEqual(batchesOf(10, first.pod), batchesOf(10, second.pod), name);
    const uids = Array.from(
      { length: 2500 },
      (_, at) => /** @type {any} */ (first.node(at)).metadata.uid,
    );
    assert.equal(new Set(uids).size, 2500, name);
  }
  const bytes = JSON.stringify(realisticPod(7, { nodeName: 'node-7' })).length;
  assert.ok(bytes > 1400 && bytes < 1700, `${bytes}`);
  const beats = [1, 1, 2].map((beat) => JSON.stringify(heartbeat(7, beat)));
  assert.ok(beats[0].length > 7000 && beats[0].length < 8200, `${beats[0].length}`);
  assert.equal(beats[0], beats[1]);
  assert.notEqual(beats[0], beats[2]);
});

/** The part of a pod that comes from its template. @param {any} pod */
const templateOf = ({ metadata: { labels }, spec }) => JSON.stringify([labels, spec]);

test('workloads have the property in their name', () => {
  const differentAmong = (/** @type {string} */ name, /** @type {number} */ count) => {
    const { pod } = VARIED[name]();
    return new Set(Array.from({ length: count }, (_, at) => templateOf(pod(at)))).size;
  };
  for (const number of [1, 10, 100, 1000]) {
    assert.equal(differentAmong(`templates-${number}`, 3000), number);
  }
  assert.equal(differentAmong('own-signature', 3000), 3000);
  const { pod } = VARIED['namespace-selector-affinity']();
  const spaces = Array.from({ length: 100 }, (_, at) => /** @type {any} */ (pod(at)));
  assert.equal(new Set(spaces.map(({ metadata }) => metadata.namespace)).size, 6);
  const uneven = Array.from(
    { length: 300 },
    (_, row) => /** @type {any} */ (VARIED.uneven().node(row)),
  );
  assert.ok(new Set(uneven.map(({ status }) => JSON.stringify(status.allocatable))).size > 6);
  const tainted = uneven.filter(({ spec }) => spec.taints.length > 0).length;
  assert.ok(tainted > 50 && tainted < 150, `${tainted}`);
});

test('varied workloads find nodes, whatever changes meanwhile', async () => {
  const nodes = 120;
  const pods = 200;
  const engine = await loadTarget('wasm');
  for (const [name, make] of Object.entries(VARIED)) {
    const { node, pod, existing, changes } = make();
    const there = existing?.(nodes, pods) ?? { count: 0, object: node };
    const scheduler = createScheduler(engine, 'all');
    const apply = (/** @type {Uint8Array} */ batch) => scheduler.applyBytes(batch, 0);
    batchesOf(nodes, node).forEach(apply);
    batchesOf(there.count, there.object).forEach(apply);
    batchesOf(pods, pod).forEach(apply);
    const waiting = name === 'nominated' ? there.count : 0;
    const decisions = [];
    for (let slice = 0; decisions.length < pods + waiting; slice += 1) {
      const records = scheduler.run(0, 40);
      decisions.push(...records.filter(({ kind }) => kind === 'Decision'));
      if (changes) apply(encodeLines(changes(slice, nodes)));
    }
    const { nominated } = JSON.parse(scheduler.inspectText({}));
    assert.equal(nominated.length, waiting, name);
    assert.equal(decisions.filter((one) => !one.node).length, waiting, name);
    scheduler.dispose();
  }
});

test('the profile is counted in decisions of each row, apart from everything else', async () => {
  const engine = await loadTarget('wasm');
  const parts = /** @type {string[]} */ ([]);
  train(engine, { nodes: 60, cycles: 40 }, (part) => parts.push(part));
  assert.equal(parts.filter((part) => part === 'decisions').length, TRAINED.length);
  assert.equal(parts[0], 'rest');
  assert.ok(parts.every((part, at) => part === 'rest' || parts[at + 1] === 'rest'));
});

test('an evaluation covers every node', async () => {
  const engine = await loadTarget('wasm');
  const load = { nodes: 30, questions: 5, runs: 2, data: GOLDEN_DATA };
  for (const detail of /** @type {const} */ (['summary', 'table'])) {
    const figures = measureQuestions(engine, { ...load, detail });
    assert.equal(figures.questions, 10);
    assert.ok(figures.p50Ms > 0 && figures.p99Ms >= figures.p50Ms && figures.ratio > 0);
  }
});

test('edits are measured for pods of all families', async () => {
  const engine = await loadEngine({ wasm: ARTIFACTS.module });
  const figures = await measureFixes(engine, { nodes: 10, pods: 13, runs: 1 });
  assert.equal(figures.pods, 13);
  assert.ok(figures.p95Ms >= figures.p50Ms && figures.maxMs >= figures.p95Ms);
});

test('a run is compared with a stored one', () => {
  /** @type {import('./tables.js').Row[]} */
  const before = [
    { id: 'same', perSecond: 1000, calibrationMs: 10 },
    // The machine was twice as fast then.
    { id: 'other machine', perSecond: 1000, calibrationMs: 10 },
    { id: 'slower', perSecond: 1000, calibrationMs: 10 },
    { id: 'faster', p50Ms: 9, calibrationMs: 10 },
    { id: 'larger', totalBytes: 100 },
    { id: 'gone', perSecond: 1 },
  ];
  /** @type {import('./tables.js').Row[]} */
  const after = [
    { id: 'same', perSecond: 900, calibrationMs: 10 },
    { id: 'other machine', perSecond: 500, calibrationMs: 20 },
    { id: 'slower', perSecond: 600, calibrationMs: 11 },
    { id: 'faster', p50Ms: 3, calibrationMs: 10 },
    { id: 'larger', totalBytes: 151 },
    { id: 'new', perSecond: 1 },
  ];
  const { text, worse } = compareRuns(before, after);
  assert.deepEqual(worse, ['slower', 'larger']);
  assert.match(text, /^same +1,000 +900 +0\.9 +0\.9$/m);
  assert.match(text, /^other machine +1,000 +500 +1 +0\.5$/m);
  assert.match(text, /^slower +1,000 +600 +0\.66 +0\.6 +WORSE$/m);
  assert.match(text, /^faster +9 +3 +3 +3$/m);
  assert.match(text, /^larger +100 +151 +- +0\.662 +WORSE$/m);
  assert.match(text, /^only in this run: new$/m);
  assert.match(text, /^only in the stored run: gone$/m);
  assert.match(text, /^2 of 5 rows are 1\.5 times worse: slower, larger$/m);
  const alone = compareRuns([before[0]], [before[0]]);
  assert.deepEqual(alone.worse, []);
  assert.match(alone.text, /none of 1 rows is 1\.5 times worse$/);
});

test('the command compares with a file, and reports errors in it', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'stowage-bench-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'stored.ndjson');
  const runAgainst = async (/** @type {string} */ content) => {
    writeFileSync(file, content);
    /** @type {string[]} */
    const text = [];
    const argv = ['--quick', '--only', 'size', '--against', file];
    const { code } = await main(argv, { write: (line) => text.push(line) });
    return { code, last: text.at(-1) ?? '' };
  };
  const row = (/** @type {number} */ brotli) => `${JSON.stringify({ id: 'size/wasm', brotli })}\n`;
  const same = await runAgainst(row(1e9));
  assert.equal(same.code, 0);
  assert.match(same.last, /none of 1 rows/);
  const larger = await runAgainst(row(1));
  assert.equal(larger.code, 1);
  assert.match(larger.last, /^size\/wasm .+WORSE$/m);
  for (const [content, why] of /** @type {const} */ ([
    ['', /no rows in it/],
    ['DECISIONS  perSecond\n', /line 1 is no row of a run: DECISIONS/],
    [`${row(1)}{"perSecond":1}\n`, /line 2 is no row/],
  ])) {
    const { code, last } = await runAgainst(content);
    assert.equal(code, 2);
    assert.match(last, why);
  }
  assert.throws(() => readBaseline(join(directory, 'nowhere')), /--against .+ENOENT/);
});

test('a row runs on both targets, and is compared only where it was measured', async () => {
  /** @type {string[]} */
  const text = [];
  const argv = ['--quick', '--only', 'decisions/basic/500/all'];
  const { rows, code } = await main(argv, { write: (line) => text.push(line) });
  assert.equal(code, 0);
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['decisions/basic/500/all/native', 'decisions/basic/500/all/wasm'],
  );
  for (const { perSecond, p50Us, p99Us, unschedulable } of rows) {
    assert.ok(Number(perSecond) > 0);
    assert.ok(Number(p99Us) >= Number(p50Us));
    assert.equal(unschedulable, 0);
  }
  const [native, wasm] = rows.map(({ perSecond }) => Number(perSecond));
  assert.deepEqual(
    rows.map(({ ofNative }) => ofNative),
    [undefined, wasm / native],
  );
  assert.equal(text.filter((line) => line.startsWith('{')).length, 2);
  assert.equal(text.at(-1)?.match(/not measured/g)?.length, REQUIRED.length);
  await assert.rejects(main(['--only', 'nonsense'], { write: () => {} }), /nonsense/);
});

test('watches have the stated length, and are followed to their end', async () => {
  const { nodes, pods, events, bytes } = prepareWatches(300);
  assert.equal(events, 300);
  for (const [{ chunks, last }, count] of /** @type {const} */ ([
    [nodes, 30],
    [pods, 270],
  ])) {
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\n');
    assert.equal(lines.length, count);
    assert.deepEqual(new Set(lines.map((line) => JSON.parse(line).type)), TYPES);
    assert.equal(JSON.parse(lines[count - 1]).object.metadata.resourceVersion, last);
  }
  assert.ok(bytes > 300 * 1500 && bytes < 300 * 2000, `${bytes}`);
  const engine = await loadEngine({ wasm: ARTIFACTS.module });
  for (const source of SOURCES) {
    const { perSecond } = await measureInformer(engine, { source, events: 300, runs: 1 });
    assert.ok(perSecond > 0, source);
  }
});

test('pods that are created live are all bound', async () => {
  const { perSecond, p50Ms, p99Ms } = measureLive({ way: 'http', nodes: 50, pods: 20, runs: 1 });
  assert.ok(perSecond > 0 && p99Ms >= p50Ms, `${perSecond} ${p50Ms} ${p99Ms}`);
});

test('admission is measured with pods that fit and pods that do not', async () => {
  const engine = await loadEngine({ wasm: ARTIFACTS.module });
  const load = { nodes: 20, requests: 40, runs: 2 };
  const { requests, p50Ms, p99Ms, maxMs } = await measureAdmission(engine, load);
  assert.equal(requests, 80);
  assert.ok(p50Ms > 0 && p99Ms >= p50Ms && maxMs >= p99Ms, `${p50Ms} ${p99Ms} ${maxMs}`);
});

test('plugins in JavaScript are measured through the API', async () => {
  const argv = ['--quick', '--only', 'plugins/trivial-filter/'];
  const { rows } = await main(argv, { write: () => {} });
  assert.equal(rows.length, 1);
  const [row] = rows;
  assert.equal(row.id, 'plugins/trivial-filter/5000/all/wasm');
  assert.ok(Number(row.usPerDecision) > 0);
});

test('a sweep measures failures spread over all of them, in threads as well', async () => {
  const engine = await loadEngine({ wasm: ARTIFACTS.module });
  const load = { workload: 'mixed', nodes: 20, pods: 100, failures: 'nodes:1,pairs', tasks: 100 };
  const { failures, measured, seconds, meanMs } = await measureSweep(engine, load);
  assert.deepEqual([failures, measured], [210, 100]);
  assert.ok(Math.abs(seconds - (meanMs * failures) / 1000) < 1e-9);
  const shared = await measureThreads(engine, { ...load, workers: 2 });
  assert.ok(shared.alone > 0 && shared.seconds > 0 && shared.machine > 0);
  assert.ok(Math.abs(shared.ofMachine * shared.machine - shared.ofCores) < 1e-9);
  const pool = await measurePool(engine, { ...load, workers: 2 });
  assert.deepEqual([pool.failures, pool.measured], [210, 100]);
});

test('trials of configurations are measured on the openb trace', async () => {
  const engine = await loadEngine({ wasm: ARTIFACTS.module });
  const load = { data: GOLDEN_DATA, list: 'default', trials: 2, pods: 200 };
  const { trials, pods, cpuMs, perCoreHour } = await measureTune(engine, load);
  assert.deepEqual([trials, pods], [2, 200]);
  assert.ok(cpuMs > 0 && Math.abs(perCoreHour * cpuMs - 3_600_000) < 1);
});
