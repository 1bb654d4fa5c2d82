/** The bench's own arithmetic, and that what it reports is what it ran. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GOLDEN_DATA } from '../conformance/run.js';
import { loadEngine } from '../../js/src/index.js';
import { ARTIFACTS } from '../support/targets.js';
import { measureAdmission } from './admission.js';
import { main } from './bench.js';
import { heartbeat } from './heartbeats.js';
import { measureInformer, SOURCES } from './informer.js';
import { measureLive } from './live.js';
import { median, percentile, repeat } from './measure.js';
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

test('workloads are deterministic, named apart and as large as they say', () => {
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

test('one row runs on both targets and is judged only where it was measured', async () => {
  /** @type {string[]} */
  const text = [];
  const argv = ['--quick', '--only', 'decisions/basic/500/all'];
  const rows = await main(argv, { write: (line) => text.push(line) });
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['decisions/basic/500/all/native', 'decisions/basic/500/all/wasm'],
  );
  for (const { perSecond, p50Us, p99Us, unschedulable } of rows) {
    assert.ok(Number(perSecond) > 0);
    assert.ok(Number(p99Us) >= Number(p50Us));
    assert.equal(unschedulable, 0);
  }
  assert.equal(text.filter((line) => line.startsWith('{')).length, 2);
  assert.equal(text.at(-1)?.match(/not measured/g)?.length, 17);
  await assert.rejects(main(['--only', 'nonsense'], { write: () => {} }), /nonsense/);
});

test('watches are prepared as long as they say, and followed to their end', async () => {
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
  const [row, ...others] = await main(argv, { write: () => {} });
  assert.deepEqual(others, []);
  assert.equal(row.id, 'plugins/trivial-filter/5000/all/wasm');
  assert.ok(Number(row.usPerDecision) > 0);
});
