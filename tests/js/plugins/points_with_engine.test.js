// Goal: the extension points outside the scheduling cycle work on the real engine. Method: small
// plugins, and the records and queues of their pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import {
  PluginError,
  skip,
  systemClock,
  unschedulable,
  virtualClock,
  wait,
} from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

/** @typedef {import('../../../js/src/index.js').Plugin} Plugin */
/** @typedef {import('../../../js/src/index.js').PluginHandle} PluginHandle */
/** @typedef {import('../../../js/src/index.js').Scheduler} Scheduler */

/** @param {string[]} names */
function enabling(...names) {
  return {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: names.map((name) => ({ name })) } } }],
  };
}

/** Returns `kind pod result` of the decisions and bindings of a turn. @param {any[]} records */
function resultsOf(records) {
  return records
    .filter(({ kind }) => kind === 'Decision' || kind === 'BindingResult')
    .map(({ pod, result }) => `${pod.split('/')[1]} ${result}`);
}

for (const [target, startEngine] of Object.entries(TARGETS)) {
  const { engine } = await startEngine();

  /**
   * @param {object} methods of the plugin `P`, or a function that creates them from a handle
   * @param {{ options?: object, objects?: object[] }} [settings]
   */
  const start = (methods, { options = {}, objects = [makeNode('a'), makePod('p')] } = {}) => {
    const errors = /** @type {PluginError[]} */ ([]);
    /** @type {any} */
    let handle;
    const create = (/** @type {unknown} */ _args, /** @type {PluginHandle} */ given) => {
      handle = given;
      return /** @type {any} */ (methods);
    };
    const scheduler = engine.createScheduler({
      plugins: [{ name: 'P', create }],
      configuration: enabling('P'),
      onPluginError: (error) => errors.push(error),
      ...options,
    });
    scheduler.apply(objects);
    return { scheduler, errors, handle: /** @type {PluginHandle} */ (handle) };
  };
  /** @param {Scheduler} scheduler */
  const waitingIn = (scheduler) =>
    scheduler.inspect().waiting.map((/** @type {any} */ it) => it.uid);

  test(`${target}: preEnqueue holds a pod back until an event helps`, async () => {
    let isOpen = false;
    /** @type {any[]} */
    const asked = [];
    const { scheduler } = start({
      preEnqueue: () => (isOpen ? undefined : unschedulable('the gate is closed')),
      events: [
        {
          resource: 'Node',
          actionType: ['Add', 'UpdateNodeLabel'],
          queueingHint: (/** @type {any[]} */ ...[pod, before, after]) => {
            asked.push([pod.metadata.name, before?.metadata.name, after?.metadata.name]);
            isOpen = after.metadata.labels.gate === 'open';
            return isOpen ? 'Queue' : 'QueueSkip';
          },
        },
      ],
    });
    assert.deepEqual(resultsOf(scheduler.run().records), ['p gated']);
    scheduler.apply(makeNode('b'));
    assert.deepEqual(resultsOf(scheduler.run().records), []);
    scheduler.apply(makeNode('b', { labels: { gate: 'open' } }));
    assert.deepEqual(resultsOf(scheduler.run().records), ['p scheduled', 'p bound']);
    assert.deepEqual(asked, [
      ['p', undefined, 'b'],
      ['p', 'b', 'b'],
    ]);
    scheduler.dispose();
  });

  test(`${target}: a hint that throws lets the pod be tried`, async () => {
    let isOpen = false;
    const { scheduler, errors } = start({
      preEnqueue: () => (isOpen ? undefined : unschedulable('closed')),
      events: [
        {
          resource: 'Node',
          actionType: ['Add'],
          queueingHint: () => {
            throw new Error('lost');
          },
        },
      ],
    });
    scheduler.run();
    isOpen = true;
    scheduler.apply(makeNode('b'));
    assert.deepEqual(resultsOf(scheduler.run().records), ['p scheduled', 'p bound']);
    await Promise.resolve();
    assert.deepEqual(
      errors.map(({ point, pod }) => [point, pod]),
      [['queueingHint', 'default/p']],
    );
    scheduler.dispose();
  });

  test(`${target}: plugins get events of any kind, with the known part of the object`, async () => {
    /** @type {any[]} */
    const seen = [];
    const { scheduler } = start({
      preEnqueue: () => unschedulable('closed'),
      events: [
        {
          resource: 'foos.v1.example.com',
          actionType: ['All'],
          queueingHint: (/** @type {any[]} */ ...[, before, after]) => {
            seen.push([before?.metadata.labels, after]);
            return 'QueueSkip';
          },
        },
      ],
    });
    const foo = (/** @type {object} */ labels) => ({
      apiVersion: 'example.com/v1',
      kind: 'Foo',
      metadata: { name: 'f', namespace: 'x', uid: 'f1', labels },
      spec: { size: 3 },
    });
    scheduler.apply(foo({ a: '1' }));
    scheduler.apply(foo({ a: '2' }));
    scheduler.apply({ type: 'DELETED', object: foo({ a: '2' }) });
    assert.deepEqual(
      seen.map(([before, after]) => [before, after?.metadata.labels]),
      [
        [undefined, { a: '1' }],
        [{ a: '1' }, { a: '2' }],
        [{ a: '2' }, undefined],
      ],
    );
    const [[, { apiVersion, kind, metadata }]] = seen;
    assert.deepEqual(
      [apiVersion, kind, metadata.namespace, metadata.name, metadata.uid],
      ['example.com/v1', 'Foo', 'x', 'f', 'f1'],
    );
    scheduler.dispose();
  });

  test(`${target}: activate has a pod tried whatever it waits for`, async () => {
    let isOpen = false;
    const { scheduler, handle } = start({
      filter: () => (isOpen ? undefined : unschedulable('not now')),
      events: [],
    });
    assert.deepEqual(resultsOf(scheduler.run().records), ['p unschedulable']);
    isOpen = true;
    assert.deepEqual(await scheduler.schedule({ until: 60_000 }), []);
    handle.activate(['default/missing', 'default/p']);
    assert.deepEqual(resultsOf(scheduler.run().records), ['p scheduled', 'p bound']);
    scheduler.dispose();
  });

  test(`${target}: a pod waits in Permit with its node until it is allowed`, async () => {
    const { scheduler, handle } = start({ permit: () => wait(20_000) });
    const { records, busy, nextDeadline } = scheduler.run();
    assert.deepEqual(resultsOf(records), ['p scheduled']);
    assert.deepEqual([busy, nextDeadline], [true, 20_000]);
    const [uid] = waitingIn(scheduler);
    const waiting = handle.getWaitingPod(uid);
    assert.deepEqual([waiting?.pod, waiting?.plugins], ['default/p', ['P']]);
    assert.deepEqual(scheduler.inspect().assumed, ['default/p']);
    waiting?.allow('another plugin');
    assert.deepEqual(resultsOf(scheduler.run().records), []);
    waiting?.allow('P');
    assert.deepEqual(resultsOf(scheduler.run().records), ['p bound']);
    assert.equal(handle.getWaitingPod(uid), undefined);
    scheduler.dispose();
  });

  test(`${target}: rejected in Permit, by a plugin, by time, by deletion`, async () => {
    const cases =
      /** @type {[string, (s: Scheduler, w: any) => unknown, string | undefined][]} */ ([
        ['a plugin', (_scheduler, waiting) => waiting.reject('P', 'no seat'), 'no seat'],
        [
          'time',
          (scheduler) => scheduler.schedule({ until: 10_000 }),
          'rejected due to timeout after waiting 10s at plugin P',
        ],
        [
          'deletion',
          (scheduler) =>
            scheduler.apply({
              type: 'DELETED',
              object: scheduler.inspect({ pod: 'default/p' }) && {
                ...makePod('p'),
                metadata: { name: 'p', namespace: 'default', uid: waitingIn(scheduler)[0] },
              },
            }),
          'removed',
        ],
      ]);
    for (const [name, reject, why] of cases) {
      const log = /** @type {string[]} */ ([]);
      const { scheduler, handle } = start({
        events: [],
        permit: () => wait(10_000),
        reserve: () => void log.push('reserve'),
        unreserve: () => void log.push('unreserve'),
      });
      const records = scheduler.records({ kinds: ['BindingResult'] });
      scheduler.run();
      await reject(scheduler, handle.getWaitingPod(waitingIn(scheduler)[0]));
      scheduler.run();
      const { value } = await records.next();
      assert.deepEqual([value?.result, value?.phase], ['bindFailed', 'Permit'], name);
      assert.equal(value?.message, why, name);
      assert.deepEqual(log, ['reserve', 'unreserve'], name);
      assert.deepEqual(scheduler.inspect().assumed, [], name);
      scheduler.dispose();
    }
  });

  test(`${target}: the last of a group lets all of them go, from inside of permit`, async () => {
    const uids = /** @type {string[]} */ ([]);
    /** @type {any} */
    let handle;
    const methods = {
      permit: (/** @type {any} */ _state, /** @type {any} */ pod) => {
        uids.push(pod.metadata.uid);
        if (uids.length < 3) return wait();
        for (const uid of uids) handle.getWaitingPod(uid)?.allow('P');
        return undefined;
      },
    };
    const pods = ['x', 'y', 'z'].map((name) => makePod(name));
    const started = start(methods, { objects: [makeNode('a'), ...pods] });
    ({ handle } = started);
    assert.deepEqual(resultsOf(started.scheduler.run().records).sort(), [
      'x bound',
      'x scheduled',
      'y bound',
      'y scheduled',
      'z bound',
      'z scheduled',
    ]);
    started.scheduler.dispose();
  });

  test(`${target}: preBind may take its time, on a clock without waiting`, async () => {
    const clock = virtualClock(0);
    const log = /** @type {any[]} */ ([]);
    const { scheduler } = start(
      {
        preFilter: (/** @type {Map<any, any>} */ state) => void state.set('note', 'kept'),
        preBind: async (/** @type {any[]} */ ...[state, pod, nodeName]) => {
          log.push(['preBind', state.get('note'), pod.metadata.name, nodeName]);
          await clock.sleep(3000);
          state.set('note', 'changed');
        },
        postBind: (/** @type {any[]} */ ...[state]) =>
          void log.push(['postBind', state.get('note')]),
      },
      { options: { clock } },
    );
    const records = scheduler.records({ kinds: ['BindingResult'] });
    const [decision] = await scheduler.schedule();
    assert.equal(decision.at, '1970-01-01T00:00:00.000000Z');
    const { value } = await records.next();
    assert.deepEqual([value?.result, value?.at], ['bound', '1970-01-01T00:00:03.000000Z']);
    assert.deepEqual(log, [
      ['preBind', 'kept', 'p', 'a'],
      ['postBind', 'changed'],
    ]);
    scheduler.dispose();
  });

  test(`${target}: states of plugins that only bind go with their pods`, async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    const states = /** @type {WeakRef<any>[]} */ ([]);
    const pods = Array.from({ length: 50 }, (_, at) => makePod(`p${at}`, { cpu: '1m' }));
    const { scheduler } = start(
      { postBind: (/** @type {any} */ state) => void states.push(new WeakRef(state)) },
      { objects: [makeNode('a'), ...pods] },
    );
    assert.equal((await scheduler.schedule()).length, 50);
    scheduler.apply(makePod('last', { cpu: '1m' }));
    await scheduler.schedule();
    await setImmediate();
    collect();
    const alive = states.filter((state) => state.deref() !== undefined).length;
    assert.ok(alive < 5, `${alive} of ${states.length} states are alive`);
    scheduler.dispose();
  });

  test(`${target}: a preBind that answers at once needs no waiting`, () => {
    const { scheduler } = start({ preBind() {} });
    const { records, calls, busy } = scheduler.run();
    assert.deepEqual(resultsOf(records), ['p scheduled', 'p bound']);
    assert.deepEqual([calls, busy], [[], false]);
    scheduler.dispose();
  });

  test(`${target}: a plugin binds, or leaves it to the next`, async () => {
    const bound = /** @type {string[]} */ ([]);
    const configuration = enabling('P');
    Object.assign(configuration.profiles[0].plugins, {
      bind: {
        disabled: [{ name: '*' }],
        enabled: [{ name: 'P' }, { name: 'DefaultBinder' }],
      },
    });
    const { scheduler } = start(
      {
        bind: async (/** @type {any[]} */ ...[, pod, nodeName]) => {
          if (pod.metadata.name === 'theirs') return skip();
          bound.push(`${pod.metadata.name} ${nodeName}`);
          scheduler.apply({ type: 'MODIFIED', object: pod });
          return undefined;
        },
      },
      {
        options: { configuration },
        objects: [makeNode('a'), makePod('mine'), makePod('theirs')],
      },
    );
    const records = scheduler.records({ kinds: ['BindingResult'] });
    await scheduler.schedule();
    const results = [await records.next(), await records.next()].map(({ value }) => value);
    assert.deepEqual(resultsOf(results).sort(), ['mine bound', 'theirs bound']);
    assert.deepEqual(bound, ['mine a']);
    assert.deepEqual(scheduler.inspect().assumed, []);
    assert.equal(scheduler.inspect({ pod: 'default/mine' }).node, 'a');
    scheduler.dispose();
  });

  test(`${target}: a failed binding cycle undoes the placement, with its message`, async () => {
    const boom = () => {
      throw new Error('boom');
    };
    const said = (/** @type {string} */ point) =>
      `plugin "P" failed in ${point} for pod default/p: boom`;
    const cases = /** @type {[object, string, string, string][]} */ ([
      [{ preBind: boom }, 'PreBind', 'Error', `running PreBind plugin "P": ${said('preBind')}`],
      [
        { preBind: async () => boom() },
        'PreBind',
        'Error',
        `running PreBind plugin "P": ${said('preBind')}`,
      ],
      [{ preBind: () => unschedulable('no') }, 'PreBind', 'Unschedulable', 'no'],
      [{ bind: boom }, 'Bind', 'Error', `running Bind plugin "P": ${said('bind')}`],
    ]);
    for (const [methods, phase, code, message] of cases) {
      const log = /** @type {string[]} */ ([]);
      const configuration = enabling('P');
      if (phase === 'Bind')
        Object.assign(configuration.profiles[0].plugins, {
          bind: { disabled: [{ name: '*' }], enabled: [{ name: 'P' }] },
        });
      const { scheduler, errors } = start(
        { events: [], unreserve: () => void log.push('unreserve'), ...methods },
        { options: { configuration } },
      );
      const records = scheduler.records({ kinds: ['BindingResult'] });
      await scheduler.schedule();
      const { value } = await records.next();
      assert.deepEqual(
        [value?.result, value?.phase, value?.plugin, value?.code, value?.message],
        ['bindFailed', phase, code === 'Error' ? undefined : 'P', code, message],
      );
      assert.deepEqual(log, ['unreserve']);
      assert.equal(errors.length, code === 'Error' ? 1 : 0);
      scheduler.dispose();
    }
  });

  test(`${target}: faults in preEnqueue, permit and postBind`, async () => {
    const boom = () => {
      throw new Error('boom');
    };
    const gated = start({ preEnqueue: boom, events: [] });
    assert.deepEqual(resultsOf(gated.scheduler.run().records), ['p gated']);
    await Promise.resolve();
    assert.equal(gated.errors[0].point, 'preEnqueue');

    const permitted = start({ permit: boom, events: [] });
    const [decision] = permitted.scheduler.run().records;
    assert.equal(decision.result, 'error');
    assert.equal(
      decision.message,
      'running Permit plugin "P": plugin "P" failed in permit for pod default/p: boom',
    );

    const bound = start({ postBind: boom });
    assert.deepEqual(resultsOf(bound.scheduler.run().records), ['p scheduled', 'p bound']);
    await Promise.resolve();
    assert.equal(bound.errors[0].point, 'postBind');
    for (const { scheduler } of [gated, permitted, bound]) scheduler.dispose();
  });

  test(`${target}: a started scheduler handles plugins' requests between turns`, async () => {
    const stop = new AbortController();
    const { scheduler, handle } = start(
      { permit: () => wait(60_000), preBind: () => setImmediate() },
      { options: { clock: systemClock() } },
    );
    const records = scheduler.records({ kinds: ['Decision', 'BindingResult'] });
    const perform = async () => ({ status: 500 });
    const started = scheduler.start({ perform, signal: stop.signal });
    assert.equal((await records.next()).value?.result, 'scheduled');
    handle.getWaitingPod(waitingIn(scheduler)[0])?.allow('P');
    assert.equal((await records.next()).value?.result, 'bound');
    stop.abort();
    await started;
    scheduler.dispose();
  });

  test(`${target}: a replay needs the answers of plugins, not their code`, async () => {
    const lines = /** @type {string[]} */ ([]);
    let handle = /** @type {PluginHandle | undefined} */ (undefined);
    let isOpen = false;
    const { scheduler, ...rest } = start(
      {
        preEnqueue: (/** @type {any} */ pod) =>
          isOpen || pod.metadata.name === 'p' ? undefined : unschedulable('closed'),
        events: [{ resource: 'Node', actionType: ['Add'], queueingHint: () => 'Queue' }],
        permit: (/** @type {any} */ _state, /** @type {any} */ pod) => {
          handle?.activate(['default/q']);
          return pod.metadata.name === 'p' ? wait(5000) : undefined;
        },
        preBind: async () => {},
        postBind() {},
      },
      {
        options: { log: (/** @type {string} */ line) => lines.push(line) },
        objects: [makeNode('a'), makePod('p'), makePod('q')],
      },
    );
    ({ handle } = rest);
    await scheduler.schedule();
    isOpen = true;
    scheduler.apply(makeNode('b'));
    await scheduler.schedule();
    handle?.getWaitingPod(waitingIn(scheduler)[0])?.allow('P');
    await scheduler.schedule({ until: 10_000 });
    const records = /** @type {any[]} */ ([]);
    const again = await engine.replay(lines.join(''), { onRecord: (one) => records.push(one) });
    assert.equal(again.hash, scheduler.hash);
    assert.deepEqual(again.inspect(), scheduler.inspect());
    const kinds = ['q gated', 'p scheduled', 'q scheduled', 'q bound', 'p bound'];
    assert.deepEqual([...new Set(resultsOf(records))].sort(), kinds.sort());
    again.dispose();
    scheduler.dispose();
  });
}
