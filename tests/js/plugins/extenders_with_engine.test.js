import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { WaitError } from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const program = fileURLToPath(new URL('../../support/extender_server.js', import.meta.url));
/** @type {import('node:child_process').ChildProcess} */
let extender;
let base = '';

before(async () => {
  extender = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(/** @type {any} */ (extender.stdout), 'data');
  base = `http://127.0.0.1:${String(port).trim()}`;
});
after(() => extender.kill());

/** @param {...object} extenders */
function withExtenders(...extenders) {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    extenders,
  };
}

const cluster = [makeNode('n1-busy'), makeNode('n2-broken'), makeNode('n3'), makeNode('n4')];

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();
  /** @param {object} configuration @param {object} [options] @param {object[]} [objects] */
  const start = (configuration, options = {}, objects = [...cluster, makePod('p')]) => {
    const scheduler = engine.createScheduler({ configuration, ...options });
    scheduler.apply(objects);
    return scheduler;
  };

  for (const nodeCacheCapable of [true, false]) {
    const form = nodeCacheCapable ? 'by name' : 'by object';

    test(`${target}: a process filters and scores, ${form}`, async () => {
      const scheduler = start(
        withExtenders({
          urlPrefix: `${base}/`,
          filterVerb: 'filter',
          prioritizeVerb: 'prioritize',
          weight: 5,
          nodeCacheCapable,
        }),
        { detail: 'nodes' },
      );
      const [decision] = await scheduler.schedule();
      assert.equal(decision.node, 'n4');
      assert.deepEqual(decision.feasible, ['n3', 'n4']);
      assert.deepEqual(decision.rawScores?.[`${base}/`], [3, 4]);
      assert.deepEqual(decision.scores?.[`${base}/`], [150, 200]);
      assert.deepEqual(
        decision.filter?.map(({ code, reasons, nodes }) => [code, reasons, nodes]),
        [
          ['Unschedulable', ['node(s) were busy'], ['n1-busy']],
          ['UnschedulableAndUnresolvable', ['node(s) were broken'], ['n2-broken']],
        ],
      );
      scheduler.dispose();
    });

    test(`${target}: a process has a say in preemption, ${form}`, async () => {
      const low = (/** @type {string} */ node) =>
        makePod(`low-${node}`, { cpu: '4', spec: { nodeName: node } });
      const scheduler = start(
        withExtenders({ urlPrefix: base, preemptVerb: 'preempt', nodeCacheCapable }),
        {},
        [
          makeNode('a'),
          makeNode('b'),
          low('b'),
          low('a'),
          makePod('vip', { cpu: '2', spec: { priority: 9 } }),
        ],
      );
      const [first, second] = await scheduler.schedule();
      assert.deepEqual(first.preemption?.victims, ['default/low-a']);
      assert.equal(second.node, 'a');
      scheduler.dispose();
    });
  }

  test(`${target}: faults of in-process extenders have the reference's messages`, async () => {
    const timeout = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
    const cases = [
      ['slow', (/** @type {string} */ url) => `Post "${url}": ${timeout}`],
      ['drip', (/** @type {string} */ url) => `Post "${url}": ${timeout}`],
      [
        'fail',
        (/** @type {string} */ url) => `failed filter with extender at URL ${url}, code 500`,
      ],
      ['garbage', () => /JSON|unexpected|'<'/],
      ['hangup', (/** @type {string} */ url) => new RegExp(`^Post "${url}": .+`)],
    ];
    for (const [path, want] of /** @type {[string, Function][]} */ (cases)) {
      const prefix = `${base}/${path}`;
      const configured = { urlPrefix: prefix, filterVerb: 'filter', httpTimeout: '150ms' };
      const strict = start(withExtenders(configured));
      const [failed] = await strict.schedule();
      assert.equal(failed.result, 'error', path);
      const expected = want(`${prefix}/filter`);
      if (expected instanceof RegExp) assert.match(failed.message ?? '', expected);
      else assert.equal(failed.message, expected);
      strict.dispose();

      const lenient = start(withExtenders({ ...configured, ignorable: true }));
      const [placed] = await lenient.schedule();
      assert.equal(placed.result, 'scheduled', path);
      lenient.dispose();
    }
  });

  test(`${target}: no server there`, async () => {
    const scheduler = start(
      withExtenders({ urlPrefix: 'http://127.0.0.1:1', filterVerb: 'filter' }),
    );
    const [decision] = await scheduler.schedule();
    assert.match(
      decision.message ?? '',
      /^Post "http:\/\/127.0.0.1:1\/filter": .*(REFUSED|bad port)/,
    );
    scheduler.dispose();
  });

  test(`${target}: the extenders' scores may fail without harm`, async () => {
    const configured = { urlPrefix: `${base}/fail`, prioritizeVerb: 'prioritize', weight: 1 };
    const scheduler = start(withExtenders(configured));
    const [decision] = await scheduler.schedule();
    assert.equal(decision.result, 'scheduled');
    scheduler.dispose();
  });

  test(`${target}: an extender may be functions here, with or without promises`, async () => {
    const asked = [];
    const rules = {
      filter: (/** @type {any} */ args) => {
        asked.push(args.Pod.metadata.name);
        return { NodeNames: args.NodeNames.slice(1), FailedNodes: { [args.NodeNames[0]]: 'no' } };
      },
      prioritize: async (/** @type {any} */ { NodeNames }) => [{ Host: NodeNames[0], Score: 10 }],
    };
    const configuration = withExtenders({
      urlPrefix: 'http://rules.local',
      filterVerb: 'any/filter',
      prioritizeVerb: 'any/score',
      weight: 100,
      nodeCacheCapable: true,
    });
    const scheduler = start(configuration, { extenders: { 'http://rules.local/': rules } });
    assert.throws(() => scheduler.evaluate('default/p'), WaitError);
    const evaluation = await scheduler.evaluateAsync('default/p');
    assert.equal(evaluation.node, evaluation.feasible?.[0]);
    assert.equal(evaluation.feasible?.length, 3);
    const [decision] = await scheduler.schedule();
    assert.equal(decision.node, evaluation.node);
    assert.deepEqual([...new Set(asked)], ['p']);
    scheduler.dispose();

    const { prioritize: _, ...onlyFilter } = rules;
    const synchronous = start(
      withExtenders({ urlPrefix: 'http://r', filterVerb: 'f', nodeCacheCapable: true }),
      { extenders: { 'http://r': onlyFilter } },
    );
    assert.equal(synchronous.evaluate('default/p').feasible?.length, 3);
    synchronous.dispose();

    const refusing = start(
      withExtenders({ urlPrefix: 'http://r', filterVerb: 'f', nodeCacheCapable: true }),
      { extenders: { 'http://r': { filter: () => ({ NodeNames: [] }) } } },
    );
    assert.equal(refusing.evaluate('default/p', { classify: true }).fits, 'NotNow');
    refusing.dispose();

    // A promise of another library or another page has only `then`.
    const later = ({ NodeNames } = /** @type {any} */ ({})) => ({
      then: (/** @type {Function} */ give) => give({ NodeNames: NodeNames.slice(1) }),
    });
    const waiting = start(
      withExtenders({ urlPrefix: 'http://r', filterVerb: 'f', nodeCacheCapable: true }),
      { extenders: { 'http://r': { filter: later } } },
    );
    assert.throws(() => waiting.evaluate('default/p'), WaitError);
    assert.equal((await waiting.evaluateAsync('default/p')).feasible?.length, 3);
    waiting.dispose();
  });

  test(`${target}: functions that throw, or never answer`, async () => {
    const configured = { urlPrefix: 'http://r', filterVerb: 'f', httpTimeout: '50ms' };
    const cases = [
      [
        () => {
          throw new Error('out of ideas');
        },
        'Post "http://r/f": out of ideas',
      ],
      [
        async () => {
          throw new Error('later');
        },
        'Post "http://r/f": later',
      ],
      [() => new Promise(() => {}), /^Post "http:\/\/r\/f": context deadline exceeded/],
    ];
    for (const [filter, want] of /** @type {[() => any, string | RegExp][]} */ (cases)) {
      const scheduler = start(withExtenders(configured), { extenders: { 'http://r': { filter } } });
      const [decision] = await scheduler.schedule();
      if (typeof want === 'string') assert.equal(decision.message, want);
      else assert.match(decision.message ?? '', want);
      scheduler.dispose();
    }
  });

  test(`${target}: an answer beyond all limits fails the cycle, not the scheduler`, async () => {
    const filter = () => ({ Error: 'x'.repeat(5000) });
    const scheduler = start(withExtenders({ urlPrefix: 'http://r', filterVerb: 'f' }), {
      extenders: { 'http://r': { filter } },
      limits: { batchBytes: 4000 },
    });
    const [decision] = await scheduler.schedule();
    const { message = '' } = decision;
    assert.match(message, /^Post "http:\/\/r\/f": .*bytes, more than the limit of 4000$/);
    scheduler.dispose();
  });

  /** Returns the bindings. @param {object} configuration @param {object} options */
  const bindingsOf = async (configuration, options, ...names) => {
    const objects = [makeNode('n3'), ...names.map((name) => makePod(name))];
    const scheduler = start(configuration, options, objects);
    const records = scheduler.records({ kinds: ['BindingResult'] });
    await scheduler.schedule();
    scheduler.dispose();
    const results = [];
    for await (const { pod, result, message } of records) results.push({ pod, result, message });
    return results;
  };
  const bound = { pod: 'default/p', result: 'bound', message: undefined };

  test(`${target}: a process binds, or says why not`, async () => {
    const configured = { urlPrefix: base, bindVerb: 'bind' };
    // The answers may come in any order.
    const results = await bindingsOf(withExtenders(configured), {}, 'p', 'q-refused');
    const [placed, refused] = results.sort((one, other) => (one.pod < other.pod ? -1 : 1));
    assert.deepEqual(placed, bound);
    assert.equal(refused.result, 'bindFailed');
    assert.match(refused.message ?? '', /^no seat for default\/q-refused on n\d$/);

    const failing = { urlPrefix: `${base}/fail`, bindVerb: 'bind' };
    const [failed] = await bindingsOf(withExtenders(failing), {}, 'p');
    assert.deepEqual(
      [failed.result, failed.message],
      ['bindFailed', `failed bind with extender at URL ${base}/fail/bind, code 500`],
    );
    const ignorable = withExtenders({ ...failing, ignorable: true });
    assert.deepEqual(await bindingsOf(ignorable, {}, 'p'), [bound], 'DefaultBinder did it');
  });

  test(`${target}: functions bind, at once or later, or leave it to the Bind plugins`, async () => {
    const asked = /** @type {any[]} */ ([]);
    const cases = /** @type {[(args: any) => any, boolean, object][]} */ ([
      [() => undefined, false, bound],
      [async () => ({ Error: '' }), false, bound],
      [() => ({ Error: 'full' }), false, { ...bound, result: 'bindFailed', message: 'full' }],
      [() => ({ Error: 'full' }), true, bound],
      [
        async () => {
          throw new Error('lost');
        },
        false,
        { ...bound, result: 'bindFailed', message: 'Post "http://r/b": lost' },
      ],
    ]);
    for (const [answer, ignorable, want] of cases) {
      const bind = (/** @type {any} */ args) => {
        asked.push(args);
        return answer(args);
      };
      const configuration = withExtenders({ urlPrefix: 'http://r', bindVerb: 'b', ignorable });
      const results = await bindingsOf(configuration, { extenders: { 'http://r': { bind } } }, 'p');
      assert.deepEqual(results.slice(0, 1), [want]);
    }
    const [{ PodUID, ...args }] = asked;
    assert.deepEqual(args, { PodName: 'p', PodNamespace: 'default', Node: 'n3' });
    assert.match(PodUID, /^[0-9a-f-]{36}$/);
  });

  test(`${target}: calls can be performed by hand`, () => {
    const scheduler = start(withExtenders({ urlPrefix: 'http://r/', filterVerb: 'f' }), {
      startTime: 1000,
    });
    const { calls, records, idle, waiting, nextDeadline } = scheduler.run();
    assert.deepEqual([records, idle, waiting, nextDeadline], [[], true, true, 6000]);
    const [{ body, ...call }] = calls;
    assert.deepEqual(call, {
      id: 1,
      kind: 'extender',
      pod: 'default/p',
      target: 'http://r/',
      verb: 'filter',
      method: 'POST',
      url: 'http://r/f',
      contentType: 'application/json',
      timeoutMs: 5000,
      deadline: 6000,
    });
    const { Pod, Nodes } = JSON.parse(new TextDecoder().decode(body));
    assert.equal(Pod.spec.containers[0].image, 'app:v1', 'the whole pod');
    assert.deepEqual(
      Nodes.items.map((/** @type {any} */ node) => node.metadata.name),
      ['n1-busy', 'n2-broken', 'n3', 'n4'],
    );
    scheduler.complete(call.id, {
      status: 200,
      body: JSON.stringify({ Nodes: { items: [Nodes.items[2]] } }),
    });
    const [decision] = scheduler.run().records;
    assert.equal(decision.node, 'n3');
    scheduler.complete(call.id, { status: 200, body: '{}' });
    assert.throws(() => scheduler.complete(-1, { status: 200 }), { code: 'InputErrors' });
    scheduler.dispose();
  });

  test(`${target}: scheduleOne and maxAttempts count decisions, not calls`, async () => {
    const pass = { filter: (/** @type {any} */ { NodeNames }) => ({ NodeNames }) };
    const configuration = withExtenders({
      urlPrefix: 'http://r',
      filterVerb: 'f',
      nodeCacheCapable: true,
    });
    const pods = ['p', 'q', 'r', 's'].map((name) => makePod(name));
    const scheduler = start(configuration, { extenders: { 'http://r': pass } }, [
      ...cluster,
      ...pods,
    ]);
    assert.equal((await scheduler.scheduleOne('default/r')).pod, 'default/r');
    const names = (/** @type {any[]} */ decisions) => decisions.map(({ pod }) => pod);
    assert.deepEqual(names(await scheduler.schedule({ maxAttempts: 2 })), [
      'default/p',
      'default/q',
    ]);
    assert.deepEqual(names(await scheduler.schedule()), ['default/s']);
    scheduler.dispose();
  });

  test(`${target}: each caller gets its decision, also when another's turn made it`, async () => {
    const later = { filter: async (/** @type {any} */ { NodeNames }) => ({ NodeNames }) };
    const extender = { urlPrefix: 'http://r', filterVerb: 'f', nodeCacheCapable: true };
    const pods = ['p', 'q', 'r', 's', 't'].map((name) => makePod(name));
    const scheduler = start(withExtenders(extender), { extenders: { 'http://r': later } }, [
      ...cluster,
      ...pods,
    ]);
    const asked = ['q', 's', 'r', 'q', 'none'].map(async (name) => {
      try {
        const { pod, result } = await scheduler.scheduleOne(`default/${name}`);
        return [pod, result];
      } catch (error) {
        return /** @type {Error} */ (error).message;
      }
    });
    assert.deepEqual(await Promise.all(asked), [
      ['default/q', 'scheduled'],
      ['default/s', 'scheduled'],
      ['default/r', 'scheduled'],
      ['default/q', 'skipped'],
      'Pod default/none: pod: Not found',
    ]);
    const names = (/** @type {any[]} */ decisions) => decisions.map(({ pod }) => pod);
    scheduler.apply(['u', 'v'].map((name) => makePod(name)));
    const [one, some, all] = await Promise.all([
      scheduler.scheduleOne('default/u'),
      scheduler.schedule({ maxAttempts: 2 }),
      scheduler.schedule(),
    ]);
    assert.equal(one.pod, 'default/u');
    assert.deepEqual(names(some), ['default/u', 'default/p']);
    assert.deepEqual(names(all), ['default/u', 'default/p', 'default/t', 'default/v']);
    scheduler.dispose();
  });

  test(`${target}: nodes that an extender sent are scored empty, by a switch`, async () => {
    const whole = { filter: (/** @type {any} */ { Nodes }) => ({ Nodes }) };
    const configuration = withExtenders({ urlPrefix: 'http://r', filterVerb: 'f' });
    const objects = [
      makeNode('a'),
      makeNode('b'),
      makePod('o', { cpu: '3', spec: { nodeName: 'a' } }),
      makePod('p'),
    ];
    const scoresOf = async (/** @type {object} */ options) => {
      const scheduler = start(
        configuration,
        { detail: 'nodes', extenders: { 'http://r': whole }, ...options },
        objects,
      );
      const [decision] = await scheduler.schedule();
      scheduler.dispose();
      return decision.rawScores?.NodeResourcesFit;
    };
    const [a, b] = (await scoresOf({})) ?? [];
    assert.equal(a, b, 'as in v1.36');
    const [full, empty] = (await scoresOf({ quirks: { extenderNodesWithoutPods: false } })) ?? [];
    assert.ok(full < empty);
    assert.throws(() => start(configuration, { quirks: { unheardOf: true } }), {
      code: 'InvalidConfiguration',
      message: /unheardOf/,
    });
  });
}
