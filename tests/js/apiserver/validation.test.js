/** Tests the objects that the server refuses, with its messages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { AskedServer, node, pod } from './asked_server.js';
import { inDefault, refusalOf, workload } from './workloads.js';

const container = { name: 'c', image: 'i' };

/** A pod's spec, and its faults. */
const POD_CASES = /** @type {[object, string][]} */ ([
  [{ containers: [] }, 'spec.containers: Required value'],
  [{ containers: [{ name: 'c' }] }, 'spec.containers[0].image: Required value'],
  [{ containers: [container, container] }, 'spec.containers[1].name: Duplicate value: "c"'],
  [
    { restartPolicy: 'Maybe' },
    'spec.restartPolicy: Unsupported value: "Maybe": supported values: "Always", ' +
      '"OnFailure", "Never"',
  ],
  [
    { containers: [{ ...container, ports: [{ containerPort: 70000 }] }] },
    'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between ' +
      '1 and 65535, inclusive',
  ],
  [
    { containers: [{ ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] },
    'spec.containers[0].volumeMounts[0].name: Not found: "v"',
  ],
  [
    {
      containers: [{ ...container, resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }],
    },
    'spec.containers[0].resources.requests: Invalid value: "2": must be less than or ' +
      'equal to cpu limit of 1',
  ],
  [
    { containers: [{ ...container, resources: { requests: { 'x.io/gpu': '1' } } }] },
    'spec.containers[0].resources.limits: Required value: Limit must be set for non ' +
      'overcommitable resources',
  ],
  [
    { containers: [{ ...container, resources: { requests: { memory: '-1' } } }] },
    'spec.containers[0].resources.requests[memory]: Invalid value: "-1": must be ' +
      'greater than or equal to 0',
  ],
  [
    { tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }] },
    'spec.tolerations[0].operator: Invalid value: "b": value must be empty when ' +
      "`operator` is 'Exists'",
  ],
  [
    { schedulingGates: [{ name: 'g' }], nodeName: 'n' },
    'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
  ],
  [
    { volumes: [{ name: 'v', hostPath: { path: '/' }, emptyDir: {} }] },
    'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
  ],
]);

/** A resource, an object, and its faults. */
const OTHER_CASES = /** @type {[string, any, string][]} */ ([
  [
    'deployments',
    workload({}, { app: 'other' }),
    'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does ' +
      'not match template `labels`',
  ],
  ['deployments', workload({ selector: null }), 'spec.selector: Required value'],
  [
    'deployments',
    workload({ selector: {} }),
    'spec.selector: Invalid value: {}: empty selector is invalid for deployment',
  ],
  [
    'replicasets',
    workload({ replicas: -1 }),
    'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'deployments',
    workload({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
    'spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` ' +
      "is 'Recreate'",
  ],
  [
    'jobs',
    { metadata: { name: 'j', ...inDefault }, spec: { template: { spec: pod('').spec } } },
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  ['services', { metadata: { name: 's', ...inDefault }, spec: {} }, 'spec.ports: Required value'],
  [
    'persistentvolumeclaims',
    { metadata: { name: 'c', ...inDefault }, spec: { accessModes: ['ReadWriteOnce'] } },
    'spec.resources[storage]: Required value',
  ],
  [
    'persistentvolumes',
    {
      metadata: { name: 'v' },
      spec: { capacity: { storage: '1' }, accessModes: ['ReadWriteOnce'], local: { path: '/' } },
    },
    'spec.nodeAffinity: Required value: Local volume requires node affinity',
  ],
  [
    'nodes',
    node('n', { taints: [{ key: 'a', effect: 'Sometimes' }] }),
    'metadata.taints[0].effect: Unsupported value: "Sometimes": supported values: ' +
      '"NoSchedule", "PreferNoSchedule", "NoExecute"',
  ],
  [
    'priorityclasses',
    { metadata: { name: 'system-x' }, value: 1 },
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved " +
      'for system use only. error: system-x is not a known system priority class',
  ],
  [
    'events',
    { metadata: { name: 'e', ...inDefault }, involvedObject: { namespace: 'other' } },
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ],
  ['configmaps', { metadata: { name: 'A', ...inDefault, labels: { 'a b': '' } } }, ''],
]);

test('invalid pods are refused with an error per field', () => {
  const { store } = new AskedServer();
  for (const [spec, message] of POD_CASES) {
    assert.equal(
      refusalOf(() => store.create('pods', pod('a', spec, inDefault))),
      message,
    );
  }
  assert.throws(() => store.create('pods', pod('a', { containers: [{}] }, inDefault)), {
    message:
      'Pod "a" is invalid: [spec.containers[0].name: Required value, ' +
      'spec.containers[0].image: Required value]',
    details: {
      name: 'a',
      kind: 'Pod',
      causes: [
        {
          reason: 'FieldValueRequired',
          message: 'Required value',
          field: 'spec.containers[0].name',
        },
        {
          reason: 'FieldValueRequired',
          message: 'Required value',
          field: 'spec.containers[0].image',
        },
      ],
    },
  });
});

test('only a few fields of a pod can be updated', () => {
  const { store } = new AskedServer();
  const tolerations = [{ key: 'gpu', operator: 'Exists' }];
  const spec = { tolerations, schedulingGates: [{ name: 'g' }], terminationGracePeriodSeconds: 9 };
  const created = /** @type {any} */ (store.create('pods', pod('a', spec, inDefault)));
  const change = (/** @type {object} */ changes) =>
    refusalOf(() =>
      store.update('pods', { ...created, spec: { ...created.spec, ...changes } }, { dryRun: true }),
    );
  const [container] = created.spec.containers;
  const [gpu, notReady, unreachable] = created.spec.tolerations;
  const seconds = { ...notReady, tolerationSeconds: 5 };
  const taken = [
    { containers: [{ ...container, image: 'other' }] },
    { tolerations: [gpu, seconds, unreachable, { operator: 'Exists' }] },
    // Admission adds those that it added before.
    { tolerations: [gpu] },
    { activeDeadlineSeconds: 5 },
    { schedulingGates: [] },
    { nodeSelector: { disk: 'ssd' } },
  ];
  for (const changes of taken) assert.equal(change(changes), 'taken', JSON.stringify(changes));
  const refused = /** @type {[object, RegExp][]} */ ([
    [{ containers: [container, { ...container, name: 'd' }] }, /may not add or remove containers$/],
    [
      { containers: [{ ...container, args: ['x'] }] },
      /pod updates may not change fields other than/,
    ],
    [{ nodeName: 'n' }, /spec.nodeName: Forbidden|pod updates may not change fields other than/],
    [{ schedulerName: 'other' }, /pod updates may not change fields other than/],
    [{ tolerations: [] }, /existing toleration can not be modified except its tolerationSeconds$/],
    [
      { schedulingGates: [{ name: 'g' }, { name: 'h' }] },
      /only deletion is allowed, but found new/,
    ],
  ]);
  for (const [changes, message] of refused) assert.match(change(changes), message);
});

test('invalid workloads, and changes of immutable fields, are refused', () => {
  const { store } = new AskedServer();
  const create = (/** @type {string} */ resource, /** @type {any} */ object) =>
    refusalOf(() => store.create(resource, object));
  for (const [resource, object, message] of OTHER_CASES) {
    const found = create(resource, object);
    if (message === '')
      assert.match(found, /^\[metadata.name: .*, metadata.labels: Invalid value: "a b"/);
    else assert.equal(found, message);
  }
  const made = /** @type {any} */ (store.create('deployments', workload({})));
  const selector = { matchLabels: { app: 'web', more: '1' } };
  const template = { ...made.spec.template, metadata: { labels: { app: 'web', more: '1' } } };
  assert.equal(
    refusalOf(() =>
      store.update('deployments', { ...made, spec: { ...made.spec, selector, template } }),
    ),
    'spec.selector: Invalid value: {"matchLabels":{"app":"web","more":"1"}}: field is immutable',
  );
  const set = /** @type {any} */ (store.create('statefulsets', workload({ serviceName: 'a' })));
  assert.match(
    refusalOf(() =>
      store.update('statefulsets', { ...set, spec: { ...set.spec, serviceName: 'b' } }),
    ),
    /^spec: Forbidden: updates to statefulset spec for fields other than 'replicas', .* forbidden$/,
  );
});
