// Goal: a log gives the same scheduler again, byte for byte, on every target. Method: runs with
// plugins, extenders, an API server's answers and bad input; what the engine says is compared.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Engine, unschedulable, virtualClock, wait } from '../../../js/src/index.js';
import { validate } from '../support/json_schema.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const part = (name) => ({ $defs: schema.$defs, ...schema.$defs[name] });

const head = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

/**
 * What the engine says in each turn, as bytes, and a way to change them.
 * @param {import('../../../js/src/engine/types.js').EngineSurface} surface
 * @param {(text: string) => string} [change] what leaves the size as it is
 */
function listenTo(surface, change = (text) => text) {
  const said = [];
  let changed = null;
  const run = (...values) => {
    const size = surface.run(...values);
    if (size < 0) return size;
    said.push(change(Buffer.from(surface.output().subarray(0, size)).toString('latin1')));
    changed = Buffer.from(said.at(-1), 'latin1');
    return size;
  };
  const output = () => {
    const bytes = changed ?? surface.output();
    changed = null;
    return bytes;
  };
  const bound = ['abi', 'input', 'create', 'destroy', 'apply', 'evaluate', 'inspect'];
  const others = bound.map((name) => [name, (...values) => surface[name](...values)]);
  return { said, engine: new Engine({ ...Object.fromEntries(others), run, output }) };
}

/** Runs of many kinds. @type {Record<string, (engine: any, log: any) => Promise<any>>} */
const RUNS = {
  async simulated(engine, log) {
    const scheduler = engine.createScheduler({ detail: 'nodes', events: true, moves: true, log });
    const example = new URL('../../../examples/small-cluster/cluster.json', import.meta.url);
    scheduler.apply(await readFile(example), { onError: () => {} });
    await scheduler.schedule({ until: 60_000 });
    scheduler.evaluate(makePod('asked'));
    scheduler.apply([makeNode('late', { cpu: '64' })]);
    await scheduler.schedule({ until: 120_000 });
    return scheduler;
  },
  async plugins(engine, log) {
    let asked = 0;
    const plugin = {
      name: 'Fickle',
      filter: () => ((asked += 1) % 3 === 0 ? unschedulable('not this time') : undefined),
      score: (_state, _pod, { name }) => (name.charCodeAt(0) + asked) % 100,
    };
    const gate = {
      name: 'Gate',
      create: (_args, { getWaitingPod }) => ({
        permit: () => wait(1000),
        preBind: async () => undefined,
        reserve(_state, { metadata }) {
          queueMicrotask(() => getWaitingPod(metadata.uid)?.allow('Gate'));
        },
      }),
    };
    const profiles = [
      { plugins: { multiPoint: { enabled: [{ name: 'Fickle' }, { name: 'Gate' }] } } },
    ];
    const configuration = { ...head, profiles };
    const scheduler = engine.createScheduler({ configuration, plugins: [plugin, gate], log });
    scheduler.apply(['a', 'b', 'c', 'd'].map((name) => makeNode(name)));
    scheduler.apply(['p', 'q', 'r', 's', 't'].map((name) => makePod(name)));
    await scheduler.schedule();
    scheduler.evaluate(makePod('asked'));
    scheduler.apply(makePod('u'));
    await scheduler.schedule({ until: 60_000 });
    return scheduler;
  },
  async reentrance(engine, log) {
    const others = [];
    const other = engine.createScheduler({ log: (line) => others.push(line) });
    const gold = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', value: 9 };
    const objects = [
      { ...gold, metadata: { name: 'gold' } },
      { ...makePod('x'), metadata: { generateName: 'many-' } },
    ];
    const attempts = [];
    const attempt = (call) => {
      try {
        attempts.push(call());
      } catch ({ name }) {
        attempts.push(name);
      }
    };
    const nosy = {
      name: 'Nosy',
      preFilter() {
        for (const one of [scheduler, other]) {
          attempt(() => one.run());
          attempt(() => one.apply(objects));
          attempt(() => one.evaluate(makePod('asked')));
        }
        attempt(() => engine.createScheduler({ log }));
      },
      filter: (_state, _pod, { name }) => (name === 'a' ? unschedulable('not here') : undefined),
    };
    const profiles = [{ plugins: { multiPoint: { enabled: [{ name: 'Nosy' }] } } }];
    const scheduler = engine.createScheduler({
      configuration: { ...head, profiles },
      plugins: [nosy],
      log,
    });
    scheduler.apply([makeNode('a'), makeNode('b'), makePod('p'), makePod('q')]);
    await scheduler.schedule();
    assert.deepEqual(attempts, Array(2 * 7).fill('EngineError'));
    assert.equal(others.length, 1, 'nothing but its header');
    other.dispose();
    return scheduler;
  },
  async extenders(engine, log) {
    const configured = { urlPrefix: 'http://r', filterVerb: 'f', nodeCacheCapable: true };
    const filter = async ({ NodeNames }) => ({ NodeNames: NodeNames.slice(-1) });
    const scheduler = engine.createScheduler({
      configuration: JSON.stringify({ ...head, extenders: [configured] }, null, 2),
      extenders: { 'http://r': { filter } },
      log,
    });
    scheduler.apply([makeNode('a'), makeNode('b'), makePod('p'), makePod('q')]);
    await scheduler.schedule();
    await scheduler.evaluateAsync(makePod('asked'));
    scheduler.apply(makePod('r'));
    await scheduler.schedule();
    return scheduler;
  },
  async host(engine, log) {
    const clock = virtualClock(Date.UTC(2026, 0, 1) + 0.25);
    const options = { events: true, moves: true, apiCallTimeout: 1000 };
    const scheduler = engine.createScheduler({ api: 'host', clock, ...options, log });
    scheduler.apply([makeNode('a', { cpu: '2' }), makePod('p'), makePod('big', { cpu: '9' })]);
    let calls = 0;
    await scheduler.start({
      until: clock.now() + 30_000,
      perform: async () => ((calls += 1) % 2 ? { status: 500 } : { status: 201, body: '{}' }),
    });
    return scheduler;
  },
};

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { surface } = await startEngine();

  for (const [name, run] of Object.entries(RUNS)) {
    test(`${target}: ${name}: the replay has the same output bytes`, async () => {
      const lines = [];
      const first = listenTo(surface);
      const scheduler = await run(first.engine, (line) => lines.push(line));
      assert.ok(first.said.join('').length > 500);
      const second = listenTo(surface);
      const told = [];
      const again = await second.engine.replay(lines, { onRecord: (record) => told.push(record) });
      assert.deepEqual(second.said, first.said);
      for (const record of told) assert.deepEqual(validate(schema, record), []);
      assert.equal(again.hash, scheduler.hash);
      assert.notEqual(again.hash, '0'.repeat(64));
      assert.deepEqual(again.inspect({ cache: true }), scheduler.inspect({ cache: true }));
      for (const line of lines.slice(1).map((text) => JSON.parse(text))) {
        assert.deepEqual(validate(part('LogLine'), line), []);
        assert.ok(Object.keys(line).every((field) => field in schema.$defs.LogLine.properties));
      }
      assert.deepEqual(validate(schema, JSON.parse(lines[0])), []);
      scheduler.dispose();
      again.dispose();
    });

    test(`${target}: ${name}: every line can be stood behind`, async () => {
      const lines = [];
      const { engine } = listenTo(surface);
      (await run(engine, (line) => lines.push(line))).dispose();
      const hashes = new Set();
      for (let until = 1; until <= lines.length; until += 1) {
        const scheduler = await engine.replay(lines, { until });
        hashes.add(scheduler.hash);
        scheduler.dispose();
      }
      const turns = lines.filter((line) => line.startsWith('{"seq"')).length;
      assert.equal(hashes.size, turns + 1);
    });
  }

  test(`${target}: every change of a turn’s output is detected`, async () => {
    const lines = [];
    const first = listenTo(surface);
    (await RUNS.host(first.engine, (line) => lines.push(line))).dispose();
    const runs = lines.flatMap((text, index) => (text.includes('"run":') ? [index + 1] : []));
    for (const [what, from, to] of [
      ['body of a call', '"kind":"Binding"', '"kind":"Pinding"'],
      ['call', '"verb":"patch"', '"verb":"match"'],
      ['BindingResult', '"result":"bindFailed"', '"result":"bondFailed"'],
      ['Event', '"type":"Warning"', '"type":"Darning"'],
      ['QueueMove', '"hint":"Queue"', '"hint":"Pueue"'],
      ['end of a turn', '"idle":true', '"idle":null'],
    ]) {
      const turn = first.said.findIndex((text) => text.includes(from));
      assert.ok(turn >= 0, what);
      const { engine } = listenTo(surface, (text) => text.replace(from, to));
      const error = { code: 'Diverged', line: runs[turn], seq: undefined };
      await assert.rejects(engine.replay(lines), error, what);
    }
  });

  test(`${target}: other answers of plugins are a divergence, none an end`, async () => {
    const lines = [];
    const { engine } = listenTo(surface);
    (await RUNS.plugins(engine, (line) => lines.push(line))).dispose();
    const at = lines.findIndex((line) => line.includes('not this time'));
    const { answers } = JSON.parse(lines[at]);
    const changed = answers.map(([digest, answer]) => [
      digest,
      answer.includes('not this time') ? '' : answer,
    ]);
    for (const wrong of [
      changed,
      answers.slice(1),
      answers.slice(0, -1),
      [...answers, ['0', '']],
    ]) {
      const line = `${JSON.stringify({ answers: wrong })}\n`;
      const log = [...lines.slice(0, at), line, ...lines.slice(at + 1)];
      await assert.rejects(engine.replay(log), { name: 'ReplayError', code: 'Diverged' });
    }
    await assert.rejects(engine.replay(lines.slice(0, at)), { code: 'LogTruncated', line: at });
    const cut = [...lines.slice(0, at), lines[at].slice(0, -9)];
    await assert.rejects(engine.replay(cut, { until: at }), { code: 'LogTruncated', line: at + 1 });
    (await engine.replay(cut, { until: at - 1 })).dispose();
    const standing = await engine.replay(lines);
    assert.equal(standing.evaluate(makePod('x')).result, 'error');
    assert.throws(() => standing.run(), { name: 'ReplayError', code: 'PluginsMissing' });
    assert.throws(() => standing.apply(makePod('x')), { code: 'PluginsMissing' });
    standing.dispose();
  });

  test(`${target}: with their code plugins answer what is asked after a replay`, async () => {
    const { engine } = listenTo(surface);
    const plugins = () => {
      let seen = 0;
      return [
        { name: 'Gate', preEnqueue: () => undefined },
        {
          name: 'Third',
          filter: (_state, _pod, { name }) =>
            name === 'a' ? unschedulable('a is not it') : undefined,
          reserve: () => void (seen += 1),
          score: (_state, _pod, { requested }) => seen * 10 + requested.pods,
        },
      ];
    };
    const enabled = plugins().map(({ name }) => ({ name }));
    const configuration = { ...head, profiles: [{ plugins: { multiPoint: { enabled } } }] };
    const lines = [];
    const log = (line) => lines.push(line);
    const scheduler = engine.createScheduler({ configuration, plugins: plugins(), log });
    scheduler.apply([...['a', 'b', 'c'].map((name) => makeNode(name)), makePod('p')]);
    await scheduler.schedule();
    const said = scheduler.evaluate(makePod('x'), { detail: 'nodes' });
    assert.deepEqual([said.rawScores.Third, said.filter[0].plugin], [[11, 10], 'Third']);
    const again = await engine.replay(lines, { plugins: plugins() });
    assert.deepEqual(again.evaluate(makePod('x'), { detail: 'nodes' }), said);
    assert.throws(() => again.run(), { code: 'PluginsMissing' });
    again.dispose();
    scheduler.dispose();
    const others = engine.replay(lines, { plugins: plugins().slice(1) });
    await assert.rejects(others, /the log has the plugins \[Gate, Third\], given are \[Third\]/);
  });
}

test('a log goes from one target to the other', async () => {
  const [from, to] = await Promise.all([TARGETS.native(), TARGETS.wasm()]);
  for (const run of Object.values(RUNS)) {
    const lines = [];
    const scheduler = await run(from.engine, (line) => lines.push(line));
    const again = await to.engine.replay(lines);
    assert.equal(again.hash, scheduler.hash);
    scheduler.dispose();
    again.dispose();
  }
});
