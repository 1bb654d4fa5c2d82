// Goal: the page notices a worker that does not answer, and replaces it. Method: workers that are
// plain objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Connection } from '../../../web/src/page/connection.js';

const NEVER = new Promise(() => {});

/** Workers that answer every request before `usePlugins`, and none after it. */
async function connected() {
  /** @type {string[][]} */
  const asked = [];
  const ended = { count: 0 };
  const start = async () => {
    let isStuck = false;
    /** @type {string[]} */
    const own = [];
    asked.push(own);
    const playground = new Proxy(
      {},
      {
        get: (_, name) => async () => {
          if (name !== 'ping') own.push(String(name));
          isStuck ||= name === 'usePlugins';
          if (isStuck) await NEVER;
          if (name === 'evaluate') throw { name: 'InputError', message: 'no such pod' };
          return { name };
        },
      },
    );
    return { playground, end: () => void (ended.count += 1) };
  };
  const connection = await Connection.open(start, { patience: 5 });
  return { connection, playground: connection.playground, asked, ended };
}

/** @param {import('@preact/signals').ReadonlySignal<boolean>} signal */
const until = (signal) =>
  new Promise((resolve) => {
    const stop = signal.subscribe((value) => {
      if (value) queueMicrotask(() => resolve(stop()));
    });
  });

test('answers and errors come through', async () => {
  const { playground, asked } = await connected();
  assert.deepEqual(await playground.open('text'), { name: 'open' });
  await assert.rejects(playground.evaluate('default/none'), { message: 'no such pod' });
  assert.deepEqual(asked, [['open', 'evaluate']]);
});

test('a plugin that never answers is noticed, and removed with its worker', async () => {
  const { connection, playground, asked, ended } = await connected();
  await playground.open('text');
  await playground.next();
  await playground.inspect();
  await playground.do({ do: 'step' });
  const stuck = playground.usePlugins([{ source: 'for (;;);' }]);
  const later = playground.steps(5);
  await until(connection.isStuck);
  const refusals = [stuck, later].map((asking) => assert.rejects(asking, { name: 'WorkerEnded' }));
  const done = await connection.restart();
  await Promise.all(refusals);
  assert.deepEqual(
    done.map(({ name, args }) => [name, ...args]),
    [['open', 'text'], ['next'], ['do', { do: 'step' }]],
  );
  assert.equal(connection.isStuck.value, false);
  assert.equal(ended.count, 1);
  assert.deepEqual(await playground.open('text'), { name: 'open' });
  assert.deepEqual(asked[1], ['open']);
});

test('a restart repeats files that were opened, and nothing that was refused', async () => {
  /** @type {(() => object)[]} */
  const answers = [];
  const answer = async () => /** @type {() => object} */ (answers.shift())();
  const get = (/** @type {object} */ _, /** @type {string} */ name) =>
    name === 'ping' ? async () => {} : answer;
  const playground = new Proxy({}, { get });
  const connection = await Connection.open(async () => ({ playground, end() {} }));
  const ask = (/** @type {string} */ name, result = {}) => {
    answers.push(() => result);
    return Reflect.get(connection.playground, name)();
  };
  const refuse = async (/** @type {string} */ name) => {
    answers.push(() => {
      throw new Error('refused');
    });
    await assert.rejects(Reflect.get(connection.playground, name)(), { message: 'refused' });
  };
  const done = async () => (await connection.restart()).map(({ name }) => name);
  await ask('open');
  await ask('reconfigure');
  await ask('openFiles', { update: {} });
  await refuse('open');
  assert.deepEqual(await done(), ['open', 'reconfigure', 'openFiles']);
  await ask('open');
  await ask('do');
  await ask('openFiles', { opened: {} });
  await ask('do');
  await refuse('openFiles');
  assert.deepEqual(await done(), ['openFiles', 'do']);
});

test('the worker can ask the user for consent', async () => {
  /** @type {import('../../../web/src/page/connection.js').Ask[]} */
  const asks = [];
  const connection = await Connection.open(async (ask) => {
    asks.push(ask);
    return { playground: {}, end() {} };
  });
  const decided = asks[0](['export default []'], '');
  assert.deepEqual(connection.unagreed.value?.sources, ['export default []']);
  connection.unagreed.value?.decide(true);
  assert.equal(await decided, true);
  assert.equal(connection.unagreed.value, null);
});

test('the page shows why plugins do not run, until something else opens', async () => {
  /** @type {import('../../../web/src/page/connection.js').Ask[]} */
  const asks = [];
  const connection = await Connection.open(async (ask) => {
    asks.push(ask);
    return { playground: { open: async () => ({}), ping: async () => {} }, end() {} };
  });
  assert.equal(await asks[0]([], 'no plugin is run here'), false);
  assert.equal(connection.unagreed.value, null);
  assert.equal(connection.leftOutFor.value, 'no plugin is run here');
  await connection.playground.open('text');
  assert.equal(connection.leftOutFor.value, '');
});
