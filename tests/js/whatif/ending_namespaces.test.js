// Goal: in a namespace that is being deleted a future creates nothing, as an API server; what is
// there may still be changed. Method: each kind of change, in such a namespace and in an open one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drain, sweep, whatIf } from '../../../js/src/whatif.js';
import { makeNode } from '../support/objects.js';
import { startNative } from '../support/real_engine.js';
import { makeWorkload, owned, podOf } from '../support/workloads.js';

const { engine } = await startNative();
const FORBIDDEN = 'unable to create new content in namespace gone because it is being terminated';

/** @param {any} object */
const inGone = (object) => ({ ...object, metadata: { ...object.metadata, namespace: 'gone' } });
const namespaceIn = (/** @type {string} */ phase) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'gone', uid: 'n-gone' },
  status: { phase },
});

const web = inGone(owned(makeWorkload('StatefulSet', 'web', { spec: { replicas: 1 } })));
const agent = inGone(owned(makeWorkload('DaemonSet', 'agent')));
const claim = inGone({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'data', uid: 'c-data' },
  spec: { storageClassName: 'x' },
});

/**
 * @param {any[]} changes
 * @param {string} [phase] of the namespace
 */
async function ask(changes, phase = 'Terminating') {
  const objects = [
    makeNode('a'),
    makeNode('b'),
    namespaceIn(phase),
    web,
    claim,
    inGone(podOf('web-0', web, { node: 'a' })),
  ];
  return inCluster(objects, async (scheduler) => {
    const answer = await whatIf(scheduler, changes, { objects: [agent] });
    return answer.pods.map(({ pod, outcome }) => `${pod} ${outcome}`);
  });
}

/**
 * @template T
 * @param {object[]} objects
 * @param {(scheduler: any) => Promise<T>} use
 */
async function inCluster(objects, use) {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 2) });
  try {
    scheduler.apply(objects);
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

const apply = (/** @type {object} */ object) => ({ type: 'apply', object });
const { uid: _, ...bare } = podOf('bare', web).metadata;
const target = { kind: 'StatefulSet', namespace: 'gone', name: 'web' };
const REFUSED = {
  'a new pod': [apply(inGone({ ...podOf('bare', web), metadata: bare })), 'pods "bare"'],
  'a new workload': [apply(inGone(makeWorkload('Deployment', 'api'))), 'deployments.apps "api"'],
  'a new claim': [
    apply(inGone({ ...claim, metadata: { name: 'more' } })),
    'persistentvolumeclaims "more"',
  ],
  'the pods of a changed workload': [
    apply(inGone(makeWorkload('StatefulSet', 'web', { spec: { replicas: 2 } }))),
    'pods "web-0"',
  ],
  'more replicas': [{ type: 'scale', ...target, replicas: 2 }, 'pods "web-1"'],
  'pods with another request': [
    { type: 'setRequest', ...target, resource: 'cpu', value: '2' },
    'pods "web-0"',
  ],
};

for (const [name, [change, object]] of Object.entries(REFUSED))
  test(`${name} in a namespace that is being deleted`, async () => {
    const fewer = { type: 'cordon', node: 'b' };
    await assert.rejects(ask([fewer, change]), (/** @type {any} */ error) => {
      assert.equal(error.name, 'InputError');
      assert.deepEqual([error.code, error.field], ['Forbidden', 'changes[1]']);
      assert.equal(error.detail, `${object} is forbidden: ${FORBIDDEN}`);
      return true;
    });
    await ask([fewer, change], 'Active');
  });

test('what is there may be changed, and deleted', async () => {
  const labelled = {
    ...claim,
    metadata: { ...claim.metadata, uid: undefined, labels: { a: 'b' } },
  };
  assert.deepEqual(await ask([apply(labelled)]), []);
  assert.deepEqual(await ask([{ type: 'scale', ...target, replicas: 0 }]), ['gone/web-0 Ends']);
  assert.deepEqual(await ask([{ type: 'delete', ...target }]), ['gone/web-0 Ends']);
});

test('controllers create no pods there', async () => {
  const more = { type: 'addNodes', count: 1, like: 'a' };
  assert.deepEqual(await ask([more]), []);
  assert.deepEqual(await ask([more], 'Active'), ['gone/agent-a-1 Placed']);
  const lost = { type: 'removeNode', node: 'a' };
  assert.deepEqual(await ask([lost]), ['gone/web-0 Ends']);
  assert.deepEqual(await ask([lost], 'Active'), ['gone/web-0 Moves']);
});

test('a lost or drained node of such a namespace leaves no pod waiting', async () => {
  const objects = [makeNode('a'), web, inGone(podOf('web-0', web, { node: 'a' }))];
  const survived = (/** @type {string} */ phase) =>
    inCluster([namespaceIn(phase), ...objects], async (scheduler) => {
      const { failures } = await sweep(scheduler, 'nodes:1');
      const { isPlaced } = await drain(scheduler, ['a'], { objects: [web] });
      return [failures.length === 0, isPlaced];
    });
  assert.deepEqual(await survived('Active'), [false, false]);
  assert.deepEqual(await survived('Terminating'), [true, true]);
});
