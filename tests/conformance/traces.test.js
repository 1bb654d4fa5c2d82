/**
 * Proves the player of traces and its comparator with traces that are played correctly and
 * incorrectly.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { runAnswering } from '../support/api_calls.js';
import { FakeTraceEngine } from '../support/fake_trace_engine.js';
import { collectCases } from './collect.js';
import { compareStep } from './compare_trace.js';
import { GOLDEN } from './run.js';
import { playTrace } from './traces.js';

/** @import { FakeTraceScheduler } from '../support/fake_trace_engine.js' */

/** @type {any[]} */
let traces;

before(() => {
  traces = collectCases([GOLDEN], { families: ['traces'] }).map(({ trace }) => trace);
});

/**
 * @param {any} trace  what is expected
 * @param {any} [played] the engine's output
 * @param {(scheduler: FakeTraceScheduler) => void} [change]
 */
function play(trace, played = trace, change = () => {}) {
  const engine = new FakeTraceEngine([played], change);
  const outcome = playTrace(/** @type {any} */ (engine), trace);
  return { outcome, scheduler: engine.schedulers[0] };
}

/**
 * The first trace with such a step, cut after it, so that no later step can differ first.
 * @param {(step: any) => boolean} where
 */
function traceWhere(where) {
  const trace = traces.find(({ steps }) => steps.some(where));
  assert.ok(trace, 'no recorded step of this kind');
  const at = trace.steps.findIndex(where);
  return { trace: { ...trace, steps: trace.steps.slice(0, at + 1) }, at };
}

/** @param {string} family @param {string} name */
function traceOf(family, name) {
  const trace = traces.find((one) => one.family === family && one.name === name);
  assert.ok(trace, `no trace ${family}/${name}`);
  return trace;
}

test('a correct answer agrees, step by step', () => {
  const outcomes = traces.map((trace) => play(trace).outcome);
  assert.deepEqual(outcomes.map(({ finding }) => finding).filter(Boolean), []);
  assert.equal(outcomes.length, 388);
  assert.equal(
    outcomes.reduce((sum, { agreed }) => sum + agreed, 0),
    16250,
  );
});

const cycles =
  (/** @type {string} */ result) =>
  (/** @type {any} */ { expect }) =>
    expect.cycle?.result === result;
const isScheduled = cycles('scheduled');
const isUnschedulable = cycles('unschedulable');
const isIdle = cycles('idle');
const isHinted = (/** @type {any} */ { expect }) => expect.cycle?.nodeHint;
const isPending = (/** @type {any} */ { expect }) => expect.cycle?.bindPhase === 'Bind';
const isAnswered = (/** @type {any} */ { op, bind }) => op === 'bindResult' && bind === 'success';
const isPatched = (/** @type {any} */ { expect }) => expect.podUpdates?.[0].condition;
const isNominating = (/** @type {any} */ { expect }) => expect.podUpdates?.[0].nominatedNodeName;
const isEvicting = (/** @type {any} */ { expect }) => expect.deletes?.length > 1;
const isWriting = (/** @type {any} */ { expect }) => expect.apiWrites;
const isExtended = (/** @type {any} */ { expect }) =>
  expect.podUpdates?.some((/** @type {any} */ { otherStatus }) => otherStatus);
const isQueued = (/** @type {any} */ { expect }) => expect.queues.active.length > 1;
const isBackingOff = (/** @type {any} */ { expect }) => expect.queues.backoff.length > 1;
const isRejected = (/** @type {any} */ { expect }) =>
  expect.queues.unschedulable.some((/** @type {any} */ { gated }) => !gated);
const isGated = (/** @type {any} */ { expect }) =>
  expect.queues.unschedulable.some((/** @type {any} */ { gated }) => gated);
const isNominated = (/** @type {any} */ { expect }) => expect.nominated;
const isAssumed = (/** @type {any} */ { expect }) => expect.assumed.length > 0;
const isCounted = (/** @type {any} */ { expect }) => expect.cache.nodes.n1?.length > 0;
const isGhost = (/** @type {any} */ { expect }) => expect.cache.ghostNodes;
const isEvent = (/** @type {any} */ { op, expect }) => op === 'event' && !expect.events;

const CYCLE = { pod: 'd/p', uid: 'u', attempts: 1, poppedFrom: 'active', result: 'skipped' };

/**
 * Falsifications: their place, their effect, and the field at which the comparator must find them.
 */
/** @type {[string, (step: any) => boolean, (expect: any) => void, string][]} */
// prettier-ignore
const FALSE_ANSWERS = [
  ['other pod', isScheduled, (e) => { e.cycle.pod = 'default/x'; }, 'cycle.pod'],
  ['other uid', isScheduled, (e) => { e.cycle.uid = 'x'; }, 'cycle.uid'],
  ['attempts', isScheduled, (e) => { e.cycle.attempts += 1; }, 'cycle.attempts'],
  ['other queue', isScheduled, (e) => { e.cycle.poppedFrom = 'x'; }, 'cycle.poppedFrom'],
  ['other node', isScheduled, (e) => { e.cycle.node = 'x'; }, 'cycle.node'],
  ['evaluated', isScheduled, (e) => { e.cycle.evaluatedNodes += 1; }, 'cycle.evaluatedNodes'],
  ['feasible', isScheduled, (e) => { e.cycle.feasibleNodes += 1; }, 'cycle.feasibleNodes'],
  ['text on success', isScheduled, (e) => { e.cycle.message = 'x'; }, 'cycle.message'],
  ['a hint', isScheduled, (e) => { e.cycle.nodeHint = 'n1'; }, 'cycle.nodeHint'],
  ['no hint', isHinted, (e) => { delete e.cycle.nodeHint; }, 'cycle.nodeHint'],
  ['other hint', isHinted, (e) => { e.cycle.nodeHint = 'x'; }, 'cycle.nodeHint'],
  ['binding fails', isScheduled, (e) => { e.cycle.result = 'bindFailed'; }, 'cycle.result'],
  ['still binding', isScheduled, (e) => { e.cycle.bindPhase = 'PreBind'; }, 'cycle.bindPhase'],
  ['not yet in Bind', isPending, (e) => { e.cycle.bindPhase = 'PreBind'; }, 'cycle.bindPhase'],
  ['fails', isScheduled, (e) => { e.cycle.result = 'error'; }, 'cycle.result'],
  ['skips', isScheduled, (e) => { e.cycle.result = 'skipped'; }, 'cycle.result'],
  ['idles', isScheduled, (e) => { e.cycle = { result: 'idle' }; }, 'cycle'],
  ['does not idle', isIdle, (e) => { e.cycle = CYCLE; }, 'cycle'],
  ['a cycle of its own', isEvent, (e) => { e.cycle = CYCLE; }, 'cycle'],
  ['message', isUnschedulable, (e) => { e.cycle.message += ' '; }, 'cycle.message'],
  ['plugins', isUnschedulable, (e) => { e.cycle.unschedulablePlugins.push('X'); },
    'cycle.unschedulablePlugins'],
  ['no plugins', isUnschedulable, (e) => { delete e.cycle.unschedulablePlugins; },
    'cycle.unschedulablePlugins'],
  ['pending', isUnschedulable, (e) => { e.cycle.pendingPlugins = ['X']; }, 'pendingPlugins'],
  ['nominates', isUnschedulable, (e) => { e.cycle.nominatedNode = 'x'; }, 'cycle.nominatedNode'],
  ['leaves a nomination', isUnschedulable, (e) => { delete e.cycle.nominatedNode; },
    'cycle.nominatedNode'],
  ['binding to', isScheduled, (e) => { e.bindings[0].node = 'x'; }, 'bindings[0].node'],
  ['binding of', isScheduled, (e) => { e.bindings[0].pod = 'default/x'; }, 'bindings[0].pod'],
  ['no binding', isScheduled, (e) => { delete e.bindings; }, 'bindings'],
  ['binds twice', isScheduled, (e) => { e.bindings.push(e.bindings[0]); }, 'bindings'],
  ['binds unasked', isEvent, (e) => { e.bindings = [{ pod: 'd/p', node: 'n' }]; }, 'bindings'],
  ['silent after the answer', isAnswered, (e) => { delete e.events; }, 'events'],
  ['patch of', isPatched, (e) => { e.podUpdates[0].pod = 'default/x'; }, 'podUpdates[0].pod'],
  ['patch reason', isPatched, (e) => { e.podUpdates[0].condition.reason = 'x'; },
    'podUpdates[0].condition.reason'],
  ['patch in excess', isPatched, (e) => { e.podUpdates[0].condition.observedGeneration = 1; },
    'podUpdates[0].condition.observedGeneration'],
  ['patch nominates', isPatched, (e) => { e.podUpdates[0].nominatedNodeName = 'x'; },
    'podUpdates[0].nominatedNodeName'],
  ['patch clears', isPatched, (e) => { e.podUpdates[0].nominatedNodeName = ''; },
    'podUpdates[0].nominatedNodeName'],
  ['patch keeps', isNominating, (e) => { delete e.podUpdates[0].nominatedNodeName; },
    'podUpdates[0].nominatedNodeName'],
  ['other status', isPatched, (e) => { e.podUpdates[0].otherStatus = { phase: 'x' }; },
    'podUpdates[0].otherStatus'],
  ['no other status', isExtended, (e) => { e.podUpdates.pop(); }, 'podUpdates'],
  ['no patch', isPatched, (e) => { delete e.podUpdates; }, 'podUpdates'],
  ['patches unasked', isEvent, (e) => { e.podUpdates = [{ pod: 'd/p', nominatedNodeName: '' }]; },
    'podUpdates'],
  ['order of victims', isEvicting, (e) => { e.deletes.reverse(); }, 'deletes'],
  ['deletes unasked', isEvent, (e) => { e.deletes = ['d/p']; }, 'deletes'],
  ['written object', isWriting, (e) => { e.apiWrites[0].object.spec = 1; },
    'apiWrites[0].object.spec'],
  ['written kind', isWriting, (e) => { e.apiWrites[0].object.kind = 'X'; }, 'apiWrites[0].kind'],
  ['not written', isWriting, (e) => { delete e.apiWrites; }, 'apiWrites'],
  ['writes unasked', isEvent, (e) => { e.apiWrites = [{ verb: 'update', object: {} }]; },
    'apiWrites'],
  ['event type', isScheduled, (e) => { e.events[0].type = 'x'; }, 'events[0].type'],
  ['event reason', isScheduled, (e) => { e.events[0].reason = 'x'; }, 'events[0].reason'],
  ['event action', isScheduled, (e) => { e.events[0].action = 'x'; }, 'events[0].action'],
  ['event note', isScheduled, (e) => { e.events[0].message = 'x'; }, 'events[0].message'],
  ['event of', isScheduled, (e) => { e.events[0].pod = 'x'; }, 'events[0].pod'],
  ['event related', isScheduled, (e) => { e.events[0].related = 'x'; }, 'events[0].related'],
  ['no related', isEvicting, (e) => { delete e.events[1].related; }, 'events[1].related'],
  ['no event', isScheduled, (e) => { delete e.events; }, 'events'],
  ['an event', isEvent, (e) => { e.events = [{ type: 'Normal', reason: 'R' }]; }, 'events'],
  ['order of the queue', isQueued, (e) => { e.queues.active.reverse(); }, 'queues.active'],
  ['not in the queue', isQueued, (e) => { e.queues.active.pop(); }, 'queues.active'],
  ['order of backoff', isBackingOff, (e) => { e.queues.backoff.reverse(); }, 'queues.backoff[0]'],
  ['no backoff', isBackingOff, (e) => { e.queues.backoff.pop(); }, 'queues.backoff'],
  ['end of backoff', isBackingOff, (e) => { e.queues.backoff[0].expiresAtMs += 1; },
    'queues.backoff[0].expiresAtMs'],
  ['error backoff', isBackingOff, (e) => { e.queues.backoff[0].error = 'x'; },
    'queues.backoff[0].error'],
  ['rejected by', isRejected, (e) => { e.queues.unschedulable[0].plugins = ['X']; },
    'queues.unschedulable[0].plugins'],
  ['pending for', isRejected, (e) => { e.queues.unschedulable[0].pendingPlugins = ['X']; },
    'queues.unschedulable[0].pendingPlugins'],
  ['gated', isRejected, (e) => { e.queues.unschedulable[0].gated = true; },
    'queues.unschedulable[0].gated'],
  ['gated by', isGated, (e) => { e.queues.unschedulable[0].gatingPlugin = 'X'; },
    'queues.unschedulable[0].gatingPlugin'],
  ['in flight', isEvent, (e) => { e.inFlight = ['d/p']; }, 'inFlight'],
  ['nominated', isEvent, (e) => { e.nominated = { 'd/p': 'n' }; }, 'nominated'],
  ['nominated to', isNominated, (e) => { for (const pod in e.nominated) e.nominated[pod] = 'x'; },
    'nominated.default/'],
  ['not assumed', isAssumed, (e) => { e.assumed.pop(); }, 'assumed'],
  ['not counted', isCounted, (e) => { e.cache.nodes.n1.pop(); }, 'cache.nodes.n1'],
  ['a node more', isCounted, (e) => { e.cache.nodes.x = []; }, 'cache.nodes.x'],
  ['a ghost', isEvent, (e) => { e.cache.ghostNodes = { x: ['d/p'] }; }, 'cache.ghostNodes'],
  ['no ghost', isGhost, (e) => { delete e.cache.ghostNodes; }, 'cache.ghostNodes'],
];

test('every wrong answer is found at its field, with its step', () => {
  for (const [name, where, falsify, path] of FALSE_ANSWERS) {
    const { trace, at } = traceWhere(where);
    const played = structuredClone(trace);
    falsify(played.steps[at].expect);
    const { finding, agreed } = play(trace, played).outcome;
    assert.ok(finding, `${name}: not found`);
    assert.ok(finding.path.includes(path), `${name}: found at ${finding.path}`);
    assert.match(
      finding.where,
      new RegExp(`^step ${at + 1} \\(.+, at ${trace.steps[at].atMs} ms\\)$`),
    );
    assert.equal(agreed, at);
    assert.notDeepEqual(finding.actual, finding.expected, name);
  }
});

test('additional output that only records show is found as well', () => {
  const step = {
    op: 'cycle',
    expect: { cycle: { result: 'idle' }, queues: queues(), assumed: [], cache: { nodes: {} } },
  };
  const decision = { kind: 'Decision', seq: 1, pod: 'd/p', result: 'skipped' };
  const binding = { kind: 'BindingResult', decision: 7, pod: 'd/p', result: 'bound' };
  /** @type {[any[], any, string | undefined][]} */
  const table = [
    [[], {}, undefined],
    [[{ ...decision, result: 'gated' }], {}, undefined],
    [[{ kind: 'QueueMove' }, { kind: 'Turn' }], {}, undefined],
    [[decision], {}, 'cycle'],
    [[binding], {}, 'bindingResults'],
    [[], { waiting: ['d/p'] }, 'waiting'],
    [[], { inFlight: ['d/p'] }, 'inFlight'],
  ];
  const effects = { bindings: [], podUpdates: [], deletes: [], apiWrites: [] };
  for (const [records, more, path] of table) {
    const inspection = { queues: queues(), assumed: [], cache: { nodes: {} }, ...more };
    const said = { records, effects, isBindingOpen: false, inspection, startUs: 0 };
    assert.equal(compareStep(step, said)?.path, path);
  }
  const { pod, result } = decision;
  const inspection = { queues: queues(), assumed: [], cache: { nodes: {} } };
  const said = { effects, isBindingOpen: false, inspection, startUs: 0 };
  const once = { ...step, expect: { ...step.expect, cycle: { pod, result } } };
  assert.equal(compareStep(once, { ...said, records: [decision] }), null);
  const twice = [decision, { ...decision, seq: 2 }];
  assert.equal(compareStep(once, { ...said, records: twice })?.path, 'moreCycles');
  const { cycle, ...state } = step.expect;
  const bound = { op: 'bindResult', pod, bind: 'success', expect: state };
  assert.equal(compareStep(bound, { ...said, records: [binding] }), null);
  assert.equal(compareStep(bound, { ...said, records: [] })?.path, 'bindingResults');
  const refused = { ...bound, bind: 'conflict' };
  const found = compareStep(refused, { ...said, records: [binding] });
  assert.equal(found?.path, 'bindingResults[0].result');
});

function queues() {
  return { active: [], backoff: [], unschedulable: [] };
}

test('the engine is created as the trace prescribes, and disposed of', () => {
  const { scheduler } = play(
    traceOf('batching', traces.find((one) => one.family === 'batching').name),
  );
  const { configuration, startTimeUs, ...options } = scheduler.options;
  assert.deepEqual(options, {
    featureGates: {},
    seed: 0,
    tieBreak: 'heap',
    api: 'host',
    apiCallTimeout: 0,
    preBindPollInterval: 1,
    events: true,
    detail: 'summary',
  });
  assert.equal(configuration.apiVersion, 'kubescheduler.config.k8s.io/v1');
  assert.equal(configuration.kind, 'KubeSchedulerConfiguration');
  assert.equal(configuration.parallelism, 1);
  assert.equal(startTimeUs, Date.UTC(2026, 0, 5, 10) * 1000);
  assert.ok(scheduler.isDisposed);
});

test('timers fire at their time, before the step; a cycle is one turn', () => {
  const expect = { queues: queues(), assumed: [], cache: { nodes: {} } };
  const object = { kind: 'Node', metadata: { name: 'n' } };
  const steps = [
    { atMs: 10, op: 'event', type: 'ADDED', object, expect },
    { atMs: 2500, op: 'advance', ms: 2490, expect },
    { atMs: 3000, op: 'event', type: 'MODIFIED', object, expect },
    { atMs: 3010, op: 'cycle', expect: { ...expect, cycle: { result: 'idle' } } },
  ];
  const trace = { startTime: '2026-01-05T10:00:00Z', configuration: {}, steps };
  const { outcome, scheduler } = play(trace, trace, (one) => {
    one.deadlinesMs = [1000, 2000, 3000, 4000];
  });
  assert.equal(outcome.finding, null);
  assert.deepEqual(scheduler.inputs, [
    { atMs: 10, apply: [{ type: 'ADDED', object }] },
    { atMs: 10, run: 0 },
    { atMs: 1000, run: 0 },
    { atMs: 2000, run: 0 },
    { atMs: 2500, run: 0 },
    { atMs: 3000, run: 0 },
    { atMs: 3000, apply: [{ type: 'MODIFIED', object }] },
    { atMs: 3000, run: 0 },
    { atMs: 3010, run: 1 },
  ]);
});

/** Answers to a trace's calls of the kind, by step. @param {any} trace @param {RegExp} path */
function answersTo(trace, path) {
  const { outcome, scheduler } = play(trace);
  assert.equal(outcome.finding, null);
  const ids = new Map(scheduler.calls.map((/** @type {any} */ call) => [call.id, call]));
  return scheduler.inputs.flatMap(({ atMs, apply = [] }) =>
    apply
      .filter(({ call }) => call !== undefined && path.test(ids.get(call).path))
      .map(({ call, status, body }) => {
        const { code, reason, message, metadata } = JSON.parse(body);
        const { verb } = ids.get(call);
        return { atMs, verb, status, code, reason, message, version: metadata?.resourceVersion };
      }),
  );
}

test('a binding is answered as and when the step prescribes', () => {
  const failing = traceWhere(({ op, bind }) => op === 'cycle' && bind === 'conflict');
  const { atMs, bindError } = failing.trace.steps[failing.at];
  const [answer] = answersTo(failing.trace, /binding$/).slice(-1);
  assert.deepEqual(answer, {
    atMs,
    verb: 'bind',
    status: 409,
    ...bindError,
    version: undefined,
  });
  const late = traceWhere(isAnswered);
  const step = late.trace.steps[late.at];
  const [last] = answersTo(late.trace, /binding$/).slice(-1);
  assert.deepEqual([last.atMs, last.status], [step.atMs, 201]);
  const cycle = late.trace.steps.findLast((/** @type {any} */ { bind }) => bind === 'pending');
  assert.ok(cycle.atMs < step.atMs);
});

test('a preemption that is held gets no answer before its step', () => {
  const trace = traceOf('preemption', 'held-evictions-01');
  const { atMs } = trace.steps.find((/** @type {any} */ { op }) => op === 'evictions');
  const answers = answersTo(trace, /pods\/v\d/).filter(({ verb }) => verb !== 'bind');
  assert.deepEqual(
    answers.map((one) => [one.atMs, one.verb, one.status]),
    [...Array(3).fill([atMs, 'patch', 200]), ...Array(3).fill([atMs, 'delete', 200])],
  );
});

test('failed evictions, missing pods and other writes are answered as a server would', () => {
  const evicting = traceWhere(({ evictions }) => evictions === 'error').trace;
  const [refused] = answersTo(evicting, /pods\/\w+$/);
  const message = 'Internal error occurred: eviction failed';
  assert.deepEqual([refused.status, refused.reason], [500, 'InternalError']);
  assert.equal(refused.message, message);
  const missing = traceWhere(({ expect }) => expect.podUpdates?.[0].error).trace;
  const [gone] = answersTo(missing, /status$/).slice(-1);
  assert.deepEqual([gone.status, gone.reason], [404, 'NotFound']);
  assert.match(gone.message ?? '', /^pods ".+" not found$/);
  const { trace, at } = traceWhere(isWriting);
  const writes = answersTo(trace, /things/).slice(-trace.steps[at].expect.apiWrites.length);
  assert.deepEqual(
    writes.map(({ version }) => version),
    trace.steps[at].expect.apiWrites.map((/** @type {any} */ one) => one.responseResourceVersion),
  );
});

test('the resulting condition is the server’s after the patch', () => {
  const trace = traceOf('mixed', 'long-04');
  const at = trace.steps.findIndex(
    (/** @type {any} */ { expect }) =>
      expect.podUpdates?.[0].condition?.status === 'True' && !expect.deletes,
  );
  const { podUpdates } = trace.steps[at].expect;
  assert.equal(podUpdates[0].condition.reason, undefined);
  const played = structuredClone(trace);
  // The engine sends the difference to the failed condition that it knows: the message alone.
  delete played.steps[at].expect.podUpdates[0].condition.status;
  assert.equal(play(trace, played).outcome.finding, null);
  const full = structuredClone(trace);
  full.steps[at].expect.podUpdates[0].condition.status = 'False';
  assert.equal(play(trace, full).outcome.finding?.path, 'podUpdates[0].condition.status');
});

test('an engine that refuses input, or never finishes, fails its step', () => {
  const { trace } = traceWhere(isScheduled);
  const refusing = play(trace, trace, (scheduler) => {
    scheduler.inspectText = () => {
      throw new RangeError('refused');
    };
  });
  const { finding } = refusing.outcome;
  assert.match(finding?.where ?? '', /^step 1 /);
  assert.deepEqual([finding?.path, finding?.actual], ['RangeError', 'refused']);
  assert.ok(refusing.scheduler.isDisposed);
  const stuck = play(trace, trace, (scheduler) => {
    const run = scheduler.run.bind(scheduler);
    const nextDeadline = Date.parse(trace.startTime) * 1000;
    scheduler.run = (...turn) => [...run(...turn), { kind: 'Turn', nextDeadline }];
  });
  assert.match(stuck.outcome.finding?.where ?? '', /^step 2 /);
  assert.match(String(stuck.outcome.finding?.actual), /due no later/);
  const call = { kind: 'Call', callKind: 'api', id: 1, verb: 'bind', path: '/x' };
  const endless = { run: () => [call], apply: () => ({ applied: 1, ignored: 0 }) };
  const turn = { nowUs: 0, maxCycles: 1 };
  assert.throws(() => runAnswering(/** @type {any} */ (endless), turn), /without end/);
});

test('without a trace every call succeeds at once, and no cycle follows', () => {
  const verbs = ['bind', 'create', 'patch', 'delete', 'update'];
  const calls = verbs.map((verb, at) => ({
    kind: 'Call',
    callKind: 'api',
    id: at,
    verb,
    path: '',
  }));
  const extender = { kind: 'Call', callKind: 'extender', id: 9, verb: 'filter', url: 'u' };
  const outputs = [[...calls, extender, { kind: 'Decision' }], [{ kind: 'Event' }]];
  /** @type {any[]} */
  const inputs = [];
  const scheduler = {
    run: (/** @type {number} */ nowUs, /** @type {number} */ maxCycles) => {
      inputs.push([nowUs, maxCycles]);
      return outputs.shift();
    },
    apply: (/** @type {any[]} */ values) => inputs.push(values.map(({ status }) => status)),
  };
  const records = runAnswering(/** @type {any} */ (scheduler), { nowUs: 5, maxCycles: 1 });
  assert.deepEqual(inputs, [
    [5, 1],
    [201, 201, 200, 200, 200],
    [5, 0],
  ]);
  assert.deepEqual(records.map(({ kind }) => kind).slice(-2), ['Decision', 'Event']);
});
