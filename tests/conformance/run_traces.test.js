/** The command line on traces: the selection, the counts, and invalid traces. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { FakeTraceEngine } from '../support/fake_trace_engine.js';
import { collectCases } from './collect.js';
import { GOLDEN, main } from './run.js';

const TRACES = join(GOLDEN, 'traces');

/** @type {any[]} those that need only what is built */
let traces;

before(() => {
  traces = collectCases([TRACES]).cases.map(({ trace }) => trace);
});

/** @param {string[]} argv @param {any[]} [played] */
async function runMain(argv, played = []) {
  /** @type {string[]} */
  const lines = [];
  const code = await main(argv, {
    write: (text) => lines.push(text),
    loadTarget: async () => /** @type {any} */ (new FakeTraceEngine(played)),
  });
  return { code, text: lines.join('\n'), closing: lines.at(-1) };
}

/** @param {string} family @param {string[]} [needs] */
function tracesOf(family, needs = []) {
  const { cases } = collectCases([TRACES], { families: [`traces/${family}`], needs });
  return cases.map(({ trace }) => trace);
}

test('all traces run whose plugins exist; the others are counted separately', async () => {
  const run = await runMain([TRACES], traces);
  assert.equal(run.code, 0);
  assert.equal(run.closing, '349 passed, 0 failed');
  assert.match(run.text, /^all +349 +14444 +14444 +349 +0$/m);
  assert.match(run.text, /^traces\/preemption +38 +1270 +1270 +38 +0$/m);
  assert.match(run.text, /^NEEDS +SCENARIOS +ATTEMPTS$/m);
  assert.match(run.text, /^dra +28 +\d+$/m);
  assert.doesNotMatch(run.text, /^volumes /m);
  assert.match(run.text, /^dra,volumes +11 +\d+$/m);
});

test('a trace with missing plugins runs on request, or if its file is named', async () => {
  const family = ['--family', 'traces/scheduling-gates'];
  assert.equal(
    (await runMain([...family, TRACES], tracesOf('scheduling-gates'))).closing,
    '13 passed, 0 failed',
  );
  const all = tracesOf('scheduling-gates', ['dra']);
  const asked = await runMain([...family, '--needs', 'dra', TRACES], all);
  assert.equal(asked.closing, '15 passed, 0 failed');
  assert.doesNotMatch(asked.text, /NEEDS/);
  const named = await runMain([join(TRACES, 'scheduling-gates.ndjson.gz')], all);
  assert.equal(named.closing, '15 passed, 0 failed');
  const none = await runMain(['--family', 'traces/dra', TRACES]);
  assert.equal(none.code, 1);
  assert.match(none.text, /^dra +21 +654$/m);
  assert.equal(none.closing, '0 passed, 0 failed');
  assert.equal((await runMain(['--needs', 'volumes', TRACES])).code, 2);
  assert.equal((await runMain(['--needs', 'gpus', TRACES])).code, 2);
});

test('a family of decisions does not include the traces of the same name', async () => {
  const only = collectCases([GOLDEN], { families: ['preemption'] });
  assert.deepEqual(new Set(only.cases.map(({ family }) => family)), new Set(['preemption']));
  const both = collectCases([GOLDEN], { families: ['preemption', 'traces'] });
  assert.equal(both.cases.length, 60 + 349);
});

test('the first difference is shown with trace, step and field', async () => {
  const family = tracesOf('ordering');
  const played = structuredClone(family);
  const at = played[2].steps.findIndex(
    (/** @type {any} */ { expect }) => expect.cycle?.result === 'scheduled',
  );
  played[2].steps[at].expect.cycle.node = 'nowhere';
  const run = await runMain(['--family', 'traces/ordering', TRACES], played);
  assert.equal(run.code, 1);
  assert.equal(run.closing, '13 passed, 1 failed');
  const { name } = family[2];
  const where = `step ${at + 1} \\(cycle \\S+, at \\d+ ms\\)`;
  assert.match(
    run.text,
    new RegExp(`^FAIL wasm traces/ordering/${name}: ${where}, cycle\\.node$`, 'm'),
  );
  assert.match(
    run.text,
    /^ {2}in .+ordering\.ndjson\.gz:3\n {2}expected ".+"\n {2}actual {3}"nowhere"$/m,
  );
  assert.match(run.text, /^traces\/ordering +14 +586 +\d+ +13 +1$/m);
});

test('a trace that is not understood fails', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'stowage-traces-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const golden = tracesOf('preemption')[0];
  const cycle = golden.steps.findIndex((/** @type {any} */ { op }) => op === 'cycle');
  /** @type {[string, (trace: any) => void, RegExp][]} */
  // prettier-ignore
  const table = [
    ['header', (f) => { f.surprise = 1; }, /header: unknown field surprise/],
    ['version', (f) => { f.formatVersion = 2; }, /formatVersion 2/],
    ['family', (f) => { f.family = 'x'; }, /unknown family x/],
    ['need', (f) => { f.needs = ['x']; }, /unknown need x/],
    ['start', (f) => { f.startTime = 'x'; }, /startTime x/],
    ['op', (f) => { f.steps[0].op = 'x'; }, /step 1: unknown op x/],
    ['step', (f) => { f.steps[0].surprise = 1; }, /step 1: unknown field surprise/],
    ['type', (f) => { f.steps[0].type = 'x'; }, /step 1: unknown type x/],
    ['bind', (f) => { f.steps[cycle].bind = 'x'; }, /unknown bind x/],
    ['evictions', (f) => { f.steps[cycle].evictions = 'x'; }, /unknown evictions x/],
    ['object', (f) => { delete f.steps[0].object; }, /step 1: object is missing/],
    ['time', (f) => { f.steps[1].atMs = 0; }, /step 2: atMs 0 after 10/],
    ['expect', (f) => { f.steps[0].expect.surprise = 1; }, /unknown field surprise/],
    ['no queues', (f) => { delete f.steps[0].expect.queues; }, /queues is missing/],
    ['no cycle', (f) => { delete f.steps[cycle].expect.cycle; }, /expect: cycle/],
    ['cycle', (f) => { f.steps[cycle].expect.cycle.surprise = 1; }, /cycle: unknown field/],
    ['cache', (f) => { f.steps[0].expect.cache.surprise = 1; }, /cache: unknown field/],
    ['queue', (f) => { f.steps[0].expect.queues.surprise = 1; }, /queues: unknown field/],
    ['backoff', (f) => { f.steps[0].expect.queues.backoff = [{ surprise: 1 }]; },
      /backoff: unknown field/],
    ['pool', (f) => { f.steps[0].expect.queues.unschedulable = [{ surprise: 1 }]; },
      /unschedulable: unknown field/],
    ['sent', (f) => { f.steps[0].expect.events = [{ surprise: 1 }]; }, /events: unknown field/],
    ['error', (f) => { f.steps[0].expect.podUpdates = [{ error: 'x' }]; }, /unknown error x/],
  ];
  for (const [name, change, text] of table) {
    const trace = structuredClone(golden);
    change(trace);
    const file = join(directory, `${name}.json`);
    writeFileSync(file, JSON.stringify(trace));
    const run = await runMain([file], [trace]);
    assert.equal(run.code, 1, name);
    assert.match(run.text, text, name);
    assert.equal(run.closing, '0 passed, 1 failed', name);
  }
  const asked = ['--family', 'traces/preemption', join(directory, 'op.json')];
  assert.equal((await runMain(asked)).closing, '0 passed, 1 failed');
  const file = join(directory, 'good.json');
  writeFileSync(file, JSON.stringify(golden));
  assert.equal((await runMain([file], [golden])).closing, '1 passed, 0 failed');
});
