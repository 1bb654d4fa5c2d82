// Goal: whatIf tells what becomes of each pod after changes. Method: each answer is compared with
// the decisions of a scheduler built from scratch, with the changed objects.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { changesIn, whatIf } from '../../../js/src/whatif.js';
import { validate } from '../support/json_schema.js';
import { makeNode, makePod, storedPod } from '../support/objects.js';
import { TARGETS } from '../support/real_engine.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/whatif-v1.json', import.meta.url), 'utf8'),
);
const options = { startTime: Date.UTC(2026, 0, 1), tieBreak: 'name' };
const engines = await Promise.all(
  Object.entries(TARGETS).map(async ([target, start]) => [target, (await start()).engine]),
);
const [[, wasm]] = engines;

const ownedBy = (kind, name) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `u-${name}`, controller: true }],
});
const webSet = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  metadata: { namespace: 'default', name: 'web', uid: 'u-web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: makePod('w').spec },
  },
};
const webLabels = { labels: { app: 'web' }, ...ownedBy('ReplicaSet', 'web') };
const web = (name, node, more = {}) =>
  storedPod(name, {
    cpu: '1',
    ...more,
    metadata: { ...webLabels, ...more.metadata },
    spec: { ...(node && { nodeName: node }), ...more.spec },
  });
const daemon = (node) =>
  storedPod(`agent-${node}`, {
    cpu: '100m',
    metadata: ownedBy('DaemonSet', 'agent'),
    spec: {
      nodeName: node,
      tolerations: [{ operator: 'Exists' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] },
            ],
          },
        },
      },
    },
  });
const unbound = ({ spec: { nodeName, ...spec }, ...pod }) => ({
  ...pod,
  spec,
  status: { phase: 'Pending' },
});

/** Nodes of 2, 2 and 4 CPU, with three pods of 1 CPU and one of 500m without a controller. */
const CLUSTER = [
  makeNode('a', { cpu: '2' }),
  makeNode('b', { cpu: '2' }),
  makeNode('c', { cpu: '4' }),
  webSet,
  ...['a', 'b', 'c'].map(daemon),
  web('web-0', 'a'),
  web('web-1', 'b'),
  web('web-2', 'c'),
  storedPod('bare', { cpu: '500m', spec: { nodeName: 'a' } }),
];

/** @param {any} engine @param {object[]} objects @param {(scheduler: any) => Promise<any>} use */
async function within(engine, objects, use) {
  const scheduler = engine.createScheduler(options);
  try {
    scheduler.apply(objects);
    await scheduler.schedule();
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

/** Where each pod of a scheduler is. */
function placesIn(scheduler) {
  const rows = scheduler
    .list('Pod')
    .map(({ metadata, spec }) => [`${metadata.namespace}/${metadata.name}`, spec.nodeName ?? null]);
  return Object.fromEntries(rows.sort());
}

/** Where each pod is after an answer. */
function placesAfter(before, { pods }) {
  const places = { ...before };
  for (const { pod, after } of pods) {
    if (after.state === 'Gone') delete places[pod];
    else places[pod] = after.node;
  }
  return Object.fromEntries(Object.entries(places).sort());
}

const without = (objects, ...names) =>
  objects.filter(({ metadata }) => !names.includes(metadata.name));
const replaced = (objects, ...others) => [
  ...without(objects, ...others.map(({ metadata }) => metadata.name)),
  ...others,
];
const changed = (name, change) => {
  const object = CLUSTER.find(({ metadata }) => metadata.name === name);
  return change(structuredClone(object));
};

const GONE = { key: 'gone', effect: 'NoExecute' };

/** The changes, and the objects of the cluster after them. */
const PROOFS = {
  'a node less': [
    [{ type: 'removeNode', node: 'a' }],
    replaced(
      without(CLUSTER, 'a', 'agent-a'),
      ...['web-0', 'bare'].map((name) => changed(name, unbound)),
    ),
  ],
  'two nodes less, one after the other': [
    [
      { type: 'removeNode', node: 'c' },
      { type: 'removeNode', node: 'a' },
    ],
    replaced(
      without(CLUSTER, 'a', 'agent-a', 'c', 'agent-c'),
      ...['web-2', 'web-0', 'bare'].map((name) => changed(name, unbound)),
    ),
  ],
  'a node that is drained': [
    [{ type: 'drain', node: 'a' }],
    replaced(
      CLUSTER,
      changed('a', (node) => ({ ...node, spec: { unschedulable: true } })),
      ...['web-0', 'bare'].map((name) => changed(name, unbound)),
    ),
  ],
  'a taint that evicts': [
    [{ type: 'taint', node: 'b', key: 'gone', value: 'yes', effect: 'NoExecute' }],
    replaced(
      CLUSTER,
      changed('b', (node) => ({
        ...node,
        spec: { taints: [{ key: 'gone', value: 'yes', effect: 'NoExecute' }] },
      })),
      changed('web-1', unbound),
    ),
  ],
  'a taint that evicts, on an applied node': [
    [{ type: 'apply', object: { ...makeNode('b'), spec: { taints: [GONE] } } }],
    replaced(
      CLUSTER,
      changed('b', (node) => ({ ...node, spec: { taints: [GONE] } })),
      changed('web-1', unbound),
    ),
  ],
  'more pods': [
    [{ type: 'scale', kind: 'ReplicaSet', name: 'web', replicas: 6 }],
    [...CLUSTER, ...['web-3', 'web-4', 'web-5'].map((name) => web(name))],
  ],
  'more pods than fit, on cordoned nodes': [
    [
      { type: 'cordon', node: 'c' },
      { type: 'scale', kind: 'ReplicaSet', name: 'web', replicas: 5 },
    ],
    replaced(
      [...CLUSTER, ...['web-3', 'web-4'].map((name) => web(name))],
      changed('c', (node) => ({ ...node, spec: { unschedulable: true } })),
    ),
  ],
  'nodes like another, with the pods of its daemons': [
    [
      { type: 'addNodes', count: 2, like: 'a' },
      { type: 'removeNode', node: 'c' },
    ],
    replaced(
      [
        ...without(CLUSTER, 'c', 'agent-c'),
        ...['a-1', 'a-2'].flatMap((name) => [makeNode(name, { cpu: '2' }), daemon(name)]),
      ],
      changed('web-2', unbound),
    ),
  ],
  'a larger request': [
    [{ type: 'setRequest', kind: 'ReplicaSet', name: 'web', resource: 'cpu', value: '1800m' }],
    replaced(
      CLUSTER,
      ...['web-0', 'web-1', 'web-2'].map((name) => web(name, undefined, { cpu: '1800m' })),
    ),
  ],
  'a pod that preempts': [
    [{ type: 'apply', object: makePod('vip', { cpu: '3', spec: { priority: 100 } }) }],
    replaced(
      [...CLUSTER, makePod('vip', { cpu: '3', spec: { priority: 100, nodeName: 'c' } })],
      changed('web-2', unbound),
    ),
  ],
};

for (const [name, [changes, objects]] of Object.entries(PROOFS))
  for (const [target, engine] of engines)
    test(`${target}: ${name}: as a scheduler built from scratch decides`, async () => {
      const wanted = await within(engine, objects, async (scheduler) => placesIn(scheduler));
      await within(engine, CLUSTER, async (scheduler) => {
        const before = placesIn(scheduler);
        const snapshot = JSON.stringify([scheduler.inspect(), scheduler.snapshot()]);
        const answer = await whatIf(scheduler, changes);
        assert.deepEqual(placesAfter(before, answer), wanted);
        assert.deepEqual(validate(schema, answer), []);
        assert.equal(JSON.stringify([scheduler.inspect(), scheduler.snapshot()]), snapshot);
      });
    });

/** @param {object[]} changes @param {object} [more] */
const ask = (changes, { objects = [], cluster = CLUSTER } = {}) =>
  within(wasm, cluster, (scheduler) => whatIf(scheduler, changes, { objects }));
const rows = ({ pods }) => pods.map(({ pod, outcome, after }) => [pod, outcome, after.node]);

test('the future can be read before it ends', async () => {
  await within(wasm, CLUSTER, async (scheduler) => {
    let future;
    const look = (seen) => {
      future = seen;
      assert.equal(seen.scheduler.get('Node', 'a').spec.unschedulable, true);
    };
    await whatIf(scheduler, [{ type: 'cordon', node: 'a' }], { look });
    assert.throws(() => future.scheduler.inspect(), { name: 'DisposedError' });
    assert.equal(scheduler.get('Node', 'a').spec?.unschedulable, undefined);
  });
});

test('each pod has its outcome, with the message before and after', async () => {
  const cluster = [...CLUSTER, web('big', undefined, { cpu: '3500m' })];
  const answer = await ask(
    [
      { type: 'removeNode', node: 'c' },
      { type: 'apply', object: makeNode('d', { cpu: '6' }) },
    ],
    { cluster },
  );
  assert.deepEqual(rows(answer), [
    ['default/web-2', 'Moves', 'd'],
    ['default/big', 'Placed', 'd'],
    ['default/agent-c', 'Ends', null],
  ]);
  const big = answer.pods.find(({ pod }) => pod === 'default/big');
  assert.match(big.before.message, /^0\/3 nodes are available: 3 Insufficient cpu/);
  assert.deepEqual([big.before.node, big.after.message], [null, '']);
  assert.deepEqual(answer.summary, {
    waits: 0,
    newWaits: 0,
    moves: 1,
    returns: 0,
    placed: 1,
    ends: 1,
    preempted: 0,
    stillWaits: 0,
  });
});

test('a pod that waits afterwards has its message; one that waited is counted', async () => {
  const cluster = [...CLUSTER, web('big', undefined, { cpu: '9' })];
  const answer = await ask(
    [
      { type: 'taint', node: 'c', key: 'x', effect: 'NoExecute' },
      { type: 'cordon', node: 'b' },
      { type: 'cordon', node: 'a' },
    ],
    { cluster },
  );
  assert.deepEqual(rows(answer), [['default/web-2', 'Waits', null]]);
  assert.match(answer.pods[0].after.message, /^0\/3 nodes are available: /);
  assert.deepEqual([answer.summary.waits, answer.summary.stillWaits], [1, 1]);
});

test('cordons, taints and their removal', async () => {
  const tolerant = web('web-9', 'a', {
    spec: { tolerations: [{ key: 'x', operator: 'Exists', tolerationSeconds: 60 }] },
  });
  const evicted = await ask([{ type: 'taint', node: 'a', key: 'x', effect: 'NoExecute' }], {
    cluster: [...without(CLUSTER, 'web-0', 'bare'), tolerant],
  });
  assert.deepEqual(rows(evicted), [['default/web-9', 'Returns', 'a']], 'tolerated for a minute');
  const around = await ask([
    { type: 'cordon', node: 'c' },
    { type: 'taint', node: 'c', key: 'x', effect: 'NoSchedule' },
    { type: 'uncordon', node: 'c' },
    { type: 'untaint', node: 'c', key: 'x' },
    { type: 'scale', kind: 'ReplicaSet', name: 'web', replicas: 4 },
  ]);
  assert.deepEqual(rows(around), [['default/web-3', 'Placed', 'c']]);
});

test('fewer pods: those of the controller’s order end', async () => {
  const ready = (time) => ({
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }],
  });
  const cluster = [
    ...without(CLUSTER, 'web-0', 'web-1', 'web-2'),
    web('web-0', 'a', { status: { phase: 'Running' } }),
    web('web-1', 'b', { status: ready('2025-01-01T00:00:00Z') }),
    web('web-2', 'c', { status: ready('2025-12-31T23:00:00Z') }),
  ];
  const answer = await ask([{ type: 'scale', kind: 'ReplicaSet', name: 'web', replicas: 1 }], {
    cluster,
  });
  assert.deepEqual(
    rows(answer).sort(),
    [
      ['default/web-0', 'Ends', null],
      ['default/web-2', 'Ends', null],
    ],
    'first the one that is not ready, then the youngest',
  );
});

test('a workload that only its pods tell of, and one that has no pods yet', async () => {
  const deployed = web('web-7f-x', 'a', {
    metadata: { labels: { 'pod-template-hash': '7f' }, ...ownedBy('ReplicaSet', 'web-7f') },
  });
  const byName = await ask([{ type: 'scale', kind: 'Deployment', name: 'web', replicas: 2 }], {
    cluster: [makeNode('a'), deployed],
  });
  assert.deepEqual(rows(byName), [['default/web-7f-0', 'Placed', 'a']]);
  const template = { metadata: { labels: { app: 'api' } }, spec: makePod('p').spec };
  const spec = { replicas: 0, selector: { matchLabels: { app: 'api' } }, template };
  const api = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'api' }, spec };
  const expanded = await ask([{ type: 'scale', kind: 'Deployment', name: 'api', replicas: 2 }], {
    objects: [api],
  });
  assert.deepEqual(
    expanded.pods.map(({ outcome, after }) => [outcome, after.node]),
    [
      ['Placed', 'c'],
      ['Placed', 'c'],
    ],
  );
});

test('a StatefulSet grows by ordinals with their claims, and loses the highest', async () => {
  const template = {
    metadata: { labels: { app: 'db' } },
    spec: makePod('p', { cpu: '100m' }).spec,
  };
  const set = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { namespace: 'default', name: 'db', uid: 'u-db' },
    spec: {
      replicas: 2,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  };
  const pods = ['db-0', 'db-1'].map((name) =>
    storedPod(name, {
      cpu: '100m',
      metadata: ownedBy('StatefulSet', 'db'),
      spec: { nodeName: 'a' },
    }),
  );
  const storage = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 's', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
    provisioner: 'x',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
  const cluster = [makeNode('a'), storage, set, ...pods];
  const scaled = (replicas) => [{ type: 'scale', kind: 'StatefulSet', name: 'db', replicas }];
  assert.deepEqual(rows(await ask(scaled(3), { cluster })), [['default/db-2', 'Placed', 'a']]);
  assert.deepEqual(rows(await ask(scaled(1), { cluster })), [['default/db-1', 'Ends', null]]);
  await assert.rejects(ask(scaled(3), { cluster: [makeNode('a'), ...pods] }), {
    name: 'InputError',
    field: 'changes[0].name',
  });
});

test('applied and deleted objects', async () => {
  const template = webSet.spec.template;
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web' },
    spec: { ...webSet.spec, replicas: 1, template },
  };
  const applied = await ask([{ type: 'apply', object: manifest }]);
  assert.deepEqual(
    applied.pods.map(({ outcome }) => outcome),
    ['Moves', 'Ends', 'Ends'],
    'one pod has the name of an old one',
  );
  const deleted = await ask([
    { type: 'delete', kind: 'ReplicaSet', name: 'web' },
    { type: 'delete', kind: 'Pod', name: 'bare' },
    { type: 'delete', kind: 'Node', name: 'b' },
  ]);
  assert.deepEqual(
    rows(deleted)
      .map(([pod]) => pod)
      .sort(),
    ['default/agent-b', 'default/bare', 'default/web-0', 'default/web-1', 'default/web-2'],
  );
});

test('pods that exist only between two changes are not part of the answer', async () => {
  const scaled = { type: 'scale', kind: 'ReplicaSet', name: 'web', replicas: 5 };
  const deleted = { type: 'delete', kind: 'ReplicaSet', name: 'web' };
  const answer = await ask([scaled, deleted]);
  const ended = ['web-0', 'web-1', 'web-2'].map((name) => [`default/${name}`, 'Ends', null]);
  assert.deepEqual(rows(answer), ended);
  assert.deepEqual([answer.summary.ends, answer.summary.stillWaits], [3, 0]);
});

test('changes that cannot be made name their field', async () => {
  /** @type {[object, string, string][]} */
  const table = [
    [{ type: 'explode' }, 'changes[0].type', 'FieldValueNotSupported'],
    [{ type: 'cordon' }, 'changes[0].node', 'FieldValueRequired'],
    [{ type: 'cordon', node: 'z' }, 'changes[0].node', 'FieldValueInvalid'],
    [{ type: 'cordon', node: 'a', effect: 'x' }, 'changes[0].effect', 'UnknownField'],
    [
      { type: 'taint', node: 'a', key: 'k', effect: 'No' },
      'changes[0].effect',
      'FieldValueInvalid',
    ],
    [{ type: 'untaint', node: 'a', key: 'k' }, 'changes[0].key', 'FieldValueInvalid'],
    [{ type: 'addNodes', count: -1, like: 'a' }, 'changes[0].count', 'FieldValueInvalid'],
    [{ type: 'addNodes', count: 1, like: 'z' }, 'changes[0].like', 'FieldValueInvalid'],
    [
      { type: 'scale', kind: 'DaemonSet', name: 'agent', replicas: 2 },
      'changes[0].kind',
      'FieldValueNotSupported',
    ],
    [
      { type: 'scale', kind: 'ReplicaSet', name: 'no', replicas: 2 },
      'changes[0].name',
      'FieldValueInvalid',
    ],
    [
      { type: 'setRequest', kind: 'Pod', name: 'bare', resource: 'cpu', value: 'many' },
      'changes[0].value',
      'FieldValueInvalid',
    ],
    [
      {
        type: 'setRequest',
        kind: 'Pod',
        name: 'bare',
        resource: 'cpu',
        value: '1',
        container: 'x',
      },
      'changes[0].container',
      'FieldValueInvalid',
    ],
    [{ type: 'apply', object: { kind: 'Pod' } }, 'changes[0].object', 'FieldValueInvalid'],
    [
      {
        type: 'apply',
        object: makePod('x', { spec: { containers: [{ resources: { requests: { cpu: 'x' } } }] } }),
      },
      'changes[0].object.spec.containers[0].resources.requests[cpu]',
      'FieldValueInvalid',
    ],
    [{ type: 'delete', kind: 'ConfigMap', name: 'x' }, 'changes[0].kind', 'FieldValueNotSupported'],
    [{ type: 'delete', kind: 'Pod', name: 'x' }, 'changes[0].name', 'FieldValueInvalid'],
  ];
  for (const [change, field, code] of table)
    await assert.rejects(
      ask([change]),
      { name: 'InputError', kind: 'Changes', field, code },
      field,
    );
  assert.throws(() => changesIn({ apiVersion: 'stowage/v1', kind: 'Change', changes: [] }), {
    field: 'kind',
  });
  assert.throws(
    () => changesIn({ apiVersion: 'stowage/v1', kind: 'Changes', changes: [{ type: 'x' }] }),
    { field: 'changes[0].type' },
  );
});
