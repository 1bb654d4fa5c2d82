import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DisposedError, Engine, unschedulable } from '../../../js/src/index.js';
import { ScriptedSurface } from '../support/scripted_surface.js';

/** @typedef {import('../../../js/src/index.js').Plugin} Plugin */
/** @typedef {import('../../../js/src/index.js').PluginHandle} PluginHandle */

const POD = { metadata: { namespace: 'default', name: 'p', uid: 'u1' } };
const PROFILE = 'default-scheduler';

/** @param {number} id @param {string} verb */
const callOf = (id, verb) => ({
  call: { id, callKind: 'plugin', pod: 'default/p', target: 'P', verb },
  body: { profile: PROFILE, state: 1, pod: POD, nodeName: 'a' },
});
const extenderCall = {
  call: {
    id: 1,
    callKind: 'extender',
    pod: 'default/p',
    target: 'http://e',
    verb: 'bind',
    method: 'POST',
    url: 'http://e/bind',
    contentType: 'application/json',
    timeoutMs: 5000,
    deadline: 5_000_000,
  },
  body: { PodName: 'p', PodNamespace: 'default', PodUID: 'u1', Node: 'a' },
};

/**
 * @param {any} methods
 * @param {import('../support/scripted_surface.js').ScriptedStep[]} script
 */
function start(methods, ...script) {
  const surface = new ScriptedSurface(...script);
  const errors = /** @type {any[]} */ ([]);
  /** @type {PluginHandle | undefined} */
  let handle;
  const create = (/** @type {any} */ _args, /** @type {PluginHandle} */ given) => {
    handle = given;
    return typeof methods === 'function' ? methods(given) : methods;
  };
  const scheduler = new Engine(surface).createScheduler({
    plugins: [{ name: 'P', create }],
    onPluginError: (error) => errors.push(error),
  });
  return { surface, scheduler, errors, handle: /** @type {PluginHandle} */ (handle) };
}

test('synchronous answers of plugins belong to the turn, at the same time', () => {
  let time = 1;
  const clock = { now: () => (time += 1), sleep: async () => {} };
  const surface = new ScriptedSurface(
    () => ({
      calls: [callOf(4, 'preBind')],
      records: [{ kind: 'Decision' }],
      turn: { busy: true },
    }),
    () => ({ calls: [callOf(5, 'postBind')], records: [{ kind: 'BindingResult' }] }),
    () => ({ turn: { nextDeadline: 9_000_000, idle: false } }),
  );
  const scheduler = new Engine(surface).createScheduler({
    clock,
    plugins: [{ name: 'P', preBind: () => unschedulable('no'), postBind() {} }],
  });
  const turn = scheduler.run({ maxCycles: 5 });
  assert.deepEqual(turn, {
    records: [{ kind: 'Decision' }, { kind: 'BindingResult' }],
    calls: [],
    nextDeadline: 9000,
    idle: false,
    waiting: false,
    busy: false,
  });
  const [[first, cycles]] = surface.runs;
  assert.equal(cycles, 5);
  assert.deepEqual(surface.runs.slice(1), [
    [first, 0],
    [first, 0],
  ]);
  const body = '{"status":{"code":"Unschedulable","reasons":["no"]}}';
  assert.deepEqual(surface.applied, [
    { type: 'COMPLETION', call: 4, status: 200, body },
    { type: 'COMPLETION', call: 5, status: 200, body: '' },
  ]);
});

test('a state that the engine dropped is forgotten, though only calls tell of it', () => {
  const seen = /** @type {any[]} */ ([]);
  const dropping = callOf(5, 'bind');
  const { scheduler } = start(
    { bind: (/** @type {any} */ state) => void seen.push(state) },
    () => ({ calls: [callOf(4, 'bind')] }),
    () => ({ calls: [{ ...dropping, body: { ...dropping.body, ops: [['drop', 1]] } }] }),
  );
  scheduler.run();
  assert.equal(seen.length, 2);
  assert.notEqual(seen[0], seen[1]);
});

test('a promise is waited for by schedule, and never handed out', async () => {
  let keep = () => {};
  const promise = /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      keep = resolve;
    })
  );
  const { surface, scheduler } = start(
    { preBind: () => promise },
    () => ({ calls: [callOf(4, 'preBind')], turn: { busy: true } }),
    () => ({ records: [{ kind: 'Decision', pod: 'default/late' }] }),
  );
  const scheduled = scheduler.schedule();
  await new Promise(setImmediate);
  assert.equal(surface.runs.length, 1);
  keep();
  assert.deepEqual(
    (await scheduled).map(({ pod }) => pod),
    ['default/late'],
  );
  assert.deepEqual(surface.applied, [{ type: 'COMPLETION', call: 4, status: 200, body: '' }]);
});

test('a turn may say any number of things', async () => {
  const gated = { kind: 'Decision', pod: 'default/p', result: 'gated' };
  const records = Array(200_000).fill(gated);
  const { scheduler } = start(
    { bind() {} },
    () => ({ calls: [callOf(4, 'bind')] }),
    () => ({ records }),
  );
  assert.equal((await scheduler.schedule()).length, records.length);
});

test('run keeps calls of plugins to itself, and hands out the others', async () => {
  const { surface, scheduler } = start({ bind: async () => {} }, () => ({
    calls: [extenderCall, callOf(4, 'bind')],
    turn: { busy: true },
  }));
  const { calls } = scheduler.run();
  assert.deepEqual(
    calls.map(({ kind, verb, deadline }) => [kind, verb, deadline]),
    [['extender', 'bind', 5000]],
  );
  await new Promise(setImmediate);
  scheduler.run();
  assert.deepEqual(
    surface.applied.map(({ call }) => call),
    [4],
  );
});

test('answers that have arrived are handed in together, with the next turn', async () => {
  const { surface, scheduler } = start({ bind: async () => {} }, () => ({
    calls: [callOf(4, 'bind'), callOf(5, 'bind')],
    turn: { busy: true },
  }));
  scheduler.run();
  await new Promise(setImmediate);
  assert.deepEqual(surface.batches, []);
  scheduler.run();
  assert.deepEqual(
    surface.batches.map((lines) => lines.map(({ call }) => call)),
    [[4, 5]],
  );
});

test('records contain the answers to recorded calls, and no others', async () => {
  const { scheduler } = start(
    { preBind() {}, bind: async () => {} },
    () => ({ calls: [extenderCall, callOf(4, 'preBind'), callOf(5, 'bind')] }),
    () => ({ turn: { busy: true } }),
  );
  const records = scheduler.records();
  scheduler.run();
  await new Promise(setImmediate);
  scheduler.complete(1, { status: 200, body: '{}' });
  scheduler.dispose();
  const told = [];
  for await (const { kind, id, call } of records) told.push([kind, id ?? call]);
  assert.deepEqual(told, [
    ['Call', 1],
    ['Completion', 1],
  ]);
});

test('an answer that cannot be logged is reported, and the next turn hands it in', async () => {
  const cases = [
    { preBind: () => unschedulable('no'), handedIn: [5] },
    { preBind: async () => unschedulable('no'), handedIn: [] },
  ];
  for (const { preBind, handedIn } of cases) {
    const surface = new ScriptedSurface(
      () => ({ calls: [callOf(4, 'preBind'), callOf(5, 'preBind')], turn: { busy: true } }),
      () => ({ records: [{ kind: 'BindingResult' }] }),
    );
    let faults = 0;
    const scheduler = new Engine(surface).createScheduler({
      plugins: [{ name: 'P', preBind }],
      log: (line) => {
        if (line.includes('COMPLETION') && (faults += 1) === 1) throw new Error('disk full');
      },
    });
    await assert.rejects(scheduler.schedule(), /disk full/);
    assert.deepEqual(
      surface.applied.map(({ call }) => call),
      handedIn,
    );
    await scheduler.schedule();
    assert.deepEqual(new Set(surface.applied.map(({ call }) => call)), new Set([4, 5]));
    assert.equal(surface.applied.length, 2);
  }
});

test('commands from inside a call are given when the engine has returned', () => {
  const { surface, scheduler, handle } = start(
    { permit: () => handle.activate(['default/q', 'x/y']) },
    (ask) => {
      ask({ plugin: 'P', profile: PROFILE, point: 'permit', state: 1, pod: POD, nodeName: 'a' });
      assert.deepEqual(surface.applied, [], 'the engine cannot be entered');
      return {};
    },
    () => ({ records: [{ kind: 'QueueMove' }] }),
  );
  const { records } = scheduler.run();
  assert.deepEqual(surface.applied, [{ type: 'ACTIVATE', pods: ['default/q', 'x/y'] }]);
  assert.deepEqual(records, [{ kind: 'QueueMove' }], 'the turn goes on with it');
});

test('a plugin that always asks for more does not hold up the others', () => {
  const asks = (/** @type {(request: object) => any} */ ask) => {
    ask({ plugin: 'P', profile: PROFILE, point: 'preEnqueue', pod: POD });
    return {};
  };
  const { surface, scheduler, handle } = start(
    { preEnqueue: () => handle.activate(['default/p']) },
    ...Array.from({ length: 300 }, () => asks),
  );
  assert.equal(scheduler.run().idle, false);
  assert.ok(surface.runs.length < 200);
});

test('a waiting pod is looked up, allowed and rejected at any time', () => {
  const { surface, handle } = start({ permit() {} });
  surface.inspection = {
    waiting: [
      { pod: 'default/p', uid: 'u1', node: 'a', plugins: [{ plugin: 'P', deadline: 1 }] },
      { pod: 'default/q', uid: 'u2', node: 'a', plugins: [{ plugin: 'P' }, { plugin: 'Q' }] },
    ],
  };
  assert.equal(handle.getWaitingPod('u3'), undefined);
  const waiting = handle.getWaitingPod('u2');
  assert.deepEqual([waiting?.pod, waiting?.plugins], ['default/q', ['P', 'Q']]);
  waiting?.allow('P');
  waiting?.reject('Q', 'too late');
  handle.activate([]);
  assert.deepEqual(surface.applied, [
    { type: 'ALLOW_WAITING_POD', uid: 'u2', plugin: 'P' },
    { type: 'REJECT_WAITING_POD', uid: 'u2', plugin: 'Q', message: 'too late' },
  ]);
  assert.throws(() => handle.activate(/** @type {any} */ ('default/p')), TypeError);
  assert.throws(() => handle.activate(['p']), TypeError);
  assert.throws(() => waiting?.allow(/** @type {any} */ (undefined)), TypeError);
  assert.throws(() => waiting?.reject('P', /** @type {any} */ (null)), TypeError);
  assert.equal(surface.applied.length, 2);
});

test('a command for an ended wait does not affect a later wait of the same pod', () => {
  const { surface, handle } = start({ permit() {} });
  const P = { plugin: 'P', deadline: 5 };
  const Q = { plugin: 'Q', deadline: 5 };
  const waitFor = (/** @type {object[]} */ ...plugins) => {
    surface.inspection = { waiting: [{ pod: 'default/p', uid: 'u1', plugins }] };
  };
  waitFor(P, Q);
  const waiting = handle.getWaitingPod('u1');
  waitFor(Q);
  waiting?.allow('Q');
  assert.equal(surface.applied.length, 1, 'the same wait, without those that let it go since');
  waitFor({ ...Q, deadline: 8 });
  waiting?.reject('Q', 'too late');
  surface.inspection = { waiting: [] };
  waiting?.reject('Q', 'too late');
  assert.equal(surface.applied.length, 1);
});

test('a command wakes a schedule that sleeps until a deadline', async () => {
  const sleeping = deferred();
  const clock = {
    now: () => 0,
    sleep: (/** @type {number} */ _until, /** @type {AbortSignal} */ signal) => {
      sleeping.resolve(undefined);
      return /** @type {Promise<void>} */ (
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        })
      );
    },
  };
  const surface = new ScriptedSurface(
    () => ({ turn: { nextDeadline: 9_000_000, busy: true } }),
    () => ({ records: [{ kind: 'Decision', pod: 'default/p' }] }),
  );
  surface.inspection = { waiting: [{ pod: 'default/p', uid: 'u1', plugins: [{ plugin: 'P' }] }] };
  /** @type {PluginHandle | undefined} */
  let handle;
  const scheduler = new Engine(surface).createScheduler({
    clock,
    plugins: [
      {
        name: 'P',
        create: (_args, given) => {
          handle = given;
          return { permit() {} };
        },
      },
    ],
  });
  const scheduled = scheduler.schedule({ until: 10_000 });
  await sleeping.promise;
  handle?.getWaitingPod('u1')?.allow('P');
  assert.equal((await scheduled)[0].pod, 'default/p');
  assert.equal(surface.applied[0].type, 'ALLOW_WAITING_POD');
});

test('requests that plugins make in create are carried out later', () => {
  const { surface, scheduler } = start((/** @type {PluginHandle} */ handle) => {
    assert.equal(handle.getWaitingPod('u1'), undefined);
    handle.activate(['default/p']);
    return { permit() {} };
  });
  assert.deepEqual(surface.applied, []);
  scheduler.run();
  assert.deepEqual(surface.applied, [{ type: 'ACTIVATE', pods: ['default/p'] }]);
});

test('a plugin cannot begin a turn inside of a turn, but may apply', () => {
  const { surface, scheduler } = start(
    {
      bind: () => {
        scheduler.apply('{"kind":"Pod"}');
        return scheduler.run();
      },
    },
    () => ({ calls: [callOf(4, 'bind')] }),
  );
  scheduler.run();
  const [object, completion] = surface.applied;
  assert.deepEqual(object, { kind: 'Pod' });
  assert.match(completion.body, /run was called from inside a turn of its scheduler/);
});

test('after dispose the handle throws, and pending waits end', async () => {
  const { surface, scheduler, handle, errors } = start(
    { preBind: () => new Promise(() => {}) },
    () => ({ calls: [callOf(4, 'preBind')], turn: { busy: true } }),
  );
  const scheduled = scheduler.schedule();
  await new Promise(setImmediate);
  scheduler.dispose();
  await assert.rejects(scheduled, DisposedError);
  assert.throws(() => handle.activate(['default/p']), DisposedError);
  assert.throws(() => handle.getWaitingPod('u1'), DisposedError);
  assert.deepEqual([surface.applied, errors], [[], []]);
});

/** Returns a promise with its resolver. */
function deferred() {
  let resolve = (/** @type {any} */ _value) => {};
  const promise = new Promise((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
