// Goal: a snapshot keeps the ResourceQuotas of a cluster, and with new names each still counts the
// same objects. Method: a quota with bounds of all forms, beside the objects that it names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuotaUsage } from '../../../js/src/kubernetes/admission/resource_quota.js';
import { anonymize } from '../../../js/src/snapshot/anonymize.js';
import { snapshotOf } from '../../../js/src/snapshot/snapshot.js';
import { storedPod } from '../support/objects.js';

/** @param {Record<string, string>} hard @param {object} [spec] */
const quota = (hard, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'acme-team', namespace: 'default', uid: 'q' },
  spec: { hard, ...spec },
  status: { hard, used: hard },
});

/** @param {string} kind @param {string} apiVersion @param {string} name */
const named = (kind, apiVersion, name) => ({
  apiVersion,
  kind,
  metadata: { name, uid: `${kind}-${name}` },
});

/** Returns the new names of a quota's bounds, in their order. @param {string[]} names */
function renamed(names, others = []) {
  const hard = Object.fromEntries(names.map((name) => [name, '1']));
  const [item, ...rest] = anonymize([quota(hard), ...others]).snapshot.items;
  const made = Object.keys(item.spec.hard);
  assert.deepEqual(Object.keys(item.status.hard), made);
  assert.deepEqual(Object.keys(item.status.used), made);
  assert.equal(new Set(made).size, names.length);
  assert.doesNotMatch(JSON.stringify(item), /acme/);
  return { made, rest };
}

const KEPT = [
  ...['cpu', 'memory', 'pods', 'count/pods', 'requests.cpu', 'limits.cpu', 'limits.memory'],
  ...['requests.ephemeral-storage', 'limits.ephemeral-storage', 'requests.storage'],
  ...['hugepages-2Mi', 'requests.hugepages-2Mi', 'persistentvolumeclaims', 'secrets'],
  ...['services.nodeports', 'services.loadbalancers', 'count/secrets', 'count/deployments.apps'],
];

test('names that every cluster has stay', () => {
  assert.deepEqual(renamed(KEPT).made, KEPT);
});

test('names of resources and classes are those that they have elsewhere', () => {
  const pod = storedPod('web', {
    spec: {
      containers: [{ name: 'c', resources: { requests: { 'acme.io/gpu': '1' } } }],
      runtimeClassName: 'acme-kata',
    },
  });
  const { made, rest } = renamed(
    [
      'requests.acme.io/gpu',
      'acme-gold.storageclass.storage.k8s.io/requests.storage',
      'acme-gold.storageclass.storage.k8s.io/persistentvolumeclaims',
      'acme.gpu.deviceclass.resource.k8s.io/devices',
      'requests.deviceclass.resource.kubernetes.io/acme.gpu',
      'count/widgets.acme.io',
      'limits.acme.io/gpu',
      'acme',
      'acme.io/storageclass.storage.k8s.io/requests.storage',
    ],
    [
      pod,
      named('StorageClass', 'storage.k8s.io/v1', 'acme-gold'),
      named('DeviceClass', 'resource.k8s.io/v1', 'acme.gpu'),
    ],
  );
  const [{ spec }, { metadata: storage }, { metadata: device }] = rest;
  const [gpu] = Object.keys(spec.containers[0].resources.requests);
  assert.deepEqual(made.slice(0, 5), [
    `requests.${gpu}`,
    `${storage.name}.storageclass.storage.k8s.io/requests.storage`,
    `${storage.name}.storageclass.storage.k8s.io/persistentvolumeclaims`,
    `${device.name}.deviceclass.resource.k8s.io/devices`,
    `requests.deviceclass.resource.kubernetes.io/${device.name}`,
  ]);
  assert.match(made[5], /^count\/w\d+$/);
  assert.equal(made[6], `limits.${gpu}`);
});

test('a scope gets the new names of PriorityClasses, and counts the same pods', () => {
  const operator = 'In';
  const scope = (/** @type {string[]} */ values) => ({
    scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator, values }] },
  });
  const system = 'system-node-critical';
  const pods = [
    storedPod('a', { spec: { priorityClassName: 'acme-high' } }),
    storedPod('b', { spec: { priorityClassName: 'acme-low' } }),
    storedPod('c', { spec: { priorityClassName: system } }),
    storedPod('d', { spec: { priorityClassName: 'acme-high', activeDeadlineSeconds: 60 } }),
  ];
  for (const [spec, counted] of /** @type {[object, boolean[]][]} */ ([
    [scope(['acme-high']), [true, false, false, true]],
    [scope(['acme-low', system]), [false, true, true, false]],
    [{ scopes: ['Terminating'] }, [false, false, false, true]],
    [{ ...scope(['acme-high']), scopes: ['NotTerminating'] }, [true, false, false, false]],
  ])) {
    const items = [quota({ pods: '0' }, spec), ...pods];
    for (const [read, ...own] of [snapshotOf(items).items, anonymize(items).snapshot.items])
      for (const [at, pod] of own.entries()) {
        const take = () => new QuotaUsage(read).take(pod);
        if (counted[at]) assert.throws(take, /exceeded quota/, pod.metadata.name);
        else take();
      }
  }
  const volumes = { scopeName: 'VolumeAttributesClass', operator, values: ['acme-fast'] };
  const [item] = anonymize([quota({}, { scopeSelector: { matchExpressions: [volumes] } })]).snapshot
    .items;
  const [term] = item.spec.scopeSelector.matchExpressions;
  assert.deepEqual([term.scopeName, term.operator], ['VolumeAttributesClass', 'In']);
  assert.match(term.values[0], /^w\d+-w\d+$/);
});
