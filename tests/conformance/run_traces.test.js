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

/** @type {any[]} */
let traces;

before(() => {
  traces = collectCases([TRACES]).map(({ trace }) => trace);
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

/** @param {string} family */
function tracesOf(family) {
  return collectCases([TRACES], { families: [`traces/${family}`] }).map(({ trace }) => trace);
}

test('all traces run', async () => {
  const run = await runMain([TRACES], traces);
  assert.equal(run.code, 0);
  assert.equal(run.closing, '388 passed, 0 failed');
  assert.match(run.text, /^all +388 +16250 +16250 +388 +0$/m);
  assert.match(run.text, /^traces\/preemption +38 +1270 +1270 +38 +0$/m);
  assert.equal((await runMain(['--needs', 'dra', TRACES])).code, 2);
});

test('a family of decisions does not include the traces of the same name', async () => {
  const only = collectCases([GOLDEN], { families: ['preemption'] });
  assert.deepEqual(new Set(only.map(({ family }) => family)), new Set(['preemption']));
  const both = collectCases([GOLDEN], { families: ['preemption', 'traces'] });
  assert.equal(both.length, 60 + 388);
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
