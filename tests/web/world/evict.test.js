import assert from 'node:assert/strict';
import { test } from 'node:test';

import { loadEngine } from '../../../js/src/index.js';
import { podsToEvict } from '../../../web/src/whatif/drains.js';
import { World } from '../../../web/src/world/world.js';
import { ARTIFACTS } from '../../support/targets.js';
import { node, pod } from './objects.js';

const engine = await loadEngine({ wasm: ARTIFACTS.module });

/** @param {import('node:test').TestContext} t @param {object[]} objects */
async function worldOf(t, objects) {
  const world = await World.open({
    engine,
    onError: (error) => assert.fail(/** @type {Error} */ (error)),
  });
  t.after(() => world.dispose());
  await world.do({ do: 'apply', objects });
  await world.do({ do: 'wait', for: 5000 });
  return world;
}

/** @param {World} world */
const podsOnA = ({ server: { store } }) =>
  podsToEvict(store.list('pods', { fieldSelector: 'spec.nodeName=a' }), store.list('daemonsets'));

/** @param {string} name @param {object} metadata @param {string} [nodeName] */
const placed = (name, metadata, nodeName = 'a') => {
  const plain = pod(name, '100m');
  return { ...plain, metadata: { name, ...metadata }, spec: { ...plain.spec, nodeName } };
};

test('a budget refuses evictions with a message; other pods are evicted', async (t) => {
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', namespace: 'default' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  };
  const web = { labels: { app: 'web' } };
  const world = await worldOf(t, [
    ...[node('a'), budget, placed('web-1', web), placed('web-2', web), placed('other', {})],
  ]);
  const pods = podsOnA(world);
  assert.deepEqual(pods, ['default/other', 'default/web-1', 'default/web-2']);
  const { errors } = await world.do({ do: 'evict', pods });
  assert.deepEqual(errors.map(String), [
    'StowageError: pod default/web-2: Cannot evict pod as it would violate ' +
      "the pod's disruption budget.",
  ]);
  assert.deepEqual(podsOnA(world), pods, 'kubectl evicts pods that are being deleted once more');
  await world.do({ do: 'wait', for: 60_000 });
  const left = world.server.store.list('pods').map(({ metadata }) => metadata.name);
  assert.deepEqual(left, ['web-2']);
  const { errors: unknown } = await world.do({ do: 'evict', pods: ['default/none'] });
  assert.match(String(unknown), /pod default\/none: pods "none" not found/);
});

/** @param {string} kind @param {string} [name] */
const ownedBy = (kind, name = 'o') => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: 'u', controller: true }],
});

const DAEMONS = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: pod('agent').spec },
  },
};

test('pods of DaemonSets, of the kubelet and of other nodes are not drained', async (t) => {
  const world = await worldOf(t, [
    ...[node('a'), node('b', '0'), DAEMONS, placed('daemon', ownedBy('DaemonSet', 'agent'))],
    placed('static', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    ...[placed('replica', ownedBy('ReplicaSet')), placed('elsewhere', {}, 'b')],
  ]);
  const own = podsOnA(world).filter((name) => !name.startsWith('default/agent-'));
  assert.deepEqual(own, ['default/replica']);
});

test('pods whose DaemonSet is gone and finished ones are drained, as kubectl does', async (t) => {
  const ended = { ...placed('ended', ownedBy('DaemonSet', 'agent')), status: { phase: 'Failed' } };
  const world = await worldOf(t, [
    ...[node('a'), DAEMONS, placed('daemon', ownedBy('DaemonSet', 'agent')), ended],
    placed('left', ownedBy('DaemonSet', 'gone')),
  ]);
  const own = podsOnA(world).filter((name) => !name.startsWith('default/agent-'));
  assert.deepEqual(own, ['default/ended', 'default/left']);
});
