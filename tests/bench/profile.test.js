// Goal: a profile counts the samples of the timed parts alone, and names the module's functions.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { main } from './bench.js';
import { profileText } from './profile.js';
import { elapsedMs, startTime, withSpans } from './stopwatch.js';

/** @param {number} id @param {string} functionName @param {string} [url] */
const nodeOf = (id, functionName, url = '') => ({
  id,
  callFrame: { functionName, url, scriptId: '', lineNumber: 0, columnNumber: 0 },
});

const PROFILE = {
  nodes: [
    nodeOf(1, 'wasm-function[7]', 'wasm://wasm/1'),
    nodeOf(2, 'turn', 'file:///x/tests/bench/decisions.js'),
    nodeOf(3, '(garbage collector)'),
    nodeOf(4, 'wasm-function[8]', 'wasm://wasm/1'),
  ],
  // At 1000, 2000, … µs of the profile's clock.
  startTime: 0,
  endTime: 8000,
  samples: [2, 1, 1, 3, 4, 1, 2],
  timeDeltas: [1000, 1000, 1000, 1000, 1000, 1000, 1000],
};
const PLACES = new Map([
  [7, { folder: 'core/cache', name: 'Cache::AddPod' }],
  [8, { folder: 'core/queue', name: 'SchedulingQueue::Pop' }],
]);
const placeOf = (/** @type {number} */ index) => PLACES.get(index) ?? { folder: '', name: '' };
const shares = (/** @type {string} */ text) => text.match(/[\d.]+ % .*/g);

test('samples count within the timed parts', () => {
  const spans = [
    { from: 0.4, to: 1 },
    { from: 2.4, to: 4.6 },
  ];
  // The profile's clock shows 500 µs at the zero of the spans.
  const text = profileText(PROFILE, spans, placeOf, 500);
  assert.match(text, /of the timed parts/);
  assert.deepEqual(shares(text), [
    '25.0 %  core/cache',
    '25.0 %  tests/bench',
    '25.0 %  V8',
    '25.0 %  core/queue',
    '25.0 %  core/cache  Cache::AddPod',
    '25.0 %  tests/bench  turn decisions.js',
    '25.0 %  V8  garbage collector',
    '25.0 %  core/queue  SchedulingQueue::Pop',
  ]);
});

test('a row without timed parts is counted whole, which the text says', () => {
  const text = profileText(PROFILE, [], placeOf, 500);
  assert.match(text, /of the whole row, its set-up included/);
  assert.equal(shares(text)?.[0], '42.9 %  core/cache');
  assert.match(profileText(PROFILE, [{ from: 90, to: 91 }], placeOf, 500), /empty/);
});

test('timed parts are collected while a profile asks for them', async () => {
  elapsedMs(startTime());
  const { result, spans } = await withSpans(async () => elapsedMs(startTime()));
  elapsedMs(startTime());
  assert.equal(spans.length, 1);
  assert.ok(Math.abs(spans[0].to - spans[0].from - result) < 1e-6);
});

test('a row is profiled by folder and function', async () => {
  /** @type {string[]} */
  const lines = [];
  const write = (/** @type {string} */ line) => void lines.push(line);
  const row = 'decisions/own-signature/5000/all/wasm';
  const { rows, code } = await main(['--quick', '--profile', row], { write });
  assert.deepEqual([code, rows.map(({ id }) => id)], [0, [row]]);
  const text = lines.at(-1) ?? '';
  assert.match(text, /of the timed parts/);
  assert.match(text, / % {2}core\/plugins\n/);
  assert.match(text, / % {2}core\/plugins {2}\w+::AddScores\(/);
});

test('a name of several rows, of none, or of a native row is refused', async () => {
  for (const [row, want] of [
    ['size', /one row's name.*: size\/wasm, /],
    ['nothing', /: no row$/],
    ['decisions/basic/500/all/native', /takes a row of WebAssembly: decisions\/basic\/500/],
  ]) {
    /** @type {string[]} */
    const lines = [];
    const write = (/** @type {string} */ line) => void lines.push(line);
    const { code } = await main(['--quick', '--profile', String(row)], { write });
    assert.equal(code, 2);
    assert.match(lines.at(-1) ?? '', /** @type {RegExp} */ (want));
  }
});
