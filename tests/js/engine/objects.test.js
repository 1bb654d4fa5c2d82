// Goal: an object that went in can be taken out, and a pod off its node. Method: what the engine
// says of its cluster, and where it places pods afterwards.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createScheduler, InputError } from '../../../js/src/index.js';
import { makeNode, makePod } from '../support/objects.js';

const identity = (kind, name) => ({ apiVersion: 'v1', kind, metadata: { name } });

/** The code of the InputError. @param {() => unknown} action */
function refusal(action) {
  try {
    action();
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return error.code;
  }
  return assert.fail('nothing was refused');
}

/** @param {object[]} objects */
async function scheduled(...objects) {
  const scheduler = await createScheduler();
  scheduler.apply(objects);
  await scheduler.schedule();
  return scheduler;
}

const podsByNode = (scheduler) => scheduler.inspect({ cache: true }).cache.nodes;

test('an object is removed by its name, a pod whatever its uid', async () => {
  const own = makePod('own', { metadata: { uid: 'u-1' } });
  own.metadata = { name: 'own', namespace: 'default', uid: 'u-1' };
  own.spec.nodeName = 'node-0';
  const scheduler = await scheduled(makeNode('node-0'), makePod('pod-0'), own);
  assert.deepEqual(podsByNode(scheduler), { 'node-0': ['default/own', 'default/pod-0'] });
  scheduler.remove(identity('Pod', 'own'));
  assert.deepEqual(podsByNode(scheduler), { 'node-0': ['default/pod-0'] });
  scheduler.remove(identity('Pod', 'pod-0'));
  scheduler.remove(identity('Node', 'node-0'));
  assert.deepEqual(scheduler.inspect().cache, { nodes: 0, pods: 0, ghostNodes: 0 });
  scheduler.dispose();
});

test('what cannot be removed is refused', async () => {
  const scheduler = await scheduled(makeNode('node-0'));
  assert.equal(
    refusal(() => scheduler.remove(identity('Pod', 'none'))),
    'FieldValueInvalid',
  );
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' } };
  for (let time = 0; time < 2; time += 1) {
    assert.equal(
      refusal(() => scheduler.remove(deployment)),
      'UnknownKind',
    );
  }
  for (const nothing of [{}, identity('Node'), null]) {
    assert.throws(() => scheduler.remove(nothing), { code: 'InputErrors' });
  }
  scheduler.dispose();
});

test('a pod that is unbound is queued as a new one, and its room is free', async () => {
  const pod = makePod('pod-0');
  const scheduler = await scheduled(makeNode('node-0'), pod);
  scheduler.unbind({ ...pod, spec: { ...pod.spec, nodeName: 'node-0' } });
  assert.deepEqual(podsByNode(scheduler), { 'node-0': [] });
  assert.deepEqual(scheduler.inspect().queues.active, ['default/pod-0']);
  assert.equal(scheduler.inspect({ pod: 'default/pod-0' }).node, null);
  scheduler.remove(identity('Node', 'node-0'));
  scheduler.apply(makeNode('node-1'));
  const [{ node }] = await scheduler.schedule();
  assert.equal(node, 'node-1');
  scheduler.dispose();
});

test('a pod that cannot be unbound stays where it is', async () => {
  const pod = makePod('pod-0');
  const scheduler = await scheduled(makeNode('node-0'), pod, makePod('gated'));
  scheduler.apply(makePod('waits', { spec: { ...pod.spec, schedulingGates: [{ name: 'g' }] } }));
  const odd = { ...pod, spec: { ...pod.spec, tolerations: 'all' } };
  const before = podsByNode(scheduler);
  assert.ok(before['node-0'].includes('default/pod-0'));
  for (const one of [odd, makePod('none'), makePod('waits')]) {
    assert.match(
      refusal(() => scheduler.unbind(one)),
      /^FieldValue/,
    );
  }
  assert.deepEqual(podsByNode(scheduler), before);
  scheduler.dispose();
});
