// Goal: a started scheduler performs its calls, sleeps, wakes and ends. Method: the fake engine
// with an API of promises; what others do in between is told by turns of the event loop, never by
// time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Engine, EngineError, InputError, virtualClock } from '../../../js/src/index.js';
import { ManualClock, settle } from '../support/manual_clock.js';
import { FakeSurface } from '../support/fake_surface.js';
import { makeNode, makePod } from '../support/objects.js';

const BOUND = { status: 201, body: '{}' };

/** @param {object} [options] @param {...string} pods */
function prepare(options, ...pods) {
  const surface = new FakeSurface();
  const clock = virtualClock(0);
  const scheduler = new Engine(surface).createScheduler({ api: 'host', clock, ...options });
  scheduler.apply([makeNode('a', { cpu: '100000' }), ...pods.map((name) => makePod(name))]);
  const records = [];
  const reading = (async () => {
    for await (const record of scheduler.records()) records.push(record);
  })();
  const results = () =>
    records.filter(({ kind }) => kind === 'BindingResult').map(({ pod, result }) => [pod, result]);
  return { surface, clock, scheduler, records, results, reading };
}

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

test('calls are performed, and the signal ends it without a timer left', async () => {
  const before = timers();
  const { scheduler, records, results } = prepare({}, 'p', 'q');
  const stop = new AbortController();
  const asked = [];
  const done = scheduler.start({
    signal: stop.signal,
    async perform({ kind, verb, path, deadline, body }) {
      asked.push([kind, verb, path, deadline, JSON.parse(new TextDecoder().decode(body)).target]);
      return BOUND;
    },
  });
  await eventually(() => results().length === 2);
  stop.abort();
  await done;
  assert.deepEqual(
    records.filter(({ kind }) => kind === 'Completion'),
    [1, 2].map((call) => ({ kind: 'Completion', call, ...BOUND })),
  );
  assert.deepEqual(asked, [
    ['api', 'bind', '/api/v1/namespaces/default/pods/p/binding', null, { name: 'a' }],
    ['api', 'bind', '/api/v1/namespaces/default/pods/q/binding', null, { name: 'a' }],
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

test('what goes wrong is an answer, and the pod is tried again after its backoff', async () => {
  const late = new Promise(() => {});
  const cases = [
    [async () => Promise.reject(new Error('no route')), 'network'],
    [
      () => {
        throw new Error('at once');
      },
      'network',
    ],
    [async () => undefined, 'network'],
    [async () => ({ status: '201' }), 'network'],
    [async () => ({ error: 'other', message: '' }), 'network'],
    [async () => ({ error: 'timeout', message: 'late' }), 'timeout'],
    [() => late, 'timeout'],
    [async () => ({ status: 409, body: 'conflict' }), 'status 409'],
  ];
  for (const [first, message] of cases) {
    const { scheduler, clock, records, results } = prepare({ apiCallTimeout: 5 }, 'p');
    let asked = 0;
    await scheduler.start({
      until: 5000,
      perform: () => ((asked += 1) === 1 ? first() : Promise.resolve(BOUND)),
    });
    scheduler.dispose();
    await eventually(() => results().length === 2);
    assert.deepEqual(results(), [
      ['default/p', 'bindFailed'],
      ['default/p', 'bound'],
    ]);
    assert.equal(records.find(({ kind }) => kind === 'BindingResult').message, message);
    assert.equal(clock.now(), 1000, 'the clock went to the end of the backoff, no further');
  }
});

test('a virtual clock stands still while something is under way', async () => {
  const { scheduler, clock, results } = prepare({}, 'p', 'q');
  const answers = new Map();
  const done = scheduler.start({
    until: 5000,
    perform: ({ pod }) => new Promise((resolve) => answers.set(pod, resolve)),
  });
  await eventually(() => answers.size === 2);
  answers.get('default/p')({ status: 500 });
  await eventually(() => results().length === 1);
  for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
  assert.equal(clock.now(), 0);
  answers.get('default/q')(BOUND);
  await eventually(() => clock.now() === 1000);
  await eventually(() => answers.get('default/p') !== undefined && results().length === 2);
  scheduler.dispose();
  await done;
});

test('idle, it sleeps until something comes in', async () => {
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

test('what comes in while calls are being made is not slept through', async () => {
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

test('with the host’s clock it sleeps until the deadline, or until until', async () => {
  const clock = { now: () => time, sleep: async () => void (time += 400) };
  let time = 0;
  const { scheduler, results } = prepare({ clock }, 'p');
  let asked = 0;
  await scheduler.start({
    until: 3000,
    perform: async () => ((asked += 1) === 1 ? { status: 500 } : BOUND),
  });
  await eventually(() => results().length === 2);
  assert.ok(time >= 3000 && time < 4000, String(time));
});

test('others have their turn while it works', async () => {
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

test('a call that nobody answers ends with the pump, and the engine knows it', async () => {
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
  assert.equal(records.find(({ kind }) => kind === 'BindingResult').message, 'aborted');
  await scheduler.start({ perform, signal: stop.signal });
});

test('after the signal calls have a grace period, and nothing new is decided', async () => {
  const clock = new ManualClock();
  const { scheduler, records, results } = prepare({ clock }, 'p', 'q');
  const stop = new AbortController();
  const answers = new Map();
  const done = scheduler.start({
    signal: stop.signal,
    gracePeriod: 500,
    perform: ({ pod }) => new Promise((resolve) => answers.set(pod, resolve)),
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

test('the grace period is over with the last call, and with dispose', async () => {
  for (const isDisposed of [false, true]) {
    const clock = new ManualClock();
    const { scheduler } = prepare({ clock }, 'p');
    const stop = new AbortController();
    let answer = (/** @type {object} */ _) => {};
    let isAsked = false;
    const perform = () =>
      new Promise((resolve) => {
        isAsked = true;
        answer = resolve;
      });
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

test('whoever measures runs the turns', async () => {
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

test('schedule, scheduleOne and run work meanwhile; their calls are performed', async () => {
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
  assert.equal(scheduler.run().calls.length, 1);
  await eventually(() => results().length === 4);
  scheduler.dispose();
  await done;
});

test('it ends with what the log throws, and the next one goes on', async () => {
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

test('without it calls of the API are the caller’s, and in the records', async () => {
  const { scheduler, records } = prepare({ apiCallTimeout: 1500 }, 'p');
  const [decision] = await scheduler.schedule();
  assert.equal(decision.node, 'a');
  await eventually(() => records.length === 2);
  const { kind, id, callKind, deadline, body, ...call } = records[1];
  assert.deepEqual(
    [kind, id, callKind, deadline, body],
    ['Call', 1, 'api', '1970-01-01T00:00:01.500000Z', '{"target":{"name":"a"}}'],
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

test('it starts once, with options that it can use, and fails with the engine', async () => {
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
