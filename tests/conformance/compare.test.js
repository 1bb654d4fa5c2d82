// Goal: the comparator and the runner accept true answers and report false ones. Method: records
// derived from the recordings, and the native engine with altered answers.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { AlteredSurface } from '../support/altered_surface.js';
import { RawEngine } from '../support/raw_engine.js';
import { Cluster } from './cluster.js';
import { collectCases } from './collect.js';
import { compareDecision, compareReplay } from './compare.js';
import { playDecisions, scheduleOne } from './decisions.js';
import { GOLDEN, main } from './run.js';
import { recordOf, recordOfReplayLine } from './true_records.js';

const DECISIONS = join(GOLDEN, 'decisions');

/** @type {import('./collect.js').Case[]} */
let cases;
/** @type {any[]} every recorded attempt of the decision files */
let attempts;

before(() => {
  cases = collectCases([GOLDEN]);
  attempts = cases.flatMap(({ decisions }) =>
    (decisions?.steps ?? [])
      .filter((/** @type {any} */ step) => step.expect && !step.group)
      .map((/** @type {any} */ step) => step.expect),
  );
});

/** @param {ConstructorParameters<typeof AlteredSurface>[0]} [alter] */
function engineOf(alter) {
  const surface = new AlteredSurface(alter);
  return { surface, engine: new RawEngine(surface) };
}

/**
 * Runs the command line on the native engine.
 * @param {string[]} argv
 * @param {ConstructorParameters<typeof AlteredSurface>[0]} [alter]
 */
async function runMain(argv, alter) {
  /** @type {string[]} */
  const lines = [];
  const code = await main(argv, {
    write: (text) => lines.push(text),
    loadTarget: async () => engineOf(alter).engine,
  });
  return { code, text: lines.join('\n'), closing: lines.at(-1) };
}

/** True for the first one of these. @param {(decision: any) => boolean} where */
function once(where) {
  let isFound = false;
  return (/** @type {any} */ decision) => {
    const isFirst = !isFound && where(decision);
    isFound ||= isFirst;
    return isFirst;
  };
}

/** @param {(expect: any) => boolean} where */
function attemptWhere(where) {
  const found = attempts.find(where);
  assert.ok(found, 'no recorded attempt of this kind');
  return structuredClone(found);
}

const isScored = (/** @type {any} */ { result, scores, filter }) =>
  result === 'scheduled' && scores && filter.length > 0;
const isPreempting = (/** @type {any} */ { preemption }) =>
  preemption?.candidates?.length > 1 && preemption.rejected;
const isAllocating = (/** @type {any} */ { claims }) =>
  Object.values(claims ?? {})[0]?.devices.results?.length > 0;
const isSharing = (/** @type {any} */ expect) => isAllocating(expect) && deviceOf(expect).shareID;
/** The first allocated device. @param {any} decision */
const deviceOf = ({ claims }) => /** @type {any} */ (Object.values(claims)[0]).devices.results[0];
const isNarrowed = (/** @type {any} */ { preFilterResult }) => preFilterResult;
const isBinding = (/** @type {any} */ { volumes }) => Object.keys(volumes ?? {}).length > 1;
const isGated = (/** @type {any} */ { result }) => result === 'gated';
const isRefusedBefore = (/** @type {any} */ { preFilter }) => preFilter;

test('a true answer agrees, in any order of the nodes', () => {
  const differences = attempts.map((expect) => compareDecision(expect, recordOf(expect)));
  assert.equal(differences.length, 12425);
  assert.deepEqual(differences.filter(Boolean), []);
});

/**
 * Falsifications: their place, their effect, and the field at which the comparator must find them.
 */
/** @type {[string, (expect: any) => boolean, (record: any) => void, string][]} */
// prettier-ignore
const FALSE_ANSWERS = [
  ['wrong node', isScored, (r) => { r.node = `not-${r.node}`; }, 'node'],
  ['no node', isScored, (r) => { r.node = null; }, 'node'],
  ['other result', isScored, (r) => { r.result = 'unschedulable'; }, 'result'],
  ['missing group', isScored, (r) => { r.filter.pop(); }, 'filter'],
  ['missing reason', isScored, (r) => { r.filter[0].reasons = []; }, '.reasons'],
  ['extra reason', isScored, (r) => { r.filter[0].reasons = ['a', 'b']; }, '.reasons'],
  ['other code', isScored, (r) => { r.filter[0].code = 'Error'; }, '.code'],
  ['other plugin', isScored, (r) => { r.filter[0].plugin = 'X'; }, '.plugin'],
  ['node refused twice', isScored, (r) => { r.filter.push(r.filter[0]); }, 'filter.'],
  ['no filter at all', isScored, (r) => { delete r.filter; }, 'filter'],
  ['feasible node missing', isScored, (r) => { r.feasible.pop(); }, 'feasible'],
  ['feasible node extra', isScored, (r) => { r.feasible.push('zz'); }, 'feasible'],
  ['evaluated', isScored, (r) => { r.evaluatedNodes += 1; }, 'evaluatedNodes'],
  ['evaluated missing', isScored, (r) => { delete r.evaluatedNodes; }, 'evaluatedNodes'],
  ['plugin list', isScored, (r) => { r.unschedulablePlugins = []; }, 'unschedulablePlugins'],
  ['pending', isScored, (r) => { r.pendingPlugins = ['X']; }, 'pendingPlugins'],
  ['a raw score', isScored, (r) => { r.rawScores.NodeResourcesFit[0] += 1; }, 'rawScores.'],
  ['a score', isScored, (r) => { r.scores.NodeResourcesFit[0] += 1; }, 'scores.'],
  ['an extra score', isScored, (r) => { r.scores.X = r.total.map(() => 0); }, 'scores.X'],
  ['a missing score', isScored, (r) => { delete r.scores.ImageLocality; }, 'scores.'],
  ['no scores', isScored, (r) => { delete r.scores; }, 'scores'],
  ['a short column', isScored, (r) => { r.scores.ImageLocality.pop(); }, 'scores.'],
  ['a total', isScored, (r) => { r.total[0] += 1; }, 'total.'],
  ['best', isScored, (r) => { r.best = r.feasible; }, 'best'],
  ['hint', isScored, (r) => { r.hint = 'n'; }, 'hint'],
  ['message where none is', isScored, (r) => { r.message = 'x'; }, 'message'],
  ['preFilter where none is', isScored, (r) => { r.preFilter = { plugin: 'X' }; }, 'preFilter'],
  ['preemption', isScored, (r) => { r.preemption = { message: '' }; }, 'preemption'],
  ['a volume', isBinding, (r) => { r.volumes[Object.keys(r.volumes)[0]] = 'x'; }, 'volumes.'],
  ['a volume less', isBinding, (r) => { delete r.volumes[Object.keys(r.volumes)[1]]; }, 'volumes.'],
  ['no volumes', isBinding, (r) => { delete r.volumes; }, 'volumes'],
  ['volumes where none are', isNarrowed, (r) => { r.volumes = { c: 'v' }; }, 'volumes'],
  ['a device', isAllocating, (r) => { deviceOf(r).device = 'x'; }, 'claims.'],
  ['a share', isSharing, (r) => { delete deviceOf(r).shareID; }, 'claims.'],
  ['no claims', isAllocating, (r) => { delete r.claims; }, 'claims'],
  ['claims where none are', isNarrowed, (r) => { r.claims = { c: {} }; }, 'claims'],
  ['gate', isGated, (r) => { r.plugin = 'X'; }, 'plugin'],
  ['gate message', isGated, (r) => { r.message += '.'; }, 'message'],
  ['gated, yet looked', isGated, (r) => { r.evaluatedNodes = 1; }, 'evaluatedNodes'],
  ['narrowing', isNarrowed, (r) => { r.preFilterResult.pop(); }, 'preFilterResult'],
  ['absent', isNarrowed, (r) => { r.absent.code = 'Unschedulable'; }, 'absent.code'],
  ['no absent', isNarrowed, (r) => { delete r.absent; }, 'absent'],
  ['preFilter', isRefusedBefore, (r) => { r.preFilter.reasons = ['x']; }, 'preFilter.reasons'],
  ['no preemption', isPreempting, (r) => { delete r.preemption; }, 'preemption'],
  ['preempts elsewhere', isPreempting, (r) => { r.preemption.nominatedNode = 'x'; },
    '.nominatedNode'],
  ['victims', isPreempting, (r) => { r.preemption.victims = []; }, '.victims'],
  ['candidate', isPreempting, (r) => { r.preemption.candidates.pop(); }, '.candidates.'],
  ['violations', isPreempting, (r) => { r.preemption.candidates[0].pdbViolations += 1; },
    '.pdbViolations'],
  ['rejected', isPreempting, (r) => { delete r.preemption.rejected; }, '.rejected'],
  ['admissible', isPreempting, (r) => { r.preemption.admissibleNodes = []; }, '.admissibleNodes'],
  ['nomination', isPreempting, (r) => { r.preemption.nomination = 'keep'; }, '.nomination'],
  ['preemption text', isPreempting, (r) => { r.preemption.message = 'x'; }, '.message'],
  ['message', isPreempting, (r) => { r.message += ' '; }, 'message'],
];

test('every false answer is reported at its field', () => {
  for (const [name, where, falsify, path] of FALSE_ANSWERS) {
    const expect = attemptWhere(where);
    const record = structuredClone(recordOf(expect));
    falsify(record);
    const difference = compareDecision(expect, record);
    assert.ok(difference, `${name}: not found`);
    assert.ok(difference.path.includes(path), `${name}: found at ${difference.path}`);
  }
});

test('every choice that the scheduler is free to make agrees', () => {
  const tied = attemptWhere(({ best }) => best?.length > 1);
  const other = { ...recordOf(tied), node: tied.best.at(-1) };
  assert.equal(compareDecision(tied, other, { tieBreak: 'heap' }), null);
  assert.equal(compareDecision(tied, other)?.path, 'node');
  const stray = { ...other, node: 'elsewhere' };
  assert.equal(compareDecision(tied, stray, { tieBreak: 'heap' })?.path, 'node');

  const binding = attemptWhere(({ best, volumes }) => best?.length > 1 && volumes);
  const elsewhere = { ...recordOf(binding), volumes: { claim: 'its own' } };
  assert.match(compareDecision(binding, elsewhere, { tieBreak: 'heap' })?.path ?? '', /^volumes/);
  elsewhere.node = binding.best.at(-1);
  assert.equal(compareDecision(binding, elsewhere, { tieBreak: 'heap' }), null);

  const free = attemptWhere(({ preemption }) => preemption?.admissibleNodes?.length > 1);
  const { preemption } = free;
  const nominatedNode = preemption.admissibleNodes.at(-1);
  const { victims } = preemption.candidates.find(
    (/** @type {any} */ { node }) => node === nominatedNode,
  );
  const choose = (/** @type {string[]} */ evicted) => ({
    ...recordOf(free),
    preemption: { ...preemption, nominatedNode, victims: evicted },
  });
  assert.equal(compareDecision(free, choose(victims)), null);
  assert.equal(compareDecision(free, choose([...victims, 'a/b']))?.path, 'preemption.victims');
});

test('errors and empty clusters compare the outcome only', () => {
  const error = { result: 'error', message: 'm', evaluatedNodes: 3, feasible: ['a'], filter: [] };
  assert.equal(compareDecision(error, { result: 'error', message: 'm', evaluatedNodes: 9 }), null);
  assert.equal(compareDecision(error, { result: 'error', message: 'n' })?.path, 'message');
  const message = 'no nodes available to schedule pods';
  const empty = { result: 'unschedulable', message };
  const record = { ...empty, evaluatedNodes: 0, preemption: { message: '', nomination: 'clear' } };
  assert.equal(compareDecision(empty, record), null);
});

test('a replay line compares node, best, ties, counts and the filter part of the message', () => {
  const line = { pod: 'p', node: 'node-0', feasible: 3, evaluated: 5, best: 470, ties: 2 };
  const record = recordOfReplayLine(line);
  assert.equal(compareReplay(line, record), null);
  /** @type {[any, string][]} */
  const table = [
    [{ node: 'node-1' }, 'node'],
    [{ node: null }, 'node'],
    [{ feasible: ['a'] }, 'feasible'],
    [{ evaluatedNodes: 4 }, 'evaluated'],
    [{ total: [471, 470, 469] }, 'best'],
    [{ best: ['node-0'] }, 'ties'],
    [{ message: 'x' }, 'message'],
  ];
  for (const [change, path] of table) {
    assert.equal(compareReplay(line, { ...record, ...change })?.path, path);
  }
  const refused = { pod: 'p', node: null, message: '0/1 nodes are available: 1 Insufficient cpu.' };
  assert.equal(compareReplay(refused, recordOfReplayLine(refused)), null);
  const longer = { ...recordOfReplayLine(refused), preemption: { message: 'other' } };
  assert.equal(compareReplay(refused, longer)?.path, 'message');
});

test('the cluster becomes as the recording prescribes, whatever the engine answered', () => {
  const pod = (/** @type {string} */ name, /** @type {object} */ more = {}) => ({
    kind: 'Pod',
    metadata: { namespace: 'd', name },
    spec: {},
    ...more,
  });
  const cluster = new Cluster();
  cluster.apply([pod('a', { status: { nominatedNodeName: 'n0' } }), pod('v'), pod('w'), pod('t')]);
  const preemption = { nomination: 'set', nominatedNode: 'n1' };
  const failed = cluster.settle('d/a', {
    result: 'unschedulable',
    preemption,
    deletedPods: ['d/v'],
    terminatingPods: ['d/t'],
  });
  assert.deepEqual(
    failed.map(({ type, object }) => `${type} ${object.metadata.name}`),
    ['MODIFIED a', 'DELETED v', 'MODIFIED t'],
  );
  assert.equal(failed[0].object.status.nominatedNodeName, 'n1');
  assert.equal(failed[2].object.metadata.deletionTimestamp, '2026-03-01T12:00:00Z');
  assert.equal(failed[2].object.status.conditions[0].type, 'DisruptionTarget');
  const keep = { result: 'unschedulable', preemption: { nomination: 'keep' } };
  assert.deepEqual(cluster.settle('d/a', keep), []);
  assert.deepEqual(cluster.settle('d/w', { result: 'error' }), []);
  const [bound] = cluster.settle('d/a', { result: 'scheduled', node: 'n2', startTime: 't' });
  assert.deepEqual(bound.object.spec, { nodeName: 'n2' });
  assert.deepEqual(bound.object.status, { phase: 'Running', startTime: 't' });
  assert.throws(() => cluster.pod('d/v'), /not there/);
});

test('steps are run one by one, apart in time, with the tie-break of the recording', () => {
  const { decisions } = /** @type {any} */ (
    cases.find(({ decisions: file }) => file?.steps.some((/** @type {any} */ step) => step.retry))
  );
  const expects = decisions.steps.map((/** @type {any} */ step) => step.expect).filter(Boolean);
  const { engine, surface } = engineOf();
  const outcome = playDecisions(engine, decisions);
  assert.deepEqual(outcome, { attempts: expects.length, agreed: expects.length, finding: null });
  const { create, configuration } = surface.inputs[0];
  assert.deepEqual([create.tieBreak, create.api, create.detail], ['name', 'host', 'nodes']);
  assert.deepEqual(configuration, decisions.configuration);
  const commands = surface.inputs.filter(({ type }) => type === 'SCHEDULE_ONE');
  assert.equal(commands.length, expects.length);
  const gaps = commands.slice(1).map(({ nowUs }, at) => nowUs - commands[at].nowUs);
  assert.ok(gaps.every((gap) => gap > 500_000));
  const bound = surface.inputs.filter(
    ({ type, object }) => type === 'MODIFIED' && object.spec?.nodeName,
  ).length;
  assert.ok(bound >= expects.filter((/** @type {any} */ one) => one.result === 'scheduled').length);
  assert.deepEqual(surface.inputs.at(-1), { destroy: true });
});

test('writes of the engine succeed before the cluster changes; gated pods are not cycles', () => {
  const attempt = { reference: 'd/a', nowUs: 7 };
  const decision = { kind: 'Decision', pod: 'd/a', result: 'scheduled' };
  const bind = { kind: 'Call', callKind: 'api', id: 3, verb: 'bind', path: '/x' };
  const other = { kind: 'Decision', pod: 'd/b', result: 'gated' };
  /** @param {any[][]} outputs */
  const schedule = (...outputs) => {
    /** @type {any[]} */
    const inputs = [];
    const scheduler = {
      apply: (/** @type {any[]} */ values) => inputs.push(...values),
      run: (/** @type {number[]} */ ...turn) => {
        inputs.push(turn);
        return outputs.shift() ?? [];
      },
    };
    return { decided: scheduleOne(/** @type {any} */ (scheduler), [], attempt), inputs };
  };
  const { decided, inputs } = schedule([bind, other, decision], [other]);
  assert.equal(decided, decision);
  assert.deepEqual(inputs, [
    { type: 'SCHEDULE_ONE', pod: 'd/a' },
    [7, 1],
    { type: 'COMPLETION', call: 3, status: 201, body: '{}' },
    [7, 0],
  ]);
  assert.deepEqual(schedule([bind], [decision]).decided, decision);
  const gated = { ...decision, result: 'gated' };
  assert.equal(schedule([gated]).decided, gated);
  assert.throws(() => schedule([decision, { ...other, result: 'scheduled' }]), /d\/a, d\/b/);
  assert.throws(() => schedule([other]), /decided nothing/);
});

test('input that the engine rejects fails the case', () => {
  const { decisions } = /** @type {any} */ (cases.find((one) => one.decisions));
  const { engine, surface } = engineOf({
    applied: (result) => ({ ...result, unknownKinds: ['v1, Kind=Node'] }),
  });
  assert.throws(() => playDecisions(engine, decisions), /rejected 1 inputs.+Kind=Node/);
  assert.deepEqual(surface.inputs.at(-1), { destroy: true });
});

test('the command line passes true answers and counts scenarios and attempts', async () => {
  const decisions = await runMain(['--family', 'ports', DECISIONS]);
  assert.equal(decisions.closing, '26 passed, 0 failed', decisions.text);
  const recorded = cases
    .filter(({ family, decisions: file }) => family === 'ports' && file)
    .flatMap(({ decisions: file }) => file.steps)
    .filter(({ expect }) => expect).length;
  assert.match(decisions.text, new RegExp(`^all +26 +${recorded} +${recorded} +26 +0$`, 'm'));
  assert.equal(decisions.code, 0);
});

test('the command line fails a replay at the first line that differs', async () => {
  const replay = join(GOLDEN, 'replays', 'openb-gpuspec33.sampled.ndjson.gz');
  let count = 0;
  const decision = (/** @type {any} */ one) => {
    count += 1;
    return count === 300 ? { ...one, node: 'nowhere' } : one;
  };
  const run = await runMain([replay], { decision });
  assert.equal(run.closing, '0 passed, 1 failed');
  assert.match(run.text, /^openb +1 +8152 +299 +0 +1$/m);
  assert.match(run.text, /actual {3}"nowhere"/);
  assert.equal(run.code, 1);
});

test('the command line fails an answer that differs and shows the first difference', async () => {
  const isFirst = once(({ result }) => result === 'scheduled');
  const decision = (/** @type {any} */ one) => (isFirst(one) ? { ...one, node: 'nowhere' } : one);
  const run = await runMain(['--family', 'ports', DECISIONS], { decision });
  assert.equal(run.code, 1);
  assert.equal(run.closing, '25 passed, 1 failed');
  assert.match(run.text, /FAIL wasm ports\/ports-\d+: step \d+ \(.+\), node\n {2}in .+\n/);
  assert.match(run.text, /actual {3}"nowhere"/);
  const both = await runMain(['--family', 'ports', '--target', 'both', DECISIONS]);
  assert.equal(both.closing, '26 passed, 0 failed');
  const silent = await runMain(['--family', 'ports', DECISIONS], { decision: () => null });
  assert.equal(silent.code, 1);
});

test('a run without scenarios, or with unreadable ones, fails', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'stowage-conformance-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const golden = /** @type {any} */ (cases.find(({ family }) => family === 'node-name')).decisions;
  let files = 0;
  const fileOf = (/** @type {string | Buffer} */ content, suffix = '.json') => {
    files += 1;
    const file = join(directory, `case-${files}${suffix}`);
    writeFileSync(file, content);
    return file;
  };
  const changed = (/** @type {(file: any) => void} */ change) => {
    const file = structuredClone(golden);
    change(file);
    return fileOf(JSON.stringify(file));
  };
  /** @type {[string, string[], RegExp][]} */
  // prettier-ignore
  const table = [
    ['no such path', [join(directory, 'absent')], /no such file/],
    ['empty directory', [mkdtempSync(join(directory, 'empty-'))], /no golden files/],
    ['unknown family asked for', ['--family', 'nonsense', GOLDEN], /unknown family nonsense/],
    ['family not there', ['--family', 'traces/dra', DECISIONS], /no scenario of family traces/],
    ['not JSON', [fileOf('{')], /JSON/],
    ['not gzip', [fileOf('{}', '.json.gz')], /0 passed, 1 failed/],
    ['empty pack', [fileOf('', '.ndjson')], /empty/],
    ['not a scenario', [fileOf('[]')], /formatVersion is missing/],
    ['other version', [changed((f) => { f.formatVersion = 2; })], /formatVersion 2/],
    ['unknown family', [changed((f) => { f.family = 'x'; })], /unknown family x/],
    ['header', [changed((f) => { f.surprise = 1; })], /unknown field surprise/],
    ['step', [changed((f) => { f.steps[0].surprise = 1; })], /unknown step/],
    ['step kind', [changed((f) => { f.steps[0] = { wait: 1 }; })], /unknown step \{wait\}/],
    ['expect', [changed((f) => { f.steps[0].expect.surprise = 1; })], /unknown field surprise/],
    ['preemption', [changed((f) => { f.steps[0].expect.preemption = { surprise: 1 }; })],
      /preemption: unknown field surprise/],
  ];
  for (const [name, argv, text] of table) {
    const run = await runMain(argv);
    assert.equal(run.code, 1, name);
    assert.match(run.text, text, name);
    assert.match(run.closing ?? '', /^0 passed, [01] failed$/, name);
  }
  assert.equal((await runMain(['--surprise'])).code, 2);
  assert.equal((await runMain(['--target', 'jvm'])).code, 2);
  assert.equal((await runMain(['--help'])).code, 0);
  const packed = fileOf(gzipSync(JSON.stringify(golden)), '.json.gz');
  const good = await runMain([packed]);
  assert.equal(good.closing, '1 passed, 0 failed');
});
