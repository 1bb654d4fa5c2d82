import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';

import {
  ConfigurationError,
  PLUGIN_METHODS,
  PluginError,
  skip,
  unschedulable,
  wait,
} from '../../../js/src/index.js';
import { wordsOf } from '../../../js/src/kubernetes/values.js';
import { PluginHost } from '../../../js/src/plugins/host.js';

/** @typedef {import('../../../js/src/index.js').Plugin} Plugin */

const AT_ONCE = 'this point must answer at once, not with a promise';
const POD = { metadata: { namespace: 'default', name: 'p' } };

/** @param {Plugin} plugin @param {object} [options] */
function hostOf(plugin, options = {}) {
  const errors = /** @type {PluginError[]} */ ([]);
  const host = new PluginHost(
    { plugins: [plugin], onPluginError: (error) => errors.push(error), ...options },
    { inspect: () => ({ waiting: [] }), command: () => {} },
  );
  const { name } = plugin;
  const ask = (/** @type {string} */ point, /** @type {object} */ rest = {}) => {
    const request = { plugin: name, profile: 'default-scheduler', point, pod: POD, ...rest };
    const answer = host.call(JSON.stringify(request));
    return answer === '' ? undefined : JSON.parse(answer);
  };
  const perform = (/** @type {string} */ verb, /** @type {object} */ rest = {}) => {
    const body = { profile: 'default-scheduler', state: 1, pod: POD, nodeName: 'a', ...rest };
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const call = { id: 7, kind: 'plugin', target: name, verb, body: bytes };
    return host.perform([/** @type {any} */ (call)])[0].answer;
  };
  return { host, ask, perform, errors };
}

/** @param {string} [text] of a status */
const answered = (text = '') => ({ status: 200, body: text });

test('preEnqueue is asked without a state', () => {
  const { ask, host } = hostOf({
    name: 'Gate',
    preEnqueue: (pod) => (pod.metadata.name === 'p' ? unschedulable('closed') : undefined),
  });
  assert.deepEqual(host.declarations, [{ name: 'Gate', methods: ['preEnqueue'] }]);
  const refusal = { status: { code: 'Unschedulable', reasons: ['closed'] } };
  assert.deepEqual(ask('preEnqueue'), refusal);
  assert.equal(ask('preEnqueue', { pod: { metadata: { name: 'q' } } }), undefined);
});

test('permit says how long, for a quarter of an hour at most', () => {
  let said = /** @type {any} */ (undefined);
  const { ask } = hostOf({ name: 'Hold', permit: () => said });
  const waiting = (/** @type {number} */ timeoutMs) => ({
    status: { code: 'Wait', reasons: [] },
    timeoutMs,
  });
  const cases = [
    [undefined, undefined],
    [wait(1500), waiting(1500)],
    [wait(0.5), waiting(1)],
    [wait(0), waiting(0)],
    [wait(), waiting(900_000)],
    [wait(Infinity), waiting(900_000)],
    [unschedulable('no'), { status: { code: 'Unschedulable', reasons: ['no'] } }],
  ];
  for (const [status, want] of cases) {
    said = status;
    assert.deepEqual(ask('permit', { state: 1, nodeName: 'a' }), want);
  }
  for (const timeout of [-1, NaN, '5']) {
    said = { code: 'Wait', timeout };
    const { status } = ask('permit', { state: 1, nodeName: 'a' });
    assert.equal(status.code, 'Error');
    assert.match(status.message, /in permit for pod default\/p: a timeout must be milliseconds/);
  }
});

test('a failed hint queues the pod, and is reported', async () => {
  const hints = [
    () => 'QueueSkip',
    () => {
      throw new Error('lost');
    },
    async () => {
      throw new Error('late');
    },
  ];
  const { ask, errors } = hostOf({
    name: 'Hint',
    preEnqueue: () => unschedulable('closed'),
    events: [
      {
        resource: 'Node',
        actionType: ['Add'],
        queueingHint: () => /** @type {any} */ (hints.shift())(),
      },
    ],
  });
  const request = { event: 0, oldObject: null, newObject: { kind: 'Node' } };
  const answers = [1, 2, 3].map(() => ask('queueingHint', request));
  assert.deepEqual(
    answers.map(({ hint }) => hint),
    ['QueueSkip', 'Queue', 'Queue'],
  );
  await Promise.resolve();
  assert.deepEqual(
    errors.map(({ plugin, point, pod, message }) => [plugin, point, pod, message.split(': ')[1]]),
    [
      ['Hint', 'queueingHint', 'default/p', 'lost'],
      ['Hint', 'queueingHint', 'default/p', AT_ONCE],
    ],
  );
});

test('a promise where none is allowed is one error, and its failure no second one', async () => {
  // The runner fails a test during which a rejection is unhandled.
  const late = async () => {
    throw new Error('late');
  };
  const events = [{ resource: 'Node', actionType: ['Add'], queueingHint: late }];
  const request = {
    ...{ state: 1, nodeName: 'a', other: POD, event: 0, rows: 1, row: 0, first: 0, mask: [1, 0] },
    ...{ nodes: [0], scores: [1], statuses: [], statusOfRow: [] },
  };
  const bindings = ['preBind', 'bind', 'postBind'];
  const points = PLUGIN_METHODS.filter((name) => !bindings.includes(name));
  for (const point of [...points, 'scoreChunk', 'queueingHint']) {
    const method = point === 'scoreChunk' ? 'score' : point;
    const plugin = /** @type {any} */ ({ name: 'Late', reserve() {}, [method]: late, events });
    const { ask, errors } = hostOf(plugin);
    ask(point, request);
    if (point === 'filter') ask('filterChunk', { ...request, rows: 2, mask: [3, 0] });
    await setImmediate();
    const causes = errors.map(({ cause }) => wordsOf(cause));
    assert.deepEqual(new Set(causes), new Set([AT_ONCE]), point);
  }
  const { ask } = hostOf({ name: 'Late', filterChunk: (_state, _pod, nodes) => nodes.map(late) });
  assert.match(ask('filterChunk', { ...request, rows: 2, mask: [3, 0] }).status.message, /at once/);
  assert.throws(() => hostOf({ name: 'Late', create: /** @type {any} */ (late) }), {
    ...{ name: 'PluginError', message: `plugin "Late" failed in create: ${AT_ONCE}` },
  });
  await setImmediate();
});

test('the points of a binding answer at once, or with a promise', async () => {
  /** @type {any[]} */
  const seen = [];
  let said = /** @type {any} */ (undefined);
  const method = (/** @type {any[]} */ ...args) => {
    seen.push(args);
    return said;
  };
  const { perform, host } = hostOf({ name: 'B', preBind: method, bind: method, postBind: method });
  assert.deepEqual(host.declarations[0].methods, ['preBind', 'bind', 'postBind']);
  const refused = JSON.stringify({ status: { code: 'Unschedulable', reasons: ['no'] } });
  const skipped = JSON.stringify({ status: { code: 'Skip', reasons: [] } });
  for (const verb of ['preBind', 'bind', 'postBind']) {
    for (const [status, text] of /** @type {[any, string][]} */ ([
      [undefined, ''],
      [{ code: 'Success' }, ''],
      [unschedulable('no'), refused],
      [skip(), skipped],
    ])) {
      said = status;
      assert.deepEqual(perform(verb), answered(text));
      said = Promise.resolve(status);
      const promise = perform(verb);
      assert.ok(promise instanceof Promise);
      assert.deepEqual(await promise, answered(text));
    }
  }
  assert.ok(seen.every(([state]) => state instanceof Map));
  assert.deepEqual(seen[0].slice(1), [POD, 'a']);
});

test('an exception in a binding becomes an answer, and is reported', async () => {
  const faults = [
    () => {
      throw new Error('now');
    },
    async () => {
      throw new Error('later');
    },
    () => ({ code: 'Perhaps' }),
    async () => 5,
  ];
  const wants = ['now', 'later', /a status must be/, /a status must be/];
  const fault = () => /** @type {any} */ (faults.shift())();
  const { perform, errors } = hostOf({ name: 'Bad', preBind: fault });
  for (const want of wants) {
    const { body } = /** @type {any} */ (await perform('preBind'));
    const { status } = JSON.parse(body);
    assert.equal(status.code, 'Error');
    assert.match(status.message, /^plugin "Bad" failed in preBind for pod default\/p: /);
    assert.match(status.message, want instanceof RegExp ? want : new RegExp(`: ${want}$`));
  }
  assert.equal(errors.length, wants.length);
  assert.ok(errors[1].cause instanceof Error);
});

test('a profile without the method passes, and leaves binding to others', () => {
  const plugin = /** @type {Plugin} */ ({
    name: 'One',
    create: (args, { schedulerName }) =>
      schedulerName === 'one' ? { preBind: () => unschedulable('no'), bind() {} } : {},
  });
  const configuration = { profiles: [{ schedulerName: 'one' }, { schedulerName: 'two' }] };
  const { perform } = hostOf(plugin, { configuration });
  const bodies = ['one', 'two'].flatMap((profile) =>
    ['preBind', 'bind'].map((verb) => /** @type {any} */ (perform(verb, { profile })).body),
  );
  assert.match(bodies[0], /Unschedulable/);
  assert.deepEqual(bodies.slice(1, 3), ['', '']);
  assert.match(bodies[3], /Skip/);
});

test('a state lasts from preFilter to postBind, until the engine drops it', () => {
  const { ask, perform } = hostOf({
    name: 'Keep',
    preFilter: (state) => void state.set('note', 'kept'),
    postBind: (state) => /** @type {any} */ (unschedulable(String(state.get('note')))),
  });
  ask('preFilter', { state: 1 });
  const note = () => JSON.parse(/** @type {any} */ (perform('postBind')).body).status.reasons[0];
  assert.equal(note(), 'kept');
  ask('preFilter', { state: 2, ops: [['drop', 1]] });
  assert.equal(note(), 'undefined');
});

test('a state that cannot be copied is an Error status wherever the copy is used', async () => {
  const lost = new Error('lost');
  const refuse = () => {
    throw lost;
  };
  const { ask, errors } = hostOf({
    name: 'Keep',
    preEnqueue() {},
    preFilter: (state) => void state.set('note', { clone: refuse }),
    removePod() {},
    filter: (state) => (state.has('note') ? undefined : unschedulable('no note')),
  });
  ask('preFilter', { state: 1 });
  const nodeInfo = { name: 'a' };
  const filtered = (/** @type {object} */ rest) => ask('filter', { nodeInfo, ...rest });
  assert.equal(filtered({ state: 1, ops: [['clone', 1, 2]] }), undefined, 'the cycle has its own');
  const message = (/** @type {string} */ point) =>
    `plugin "Keep" failed in ${point} for pod default/p: lost`;
  const copied = ask('removePod', { state: 2, nodeInfo, pod: undefined, ops: [['clone', 2, 3]] });
  assert.deepEqual(copied, { status: { code: 'Error', message: message('removePod') } });
  assert.equal(filtered({ state: 3 }).status.message, message('filter'), 'so has a copy of it');
  assert.equal(ask('preEnqueue', { ops: [['clone', 1, 4]] }), undefined, 'not about the copy');
  assert.equal(filtered({ state: 2, ops: [['drop', 2]] }).status.reasons[0], 'no note');
  await Promise.resolve();
  assert.deepEqual(
    errors.map(({ message: text, cause }) => [text, cause]),
    [
      [message('removePod'), lost],
      [message('filter'), lost],
    ],
  );
});

test('a plugin may throw a value without a message', () => {
  for (const [thrown, want] of /** @type {[any, string][]} */ ([
    [Object.create(null), 'object'],
    [Object.assign(new Error(), { message: Object.create(null) }), 'object'],
    [Symbol('s'), 'Symbol(s)'],
    [undefined, 'undefined'],
  ])) {
    const fault = () => {
      throw thrown;
    };
    const { ask } = hostOf({ name: 'Mute', preEnqueue: fault });
    const { status } = ask('preEnqueue');
    assert.equal(status.message, `plugin "Mute" failed in preEnqueue for pod default/p: ${want}`);
  }
});

test('PluginHost checks the result of create', () => {
  const make = (/** @type {any} */ methods) => () => hostOf({ name: 'X', create: () => methods });
  assert.throws(make(undefined), PluginError);
  assert.throws(make(5), /"X" failed in create: create must return an object with methods, not 5/);
  const events = [{ resource: 'Node', actionType: ['Grow'] }];
  assert.throws(
    make({ events }),
    (error) =>
      error instanceof ConfigurationError && error.errors[0].field === 'plugins[0].events[0]',
  );
});

test('plugins that no profile enables are named', () => {
  const named = (/** @type {string} */ point) => ({
    profiles: [{}, { schedulerName: 'b', plugins: { [point]: { enabled: [{ name: 'Mine' }] } } }],
  });
  const cases = [
    [undefined, ['Mine']],
    [{}, ['Mine']],
    [{ profiles: [{ plugins: { score: { disabled: [{ name: 'Mine' }] } } }] }, ['Mine']],
    [{ profiles: [{ pluginConfig: [{ name: 'Mine', args: {} }] }] }, ['Mine']],
    [{ profiles: [{ plugins: { multiPoint: { enabled: 'Mine' } } }] }, ['Mine']],
    [named('multiPoint'), []],
    [named('score'), []],
    [JSON.stringify(named('filter')), []],
  ];
  for (const [configuration, idle] of cases) {
    const { host } = hostOf({ name: 'Mine', score: () => 1 }, { configuration });
    assert.deepEqual(host.idle, idle, JSON.stringify(configuration));
  }
});
