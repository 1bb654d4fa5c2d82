/**
 * The JavaScript half of the simulation for the first seeds, and proofs that its checks can fail.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { RawEngine } from '../support/raw_engine.js';
import { ARTIFACTS, loadTarget } from '../support/targets.js';
import {
  differenceOfDetail,
  differenceOfForetold,
  differenceOfSummaries,
  differenceOfTexts,
  differenceOfTranscripts,
  Tally,
} from './agreement.js';
import { Engines, failureText, runSeed } from './seeds.js';
import { parseRequest } from './decisions.js';

const SEEDS = 200;

test(`native and WebAssembly, caches on and off, agree on ${SEEDS} seeds`, async () => {
  const engines = new Engines();
  const tally = new Tally();
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const failure = await runSeed(engines, seed, { tally });
    assert.equal(failure, null, failure ? failureText(failure) : '');
  }
  const least = { decisions: 10, scheduled: 4, unschedulable: 4, scores: 3, foretold: 0.5 };
  for (const [name, perSeed] of Object.entries(least)) {
    assert.ok(
      tally[/** @type {keyof typeof least} */ (name)] > SEEDS * perSeed,
      `${name}: ${tally}`,
    );
  }
  for (const name of /** @type {const} */ ([
    'preemptions',
    'askedTwice',
    'hints',
    'refusedObjects',
    'withVolumes',
  ])) {
    assert.ok(tally[name] > 5, `${name}: ${tally}`);
  }
});

/**
 * A surface that changes the output of one of its functions.
 * @param {any} surface @param {{call: string, from: string, to: string}} slip  of equal lengths
 */
function withSlip(surface, { call, from, to }) {
  let last = '';
  const slipping = (/** @type {string} */ name) => {
    return (/** @type {any[]} */ ...values) => {
      const answer = surface[name](...values);
      if (name !== 'output') last = name;
      if (name !== 'output' || last !== call) return answer;
      return new TextEncoder().encode(new TextDecoder().decode(answer).replace(from, to));
    };
  };
  return Object.fromEntries(Object.keys(surface).map((name) => [name, slipping(name)]));
}

for (const [call, from, to] of /** @type {const} */ ([
  ['run', '"result":"scheduled"', '"result":"scheduler"'],
  ['apply', '"applied":1', '"applied":2'],
  ['evaluate', '"feasibleNodes":1', '"feasibleNodes":2'],
])) {
  test(`a native engine with another ${call} is found, and the scenario minimized`, async () => {
    const surface = createRequire(import.meta.url)(ARTIFACTS.addon);
    const native = new RawEngine(/** @type {any} */ (withSlip(surface, { call, from, to })));
    const engines = new Engines(async (target) =>
      target === 'native' ? native : loadTarget(target),
    );
    /** @type {import('./seeds.js').SeedFailure | null} */
    let failure = null;
    for (let seed = 1; seed <= SEEDS && !failure; seed += 1) failure = await runSeed(engines, seed);
    assert.ok(failure);
    assert.match(failure.what, /^native is not WebAssembly/);
    const { seed, path } = failure;
    assert.match(
      failureText(failure),
      new RegExp(`npm run sim -- --decisions --seed ${seed} --path ${path}`),
    );
    const again = await runSeed(engines, seed, { path });
    assert.equal(again?.scenario, failure.scenario);
    assert.equal(await runSeed(new Engines(), seed, { path }), null);
  });
}

test('records with fewer or other fields at a higher detail are found', () => {
  const decision = { kind: 'Decision', pod: 'a/b', node: 'n', preemption: { message: 'm' } };
  const detailed = { ...decision, preemption: { message: 'm', candidates: [] }, scores: {} };
  const text = (/** @type {object[]} */ ...records) => [
    records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  ];
  const compare = (/** @type {object[]} */ ...records) =>
    differenceOfDetail(text(...records), text(decision), new Tally());
  assert.equal(compare(detailed), null);
  assert.match(String(compare({ ...detailed, node: 'm' })), /node: "m" instead of "n"/);
  assert.match(String(compare({ ...detailed, preemption: {} })), /preemption.message/);
  assert.match(String(compare(detailed, detailed)), /2 records instead of 1/);
});

test('a record names some of the best nodes, and counts the others', () => {
  const line = (/** @type {object} */ record) => [`${JSON.stringify(record)}\n`];
  const compare = (/** @type {string[]} */ best, /** @type {object} */ short) =>
    differenceOfDetail(line({ best }), line(short), new Tally());
  const short = { best: ['a', 'b'], bestOmitted: 1 };
  assert.equal(compare(['a', 'b', 'c'], short), null);
  assert.match(String(compare(['a', 'b', 'c', 'd'], short)), /bestOmitted: 2 instead of 1/);
  assert.match(String(compare(['a', 'c', 'd'], short)), /best: \["a","c"\]/);
});

test('decisions that differ from their evaluation are found', () => {
  const compare = (/** @type {object} */ told, /** @type {object} */ decided) => {
    const evaluation = JSON.stringify({ kind: 'Evaluation', pod: 'a/b', ...told });
    const turn = `${JSON.stringify({ kind: 'Decision', pod: 'a/b', ...decided })}\n`;
    const tally = new Tally();
    const difference = differenceOfForetold({ foretold: [{ evaluation, turn }] }, tally);
    return [difference, tally.foretold];
  };
  assert.deepEqual(compare({ node: 'n' }, { node: 'n', seq: 1 }), [null, 1]);
  assert.deepEqual(compare({ node: 'n' }, { node: 'm' }), ['a/b, node: "m" instead of "n"', 1]);
  assert.deepEqual(compare({ node: 'n' }, { node: 'm', hint: 'm' }), [null, 0]);
  assert.deepEqual(compare({ node: 'n' }, { result: 'skipped', node: null }), [null, 0]);
});

test('summaries that differ from the answers node by node are found', () => {
  const compare = (/** @type {string} */ summary, /** @type {string} */ nodes) => {
    const tally = new Tally();
    return [differenceOfSummaries({ askedTwice: [{ summary, nodes }] }, tally), tally.askedTwice];
  };
  const answer = (/** @type {object} */ members) => JSON.stringify({ pod: 'a/b', ...members });
  const nodes = answer({ fits: 'Never', filter: [] });
  assert.deepEqual(compare(answer({ fits: 'Never' }), nodes), [null, 1]);
  assert.deepEqual(compare('refused: no', 'refused: no'), [null, 0]);
  assert.deepEqual(compare(answer({ fits: 'Now' }), nodes), [
    'a/b, fits: "Never" instead of "Now"',
    0,
  ]);
  assert.match(String(compare('refused: no', nodes)[0]), /refused: no/);
});

test('the place where two texts differ is shown', () => {
  assert.equal(differenceOfTexts(['same', 'abc'], ['same', 'abc']), null);
  assert.match(String(differenceOfTexts(['abx'], ['aby'])), /text 0, character 2: "abx"/);
  assert.match(String(differenceOfTexts([], ['a'])), /0 texts instead of 1/);
  const one = { turns: ['t'], answers: ['a'], foretold: [], askedTwice: [] };
  assert.equal(differenceOfTranscripts(one, { ...one }), null);
  assert.match(String(differenceOfTranscripts(one, { ...one, answers: ['b'] })), /text 0/);
});

test('the command line selects seeds', () => {
  const wanted = (/** @type {string[]} */ ...argv) => {
    const { first, last, half, path } = parseRequest(argv);
    return [first, last, half, path];
  };
  assert.deepEqual(wanted(), [1, 10_000, undefined, undefined]);
  assert.deepEqual(wanted('--seeds', '20', '--from', '5'), [5, 24, undefined, undefined]);
  assert.deepEqual(wanted('--seed', '7'), [7, 7, undefined, undefined]);
  assert.deepEqual(wanted('--seed', '7', '--path', '0:1'), [7, 7, 'js', '0:1']);
  assert.deepEqual(wanted('--seed', '7', '--cache', 'tiny'), [7, 7, 'js', undefined]);
  for (const argv of [
    ['--seed', 'x'],
    ['--seeds', '0'],
    ['--seed', '1', '--seeds', '2'],
    ['--path', '0'],
    ['--half', 'both'],
    ['--cache', 'large'],
    ['--cache', 'off', '--half', 'cpp'],
    ['--sead', '1'],
  ]) {
    assert.throws(() => parseRequest(argv), argv.join(' '));
  }
});
