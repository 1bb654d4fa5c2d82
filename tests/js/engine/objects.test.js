// Goal: an object that went in can be got out and taken out, and a pod taken off its node. Method:
// what the engine says of its cluster, and where it, or another one, places pods afterwards.
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

test('an object that cannot be removed is rejected', async () => {
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

const names = (objects) => objects.map(({ metadata }) => metadata.name);

test('objects are listed as they were applied, with later decisions', async () => {
  const node = makeNode('node-0');
  node.metadata = { ...node.metadata, uid: 'n-1', managedFields: [{ manager: 'kubectl' }] };
  node.status.nodeInfo = { kernelVersion: '6.1', unread: [1, null] };
  const scheduler = await scheduled(node, makePod('pod-0'), makePod('large', { cpu: '64' }));
  const { managedFields: _dropped, ...metadata } = node.metadata;
  assert.deepEqual(scheduler.get('Node', 'node-0'), { ...node, metadata });
  const placed = scheduler.get('Pod', 'default/pod-0');
  assert.equal(placed.spec.nodeName, 'node-0');
  assert.equal(placed.status.phase, 'Running');
  assert.deepEqual(
    placed.status.conditions.map(({ type, status }) => [type, status]),
    [['PodScheduled', 'True']],
  );
  assert.deepEqual(scheduler.get('pods', 'pod-0'), placed, 'by resource, in namespace default');
  const [{ reason, message }] = scheduler.get('Pod', 'large').status.conditions;
  assert.equal(reason, 'Unschedulable');
  assert.match(message, /^0\/1 nodes are available: 1 Insufficient cpu/);
  assert.deepEqual(names(scheduler.list('Pod')), ['large', 'pod-0']);
  assert.equal(scheduler.get('Pod', 'default/none'), undefined);
  assert.deepEqual(scheduler.list('CSINode'), []);
  scheduler.dispose();
});

test('objects() has removals, evictions and bound claims', async () => {
  const low = makePod('low', { cpu: '4' });
  const highPod = makePod('high', { cpu: '4' });
  highPod.spec.priorityClassName = 'h';
  const scheduler = await scheduled(makeNode('node-0', { cpu: '4' }), low);
  scheduler.apply([
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'h' },
      value: 9,
    },
    highPod,
  ]);
  await scheduler.schedule();
  assert.deepEqual(names(scheduler.list('Pod')), ['high'], 'the engine evicted the other');
  assert.equal(scheduler.get('Pod', 'high').spec.priority, 9);
  assert.deepEqual(names(scheduler.list('PriorityClass')), ['h'], "not the system's");
  assert.equal(scheduler.get('PriorityClass', 'h').value, 9);
  scheduler.remove(identity('Node', 'node-0'));
  assert.deepEqual(scheduler.list('Node'), []);
  scheduler.dispose();
});

test('another scheduler goes on from a snapshot as the first one does', async () => {
  const zone = (at) => ({ 'topology.kubernetes.io/zone': `zone-${at % 3}` });
  const nodes = Array.from({ length: 7 }, (_, at) => makeNode(`node-${6 - at}`, { cpu: '4' }));
  nodes.forEach((node, at) => Object.assign(node.metadata.labels, zone(at)));
  const pods = Array.from({ length: 20 }, (_, at) => makePod(`pod-${19 - at}`));
  const first = await createScheduler();
  first.apply([...nodes, ...pods]);
  first.run({ maxCycles: 12 });
  const second = await createScheduler();
  const { applied } = second.apply(first.snapshot());
  assert.equal(applied, 27);
  assert.deepEqual(podsByNode(second), podsByNode(first));
  assert.deepEqual(second.inspect().queues.active, first.inspect().queues.active);
  const more = makePod('more');
  const placements = [];
  for (const scheduler of [first, second]) {
    scheduler.apply(more);
    const decisions = await scheduler.schedule();
    placements.push(decisions.map(({ pod, node }) => [pod, node]));
  }
  assert.equal(placements[0].length, 9);
  assert.deepEqual(placements[1], placements[0]);
  assert.deepEqual(second.snapshot().items, first.snapshot().items);
  first.dispose();
  second.dispose();
});

test('a pod is unbound by its name, as it came in', async () => {
  const pod = makePod('pod-0');
  pod.metadata.annotations = { kept: 'whole' };
  const scheduler = await scheduled(makeNode('node-0'), pod);
  scheduler.unbind('default/pod-0');
  assert.deepEqual(scheduler.inspect().queues.active, ['default/pod-0']);
  const unbound = scheduler.get('Pod', 'default/pod-0');
  assert.deepEqual(unbound.metadata.annotations, { kept: 'whole' });
  assert.deepEqual([unbound.spec.nodeName, unbound.status.phase], [undefined, 'Pending']);
  assert.equal(
    refusal(() => scheduler.unbind('default/none')),
    'FieldValueInvalid',
  );
  scheduler.dispose();
});

test('a list of an unknown kind is an error, not an empty list', async () => {
  const scheduler = await createScheduler();
  assert.equal(
    refusal(() => scheduler.list('Deployment')),
    'UnknownKind',
  );
  for (const odd of ['', undefined, 7]) {
    assert.equal(
      refusal(() => scheduler.list(odd)),
      'FieldValueInvalid',
    );
    assert.equal(
      refusal(() => scheduler.get('Pod', odd)),
      'FieldValueInvalid',
    );
  }
  scheduler.dispose();
  assert.throws(() => scheduler.list('Pod'), { name: 'DisposedError' });
  const forgetful = await createScheduler({ keepObjects: false });
  for (const ask of [
    () => forgetful.list('Pod'),
    () => forgetful.snapshot(),
    () => forgetful.get('Pod', 'a'),
    () => forgetful.unbind('default/a'),
  ])
    assert.throws(ask, { name: 'InputError', message: /created with keepObjects: false/ });
  forgetful.dispose();
});
