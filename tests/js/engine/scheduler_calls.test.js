// Goal: a scheduler takes every form of input and option, and reports what is wrong with it as a
// typed error. Method: the native engine, whose surface counts and refuses calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  BatchError,
  ConfigurationError,
  DisposedError,
  Engine,
  EngineError,
  InputError,
  LoadError,
} from '../../../js/src/index.js';
import { NativeSurface } from '../support/native_surface.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';

/** @param {object} [options] @param {object} [faults] of the surface */
function start(options, faults) {
  const surface = new NativeSurface(faults);
  return { surface, scheduler: new Engine(surface).createScheduler(options) };
}

const CONFIGURATION = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
};
const cluster = [makeNode('a', { cpu: '2' }), makeNode('b')];

test('every form of input gives the same decisions', async () => {
  const pods = [storedPod('p'), storedPod('q')];
  const objects = [...cluster, ...pods];
  const list = makeList(...objects);
  const forms = {
    'an array': [objects],
    'a List': [list],
    'a generator': [
      (function* () {
        yield* objects;
      })(),
    ],
    'watch events': [objects.map((object) => ({ type: 'ADDED', object }))],
    'bare lists': [
      [
        { apiVersion: 'v1', kind: 'NodeList', items: cluster.map(({ kind, ...rest }) => rest) },
        {
          kind: 'PodList',
          apiVersion: 'v1',
          items: pods.map(({ kind, apiVersion, ...rest }) => rest),
        },
      ],
    ],
    'JSON text': [JSON.stringify(list)],
    bytes: [new TextEncoder().encode(JSON.stringify(list))],
    'JSON lines': [objects.map((object) => JSON.stringify(object)).join('\n'), { format: 'lines' }],
  };
  for (const [name, [input, options]] of Object.entries(forms)) {
    const { scheduler } = start();
    assert.deepEqual(
      scheduler.apply(input, options),
      { applied: 4, ignored: 0, errors: [], unknownKinds: [] },
      name,
    );
    const decisions = await scheduler.schedule();
    assert.deepEqual(
      decisions.map(({ pod, node }) => [pod, node]),
      [
        ['default/p', 'b'],
        ['default/q', 'b'],
      ],
      name,
    );
  }
});

test('objects without a uid are completed, those with one are left as they are', () => {
  const { scheduler } = start();
  const gold = {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'gold' },
    value: 9,
  };
  const written = makePod('p', { spec: { priorityClassName: 'gold' } });
  const stored = storedPod('q', { spec: { priorityClassName: 'gold' } });
  scheduler.apply([written, stored, gold]);
  const priorityOf = (/** @type {string} */ name) =>
    scheduler.get('Pod', `default/${name}`)?.spec.priority;
  assert.equal(priorityOf('p'), 9);
  assert.equal(priorityOf('q'), undefined);
  assert.equal(written.metadata.uid, undefined);
});

test('bad items are reported and do not stop the others', () => {
  const loop = makePod('loop');
  loop.spec.self = loop;
  const items = [
    makePod('ok'),
    makePod('bad', { cpu: '1x' }),
    5,
    { apiVersion: 'v1', kind: 'Pod', metadata: {} },
    loop,
    makePod('lost', { spec: { priorityClassName: 'none' } }),
    makePod('fine'),
  ];
  const expected = [
    [2, 'FieldValueTypeInvalid', undefined],
    [4, 'MalformedJson', undefined],
    [5, 'FieldValueInvalid', 'spec.priorityClassName'],
    [1, 'FieldValueInvalid', 'spec.containers[0].resources.requests[cpu]'],
    [3, 'FieldValueRequired', 'metadata.name'],
  ];
  const { scheduler } = start();
  assert.throws(
    () => scheduler.apply(items),
    (/** @type {any} */ error) => {
      assert.ok(error instanceof BatchError);
      assert.deepEqual(
        error.errors.map(({ index, code, field }) => [index, code, field]),
        expected,
      );
      assert.equal(error.result.applied, 2);
      assert.equal(error.toStatus().details.causes.length, 5);
      return true;
    },
  );
  const reported = [];
  assert.equal(
    scheduler.apply(items, { onError: (error) => reported.push(error.code) }).applied,
    2,
  );
  assert.equal(reported.length, 5);
});

test('a value that cannot be serialized is a bad item', () => {
  const { scheduler } = start();
  const toJSON = () => {
    throw Object.create(null);
  };
  const reported = [];
  scheduler.apply([{ toJSON }, makePod('ok')], {
    onError: ({ code, index }) => reported.push([code, index]),
  });
  assert.deepEqual(reported, [['MalformedJson', 0]]);
  assert.deepEqual(scheduler.inspect().queues.active, ['default/ok']);
});

test('an object that is nested without end is an input error, TooDeep', () => {
  const deep = makePod('deep');
  for (let level = 0, at = deep.spec; level < 100_000; level++) at = at.next = {};
  const { scheduler } = start();
  const reported = [];
  scheduler.apply([deep, makePod('ok')], {
    onError: ({ code, index }) => reported.push([code, index]),
  });
  assert.deepEqual(reported, [['TooDeep', 0]]);
  assert.throws(() => scheduler.evaluate(deep), { name: 'InputError', code: 'TooDeep' });
});

test('text that is not JSON is one bad item', () => {
  const { scheduler } = start();
  assert.throws(
    () => scheduler.apply('{"kind":'),
    (error) => error instanceof BatchError && error.errors[0].code === 'MalformedJson',
  );
  const { scheduler: small } = start({ limits: { batchBytes: 10 } });
  assert.throws(
    () => small.apply('{"kind":"Pod"}'),
    (error) => error instanceof BatchError && error.errors[0].code === 'TooLarge',
  );
});

test('an unknown kind is reported once and never thrown', () => {
  const { scheduler } = start();
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', uid: '1' } };
  const reported = [];
  const onError = (error) => reported.push([error.code, error.apiVersion, error.kind]);
  assert.deepEqual(scheduler.apply([map, map], { onError }).unknownKinds, ['v1, Kind=ConfigMap']);
  scheduler.apply(map, { onError });
  assert.deepEqual(reported, [['UnknownKind', 'v1', 'ConfigMap']]);
});

test('large inputs are split into calls and keep their positions', () => {
  const { surface, scheduler } = start({ limits: { batchBytes: 4000 } });
  const pods = Array.from({ length: 40 }, (_, index) =>
    makePod(`p${index}`, { cpu: index === 33 ? 'x' : '1m' }),
  );
  const reported = [];
  scheduler.apply(pods, { onError: (error) => reported.push(error.index) });
  assert.deepEqual(reported, [33]);
  assert.ok(surface.calls.filter(([name]) => name === 'apply').length > 1);
});

test('run is one bounded turn, schedule runs until no pod moves', async () => {
  const { scheduler } = start();
  scheduler.apply([makeNode('a'), makePod('x'), makePod('y'), makePod('big', { cpu: '9' })]);
  const turn = scheduler.run({ maxCycles: 1 });
  assert.deepEqual(
    [turn.records.map(({ kind }) => kind), turn.idle, turn.nextDeadline, turn.calls],
    [['Decision', 'BindingResult'], false, null, []],
  );
  assert.deepEqual(
    (await scheduler.schedule({ maxAttempts: 1 })).map(({ pod }) => pod),
    ['default/y'],
  );
  const [last] = await scheduler.schedule();
  assert.deepEqual(
    [last.pod, last.node, last.message],
    [
      'default/big',
      null,
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: ' +
        '0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    ],
  );
  assert.deepEqual(await scheduler.schedule(), []);
});

test('scheduleOne schedules the pod that it names', async () => {
  const { scheduler } = start();
  scheduler.apply([makeNode('a'), makePod('x'), makePod('y')]);
  assert.equal((await scheduler.scheduleOne('default/y')).node, 'a');
  await assert.rejects(
    scheduler.scheduleOne('default/none'),
    (error) => error instanceof InputError && error.field === 'pod',
  );
});

test('evaluate takes the name of a pod or a pod', () => {
  const { scheduler } = start();
  scheduler.apply([...cluster, makePod('x')]);
  assert.equal(scheduler.evaluate('default/x').node, 'b');
  assert.equal(scheduler.evaluate(makePod('y', { cpu: '3' })).node, 'b');
  assert.equal(scheduler.evaluate({ spec: { containers: [] } }).pod, 'default/pod');
  assert.throws(() => scheduler.evaluate('default/none'), InputError);
});

test('values that are not pods, and unknown details, are input errors', () => {
  const { scheduler } = start();
  const loop = makePod('loop');
  loop.spec.self = loop;
  const cases = [
    [[null], 'FieldValueTypeInvalid', undefined],
    [[5], 'FieldValueTypeInvalid', undefined],
    [[loop], 'MalformedJson', undefined],
    [
      [makePod('p', { spec: { priorityClassName: 'none' } })],
      'FieldValueInvalid',
      'spec.priorityClassName',
    ],
    [[makePod('p'), { detail: 'everything' }], 'FieldValueNotSupported', 'detail'],
  ];
  for (const [args, code, field] of cases) {
    assert.throws(() => scheduler.evaluate(...args), { name: 'InputError', code, field });
  }
});

test('maxCycles is checked; Infinity is no bound', () => {
  const { surface, scheduler } = start();
  for (const maxCycles of [-1, NaN, 1.5, '5', null]) {
    assert.throws(() => scheduler.run({ maxCycles }), {
      name: 'InputError',
      code: 'FieldValueInvalid',
      field: 'maxCycles',
    });
  }
  assert.ok(surface.calls.every(([name]) => name !== 'run'));
  scheduler.run({ maxCycles: Infinity });
  assert.deepEqual(surface.calls.at(-1).slice(-1), [2 ** 31 - 1]);
});

test('time comes from the clock, in microseconds, and never goes back', () => {
  let time = 1000.25;
  const clock = { now: () => time, sleep: async () => {} };
  const { surface, scheduler } = start({ clock });
  scheduler.run();
  time = 5;
  scheduler.run();
  assert.deepEqual(
    surface.calls.filter(([name]) => name === 'run').map(([, , now]) => now),
    [1000250, 1000250],
  );
  const [created] = start({ startTime: new Date(7) }).surface.created;
  assert.equal(JSON.parse(created.split('\n')[0]).startTimeUs, 7000);
});

test('options reach the engine, the configuration byte by byte', () => {
  const configuration = JSON.stringify(CONFIGURATION, null, 1).replaceAll('\n', '  ');
  const { surface } = start({
    configuration,
    seed: 3,
    tieBreak: 'name',
    limits: { depth: 9 },
    simulate: { volumes: false },
  });
  const [options, ...written] = surface.created[0].split('\n');
  const { seed, tieBreak, api, detail, limits, simulate } = JSON.parse(options);
  assert.deepEqual([seed, tieBreak, api, detail], [3, 'name', 'simulated', 'summary']);
  assert.deepEqual(
    [limits, simulate],
    [
      { objectBytes: 4194304, depth: 9, batchBytes: 268435456 },
      { volumes: false, gracefulDeletion: false },
    ],
  );
  assert.deepEqual(written, [configuration]);
});

test('errors of a configuration or an option name the field', () => {
  const cases = [
    [
      { configuration: { ...CONFIGURATION, bogus: 1 } },
      'strict decoding error: unknown field "bogus"',
      'bogus',
    ],
    [{ configuration: { bogus: 1 } }, /^Object 'Kind' is missing in /, 'kind'],
    [{ configuration: '{' }, /^couldn't get version\/kind; json parse error: /, ''],
    [{ tieBreaks: 'name' }, /^unknown option tieBreaks; there are configuration, /, 'tieBreaks'],
    [{ seed: -1 }, /^seed: Invalid value: -1: must be an integer from 0$/, 'seed'],
    [{ seed: 1.5 }, /^seed: Invalid value: 1\.5: /, 'seed'],
    [{ startTime: new Date(NaN) }, /^startTime: Invalid value: Invalid Date: /, 'startTime'],
    [{ startTime: '2026' }, /^startTime: Invalid value: 2026: /, 'startTime'],
    [
      { detail: 'table' },
      /^detail: Invalid value: table: must be one of summary, nodes$/,
      'detail',
    ],
    [{ clock: {} }, /^clock: Invalid value: .*: must be an object with the functions now/, 'clock'],
    [{ clock: { now: () => 0 } }, /^clock: Invalid value: /, 'clock'],
    [{ plugins: {} }, /^plugins: Invalid value: .*: must be a list$/, 'plugins'],
    [{ extenders: null }, /^extenders: Invalid value: null: must be an object$/, 'extenders'],
    [{ limits: 5 }, /^limits: Invalid value: 5: must be an object$/, 'limits'],
    [{ simulate: true }, /^simulate: Invalid value: true: must be an object$/, 'simulate'],
    [{ fetch: 5 }, /^fetch: Invalid value: 5: must be a function$/, 'fetch'],
    [{ onPluginError: 5 }, /^onPluginError: Invalid value: 5: must be a f/, 'onPluginError'],
    [{ log: null }, /^log: Invalid value: null: must be a function$/, 'log'],
    [{ configuration: () => {} }, /^configuration: .*: must be plain data$/, 'configuration'],
    [{ tieBreak: 5n }, /^tieBreak: Invalid value: 5: must be plain data$/, 'tieBreak'],
  ];
  for (const [options, message, field] of cases) {
    assert.throws(
      () => start(options),
      (/** @type {any} */ error) => {
        assert.ok(error instanceof ConfigurationError);
        assert.match(
          error.message,
          message instanceof RegExp
            ? message
            : new RegExp(`^${RegExp.escape?.(message) ?? message}$`),
        );
        assert.equal(error.errors[0].field, field);
        return true;
      },
    );
  }
});

test('records reach every reader, up to a bound', async () => {
  const { scheduler } = start();
  const all = scheduler.records();
  const none = scheduler.records({ kinds: ['QueueMove'] });
  scheduler.apply([makeNode('a'), makePod('x')]);
  scheduler.run();
  const next = async () => (await all.next()).value;
  assert.deepEqual([(await next()).kind, (await next()).kind], ['Decision', 'BindingResult']);
  scheduler.dispose();
  assert.equal((await all.next()).done, true);
  assert.equal((await none.next()).done, true);
  assert.throws(() => scheduler.records(), DisposedError);
});

test('every pending read gets a record, or the end', async () => {
  const { scheduler } = start();
  const records = scheduler.records({ kinds: ['Decision'] });
  const waiting = [records.next(), records.next(), records.next(), records.next()];
  scheduler.apply([makeNode('a'), makePod('x'), makePod('y')]);
  scheduler.run();
  scheduler.dispose();
  const results = await Promise.all(waiting);
  assert.deepEqual(
    results.map(({ value, done }) => [value?.pod, done]),
    [
      ['default/x', false],
      ['default/y', false],
      [undefined, true],
      [undefined, true],
    ],
  );
});

test('a slow reader gets the number of the records that it missed', async () => {
  const { scheduler } = start();
  const records = scheduler.records();
  scheduler.apply(Array.from({ length: 10_005 }, (_, index) => makePod(`p${index}`)));
  scheduler.run({ maxCycles: 20_000 });
  assert.deepEqual((await records.next()).value, { kind: 'RecordsDropped', count: 5 });
  assert.equal((await records.next()).value.pod, 'default/p5');
});

test('after dispose every method but dispose throws DisposedError', async () => {
  const { surface, scheduler } = start();
  scheduler.dispose();
  scheduler[Symbol.dispose]();
  assert.equal(surface.alive, 0);
  for (const ask of [
    () => scheduler.apply([]),
    () => scheduler.run(),
    () => scheduler.evaluate('a/b'),
    () => scheduler.inspect(),
  ]) {
    assert.throws(ask, DisposedError);
  }
  await assert.rejects(scheduler.schedule(), DisposedError);
});

test('refusals are typed errors and leave the engine usable', () => {
  const cases = [
    [-1, DisposedError],
    [-2, EngineError],
    [-3, EngineError],
    [-4, EngineError],
    [-77, EngineError],
  ];
  for (const [refusal, expected] of cases) {
    let isRefusing = false;
    const { scheduler } = start(
      {},
      { refuse: (name) => (isRefusing && name === 'run' ? refusal : undefined) },
    );
    isRefusing = true;
    assert.throws(() => scheduler.run(), expected, String(refusal));
    isRefusing = false;
    assert.equal(scheduler.run().idle, true);
  }
});

test('an engine that stopped is not called again', () => {
  const surface = new NativeSurface();
  const engine = new Engine(surface);
  const [first, second] = [engine.createScheduler(), engine.createScheduler()];
  first.apply([makePod('crash')]);
  assert.throws(
    () => first.run(),
    (error) => error instanceof EngineError && /scheduling_cycle\.cc:42/.test(error.message),
  );
  const { length } = surface.calls;
  assert.throws(() => second.run(), EngineError);
  assert.throws(() => engine.createScheduler(), EngineError);
  second.dispose();
  assert.equal(surface.calls.length, length);
  assert.equal(engine.failure?.code, 'Internal');
});

test('a module of another version is refused', () => {
  assert.throws(() => new Engine(new NativeSurface({ abi: 2 })), LoadError);
});

test('a thousand schedulers come and go', () => {
  const surface = new NativeSurface();
  const engine = new Engine(surface);
  for (let count = 0; count < 1000; count++) engine.createScheduler().dispose();
  assert.equal(surface.alive, 0);
});

test('a scheduler without references is freed', async () => {
  setFlagsFromString('--expose_gc');
  const collect = runInNewContext('gc');
  const surface = new NativeSurface();
  const engine = new Engine(surface);
  (() => {
    for (let count = 0; count < 20; count++) engine.createScheduler();
  })();
  for (let tries = 0; tries < 50 && surface.alive > 0; tries++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    collect();
  }
  assert.equal(surface.alive, 0);
});
