// Goal: a log holds every input, and a replay of it is the same scheduler. Method: the native
// engine; logs are written, cut, and changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BatchError, Engine, EngineError, InputError, ReplayError } from '../../../js/src/index.js';
import { NativeSurface } from '../support/native_surface.js';
import { makeNode, makePod } from '../support/objects.js';

const { stowage: VERSION } = JSON.parse(new NativeSurface().abi());
const engine = () => new Engine(new NativeSurface());

/** A run with a bit of everything. */
async function record() {
  const lines = [];
  const log = (line) => lines.push(line);
  const scheduler = engine().createScheduler({ startTime: 7, seed: 3, log });
  const gold = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 9 };
  scheduler.apply([makeNode('a', { cpu: '2' }), { ...gold, metadata: { name: 'gold' } }]);
  scheduler.apply([makePod('p'), { ...makePod('x'), metadata: { generateName: 'many-' } }]);
  await scheduler.schedule();
  scheduler.evaluate(makePod('asked', { cpu: '9' }));
  scheduler.inspect();
  scheduler.apply(new TextEncoder().encode(JSON.stringify(makeNode('b'))));
  assert.throws(() => scheduler.apply('{"kind":'), BatchError);
  scheduler.apply(makePod('q'));
  await scheduler.schedule();
  return { scheduler, lines };
}

test('the log has a header and every input with its time', async () => {
  const { lines } = await record();
  assert.ok(lines.every((line) => line.endsWith('\n')));
  const [header, ...others] = lines.map((line) => JSON.parse(line));
  const { apiVersion, kind, stowage, kubernetesVersion, startTime, seed, limits } = header;
  assert.deepEqual(
    [apiVersion, kind, stowage, kubernetesVersion, startTime, seed, limits.depth],
    ['stowage/v1', 'Log', VERSION, 'v1.36', 7000, 3, 64],
  );
  assert.deepEqual(
    others.map((line) => Object.keys(line).join()),
    [
      'priorityClass,change',
      'now,apply,text',
      'named',
      'now,apply,text',
      'now,run',
      'seq,hash,output',
      'now,apply,text',
      'now,apply,text',
      'now,apply,text',
      'now,run',
      'seq,hash,output',
    ],
  );
  assert.equal(
    others.find(({ apply }) => apply === 'document').text,
    JSON.stringify(makeNode('b')),
  );
});

test('a replay decides the same, from every form of a log, and goes on', async () => {
  const { scheduler, lines } = await record();
  const text = lines.join('');
  const bytes = new TextEncoder().encode(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  };
  for (const log of [text, bytes, lines, pieces(), text.trimEnd()]) {
    const again = await engine().replay(log);
    assert.equal(again.hash, scheduler.hash);
    assert.deepEqual(again.inspect(), scheduler.inspect());
    again.dispose();
  }
  const again = await engine().replay(text);
  const next = () => [
    makePod('r', { spec: { priorityClassName: 'gold' } }),
    { ...makePod('x'), metadata: { generateName: 'many-' } },
  ];
  for (const one of [scheduler, again]) one.apply(next());
  const [expected, actual] = [await scheduler.schedule(), await again.schedule()];
  assert.equal(expected.length, 2);
  assert.deepEqual(actual, expected, 'classes, names and the clock are as they were');
});

test('until stops after a line, and onRecord gets every record', async () => {
  const { lines } = await record();
  const seen = [];
  const onRecord = (record) => seen.push(record.pod);
  const counts = [];
  for (const until of [1, 3, 6, 8, 12, 100]) {
    seen.length = 0;
    const scheduler = await engine().replay(lines, { until, onRecord });
    counts.push([until, scheduler.inspect().cache.nodes, seen.length]);
    scheduler.dispose();
  }
  assert.deepEqual(counts, [
    [1, 0, 0],
    [3, 1, 0],
    [6, 1, 4],
    [8, 2, 4],
    [12, 2, 6],
    [100, 2, 6],
  ]);
  for (const until of [0, 1.5, '3'])
    await assert.rejects(engine().replay(lines, { until }), InputError);
});

test('a log that is truncated or broken is replayed up to its last whole line', async () => {
  const { lines } = await record();
  const failing = async function* (count) {
    yield* lines.slice(0, count);
    throw new Error('the disk is gone');
  };
  for (let count = 1; count < lines.length; count += 1) {
    const whole = lines.slice(0, count);
    const cut = [...whole, lines[count].slice(0, -5)];
    const broken = [...whole, '[]\n', ...lines.slice(count)];
    for (const log of [cut, broken, failing(count)]) {
      const seen = [];
      const onRecord = (record) => seen.push(record.pod);
      const scheduler = await engine().replay(log, { until: count, onRecord });
      assert.equal(seen.length, count < 6 ? 0 : count < 11 ? 4 : 6);
      scheduler.dispose();
    }
    const line = count + 1;
    await assert.rejects(engine().replay(cut), { code: 'LogTruncated', line });
    await assert.rejects(engine().replay(broken), { code: 'LogMalformed', line });
    await assert.rejects(engine().replay(failing(count)), /the disk is gone/);
  }
});

test('bytes are decoded one piece at a time', async (t) => {
  const { scheduler, lines } = await record();
  const note = `${JSON.stringify({ named: 1, note: 'é'.repeat(3 << 20) })}\n`;
  const bytes = new TextEncoder().encode([lines[0], note, ...lines.slice(1)].join(''));
  assert.ok(bytes.length > 6 << 20);
  const decode = t.mock.method(TextDecoder.prototype, 'decode');
  for (const log of [bytes, [bytes]]) {
    const again = await engine().replay(log);
    assert.equal(again.hash, scheduler.hash);
    again.dispose();
  }
  const sizes = decode.mock.calls.map(({ arguments: [piece] }) => piece?.length ?? 0);
  assert.ok(Math.max(...sizes) <= 1 << 20);
});

test('a changed line is reported at the first hash that differs', async () => {
  const { lines } = await record();
  const changed = lines.map((line) => line.replace('\\"cpu\\":\\"2\\"', '\\"cpu\\":\\"1\\"'));
  assert.notDeepEqual(changed, lines);
  await assert.rejects(engine().replay(changed), (error) => {
    assert.ok(error instanceof ReplayError);
    const { hash } = JSON.parse(lines[6]);
    assert.deepEqual([error.code, error.line, error.seq, error.expected], ['Diverged', 6, 3, hash]);
    assert.match(error.actual, /^[0-9a-f]{64}$/);
    assert.notEqual(error.actual, hash);
    assert.match(error.message, /^line 6 of the log: the replay diverges, record 3: expected /);
    return true;
  });
  const withoutDecision = lines.filter((_, index) => index !== 6);
  await assert.rejects(engine().replay(withoutDecision), { code: 'Diverged', line: 6, seq: 3 });
  const withoutPods = lines.filter((_, index) => index !== 4);
  await assert.rejects(engine().replay(withoutPods), { code: 'Diverged', actual: undefined });
});

test('logs that cannot be read are typed errors with a line number', async () => {
  const { lines } = await record();
  const [header, ...others] = lines;
  const headed = (change) => [JSON.stringify({ ...JSON.parse(header), ...change }) + '\n'];
  const cases = [
    ['', 'LogMalformed', 1],
    ['nonsense\n', 'LogMalformed', 1],
    ['{"kind":"Pod"}\n', 'LogMalformed', 1],
    [headed({ apiVersion: 'stowage/v2' }), 'LogVersion', 1],
    [headed({ kubernetesVersion: 'v1.40' }), 'LogVersion', 1],
    [[header, '[]\n'], 'LogMalformed', 2],
    [[header, '{"what":1}\n'], 'LogMalformed', 2],
    [[header, '{"now":"then","run":1}\n'], 'LogMalformed', 2],
    [[header, '{"now":7000,"sing":1}\n'], 'LogMalformed', 2],
    [[header, others[0], others[1].slice(0, 40)], 'LogTruncated', 3],
    [[header, others[0], `${others[1].slice(0, 40)}\n`, others[2]], 'LogMalformed', 3],
  ];
  for (const [log, code, line] of cases) {
    const surface = new NativeSurface();
    await assert.rejects(new Engine(surface).replay(log), { name: 'ReplayError', code, line });
    assert.equal(surface.alive, 0, 'nothing is left behind');
  }
});

test('a replay of the log of a stopped engine stops it again', async () => {
  const lines = [];
  const scheduler = engine().createScheduler({ log: (line) => lines.push(line) });
  scheduler.apply([makeNode('a'), makePod('crash')]);
  assert.throws(() => scheduler.run(), EngineError);
  assert.equal(Object.keys(JSON.parse(lines.at(-1))).join(), 'now,run');
  await assert.rejects(engine().replay(lines), EngineError);
});

test('answers of calls are inputs, and bytes that are not UTF-8 are logged as base64', async () => {
  const lines = [];
  const scheduler = engine().createScheduler({
    api: 'host',
    startTime: 5,
    log: (line) => lines.push(line),
  });
  scheduler.apply([makeNode('a'), makePod('p')]);
  const [call] = scheduler.run().calls;
  scheduler.complete(call.id, { status: 201, body: new Uint8Array([255, 254]) });
  scheduler.run();
  assert.throws(() => scheduler.apply(new Uint8Array([34, 255, 34])), BatchError);
  assert.equal(JSON.parse(lines.at(-1)).base64, 'Iv8i');
  const kinds = [];
  const again = await engine().replay(lines, { onRecord: ({ kind }) => kinds.push(kind) });
  assert.deepEqual(kinds, ['Decision', 'Call', 'BindingResult', 'Call']);
  assert.equal(again.hash, scheduler.hash);
});

test('a replay reports open calls, and the caller completes them', async () => {
  const lines = [];
  const log = (line) => lines.push(line);
  const scheduler = engine().createScheduler({ api: 'host', startTime: 5, log });
  scheduler.apply([makeNode('a'), makePod('done'), makePod('open')]);
  const calls = scheduler.run().calls;
  scheduler.complete(calls[0].id, { status: 201 });
  scheduler.run();
  const seen = [];
  const again = await engine().replay(lines, { onRecord: (record) => seen.push(record) });
  const open = seen.filter(({ kind }) => kind === 'Call');
  assert.deepEqual(
    open.map(({ id, verb, pod }) => [id, verb, pod]),
    [
      [1, 'bind', 'default/done'],
      [2, 'bind', 'default/open'],
      [3, 'create', 'default/done'],
    ],
  );
  await again.start({ until: 10, perform: () => assert.fail('it was made before') });
  assert.equal(again.run().busy, true);
  for (const { id } of open) again.complete(id, { status: 201 });
  const { records, calls: events } = again.run();
  assert.deepEqual(
    records.map(({ kind, pod, result }) => [kind, pod, result]),
    [['BindingResult', 'default/open', 'bound']],
  );
  for (const { id } of events) again.complete(id, { status: 201 });
  assert.equal(again.run().busy, false);
});

test('a turn with equal decisions and other output diverges', async () => {
  const lines = [];
  const log = (line) => lines.push(line);
  const scheduler = engine().createScheduler({ api: 'host', startTime: 5, log });
  scheduler.apply([makeNode('a'), makePod('p')]);
  const [call] = scheduler.run().calls;
  scheduler.complete(call.id, { status: 201 });
  scheduler.run();
  const { output } = JSON.parse(lines.at(-1));
  assert.deepEqual(Object.keys(JSON.parse(lines.at(-1))), ['output']);
  (await engine().replay(lines)).dispose();

  const refused = lines.map((line) => line.replace('\\"status\\":201', '\\"status\\":500'));
  assert.notDeepEqual(refused, lines);
  await assert.rejects(engine().replay(refused), (error) => {
    assert.deepEqual([error.code, error.line, error.seq], ['Diverged', 6, undefined]);
    assert.equal(error.expected, output);
    assert.match(error.actual, /^[0-9a-f]{16}$/);
    assert.match(error.message, /^line 6 of the log: .* that is not a decision: expected the /);
    return true;
  });
  const ofOthers = [refused[0].replace(VERSION, '0.0.1'), ...refused.slice(1)];
  const older = refused
    .filter((line) => !line.startsWith('{"output"'))
    .map((line) => line.replace(/,"output":"\w+"/, ''));
  for (const one of [ofOthers, older]) {
    const again = await engine().replay(one);
    assert.equal(again.hash, scheduler.hash, 'decisions alone are compared');
  }
});

test('an error of the log stops the input that was not logged', () => {
  const scheduler = engine().createScheduler({
    log: (line) => {
      if (line.includes('"apply"')) throw new Error('disk full');
    },
  });
  assert.throws(() => scheduler.apply(makeNode('a')), /disk full/);
  assert.equal(scheduler.inspect().cache.nodes, 0);
});
