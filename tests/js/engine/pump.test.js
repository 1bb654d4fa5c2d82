// Goal: a started scheduler lives with an API server that is late, silent or wrong. Method: the
// real engine in host mode, an API of promises, a virtual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtualClock, withDefaults } from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const OK = { status: 200, body: '{}' };
const START = Date.UTC(2026, 2, 1);

/**
 * The API server as far as the scheduler needs it: bindings come back as watch events.
 * @param {any} scheduler
 * @param {(call: any) => any} [disturb] an answer in place of the usual one
 */
function makeApi(scheduler, disturb = () => undefined) {
  const calls = [];
  const stored = new Map();
  const put = (object) => {
    stored.set(`${object.metadata.namespace}/${object.metadata.name}`, object);
    scheduler.apply({ type: 'MODIFIED', object });
  };
  const perform = async (call) => {
    calls.push(`${call.verb} ${call.path.split('/').slice(-2).join('/')}`);
    const other = await disturb(call);
    if (other) return other;
    const body = JSON.parse(new TextDecoder().decode(call.body));
    if (call.verb !== 'bind') return OK;
    const pod = stored.get(call.pod);
    put({ ...pod, spec: { ...pod.spec, nodeName: body.target.name } });
    return { status: 201, body: '{}' };
  };
  return { calls, perform, put };
}

const pod = (name, options) => withDefaults(makePod(name, options));

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();
  /** @param {object} [options] */
  const prepare = (options) => {
    const clock = virtualClock(START);
    const scheduler = engine.createScheduler({ api: 'host', clock, ...options });
    const records = [];
    (async () => {
      for await (const record of scheduler.records()) records.push(record);
    })();
    const of = (kind) => records.filter((record) => record.kind === kind);
    scheduler.apply(makeNode('a', { cpu: '2' }));
    return { scheduler, clock, of };
  };

  test(`${target}: pods are bound, and the watch confirms them`, async () => {
    const { scheduler, of } = prepare();
    const api = makeApi(scheduler);
    api.put(pod('p'));
    api.put(pod('q'));
    await scheduler.start({ perform: api.perform, until: START + 1000 });
    await null;
    assert.deepEqual(
      of('BindingResult').map(({ result, node }) => [result, node]),
      [
        ['bound', 'a'],
        ['bound', 'a'],
      ],
    );
    assert.deepEqual(scheduler.inspect({ cache: true }).cache, {
      nodes: { a: ['default/p', 'default/q'] },
      ghostNodes: {},
    });
    assert.deepEqual(scheduler.inspect().assumed, []);
    assert.ok(api.calls.includes('bind p/binding'));
    scheduler.dispose();
  });

  test(`${target}: an API server that fails, is silent or talks nonsense`, async () => {
    const cases = [
      [() => ({ status: 500, body: 'out of order' }), /an error on the server \("out of order"\)/],
      [() => ({ status: 409 }), /the server reported a conflict|already exists/i],
      [() => Promise.reject(new Error('no route to host')), /no route to host/],
      [() => new Promise(() => {}), /context deadline exceeded/],
      [() => ({ body: 'no status' }), /no answer/],
    ];
    for (const [answer, message] of cases) {
      const { scheduler, clock, of } = prepare({ apiCallTimeout: 20 });
      let binds = 0;
      const api = makeApi(scheduler, ({ verb }) =>
        verb === 'bind' && (binds += 1) === 1 ? answer() : undefined,
      );
      api.put(pod('p'));
      await scheduler.start({ perform: api.perform, until: START + 20_000 });
      await null;
      const [failed, bound] = of('BindingResult');
      assert.deepEqual(
        [failed.result, failed.phase, bound?.result],
        ['bindFailed', 'Bind', 'bound'],
      );
      assert.match(failed.message, message);
      const [first, second] = of('Decision');
      const waited = Date.parse(second.at) - Date.parse(first.at);
      assert.ok(waited >= 1000 && waited <= 2000, `the first backoff, in virtual time: ${waited}`);
      assert.ok(clock.now() <= START + 20_000);
      scheduler.dispose();
    }
  });

  test(`${target}: an unschedulable pod waits for a cause, then for its backoff`, async () => {
    const { scheduler, of } = prepare({ moves: true });
    const api = makeApi(scheduler);
    api.put(pod('big', { cpu: '3' }));
    const stop = new AbortController();
    const done = scheduler.start({
      signal: stop.signal,
      until: START + 60_000,
      perform: async (call) => {
        if (call.verb === 'patch') scheduler.apply(makeNode('b', { cpu: '4' }));
        return api.perform(call);
      },
    });
    await done;
    await null;
    assert.deepEqual(
      of('Decision').map(({ result, node }) => [result, node]),
      [
        ['unschedulable', null],
        ['scheduled', 'b'],
      ],
    );
    const move = of('QueueMove').find(({ event }) => event === 'NodeAdd');
    assert.deepEqual([move.from, move.to, move.hint], ['unschedulable', 'backoff', 'Queue']);
    scheduler.dispose();
  });
}
