// Goal: a started scheduler performs its calls, sleeps, wakes and ends. Method: the native engine
// with an API of promises; tests wait in turns of the event loop, never for a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine, EngineError, InputError, virtualClock } from '../../../js/src/index.js';
import { ManualClock, settle } from '../support/manual_clock.js';
import { NativeSurface } from '../support/native_surface.js';
import { makeNode, makePod } from '../support/objects.js';

const BOUND = { status: 201, body: '{}' };

/** @param {object} [options] @param {...string} pods */
function prepare(options, ...pods) {
  const surface = new NativeSurface();
  const clock = virtualClock(0);
  const scheduler = new Engine(surface).createScheduler({ api: 'host', clock, ...options });
  const node = makeNode('a', { cpu: '100000' });
  node.status.allocatable = { ...node.status.allocatable, memory: '1Ti', pods: '1000' };
  scheduler.apply([node, ...pods.map((name) => makePod(name))]);
  const records = [];
  const reading = (async () => {
    for await (const record of scheduler.records()) records.push(record);
  })();
  const results = () =>
    records.filter(({ kind }) => kind === 'BindingResult').map(({ pod, result }) => [pod, result]);
  return { surface, clock, scheduler, records, results, reading };
}

/**
 * Events and status patches succeed at once; `perform` answers the bindings.
 * @param {(call: any, signal: AbortSignal) => any} perform
 */
const ofBindings = (perform) => (/** @type {any} */ call, /** @type {AbortSignal} */ signal) =>
  call.verb === 'bind' ? perform(call, signal) : Promise.resolve(BOUND);

/** Until the condition holds, in turns of the event loop. @param {() => boolean} condition */
async function eventually(condition) {
  for (const end = Date.now() + 20_000; !condition();) {
    assert.ok(Date.now() < end, String(condition));
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** How many timers this process has. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('calls are performed, and the signal ends the pump without a timer left', async () => {
  const before = timers();
  const { scheduler, records, results } = prepare({ limits: { batchBytes: 20_000 } }, 'p', 'q');
  const stop = new AbortController();
  const asked = [];
  const done = scheduler.start({
    signal: stop.signal,
    async perform({ kind, verb, path, deadline, body }) {
      const { target } = JSON.parse(new TextDecoder().decode(body));
      asked.push([kind, verb, path, deadline, target?.name]);
      return BOUND;
    },
  });
  const completions = () => records.filter(({ kind }) => kind === 'Completion');
  await eventually(() => completions().length === 4);
  stop.abort();
  await done;
  assert.deepEqual(
    completions(),
    [1, 2, 3, 4].map((call) => ({ kind: 'Completion', call, ...BOUND })),
  );
  assert.deepEqual(asked, [
    ['api', 'bind', '/api/v1/namespaces/default/pods/p/binding', null, 'a'],
    ['api', 'bind', '/api/v1/namespaces/default/pods/q/binding', null, 'a'],
    ['api', 'create', '/apis/events.k8s.io/v1/namespaces/default/events', null, undefined],
    ['api', 'create', '/apis/events.k8s.io/v1/namespaces/default/events', null, undefined],
  ]);
  assert.deepEqual(results(), [
    ['default/p', 'bound'],
    ['default/q', 'bound'],
  ]);
  assert.deepEqual(records.map(({ kind }) => kind).slice(0, 4), [
    'Decision',
    'Decision',
    'Call',
    'Call',
  ]);
  assert.equal(timers(), before);
});

test('a call that fails is an answer, and the pod is tried again after its backoff', async () => {
  const late = new Promise(() => {});
  const network = 'Post "/api/v1/namespaces/default/pods/p/binding": ';
  const shape = '{ status, body } or { error, message }';
  const noAnswer = `${network}the result is no answer: expected ${shape}`;
  const timeout =
    `${network}context deadline exceeded ` + '(Client.Timeout exceeded while awaiting headers)';
  /** @type {[() => any, string][]} */
  const cases = [
    [async () => Promise.reject(new Error('no route')), `${network}no route`],
    [
      () => {
        throw new Error('at once');
      },
      `${network}at once`,
    ],
    [async () => undefined, noAnswer],
    [async () => ({ status: '201' }), noAnswer],
    [async () => ({ error: 'other', message: '' }), noAnswer],
    [async () => ({ error: 'timeout', message: 'late' }), timeout],
    [() => late, timeout],
    [
      async () => ({ status: 409, body: 'conflict' }),
      'the server reported a conflict (post pods p)',
    ],
  ];
  for (const [first, message] of cases) {
    const { scheduler, records, results } = prepare({ apiCallTimeout: 5 }, 'p');
    let asked = 0;
    await scheduler.start({
      until: 5000,
      perform: ofBindings(() => ((asked += 1) === 1 ? first() : Promise.resolve(BOUND))),
    });
    scheduler.dispose();
    await eventually(() => results().length === 2);
    assert.deepEqual(results(), [
      ['default/p', 'bindFailed'],
      ['default/p', 'bound'],
    ]);
    const ended = records.filter(({ kind }) => kind === 'BindingResult');
    assert.equal(ended[0].message, `running Bind plugin "DefaultBinder": ${message}`);
    // A backoff of one second, in a queue that is flushed in windows of one second.
    const [failed, bound] = ended.map(({ at }) => Date.parse(at));
    assert.ok(failed < 1000 && bound === 2000, `${failed} ${bound}`);
  }
});

test('a virtual clock stands still while a call is open', async () => {
  const { scheduler, clock, results } = prepare({}, 'p', 'q');
  const answers = new Map();
  const done = scheduler.start({
    until: 5000,
    perform: ofBindings(({ pod }) => new Promise((resolve) => answers.set(pod, resolve))),
  });
  await eventually(() => answers.size === 2);
  const open = answers.get('default/q');
  answers.get('default/p')({ status: 500 });
  await eventually(() => results().length === 1);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  assert.equal(clock.now(), 0);
  answers.clear();
  open(BOUND);
  await eventually(() => answers.has('default/p') && results().length === 2);
  assert.equal(clock.now(), 2000, 'the time of the second attempt');
  scheduler.dispose();
  await done;
});

test('an idle scheduler sleeps until an input arrives', async () => {
  const { surface, scheduler, results } = prepare();
  const done = scheduler.start({ perform: async () => BOUND });
  const runs = () => surface.calls.filter(([name]) => name === 'run').length;
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  const before = runs();
  assert.ok(before <= 2, `${before} turns`);
  for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);
  assert.equal(runs(), before, 'no turns without a reason');
  scheduler.apply(makePod('late'));
  await eventually(() => results().length === 1);
  assert.ok(runs() <= before + 3, `${runs()} turns`);
  scheduler.dispose();
  await done;
});

test('an input that arrives while calls are made wakes the scheduler', async () => {
  const { scheduler, results } = prepare({}, 'p');
  const done = scheduler.start({
    perform: ({ pod }) => {
      if (pod === 'default/p') scheduler.apply(makePod('q'));
      return BOUND;
    },
  });
  await eventually(() => results().length === 2);
  scheduler.dispose();
  await done;
});

test('with the host’s clock it sleeps until the next deadline or `until`', async () => {
  const clock = { now: () => time, sleep: async () => void (time += 400) };
  let time = 0;
  const { scheduler, results } = prepare({ clock }, 'p');
  let asked = 0;
  await scheduler.start({
    until: 3000,
    perform: ofBindings(async () => ((asked += 1) === 1 ? { status: 500 } : BOUND)),
  });
  await eventually(() => results().length === 2);
  assert.ok(time >= 3000 && time < 4000, String(time));
});

test('other tasks run while the scheduler works', async () => {
  const names = Array.from({ length: 600 }, (_, index) => `p${index}`);
  const { surface, scheduler, results } = prepare({}, ...names);
  let turnsOfOthers = 0;
  const others = setInterval(() => (turnsOfOthers += 1), 0);
  const done = scheduler.start({ perform: async () => BOUND, budgetMs: 1 });
  await eventually(() => results().length === names.length);
  clearInterval(others);
  scheduler.dispose();
  await done;
  const cycles = surface.calls.filter(([name]) => name === 'run').map(([, , , most]) => most);
  assert.equal(cycles[0], 16);
  assert.ok(
    cycles.every((most) => most >= 1 && most <= 256),
    String(cycles),
  );
  assert.ok(turnsOfOthers > 1, `${turnsOfOthers} turns of others`);
});

test('a call without an answer ends with the pump, and the engine gets its error', async () => {
  const { scheduler, records } = prepare({}, 'p');
  const stop = new AbortController();
  let signal;
  const perform = (_call, given) => {
    signal = given;
    return new Promise(() => {});
  };
  const done = scheduler.start({ perform, signal: stop.signal });
  await eventually(() => signal !== undefined);
  stop.abort(new Error('enough'));
  await done;
  assert.equal(signal.aborted, true);
  scheduler.run();
  await eventually(() => records.some(({ kind }) => kind === 'BindingResult'));
  assert.match(
    records.find(({ kind }) => kind === 'BindingResult').message,
    /\/pods\/p\/binding": enough$/,
  );
  await scheduler.start({ perform, signal: stop.signal });
});

test('after the signal calls have a grace period, and no pod is decided', async () => {
  const clock = new ManualClock();
  const { scheduler, records, results } = prepare({ clock }, 'p', 'q');
  const stop = new AbortController();
  const answers = new Map();
  const done = scheduler.start({
    signal: stop.signal,
    gracePeriod: 500,
    perform: ofBindings(({ pod }) => new Promise((resolve) => answers.set(pod, resolve))),
  });
  await eventually(() => answers.size === 2);
  stop.abort();
  scheduler.apply(makePod('late'));
  await clock.advance(499);
  answers.get('default/p')(BOUND);
  await settle();
  assert.deepEqual(results(), [['default/p', 'bound']]);
  await clock.advance(1);
  await done;
  assert.deepEqual(records.findLast(({ kind }) => kind === 'Completion').error, 'aborted');
  assert.deepEqual([...answers.keys()], ['default/p', 'default/q']);
  assert.equal(clock.sleepers, 0);
  scheduler.dispose();
});

test('the grace period ends with the last call, and with dispose', async () => {
  for (const isDisposed of [false, true]) {
    const clock = new ManualClock();
    const { scheduler } = prepare({ clock }, 'p');
    const stop = new AbortController();
    let answer = (/** @type {object} */ _) => {};
    let isAsked = false;
    const perform = ofBindings(
      () =>
        new Promise((resolve) => {
          isAsked = true;
          answer = resolve;
        }),
    );
    const done = scheduler.start({ signal: stop.signal, gracePeriod: 500, perform });
    await eventually(() => isAsked);
    stop.abort(new Error('enough'));
    await settle();
    if (isDisposed) scheduler.dispose();
    else answer(BOUND);
    await done;
    assert.equal(clock.sleepers, 0);
    scheduler.dispose();
  }
});

test('`aroundTurn` runs the turns', async () => {
  const { scheduler } = prepare({}, 'p');
  const turns = [];
  const aroundTurn = (run) => {
    const turn = run();
    turns.push(turn.records.map(({ kind }) => kind));
    return turn;
  };
  await scheduler.start({ perform: async () => BOUND, until: 1000, aroundTurn });
  assert.deepEqual(turns.flat(), ['Decision', 'BindingResult']);
  scheduler.dispose();
});

test('schedule, scheduleOne and run work after start; their calls are performed', async () => {
  const { scheduler, results } = prepare({}, 'p');
  const done = scheduler.start({ perform: async () => BOUND });
  scheduler.apply(makePod('q'));
  const decisions = await scheduler.schedule();
  assert.deepEqual(
    decisions.map(({ pod }) => pod),
    ['default/q'],
    'the first pod was decided when it started',
  );
  scheduler.apply(makePod('r'));
  assert.equal((await scheduler.scheduleOne('default/r')).node, 'a');
  scheduler.apply(makePod('s'));
  assert.equal(scheduler.run().calls.filter(({ verb }) => verb === 'bind').length, 1);
  await eventually(() => results().length === 4);
  scheduler.dispose();
  await done;
});

test('start rejects with the log’s error, and a second start goes on', async () => {
  let faults = 0;
  const log = (line) => {
    if (line.includes('COMPLETION') && (faults += 1) === 1) throw new Error('disk full');
  };
  const { scheduler, results } = prepare({ log }, 'p');
  const perform = async () => BOUND;
  await assert.rejects(scheduler.start({ perform }), /disk full/);
  const done = scheduler.start({ perform });
  await eventually(() => results().length === 1);
  assert.deepEqual(results(), [['default/p', 'bound']]);
  scheduler.dispose();
  await done;
});

test('an answer that the engine refuses aborts its own call alone', async () => {
  const { scheduler, records, results } = prepare({ limits: { batchBytes: 20_000 } }, 'p', 'q');
  const body = 'x'.repeat(20_000);
  const perform = ofBindings(async ({ pod }) => (pod === 'default/p' ? { ...BOUND, body } : BOUND));
  const done = scheduler.start({ perform });
  await eventually(() => results().length === 2);
  const outcomes = records.filter(({ kind }) => kind === 'BindingResult');
  assert.deepEqual(
    outcomes.map(({ pod, result, message = '' }) => [pod, result, /too large|limit/.test(message)]),
    [
      ['default/p', 'bindFailed', true],
      ['default/q', 'bound', false],
    ],
  );
  scheduler.dispose();
  await done;
});

test('without start the caller performs the calls, which are in the records', async () => {
  const { scheduler, records } = prepare({ apiCallTimeout: 1500 }, 'p');
  const [decision] = await scheduler.schedule();
  assert.equal(decision.node, 'a');
  await eventually(() => records.length === 2);
  const { kind, id, callKind, deadline, body, ...call } = records[1];
  assert.deepEqual(
    [kind, id, callKind, deadline, JSON.parse(body).target],
    ['Call', 1, 'api', '1970-01-01T00:00:01.500000Z', { kind: 'Node', name: 'a' }],
  );
  assert.deepEqual(call, {
    pod: 'default/p',
    verb: 'bind',
    method: 'POST',
    path: '/api/v1/namespaces/default/pods/p/binding',
    contentType: 'application/json',
    timeoutMs: 1500,
  });
  scheduler.complete(id, BOUND);
  assert.equal(scheduler.run().records[0].result, 'bound');
});

test('start runs once, checks its options, and rejects when the engine fails', async () => {
  const { scheduler } = prepare();
  const perform = async () => BOUND;
  const cases = [
    [{}, 'perform'],
    [{ perform, budgetMs: 0 }, 'budgetMs'],
    [{ perform, until: NaN }, 'until'],
    [{ perform, gracePeriod: -1 }, 'gracePeriod'],
    [{ perform, aroundTurn: 1 }, 'aroundTurn'],
  ];
  for (const [options, field] of cases)
    await assert.rejects(
      scheduler.start(options),
      (error) => error instanceof InputError && error.field === field,
    );
  const done = scheduler.start({ perform });
  await assert.rejects(scheduler.start({ perform }), { name: 'StowageError', code: 'Started' });
  scheduler.apply(makePod('crash'));
  await assert.rejects(done, EngineError);
});
