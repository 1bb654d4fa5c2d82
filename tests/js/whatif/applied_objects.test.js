// Goal: in a future, an object of a kind without pods is applied to the one of its name, and any
// object that decisions or admission read can be deleted. Method: futures in which a replaced or a
// remaining object would give another answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatIf } from '../../../js/src/whatif.js';
import { makeNode, makePod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const { engine } = await TARGETS.wasm();

/**
 * The outcomes of the pods that the changes concern, with the sum of the nodes' CPUs afterwards.
 * @param {any[]} changes
 * @param {object[]} objects of the cluster
 * @param {(future: any) => void} [seen]
 */
async function ask(changes, objects, seen = (/** @type {any} */ _future) => {}) {
  const scheduler = engine.createScheduler({ startTime: Date.UTC(2026, 0, 1) });
  try {
    scheduler.apply(objects.filter(({ kind }) => !/^(LimitRange|RuntimeClass)$/.test(kind)));
    let node;
    const look = (/** @type {any} */ future) => {
      node = future.scheduler.get('Node', 'a');
      seen(future);
    };
    const answer = await whatIf(scheduler, changes, { objects, look });
    return { outcomes: answer.pods.map(({ outcome }) => outcome), node };
  } finally {
    scheduler.dispose();
  }
}

const apply = (/** @type {object} */ object) => ({ type: 'apply', object });
const set = (/** @type {string} */ cpu, more = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        ...more,
        containers: [{ name: 'c', image: 'x', resources: { requests: { cpu }, limits: { cpu } } }],
      },
    },
  },
});

test('a controller of another API group creates no pods, and ends none', async () => {
  const foreign = { ...set('1'), apiVersion: 'apps.example.org/v1' };
  const daemons = { ...foreign, kind: 'DaemonSet' };
  const stored = { ...set('1'), metadata: { name: 'web', namespace: 'default', uid: 'web' } };
  const pod = makePod('web-0', {
    cpu: '1',
    metadata: {
      namespace: 'default',
      uid: 'web-0',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'web', controller: true },
      ],
    },
    spec: { nodeName: 'a', schedulerName: 'default-scheduler' },
  });
  const cluster = [makeNode('a'), stored, pod];
  for (const object of [foreign, daemons, { ...foreign, kind: 'Job' }])
    assert.deepEqual((await ask([apply(object)], cluster)).outcomes, [], object.kind);
  const more = [{ type: 'addNodes', count: 2, like: 'a' }];
  assert.deepEqual((await ask(more, [...cluster, daemons])).outcomes, []);
});

test('a namespace ends with everything that is in it', async () => {
  const namespace = 'team';
  const inTeam = (/** @type {any} */ object) => ({
    ...object,
    metadata: { ...object.metadata, namespace, uid: `u-${object.metadata.name}` },
  });
  const deployment = { ...inTeam(set('1')), kind: 'Deployment' };
  const contents = [
    inTeam(makePod('w-1', { cpu: '3', spec: { nodeName: 'a' } })),
    inTeam({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'c' }, spec: {} }),
    deployment,
  ];
  const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  const cluster = [makeNode('a'), ...contents, makePod('q', { cpu: '3' })];
  const deleted = { type: 'delete', kind: 'Namespace', name: namespace };
  for (const objects of [[team, ...cluster], cluster]) {
    /** @type {any[]} */
    let left = [];
    const look = (/** @type {any} */ { scheduler }) => (left = scheduler.list('*'));
    const { outcomes } = await ask([deleted], objects, look);
    assert.deepEqual(outcomes, ['Placed', 'Ends']);
    const names = left.map(({ metadata }) => metadata.name);
    assert.deepEqual(names.sort(), ['a', 'q']);
  }
  const scaled = { type: 'scale', kind: 'Deployment', namespace, name: 'web', replicas: 1 };
  await assert.rejects(ask([deleted, scaled], [team, ...cluster]), { field: 'changes[1].name' });
  await assert.rejects(ask([{ ...deleted, name: 'none' }], cluster), { field: 'changes[0].name' });
});

test('a node gets a label and keeps what it offers', async () => {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a', labels: { disk: 'ssd' } },
  };
  const changes = [apply(manifest), apply(set('4', { nodeSelector: { disk: 'ssd' } }))];
  const { outcomes, node } = await ask(changes, [makeNode('a')]);
  assert.deepEqual(outcomes, ['Placed']);
  assert.equal(node.metadata.uid, 'node-a');
  assert.deepEqual(node.metadata.labels, { 'kubernetes.io/hostname': 'a', disk: 'ssd' });
  assert.equal(node.status.allocatable.cpu, '4');
});

test('a stored object takes the place of the one of its name', async () => {
  const { node } = await ask(
    [apply(makeNode('a', { cpu: '8' }))],
    [makeNode('a', { labels: { x: 'y' } })],
  );
  assert.deepEqual(node.metadata.labels, { 'kubernetes.io/hostname': 'a' });
  assert.equal(node.status.allocatable.cpu, '8');
});

test('a LimitRange is changed', async () => {
  const limits = (/** @type {string} */ cpu) => ({
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'limits', namespace: 'default' },
    spec: { limits: [{ type: 'Container', max: { cpu } }] },
  });
  const cluster = [makeNode('a'), limits('1')];
  await assert.rejects(ask([apply(set('2'))], cluster), /maximum cpu usage per Container is 1/);
  const { outcomes } = await ask([apply(limits('4')), apply(set('2'))], cluster);
  assert.deepEqual(outcomes, ['Placed']);
});

test('a RuntimeClass, which is in no namespace, is deleted', async () => {
  const runtime = {
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'vm' },
    handler: 'vm',
    overhead: { podFixed: { cpu: '3' } },
  };
  const cluster = [makeNode('a'), runtime];
  const { outcomes } = await ask([apply(set('2', { runtimeClassName: 'vm' }))], cluster);
  assert.deepEqual(outcomes, ['NewWaits']);
  const change = { type: 'delete', kind: 'RuntimeClass', name: 'vm' };
  const after = await ask([change, apply(set('2', { runtimeClassName: 'vm' }))], cluster);
  assert.deepEqual(after.outcomes, ['Placed'], 'an input without classes was exported without');
});

test('objects with the same generateName are all applied, beside those there', async () => {
  const { metadata: _, ...pod } = makePod('', { cpu: '1' });
  const generated = { ...pod, metadata: { generateName: 'run-' } };
  const job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { generateName: 'run-' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: pod.spec.containers } } },
  };
  const changes = [generated, generated, job, job].map(apply);
  const { outcomes } = await ask(changes, [makeNode('a', { cpu: '9' }), generated, generated]);
  assert.deepEqual(outcomes, ['Placed', 'Placed', 'Placed', 'Placed', 'Placed', 'Placed']);
});
