import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { BatchError, DisposedError, InputError } from '../../../js/src/index.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod } from '../support/objects.js';
import { startWasm, TARGETS } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const cluster = [
  makeNode('a', { cpu: '2' }),
  makeNode('b', { cpu: '4' }),
  makeNode('c', { spec: { unschedulable: true } }),
];

/** @param {object} record @param {string[]} known */
function assertKnown(record, known) {
  assert.deepEqual(
    Object.keys(record).filter((field) => !known.includes(field)),
    [],
  );
}

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine, surface } = await startEngine();
  /** @param {object} [options] @param {...object} objects */
  const start = (options, ...objects) => {
    const scheduler = engine.createScheduler(options);
    scheduler.apply(objects);
    return scheduler;
  };

  test(`${target}: pods are placed, and refused in kube-scheduler's words`, async () => {
    const scheduler = start({}, ...cluster, makePod('p'), makePod('big', { cpu: '9' }));
    const [placed, refused] = await scheduler.schedule();
    assert.deepEqual([placed.pod, placed.result, placed.node], ['default/p', 'scheduled', 'b']);
    assert.equal(
      refused.message,
      '0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. ' +
        'no new claims to deallocate, preemption: ' +
        '0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    );
    scheduler.dispose();
  });

  test(`${target}: preemption evicts and tries once more`, async () => {
    const low = makePod('low', { cpu: '4', spec: { nodeName: 'b' } });
    const vip = makePod('vip', { cpu: '3', spec: { priority: 9 } });
    const scheduler = start({}, ...cluster, low, vip);
    const decisions = await scheduler.schedule();
    assert.deepEqual(
      decisions.map(({ pod, result, node }) => [pod, result, node]),
      [
        ['default/vip', 'unschedulable', null],
        ['default/vip', 'scheduled', 'b'],
      ],
    );
    assert.deepEqual(decisions[0].preemption.victims, ['default/low']);
    assert.equal(decisions[0].preemption.nominatedNode, 'b');
    scheduler.dispose();
  });

  test(`${target}: records and evaluations match the schema`, async () => {
    for (const detail of ['summary', 'nodes']) {
      const pods = [makePod('p'), makePod('big', { cpu: '9' })];
      const gated = makePod('gated', { spec: { schedulingGates: [{ name: 'g' }] } });
      const scheduler = start({ detail }, ...cluster, ...pods, gated);
      const decisions = await scheduler.schedule();
      assert.equal(decisions.length, 3);
      for (const decision of decisions) assert.deepEqual(validate(schema, decision), []);
      const known = Object.keys(schema.$defs.Decision.properties);
      const detailed = Object.keys(schema.$defs.nodeDetail.properties);
      for (const decision of decisions) assertKnown(decision, [...known, ...detailed]);
      scheduler.dispose();
    }
  });

  test(`${target}: the schema knows every record and every field of it`, async () => {
    const low = makePod('low', { cpu: '4', spec: { nodeName: 'b' } });
    const pods = [makePod('p'), makePod('big', { cpu: '9' }), low];
    const vip = makePod('vip', { cpu: '3', spec: { priority: 9 } });
    const gated = makePod('gated', { spec: { schedulingGates: [{ name: 'g' }] } });
    const kinds = new Set();
    for (const api of ['simulated', 'host']) {
      const options = { api, startTime: 0, events: true, moves: true, apiCallTimeout: 1000 };
      const scheduler = start(options, ...cluster, ...pods, vip, gated);
      const records = scheduler.records();
      const { calls } = scheduler.run();
      for (const { id } of calls) scheduler.complete(id, { status: 500, body: '{}' });
      scheduler.run();
      const inspections = [scheduler.inspect(), scheduler.inspect({ cache: true })];
      scheduler.dispose();
      for await (const record of records) {
        kinds.add(record.kind);
        assert.deepEqual(validate(schema, record), [], JSON.stringify(record));
        assertKnown(record, Object.keys(schema.$defs[record.kind].properties));
      }
      for (const inspection of inspections) {
        const rule = { $defs: schema.$defs, ...schema.$defs.Inspection };
        assert.deepEqual(validate(rule, inspection), []);
        assertKnown(inspection, Object.keys(rule.properties));
      }
    }
    assert.deepEqual([...kinds].sort(), [
      'BindingResult',
      'Call',
      'Completion',
      'Decision',
      'Event',
      'QueueMove',
    ]);
  });

  test(`${target}: options of time and of records`, async () => {
    const bad = [
      ['events', 1],
      ['moves', 'yes'],
      ['apiCallTimeout', -1],
      ['assumedPodExpiry', 0.5],
      ['podMaxInUnschedulablePodsDuration', Infinity],
      ['hostname', 5],
      ['log', 'file'],
    ];
    for (const [field, value] of bad)
      assert.throws(
        () => engine.createScheduler({ [field]: value }),
        (error) => error.code === 'InvalidConfiguration' && error.errors[0].field === field,
        field,
      );
    const [pod, big] = [makePod('p'), makePod('big', { cpu: '9' })];
    const scheduler = start(
      { startTime: 0, podMaxInUnschedulablePodsDuration: 60_000, events: true, hostname: 'here' },
      ...cluster,
      pod,
      big,
    );
    const decisions = await scheduler.schedule({ until: 120_000 });
    assert.deepEqual(
      decisions.map(({ pod: name, at }) => [name, at.slice(14, 19)]),
      [
        ['default/p', '00:00'],
        ['default/big', '00:00'],
        ['default/big', '01:30'],
      ],
    );
    scheduler.dispose();
  });

  test(`${target}: other tasks run between the deadlines of schedule, and may end it`, async () => {
    const scheduler = start({}, ...cluster, makePod('big', { cpu: '9' }));
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error('enough')));
    const until = 30 * 24 * 3_600_000;
    await assert.rejects(scheduler.schedule({ until, signal: stop.signal }), { message: 'enough' });
    assert.ok(Date.parse(scheduler.inspect().now) < until);
    scheduler.dispose();
  });

  test(`${target}: the schema knows every field of an evaluation`, () => {
    const gated = makePod('gated', { spec: { schedulingGates: [{ name: 'g' }] } });
    const low = makePod('low', { cpu: '4', spec: { nodeName: 'b' } });
    const vip = makePod('vip', { cpu: '3', spec: { priority: 9 } });
    const scheduler = start({}, ...cluster, low, gated);
    const { Evaluation, nodeDetail } = schema.$defs;
    const known = Object.keys({ ...Evaluation.properties, ...nodeDetail.properties });
    for (const detail of ['summary', 'nodes', 'table']) {
      const classify = detail === 'table';
      const everyNode = detail !== 'summary';
      const options = { detail, allPlugins: detail === 'table', everyNode, classify };
      for (const pod of ['default/low', 'default/gated', vip, makePod('big', { cpu: '9' })]) {
        const evaluation = scheduler.evaluate(pod, options);
        assert.deepEqual(validate(schema, evaluation), []);
        assertKnown(evaluation, known);
        assert.equal('table' in evaluation, detail === 'table');
        assert.equal('fits' in evaluation, classify);
      }
    }
    assert.equal(scheduler.evaluate('default/gated').plugin, 'SchedulingGates');
    scheduler.dispose();
  });

  test(`${target}: evaluate changes nothing`, async () => {
    const scheduler = start({}, ...cluster, makePod('p'));
    const before = scheduler.evaluate(makePod('q'));
    assert.equal(before.node, 'b');
    assert.deepEqual(scheduler.evaluate(makePod('q')), before);
    const [decision] = await scheduler.schedule();
    assert.equal(decision.node, 'b');
    assert.equal(scheduler.evaluate('default/p').node, 'b', 'asked as if it were not there');
    assert.throws(() => scheduler.evaluate('default/none'), InputError);
    scheduler.dispose();
  });

  test(`${target}: evaluate classifies whether and how a pod fits`, async () => {
    const scheduler = start({}, ...cluster, makePod('low', { cpu: '4', spec: { nodeName: 'b' } }));
    const ask = (/** @type {object} */ pod, /** @type {object} */ options = {}) =>
      scheduler.evaluate(pod, { classify: true, ...options }).fits;
    const vip = makePod('vip', { cpu: '3', spec: { priority: 9 } });
    assert.equal(ask(makePod('small', { cpu: '100m' })), 'Now');
    assert.equal(ask(vip), 'WithPreemption');
    assert.equal(ask(vip, { preemption: false }), 'NotNow');
    assert.equal(ask(makePod('p', { cpu: '3' })), 'NotNow');
    assert.equal(ask(makePod('p', { cpu: '9' })), 'Never');
    const { fits } = await scheduler.evaluateAsync('default/low', { classify: true });
    assert.equal(fits, 'Now', 'asked as if it were not there');
    assert.throws(() => ask(vip, { classify: 'yes' }), InputError);
    scheduler.dispose();
  });

  test(`${target}: scheduleOne`, async () => {
    const scheduler = start({}, ...cluster, makePod('p'), makePod('q'));
    assert.equal((await scheduler.scheduleOne('default/q')).node, 'b');
    await assert.rejects(scheduler.scheduleOne('default/none'), InputError);
    await assert.rejects(scheduler.scheduleOne('default/q'), InputError);
    scheduler.dispose();
  });

  test(`${target}: deletions and changes of objects without a uid find them again`, async () => {
    const scheduler = start({}, makeNode('a', { cpu: '1' }), makePod('p'));
    await scheduler.schedule();
    const next = makePod('q');
    scheduler.apply(next);
    assert.equal((await scheduler.schedule())[0].node, null);
    scheduler.apply({ type: 'DELETED', object: makePod('p') });
    assert.equal((await scheduler.schedule())[0].node, 'a');
    scheduler.dispose();
  });

  test(`${target}: bad input is a typed error, and everything else is applied`, () => {
    for (const [name, text, expected] of badLines()) {
      const scheduler = engine.createScheduler();
      const good = JSON.stringify(makeNode('good'));
      const bytes = Buffer.concat([Buffer.from(text), Buffer.from(`\n${good}\n`)]);
      assert.throws(
        () => scheduler.apply(bytes, { format: 'lines' }),
        (/** @type {any} */ error) => {
          assert.ok(error instanceof BatchError, name);
          const [first] = error.errors;
          const { name: objectName, ...fields } = expected;
          for (const [key, value] of Object.entries(fields))
            assert.equal(first[key], value, `${name}: ${key}`);
          if (objectName) assert.equal(first.objectName, objectName, name);
          assert.equal(error.result.applied, 1, name);
          return true;
        },
      );
      assert.equal(scheduler.inspect().cache.nodes, 1, name);
      scheduler.dispose();
    }
  });

  test(`${target}: a value that is not JSON is bad input, and the engine goes on's end`, () => {
    const scheduler = start({}, ...cluster);
    for (const nothing of [() => {}, { toJSON: () => undefined }]) {
      assert.throws(() => scheduler.inspect(nothing), InputError);
      assert.throws(() => scheduler.evaluate(nothing), InputError);
    }
    assert.equal(engine.failure, null);
    scheduler.dispose();
  });

  test(`${target}: the last of duplicate keys counts, unknown kinds are reported once`, () => {
    const scheduler = engine.createScheduler();
    const node = JSON.stringify(makeNode('x')).replace('"name":"x"', '"name":"y","name":"x"');
    assert.equal(scheduler.apply(node).applied, 1);
    assert.equal(scheduler.inspect({ node: 'x' }).name, 'x');
    const told = [];
    const onError = (error) => told.push([error.code, error.kind]);
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', uid: '1' } };
    for (const input of [map, JSON.stringify(makeList(map, map))])
      scheduler.apply(input, { onError });
    assert.deepEqual(told, [['UnknownKind', 'ConfigMap']]);
    scheduler.dispose();
  });

  test(`${target}: configurations that kube-scheduler would refuse`, () => {
    const head = {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
    };
    const score = (weight) => ({
      ...head,
      profiles: [{ plugins: { score: { enabled: [{ name: 'ImageLocality', weight }] } } }],
    });
    const twice = JSON.stringify({ ...head, parallelism: 1 }).replace('}', ',"parallelism":2}');
    const cases = [
      [{ configuration: { ...head, bogus: 1 } }, /unknown field "bogus"/],
      [{ configuration: '{"apiVersion":"x"}' }, /^Object 'Kind' is missing in /],
      [{ configuration: twice }, /duplicate field "parallelism"$/],
      [
        { configuration: { ...head, percentageOfNodesToScore: 101 } },
        /percentageOfNodesToScore: Invalid value: 101: not in valid range \[0-100\]/,
      ],
      [
        {
          configuration: {
            ...head,
            profiles: [{ plugins: { filter: { enabled: [{ name: 'Nope' }] } } }],
          },
        },
        /FilterPlugin "Nope" does not exist/,
      ],
      [
        { configuration: '{' },
        /^couldn't get version\/kind; json parse error: line 1 column 2: syntax error/,
      ],
      [
        { configuration: score(2147483648) },
        /\.enabled\[0\]\.weight: Invalid value: 2147483648: must be a 32-bit integer$/,
      ],
      [
        { configuration: score(-1) },
        /\.enabled\[0\]\.weight: Invalid value: -1: must be non-negative$/,
      ],
      [{ featureGates: { Nope: true } }, /^unrecognized feature gate: Nope$/],
      [{ tieBreak: 'dice' }, /^tieBreak: Unsupported value: "dice": supported values: "heap", /],
    ];
    for (const [options, message] of cases) {
      assert.throws(() => engine.createScheduler(options), {
        code: 'InvalidConfiguration',
        message,
      });
    }
  });

  test(`${target}: a stale handle is an answer`, () => {
    const scheduler = engine.createScheduler();
    scheduler.dispose();
    assert.throws(() => scheduler.run(), DisposedError);
    const size = new TextEncoder().encode('{}\n').length;
    surface.input(size).set(new TextEncoder().encode('{}\n'));
    const handle = surface.create(size, null);
    assert.ok(handle > 0);
    assert.equal(surface.destroy(handle), 0);
    assert.deepEqual(
      [surface.destroy(handle), surface.run(handle, 0, 1), surface.run(-5, 0, 1)],
      [-1, -1, -1],
    );
  });

  test(`${target}: equal inputs give equal bytes`, async () => {
    const text = await readFile(
      new URL('../../../examples/small-cluster/cluster.json', import.meta.url),
    );
    const outputs = [1, 2].map(() => {
      const scheduler = engine.createScheduler({ detail: 'nodes' });
      scheduler.apply(text, { onError: () => {} });
      const { records } = scheduler.run({ maxCycles: 1000 });
      scheduler.dispose();
      return JSON.stringify(records);
    });
    assert.equal(outputs[0], outputs[1]);
    assert.ok(outputs[0].length > 1000);
  });
}

test('a thousand schedulers come and go, and the memory stays', async () => {
  const { engine, memoryBytes } = await startWasm();
  const text = JSON.stringify(
    makeList(...Array.from({ length: 50 }, (_, index) => makeNode(`n${index}`))),
  );
  const live = () => {
    const scheduler = engine.createScheduler();
    scheduler.apply(text);
    scheduler.apply([makePod('p'), makePod('big', { cpu: '99' })]);
    assert.deepEqual(
      scheduler.run().records.map(({ kind }) => kind),
      ['Decision', 'BindingResult', 'Decision'],
    );
    scheduler.dispose();
  };
  for (let count = 0; count < 50; count++) live();
  const before = memoryBytes();
  for (let count = 0; count < 1000; count++) live();
  assert.equal(memoryBytes(), before);
});

/** One line each, and what its error says. @returns {[string, string | Buffer, object][]} */
function badLines() {
  const named = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'bad' };
  const bad = (change) => {
    const pod = makePod('bad', { metadata: { namespace: 'default', uid: 'u' } });
    change(pod);
    return JSON.stringify(pod);
  };
  const deep = `${'['.repeat(100)}${']'.repeat(100)}`;
  return [
    ['malformed JSON', '{"kind":', { code: 'MalformedJson' }],
    [
      'wrong type',
      bad((it) => (it.spec.priority = 'x')),
      { code: 'FieldValueTypeInvalid', field: 'spec.priority', ...named },
    ],
    [
      'quantity',
      bad((it) => (it.spec.containers[0].resources.requests.cpu = '1x')),
      {
        code: 'FieldValueInvalid',
        field: 'spec.containers[0].resources.requests[cpu]',
        ...named,
      },
    ],
    [
      'no name',
      bad((it) => delete it.metadata.name),
      { code: 'FieldValueRequired', field: 'metadata.name', kind: 'Pod' },
    ],
    [
      'no uid',
      bad((it) => delete it.metadata.uid),
      { code: 'FieldValueRequired', field: 'metadata.uid', ...named },
    ],
    [
      'too large',
      bad((it) => (it.metadata.annotations = { a: 'x'.repeat(4 << 20) })),
      { code: 'TooLarge' },
    ],
    [
      'too deep',
      bad((it) => (it.spec.deep = 0)).replace('"deep":0', `"deep":${deep}`),
      { code: 'TooDeep' },
    ],
    [
      'UTF-8',
      Buffer.from(
        bad((it) => (it.metadata.labels = { a: '\u00e9' })),
        'latin1',
      ),
      { code: 'InvalidUtf8' },
    ],
  ];
}
