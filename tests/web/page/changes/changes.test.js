import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addTaint, drain, removeTaint, taintOf } from '../../../../web/src/page/changes/changes.js';
import { topWorkloads, workloadOfPod } from '../../../../web/src/page/changes/changes.js';

const NO_EXECUTE = { key: 'down', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' };

/**
 * A session that records the requests.
 * @param {object[]} taints of its node
 * @param {boolean} [isUnschedulable]
 */
function sessionOf(taints, isUnschedulable = false) {
  /** @type {any[]} */
  const done = [];
  const playground = {
    read: async () => ({ spec: { taints } }),
    podsToEvict: async () => ['default/web'],
    do: async (/** @type {object} */ action) => void done.push(action),
  };
  const session = {
    cluster: { value: { nodes: new Map([['a', { isUnschedulable }]]) } },
    do: (/** @type {object} */ action) => playground.do(action),
    ask: (/** @type {(p: object) => Promise<void>} */ work) => work(playground),
    show: async () => {},
  };
  return { session: /** @type {any} */ (session), done };
}

test('taints are added and removed, and others stay unchanged', async () => {
  const { session, done } = sessionOf([
    NO_EXECUTE,
    { key: 'gpu', value: 'a', effect: 'NoSchedule' },
  ]);
  await addTaint(session, 'a', { key: 'gpu', value: 'b', effect: 'NoSchedule' });
  await addTaint(session, 'a', { key: 'gpu', value: '', effect: 'NoExecute' });
  await removeTaint(session, 'a', taintOf('gpu=a:NoSchedule'));
  await removeTaint(sessionOf([]).session, 'a', taintOf('gpu:NoSchedule'));
  const [replaced, added, removed] = done.map(({ patch }) => patch.spec.taints);
  assert.deepEqual(replaced, [NO_EXECUTE, { key: 'gpu', value: 'b', effect: 'NoSchedule' }]);
  assert.deepEqual(added.at(-1), { key: 'gpu', effect: 'NoExecute' });
  assert.deepEqual(removed, [NO_EXECUTE]);
});

test('removing the last taint removes the list', async () => {
  const { session, done } = sessionOf([{ key: 'gpu', effect: 'NoSchedule' }]);
  await removeTaint(session, 'a', taintOf('gpu:NoSchedule'));
  assert.deepEqual(done[0].patch, { spec: { taints: null } });
});

test('a drain cordons first, if it is asked to', async () => {
  const ready = sessionOf([]);
  await drain(ready.session, 'a');
  const evict = { do: 'evict', pods: ['default/web'] };
  assert.deepEqual(ready.done[0].patch, { spec: { unschedulable: true } });
  assert.deepEqual(ready.done[1], evict);
  const cordoned = sessionOf([], true);
  await drain(cordoned.session, 'a');
  assert.deepEqual(cordoned.done, [evict]);
});

test('a pod is scaled by its Deployment, which is the only one listed', () => {
  const row = (/** @type {string} */ kind, /** @type {string} */ name, owner = '') => [
    `${kind}/shop/${name}`,
    /** @type {any} */ ({ key: `${kind}/shop/${name}`, namespace: 'shop', kind, name, owner }),
  ];
  const workloads = new Map(
    /** @type {[string, any][]} */ ([
      row('ReplicaSet', 'web-1', 'Deployment/web'),
      row('ReplicaSet', 'old', 'Deployment/gone'),
      row('Deployment', 'web'),
    ]),
  );
  const ownerOf = (/** @type {string} */ workload) =>
    workloadOfPod(workloads, { key: 'shop/pod', workload })?.key;
  assert.equal(ownerOf('ReplicaSet/web-1'), 'Deployment/shop/web');
  assert.equal(ownerOf('ReplicaSet/old'), 'ReplicaSet/shop/old');
  assert.equal(ownerOf('Job/none'), undefined);
  assert.deepEqual(
    topWorkloads(workloads).map(({ key }) => key),
    ['Deployment/shop/web', 'ReplicaSet/shop/old'],
  );
});
