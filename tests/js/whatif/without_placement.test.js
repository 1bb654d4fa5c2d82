// Goal: without its placement, a cluster's pods queue by age, and only those that no scheduler
// could place elsewhere keep their nodes. Method: one bound pod of each sort.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPlacement } from '../../../js/src/whatif/without_placement.js';
import { storedPod } from '../support/objects.js';

const NAMES = new Set(['default-scheduler']);
const HOSTNAME = 'kubernetes.io/hostname';

/** @param {...any} objects */
function clusterOf(...objects) {
  const pods = objects.filter(({ kind }) => kind === 'Pod');
  return {
    batches: [{ name: 'a.json', objects }],
    pods: new Map(pods.map((pod) => [`default/${pod.metadata.name}`, pod])),
  };
}

/** @param {string} name @param {{ metadata?: object, spec?: object }} [rest] */
const bound = (name, { metadata, spec } = {}) =>
  storedPod(name, { metadata, spec: { nodeName: 'a', ...spec } });

/** @param {object[]} terms */
const requiring = (...terms) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms },
    },
  },
});

const named = (/** @type {string[]} */ ...values) => ({
  matchFields: [{ key: 'metadata.name', operator: 'In', values }],
});
const hosts = (/** @type {string[]} */ ...values) => ({
  matchExpressions: [{ key: HOSTNAME, operator: 'In', values }],
});

test('a pod keeps its node if no scheduler could place it elsewhere', () => {
  const owned = (/** @type {string} */ kind) => ({
    metadata: { ownerReferences: [{ kind, name: 'o', uid: 'o', controller: true }] },
  });
  const cases = /** @type {[string, boolean, object][]} */ ([
    ['of no one', false, {}],
    ['of a ReplicaSet', false, owned('ReplicaSet')],
    ['of a DaemonSet', true, owned('DaemonSet')],
    ['of a node', true, owned('Node')],
    ['static', true, { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }],
    ['being deleted', true, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
    ['of another scheduler', true, { spec: { schedulerName: 'other' } }],
    ['hostname selected', true, { spec: { nodeSelector: { [HOSTNAME]: 'a' } } }],
    ['name required', true, { spec: requiring(named('a')) }],
    ['hostname required', true, { spec: requiring(hosts('a')) }],
    ['one of two names', false, { spec: requiring(named('a', 'b')) }],
    ['one of two hostnames', false, { spec: requiring(hosts('a', 'b')) }],
    ['one of two terms', false, { spec: requiring(named('a'), named('b')) }],
  ]);
  for (const [name, isPinned, rest] of cases) {
    const { cluster, pinned } = withoutPlacement(clusterOf(bound('p', rest)), NAMES);
    const node = cluster.pods.get('default/p')?.spec.nodeName;
    assert.deepEqual([node, pinned], isPinned ? ['a', 1] : [undefined, 0], name);
  }
});

test('pods queue by age, after all other objects', () => {
  const at = (/** @type {string} */ creationTimestamp) => ({ metadata: { creationTimestamp } });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } };
  const { cluster } = withoutPlacement(
    clusterOf(
      bound('young', at('2026-01-03T00:00:00Z')),
      bound('old', at('2026-01-01T00:00:00Z')),
      storedPod('waiting', at('2026-01-02T00:00:00Z')),
      node,
    ),
    NAMES,
  );
  const names = cluster.batches.flatMap(({ objects }) =>
    objects.map(({ metadata }) => metadata.name),
  );
  assert.deepEqual(names, ['a', 'old', 'waiting', 'young']);
});

test('the claims that were made for a pod do not exist yet, nor do their volumes', () => {
  const pod = bound('p', { spec: { volumes: [{ name: 'v', ephemeral: {} }] } });
  const ofPod = { kind: 'Pod', name: 'p', uid: pod.metadata.uid, controller: true };
  const claim = (/** @type {string} */ name, /** @type {object[]} */ ownerReferences) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid: name, ownerReferences },
    spec: {},
  });
  const volume = (/** @type {string} */ name) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `of-${name}` },
    spec: { claimRef: { namespace: 'default', name } },
  });
  const { cluster } = withoutPlacement(
    clusterOf(pod, claim('p-v', [ofPod]), volume('p-v'), claim('kept', []), volume('kept')),
    NAMES,
  );
  const names = cluster.batches.flatMap(({ objects }) =>
    objects.map(({ metadata }) => metadata.name),
  );
  assert.deepEqual(names, ['kept', 'of-kept', 'p']);
});
