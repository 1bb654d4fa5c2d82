// Goal: a live cluster replaces the open scenario, which waits. Method: real HTTP without
// WebSockets, so that watches take turns.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { listen } from '../../../js/src/node.js';
import { Playground } from '../../../web/src/worker/playground.js';
import { ARTIFACTS } from '../../support/targets.js';
import { serverOf, ExpectedCache } from '../live/followed.js';
import { node, pod } from '../world/objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

const SCENARIO = JSON.stringify({
  apiVersion: 'stowage/v1',
  kind: 'Scenario',
  title: 'T',
  objects: [node('mine', '1'), pod('one')],
});

/** @param {import('node:test').TestContext} t @param {object[]} [pods] */
async function following(t, pods = [pod('big', '8')]) {
  const server = serverOf(t, [node('theirs'), ...pods]);
  const { url, close } = await listen(server.fetch, { port: 0 });
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(async () => {
    await playground.close();
    await close();
  });
  await playground.open(SCENARIO);
  const told = new ExpectedCache();
  const met = await playground.follow({ baseUrl: url }, (news) => told.take(news));
  await told.until(({ cluster }) => cluster.nodes.size === 1 && cluster.pods.size === pods.length);
  return { playground, server, told, met };
}

test('questions are about the cluster, and actions of a scenario are refused', async (t) => {
  const { playground, server, told, met } = await following(t);
  assert.equal(met.allowsChanges, false);
  assert.match((await playground.evaluate('default/big')).message ?? '', /Insufficient cpu/);
  const reference = { apiVersion: 'v1', kind: 'Node', name: 'theirs' };
  assert.match(await playground.object(reference), /name: theirs/);
  assert.equal(playground.inspect(), null);
  assert.throws(() => playground.next(), { code: 'LiveCluster' });
  assert.throws(() => playground.goTo(0), { code: 'LiveCluster' });
  server.store.load(node('more'));
  await told.until(({ cluster }) => cluster.nodes.has('more'));
});

test('a drain asks the cluster for its DaemonSets', async (t) => {
  const onNode = (/** @type {string} */ name, /** @type {string} */ set) => ({
    ...pod(name),
    metadata: {
      name,
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set, uid: 'u', controller: true },
      ],
    },
    spec: { ...pod(name).spec, nodeName: 'theirs' },
  });
  const pods = [onNode('agent-x', 'agent'), onNode('left', 'gone')];
  const { playground, server } = await following(t, pods);
  assert.deepEqual(await playground.podsToEvict('theirs'), ['default/agent-x', 'default/left']);
  server.store.load({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: pod('agent').spec },
    },
  });
  assert.deepEqual(await playground.podsToEvict('theirs'), ['default/left']);
});

test('returning to the scenario sends its full state', async (t) => {
  const { playground } = await following(t);
  const { cluster, rows, rowsFrom, errors } = await playground.unfollow();
  assert.deepEqual(
    [cluster.isWhole, cluster.nodes.map(({ name }) => name), rowsFrom, errors],
    [true, ['mine'], 0, []],
  );
  assert.equal(rows[0].text, 'apply Node mine, Pod one');
  assert.equal((await playground.do({ do: 'step' })).rows[0].text, 'scheduled on mine');
});

test('if there is no cluster, the open scenario stays open', async (t) => {
  const playground = new Playground({ engine, readFile: async () => [] });
  t.after(() => playground.close());
  await playground.open(SCENARIO);
  await assert.rejects(
    playground.follow({ baseUrl: 'http://127.0.0.1:1' }, () => {}),
    { name: 'ConnectionError' },
  );
  assert.ok(playground.inspect());
});
