// Goal: odd inputs are refused by name or mean what they say: none ends the engine, leaks a
// scheduler or is answered as another question.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LATEST_TIME } from '../../../js/src/io/clock.js';
import {
  Engine,
  toAnnotations,
  unschedulable,
  virtualClock,
  withDefaults,
} from '../../../js/src/index.js';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { ODD_NAMES } from '../support/properties.js';
import { startWasm } from '../support/real_engine.js';

const { engine, surface } = await startWasm();

/** @param {string} plugin */
function enabling(plugin) {
  return {
    ...{ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' },
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: plugin }] } } }],
  };
}

test('a body without a pod is rejected', () => {
  const scheduler = engine.createScheduler();
  const error = {
    ...{ name: 'InputError', code: 'FieldValueRequired', field: 'pod' },
    message:
      /^pod: a Pod is expected, which has one of apiVersion.*; this object has pod, maxSteps$/,
  };
  const question = { pod: makePod('p'), maxSteps: 5 };
  assert.throws(() => scheduler.evaluate(/** @type {any} */ (question)), error);
  assert.throws(() => scheduler.evaluate({}), { code: 'FieldValueRequired', message: /no field$/ });
  assert.equal(scheduler.evaluate({ spec: {} }).pod, 'default/pod');
  scheduler.dispose();
});

test('times that the engine cannot count to are refused by name, others are right', async () => {
  for (const startTime of [LATEST_TIME + 1, -LATEST_TIME - 1, Date.parse('9999-12-31T00:00:00Z')])
    assert.throws(() => engine.createScheduler({ startTime }), {
      ...{ name: 'ConfigurationError' },
      message: /^startTime: Invalid value: -?\d+: must be at most \d+ milliseconds from the epoch$/,
    });
  for (const startTime of [LATEST_TIME, -LATEST_TIME, 0]) {
    const scheduler = engine.createScheduler({ startTime });
    scheduler.apply([makeNode('n'), makePod('p')]);
    const [decision] = await scheduler.schedule();
    assert.equal(decision.at, new Date(startTime).toISOString().replace('Z', '000Z'));
    scheduler.dispose();
  }
  const clock = virtualClock();
  const scheduler = engine.createScheduler({ clock });
  clock.advanceTo(292e12);
  const error = { name: 'InputError', field: 'clock', code: 'FieldValueInvalid' };
  assert.throws(() => scheduler.apply(makeNode('n')), error);
  scheduler.dispose();
  assert.equal(engine.failure, null);
});

test('an end or a number of attempts that is none is refused by name', async () => {
  const scheduler = engine.createScheduler();
  scheduler.apply([makeNode('n', { cpu: '1' }), makePod('p'), makePod('large', { cpu: '9' })]);
  const refused = { name: 'InputError', code: 'FieldValueInvalid' };
  for (const bad of [NaN, new Date(NaN), '1970-01-01T00:01:00Z', null, 5n, {}]) {
    const until = /** @type {any} */ (bad);
    await assert.rejects(scheduler.schedule({ until }), { ...refused, field: 'until' });
    const perform = () => ({ status: 200 });
    await assert.rejects(scheduler.start({ perform, until }), { ...refused, field: 'until' });
  }
  for (const bad of [NaN, -1, 1.5, '3', null, 5n]) {
    const maxAttempts = /** @type {any} */ (bad);
    const error = { ...refused, field: 'maxAttempts' };
    await assert.rejects(scheduler.schedule({ maxAttempts }), error);
  }
  assert.deepEqual(await scheduler.schedule({ maxAttempts: 0 }), []);
  const decisions = await scheduler.schedule({ until: new Date(60_000), maxAttempts: Infinity });
  assert.equal(decisions[0].node, 'n');
  assert.equal((await scheduler.schedule({ until: Infinity, maxAttempts: 3 })).length, 3);
  scheduler.dispose();
});

test('limits that JSON does not have are refused by name', () => {
  for (const name of ['objectBytes', 'depth', 'batchBytes'])
    for (const bad of [NaN, Infinity, -Infinity])
      assert.throws(() => engine.createScheduler({ limits: { [name]: bad } }), {
        name: 'ConfigurationError',
        message: `limits.${name}: Invalid value: ${bad}: must be an integer`,
      });
});

test('objects that are each within the limit of a batch are applied, whatever their sizes', () => {
  for (const letter of ['a', '\u20ac']) {
    const sized = (/** @type {string} */ name, /** @type {number} */ share) => {
      const repeated = letter.repeat((share * 8_000) / Buffer.byteLength(letter));
      return makeNode(name, { spec: { repeated } });
    };
    const scheduler = engine.createScheduler({ limits: { batchBytes: 10_000 } });
    const shares = [0.1, 0.1, 0.9, 0.3, 0.3, 0.3, 0.01, 1, 1, 0.2, 2, 0.2];
    const errors = /** @type {any[]} */ ([]);
    const onError = (/** @type {any} */ error) => errors.push([error.code, error.index]);
    const nodes = shares.map((share, at) => sized(`n${at}`, share));
    assert.equal(scheduler.apply(nodes, { onError }).applied, shares.length - 1);
    assert.deepEqual(errors, [['TooLarge', 10]]);
    scheduler.dispose();
  }
});

test('an item whose metadata cannot be read does not stop the others', () => {
  const scheduler = engine.createScheduler();
  const broken = {
    kind: 'Pod',
    get metadata() {
      throw new Error('gone');
    },
  };
  const errors = /** @type {any[]} */ ([]);
  const items = /** @type {any[]} */ ([makeNode('a'), broken, { type: 'ADDED', object: broken }]);
  const onError = (/** @type {any} */ error) => errors.push([error.code, error.index]);
  const { applied } = scheduler.apply([...items, makeNode('b')], { onError });
  const unread = 'MalformedJson';
  assert.deepEqual(
    { applied, errors },
    {
      applied: 2,
      errors: [
        [unread, 1],
        [unread, 2],
      ],
    },
  );
  assert.throws(() => scheduler.evaluate(/** @type {any} */ (broken)), { code: unread });
  scheduler.dispose();
});

test('objects may be of any time', async () => {
  const scheduler = engine.createScheduler();
  const times = ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59Z'];
  scheduler.apply(makeNode('n', { cpu: '3' }));
  for (const [index, creationTimestamp] of times.entries())
    scheduler.apply(makePod(`p${index}`, { metadata: { creationTimestamp } }));
  scheduler.apply(makePod('vip', { cpu: '3', spec: { priority: 9 } }));
  const decisions = await scheduler.schedule();
  assert.ok(decisions.some(({ pod, node }) => pod === 'default/vip' && node === 'n'));
  scheduler.dispose();
});

test('a scheduler that a plugin disposes of is freed when the engine returns', async () => {
  for (const point of ['filter', 'preBind']) {
    /** @type {number[]} */
    const freed = [];
    const own = new Engine({
      ...surface,
      destroy(handle) {
        const answer = surface.destroy(handle);
        freed.push(answer);
        return answer;
      },
    });
    const plugin = { name: 'Ender', [point]: () => scheduler.dispose() };
    const scheduler = own.createScheduler({ configuration: enabling('Ender'), plugins: [plugin] });
    scheduler.apply([makeNode('n'), makePod('p')]);
    try {
      scheduler.run();
    } catch (error) {
      assert.equal(/** @type {Error} */ (error).name, 'DisposedError');
    }
    assert.deepEqual(freed, [0], point);
    assert.throws(() => scheduler.inspect(), { name: 'DisposedError' });
    assert.equal(own.failure, null);
  }
});

test('nodes, namespaces and kinds may have the names that every object knows', () => {
  for (const name of ODD_NAMES.filter((one) => !one.startsWith('_')).map((one) =>
    one.toLowerCase(),
  )) {
    const scheduler = engine.createScheduler();
    scheduler.apply([makeNode(name), makeNode('other', { cpu: '2' })]);
    scheduler.apply(makePod(name, { metadata: { namespace: name } }));
    const evaluation = scheduler.evaluate(`${name}/${name}`, { detail: 'table' });
    assert.equal(evaluation.node, name);
    const annotations = toAnnotations(evaluation);
    const finals = JSON.parse(
      annotations['kube-scheduler-simulator.sigs.k8s.io/finalscore-result'],
    );
    assert.deepEqual(Object.keys(finals).sort(), [name, 'other'].sort());
    scheduler.dispose();
  }
  assert.equal(/** @type {any} */ (Object).NodeResourcesFit, undefined);
});

test('limits beside an empty list of requests are requests', () => {
  const resources = { limits: { cpu: '3' }, requests: null };
  const pod = makePod('p', { spec: { containers: [{ name: 'c', resources }] } });
  assert.deepEqual(withDefaults(pod).spec.containers[0].resources.requests, { cpu: '3' });
  const scheduler = engine.createScheduler();
  scheduler.apply([makeNode('n', { cpu: '2' }), pod]);
  assert.equal(scheduler.evaluate('default/p').node, null);
  scheduler.dispose();
});

test('an empty name of a scheduler is that of the default one', async () => {
  for (const schedulerName of ['', null, undefined]) {
    const scheduler = engine.createScheduler();
    scheduler.apply([makeNode('n'), makePod('p', { spec: { schedulerName } })]);
    assert.equal((await scheduler.schedule())[0]?.node, 'n');
    scheduler.dispose();
  }
  const stored = storedPod('p', { spec: { schedulerName: 'default-scheduler' } });
  assert.equal(withDefaults(stored), stored);
});

test('bytes whose buffer was transferred are refused, and the engine goes on', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(makeNode('n')));
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  const scheduler = engine.createScheduler();
  const error = { name: 'InputError', code: 'FieldValueInvalid', message: /buffer.*transferred/ };
  assert.throws(() => scheduler.apply(bytes), error);
  assert.throws(() => scheduler.apply(bytes, { format: 'lines' }), error);
  assert.throws(() => engine.createScheduler({ configuration: bytes }), error);
  assert.equal(engine.failure, null);
  assert.equal(scheduler.apply(makeNode('n')).applied, 1);
  scheduler.dispose();
});

/** A text that was cut inside a character. */
const CUT = '\u{1F600}'.slice(0, 1);

for (const [name, plugin] of /** @type {[string, object][]} */ ([
  ['a status', { filter: () => unschedulable(`\\ud83d \\\\${CUT}`) }],
  [
    'an error',
    {
      preFilter: () => {
        throw new Error(`\\ud83d \\\\${CUT}`);
      },
    },
  ],
  ['a promise', { preBind: async () => unschedulable(`\\ud83d \\\\${CUT}`) }],
]))
  test(`half a character in ${name} of a plugin becomes U+FFFD`, async () => {
    const scheduler = engine.createScheduler({
      plugins: [{ name: 'Cutter', ...plugin }],
      configuration: enabling('Cutter'),
    });
    const records = scheduler.records({ kinds: ['Decision', 'BindingResult'] });
    scheduler.apply([makeNode('n'), makePod('p')]);
    await scheduler.schedule();
    scheduler.dispose();
    let said = '';
    for await (const { message = '' } of records) said += message;
    assert.match(said, /\\ud83d \\\\\ufffd/);
    assert.equal(engine.failure, null);
  });
