import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InputError } from '../../../js/src/index.js';
import { expand, parse, podsOf, positionOf } from '../../../js/src/manifests.js';
import { Expansion } from '../../../js/src/manifests/expand.js';
import { makeNode, makePod } from '../support/objects.js';

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }] },
};
const API = { Job: 'batch/v1', ReplicationController: 'v1' };

/** @param {string} kind @param {object} [spec] @param {object} [rest] */
function workload(kind, spec = {}, { uid, status } = {}) {
  return {
    apiVersion: API[kind] ?? 'apps/v1',
    kind,
    metadata: { name: 'web', namespace: 'shop', ...(uid && { uid }) },
    spec: { template, ...spec },
    status,
  };
}

/**
 * @param {string} name
 * @param {{ kind?: string, name?: string, uid: string }} owner
 * @param {object} [rest]
 */
function ownedPod(
  name,
  { kind = 'ReplicaSet', name: ownerName = 'web', uid },
  { phase, labels = {}, spec = {}, ...metadata } = {},
) {
  const ownerReferences = [{ kind, name: ownerName, uid, controller: true }];
  return makePod(name, {
    metadata: { uid: `u-${name}`, namespace: 'shop', labels, ownerReferences, ...metadata },
    spec,
    status: { phase },
  });
}

const names = (pods) => pods.map(({ metadata }) => metadata.name);

test('expand creates the number of pods of a workload, and their names', () => {
  const cases = [
    ['ReplicaSet', workload('ReplicaSet', { replicas: 3 }), ['web-0', 'web-1', 'web-2']],
    ['one by default', workload('ReplicaSet'), ['web-0']],
    ['none', workload('ReplicaSet', { replicas: 0 }), []],
    [
      'ReplicationController',
      workload('ReplicationController', { replicas: 2 }),
      ['web-0', 'web-1'],
    ],
    ['StatefulSet', workload('StatefulSet', { replicas: 2 }), ['web-0', 'web-1']],
    [
      'StatefulSet that starts later',
      workload('StatefulSet', { replicas: 2, ordinals: { start: 5 } }),
      ['web-5', 'web-6'],
    ],
    ['Job', workload('Job', { parallelism: 2 }), ['web-0', 'web-1']],
    [
      'Job with fewer completions',
      workload('Job', { parallelism: 5, completions: 3 }),
      ['web-0', 'web-1', 'web-2'],
    ],
    [
      'Job half done',
      workload('Job', { parallelism: 5, completions: 3 }, { status: { succeeded: 2 } }),
      ['web-0'],
    ],
    ['Job that waits', workload('Job', { suspend: true }), []],
    [
      'Job that is done',
      workload('Job', {}, { status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
      [],
    ],
    ['another kind', { kind: 'Service', metadata: { name: 's' } }, []],
  ];
  for (const [name, object, expected] of cases)
    assert.deepEqual(names(podsOf(object)), expected, name);
  assert.deepEqual(
    names(podsOf(workload('Deployment', { replicas: 2 }))).map((name) =>
      name.replace(/-[a-z0-9]{5,10}-/, '-HASH-'),
    ),
    ['web-HASH-0', 'web-HASH-1'],
  );
});

test('expand creates the pods of each workload as its controller does', () => {
  const [deployed] = podsOf(workload('Deployment'));
  const hash = deployed.metadata.labels['pod-template-hash'];
  assert.deepEqual(deployed.metadata.labels, { app: 'web', 'pod-template-hash': hash });
  const [owner] = deployed.metadata.ownerReferences;
  assert.deepEqual([owner.kind, owner.name, owner.controller], ['ReplicaSet', `web-${hash}`, true]);
  assert.deepEqual(
    deployed.spec.containers[0].resources.requests,
    { cpu: '1' },
    'defaults are filled in',
  );
  assert.deepEqual(
    names(podsOf(workload('Deployment'))),
    names([deployed]),
    'the same names every time',
  );

  const claims = [{ metadata: { name: 'data' } }];
  const [, second] = podsOf(workload('StatefulSet', { replicas: 2, volumeClaimTemplates: claims }));
  assert.deepEqual(second.spec.volumes, [
    { name: 'data', persistentVolumeClaim: { claimName: 'data-web-1' } },
  ]);
  assert.equal(second.metadata.labels['apps.kubernetes.io/pod-index'], '1');

  const [, indexed] = podsOf(
    workload('Job', { parallelism: 2, completions: 2, completionMode: 'Indexed' }),
  );
  assert.equal(indexed.metadata.annotations['batch.kubernetes.io/job-completion-index'], '1');
  assert.equal(indexed.metadata.labels['job-name'], 'web');
  assert.equal(indexed.metadata.ownerReferences[0].kind, 'Job');

  const gold = { metadata: { name: 'gold' }, value: 7 };
  const priority = { ...template, spec: { ...template.spec, priorityClassName: 'gold' } };
  assert.equal(
    podsOf(workload('ReplicaSet', { template: priority }), { priorityClasses: [gold] })[0].spec
      .priority,
    7,
  );
});

test('a StatefulSet brings a claim of each template for each pod that it lacks', () => {
  const data = {
    metadata: { name: 'data', labels: { tier: 'db', app: 'else' }, annotations: { a: 'b' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
  const logs = { metadata: { name: 'logs' }, spec: { storageClassName: 'slow' } };
  const set = workload(
    'StatefulSet',
    {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      volumeClaimTemplates: [data, logs],
    },
    { uid: 'ss' },
  );
  const existing = [
    ownedPod('web-0', { kind: 'StatefulSet', uid: 'ss' }),
    { kind: 'PersistentVolumeClaim', metadata: { name: 'logs-web-1', namespace: 'shop' } },
    { kind: 'PersistentVolumeClaim', metadata: { name: 'data-web-1', namespace: 'else' } },
  ];
  const mark = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  const storageClasses = [{ metadata: { name: 'fast', annotations: mark } }];
  const made = expand(set, { existing, storageClasses });
  assert.deepEqual(names(made), ['data-web-1', 'web-1', 'data-web-2', 'logs-web-2', 'web-2']);
  const [claim] = made;
  assert.match(claim.metadata.uid, /^[0-9a-f-]{36}$/);
  assert.deepEqual(claim, {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name: 'data-web-1',
      namespace: 'shop',
      labels: { tier: 'db', app: 'web' },
      annotations: { a: 'b' },
      uid: claim.metadata.uid,
    },
    spec: { ...data.spec, volumeMode: 'Filesystem', storageClassName: 'fast' },
    status: { phase: 'Pending' },
  });
  assert.equal(made[3].spec.storageClassName, 'slow');
  assert.deepEqual(names(podsOf(set, { existing })), ['web-1', 'web-2']);
  const [pod] = podsOf(set);
  assert.deepEqual(
    pod.spec.volumes.map(({ persistentVolumeClaim: { claimName } }) => claimName),
    ['data-web-0', 'logs-web-0'],
  );
});

test('a claim of a template points into it', () => {
  const text =
    'kind: StatefulSet\nmetadata: {name: web}\nspec:\n  template: {spec: {containers: []}}\n' +
    '  volumeClaimTemplates:\n  - metadata: {name: data}\n    spec:\n      accessModes: 5\n';
  const [claim] = expand(parse(text)[0]);
  assert.deepEqual(positionOf(claim, 'spec.accessModes'), { document: 1, line: 8, column: 20 });
});

test('a DaemonSet has a pod for each node that suits', () => {
  const required = (expression) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [expression] }],
        },
      },
    },
  });
  const nodes = [
    makeNode('plain', { labels: { zone: 'a', gen: '3' } }),
    makeNode('tainted', {
      labels: { zone: 'b', gen: '5' },
      spec: { taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
    }),
    makeNode('cordoned', {
      spec: { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] },
    }),
    makeNode('soft', { spec: { taints: [{ key: 'x', effect: 'PreferNoSchedule' }] } }),
  ];
  const cases = [
    ['no wishes', {}, ['plain', 'cordoned', 'soft']],
    [
      'a toleration',
      { tolerations: [{ key: 'gpu', operator: 'Equal', value: 'yes' }] },
      ['plain', 'tainted', 'cordoned', 'soft'],
    ],
    [
      'another value',
      { tolerations: [{ key: 'gpu', value: 'no' }] },
      ['plain', 'cordoned', 'soft'],
    ],
    ['a selector', { nodeSelector: { zone: 'a' } }, ['plain']],
    ['In', required({ key: 'zone', operator: 'In', values: ['a', 'b'] }), ['plain']],
    ['NotIn', required({ key: 'zone', operator: 'NotIn', values: ['a'] }), ['cordoned', 'soft']],
    ['Exists', required({ key: 'zone', operator: 'Exists' }), ['plain']],
    ['DoesNotExist', required({ key: 'zone', operator: 'DoesNotExist' }), ['cordoned', 'soft']],
    ['Gt', required({ key: 'gen', operator: 'Gt', values: ['2'] }), ['plain']],
    ['Lt', required({ key: 'gen', operator: 'Lt', values: ['x'] }), []],
    ['a name', { nodeName: 'soft' }, ['soft']],
  ];
  for (const [name, spec, expected] of cases) {
    const set = workload('DaemonSet', { template: { spec: { containers: [], ...spec } } });
    assert.deepEqual(
      names(podsOf(set, { nodes })),
      expected.map((node) => `web-${node}`),
      name,
    );
  }
});

test('a daemon’s pod is pinned to its node and tolerates its troubles', () => {
  const nodes = [makeNode('plain')];
  const host = {
    spec: { containers: [], hostNetwork: true, tolerations: [{ key: 'a', operator: 'Exists' }] },
  };
  const [pod] = podsOf(workload('DaemonSet', { template: host }), { nodes });
  const { nodeSelectorTerms } =
    pod.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  assert.deepEqual(nodeSelectorTerms, [
    { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['plain'] }] },
  ]);
  assert.deepEqual(
    pod.spec.tolerations.map(({ key }) => key.replace('node.kubernetes.io/', '')),
    [
      'a',
      'not-ready',
      'unreachable',
      'disk-pressure',
      'memory-pressure',
      'pid-pressure',
      'unschedulable',
      'network-unavailable',
    ],
  );
});

test('pods that are there count', () => {
  const set = workload('ReplicaSet', { replicas: 3 }, { uid: 'rs' });
  const owner = { uid: 'rs' };
  const cases = [
    ['two of three', set, [ownedPod('web-0', owner), ownedPod('web-x', owner)], ['web-1']],
    [
      'a finished one does not',
      set,
      [ownedPod('web-0', owner, { phase: 'Failed' })],
      ['web-1', 'web-2', 'web-3'],
    ],
    [
      'nor one that goes',
      set,
      [ownedPod('web-0', owner, { deletionTimestamp: 'now' })],
      ['web-1', 'web-2', 'web-3'],
    ],
    [
      'nor another owner’s, but its name is taken',
      set,
      [ownedPod('web-1', { uid: 'else' })],
      ['web-0', 'web-2', 'web-3'],
    ],
    ['more than needed', set, ['a', 'b', 'c', 'd'].map((name) => ownedPod(name, owner)), []],
    [
      'StatefulSet by name',
      workload('StatefulSet', { replicas: 3 }, { uid: 'ss' }),
      [ownedPod('web-1', { kind: 'StatefulSet', uid: 'ss' }, { deletionTimestamp: 'now' })],
      ['web-0', 'web-2'],
    ],
    [
      'Job',
      workload('Job', { parallelism: 3, completions: 9 }, { uid: 'j' }),
      [
        ownedPod('web-0', { kind: 'Job', uid: 'j' }),
        ownedPod('web-1', { kind: 'Job', uid: 'j' }, { phase: 'Succeeded' }),
      ],
      ['web-2', 'web-3'],
    ],
    [
      'Deployment through its set',
      workload('Deployment', { replicas: 9 }, { uid: 'd' }),
      [
        {
          ...set,
          metadata: {
            ...set.metadata,
            ownerReferences: [{ kind: 'Deployment', uid: 'd', controller: true }],
          },
        },
      ],
      // The set itself creates the first three.
      ['web-3', 'web-4', 'web-5', 'web-6', 'web-7', 'web-8'],
    ],
  ];
  for (const [name, object, existing, expected] of cases)
    assert.deepEqual(names(podsOf(object, { existing })), expected, name);
});

test('a Deployment whose ReplicaSet is missing is recognized by its pods', () => {
  const existing = [
    ownedPod(
      'web-7f-abc',
      { name: 'web-7f', uid: 'rs' },
      { labels: { app: 'web', 'pod-template-hash': '7f' } },
    ),
  ];
  const pods = podsOf(workload('Deployment', { replicas: 2 }, { uid: 'd' }), { existing });
  assert.deepEqual(names(pods), ['web-7f-0']);
  assert.equal(pods[0].metadata.ownerReferences[0].uid, 'rs');
});

test('a DaemonSet’s pods count by node', () => {
  const nodes = [makeNode('a'), makeNode('b'), makeNode('c')];
  const owner = { kind: 'DaemonSet', uid: 'ds' };
  const pinned = {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ values: ['b'] }] }],
        },
      },
    },
  };
  const existing = [
    ownedPod('web-1', owner, { spec: { nodeName: 'a' } }),
    ownedPod('web-2', owner, { spec: pinned }),
  ];
  assert.deepEqual(names(podsOf(workload('DaemonSet', {}, { uid: 'ds' }), { nodes, existing })), [
    'web-c',
  ]);
});

test('workloads that cannot be expanded say why', () => {
  const cases = [
    [workload('Deployment', { template: undefined }), 'spec.template.spec', 'FieldValueRequired'],
    [workload('ReplicaSet', { replicas: '3' }), 'spec.replicas', 'FieldValueInvalid'],
    [workload('StatefulSet', { replicas: -1 }), 'spec.replicas', 'FieldValueInvalid'],
    [workload('Job', { parallelism: 1e9 }), 'spec.parallelism', 'FieldValueInvalid'],
    [workload('Job', {}, { status: { succeeded: 'x' } }), 'status.succeeded', 'FieldValueInvalid'],
    [
      workload('StatefulSet', { ordinals: { start: '5' } }),
      'spec.ordinals.start',
      'FieldValueInvalid',
    ],
    [{ kind: 'Job', metadata: {}, spec: { template } }, 'metadata.name', 'FieldValueRequired'],
    [null, undefined, 'FieldValueTypeInvalid'],
    [
      workload('ReplicaSet', { template: { spec: { priorityClassName: 'none' } } }),
      'spec.priorityClassName',
      'FieldValueInvalid',
    ],
  ];
  for (const [object, field, code] of cases) {
    assert.throws(
      () => podsOf(object),
      (/** @type {any} */ error) =>
        error instanceof InputError && error.field === field && error.code === code,
      field,
    );
  }
});

test('expand names a field of another type, because the engine never reads the workload', () => {
  const terms = (nodeSelectorTerms) => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  });
  const inTemplate = (spec) => workload('DaemonSet', { template: { spec } });
  const path = 'spec.template.spec';
  const required = `${path}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`;
  const cases = [
    [{ ...workload('Job'), metadata: 5 }, 'metadata'],
    [{ ...workload('Job'), spec: [] }, 'spec'],
    [workload('Job', { template: { spec: 'x' } }), path],
    [workload('Job', { template: { ...template, metadata: 5 } }), 'spec.template.metadata'],
    [
      workload('Job', { template: { ...template, metadata: { labels: 'x' } } }),
      'spec.template.metadata.labels',
    ],
    [workload('Job', {}, { status: { conditions: {} } }), 'status.conditions'],
    [workload('StatefulSet', { volumeClaimTemplates: [null] }), 'spec.volumeClaimTemplates[0]'],
    [
      workload('StatefulSet', { volumeClaimTemplates: [{ metadata: { labels: 5 } }] }),
      'spec.volumeClaimTemplates[0].metadata.labels',
    ],
    [
      workload('StatefulSet', { volumeClaimTemplates: [{}, { spec: 'x' }] }),
      'spec.volumeClaimTemplates[1].spec',
    ],
    [workload('StatefulSet', { template: { spec: { volumes: 5 } } }), `${path}.volumes`],
    [inTemplate({ tolerations: [{}, null] }), `${path}.tolerations[1]`],
    [inTemplate(terms(5)), `${required}.nodeSelectorTerms`],
    [
      inTemplate(terms([{ matchExpressions: [{ key: 'a', operator: 'In', values: 'b' }] }])),
      `${required}.nodeSelectorTerms[0].matchExpressions[0].values`,
    ],
  ];
  for (const [object, field] of cases) {
    assert.throws(
      () => podsOf(object, { nodes: [makeNode('n')] }),
      { name: 'InputError', code: 'FieldValueTypeInvalid', field, kind: object.kind },
      field,
    );
  }
});

test('expand leaves faults of other objects to the engine', () => {
  const nodes = [
    makeNode('a', { spec: { taints: 5 } }),
    makeNode('b', { spec: { taints: [null] } }),
  ];
  const existing = [makePod('p', { metadata: { ownerReferences: 5 } }), null];
  assert.deepEqual(names(podsOf(workload('DaemonSet'), { nodes: [...nodes, {}], existing })), [
    'web-a',
    'web-b',
  ]);
});

test('a pod made from a template points into it', () => {
  const text =
    'kind: ReplicaSet\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n' +
    '      containers:\n      - name: c\n';
  const [pod] = podsOf(parse(text)[0]);
  assert.deepEqual(positionOf(pod, 'spec.containers[0].name'), {
    document: 1,
    line: 7,
    column: 15,
  });
});

test('a kind of another API group has the name of a workload, but no pods', () => {
  for (const [apiVersion, count] of /** @type {[string | undefined, number][]} */ ([
    ['apps/v1', 1],
    ['extensions/v1beta1', 1],
    [undefined, 1],
    ['apps.kruise.io/v1beta1', 0],
    ['batch.volcano.sh/v1alpha1', 0],
  ])) {
    for (const kind of ['Deployment', 'StatefulSet', 'Job', 'DaemonSet']) {
      const object = { ...workload(kind), apiVersion };
      const context = { nodes: [makeNode('n')] };
      assert.equal(podsOf(object, context).length, count, `${apiVersion} ${kind}`);
      assert.equal(new Expansion(context).replicasOf(object), count, `${apiVersion} ${kind}`);
    }
  }
});

test('a pod is itself', () => {
  assert.equal(podsOf(makePod('p'))[0].metadata.namespace, 'default');
});
