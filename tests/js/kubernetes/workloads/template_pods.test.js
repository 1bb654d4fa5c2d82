import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podsOf } from '../../../../js/src/manifests.js';
import { makeNode, storedPod } from '../../support/objects.js';
import { makeWorkload } from '../../support/workloads.js';

/** @param {string} kind @param {object} [spec] @param {{ uid?: string, status?: object }} [rest] */
function workload(kind, spec = {}, { uid, status } = {}) {
  const made = makeWorkload(kind, 'web', { spec });
  return { ...made, metadata: { ...made.metadata, ...(uid && { uid }) }, status };
}

/** A pod of the StatefulSet with the uid `ss`. @param {string} name @param {object} labels */
function owned(name, labels) {
  const ownerReferences = [{ kind: 'StatefulSet', name: 'web', uid: 'ss', controller: true }];
  return storedPod(name, { metadata: { labels, ownerReferences } });
}

test('pods from templates have the fields that their controllers write', () => {
  const [replica] = podsOf(workload('ReplicaSet'));
  assert.equal(replica.metadata.generateName, 'web-');
  const [member] = podsOf(workload('StatefulSet', { serviceName: 'db', ordinals: { start: 4 } }));
  const { 'controller-revision-hash': revision, ...labels } = member.metadata.labels;
  assert.match(revision, /^web-\w{5,10}$/);
  assert.deepEqual(labels, {
    app: 'web',
    'statefulset.kubernetes.io/pod-name': 'web-4',
    'apps.kubernetes.io/pod-index': '4',
  });
  assert.deepEqual([member.spec.hostname, member.spec.subdomain], ['web-4', 'db']);

  const [daemon] = podsOf(workload('DaemonSet'), { nodes: [makeNode('a')] });
  assert.equal(daemon.metadata.labels['pod-template-generation'], '1');
  assert.match(daemon.metadata.labels['controller-revision-hash'], /^\w{5,10}$/);

  const job = workload('Job', { completionMode: 'Indexed', completions: 1 }, { uid: 'j' });
  const [indexed] = podsOf(job);
  const index = { 'batch.kubernetes.io/job-completion-index': '0' };
  assert.deepEqual(indexed.metadata.labels, {
    app: 'web',
    'job-name': 'web',
    'batch.kubernetes.io/job-name': 'web',
    'controller-uid': 'j',
    'batch.kubernetes.io/controller-uid': 'j',
    ...index,
  });
  const [manual] = podsOf(workload('Job', { manualSelector: true, completions: 1 }, { uid: 'j' }));
  assert.deepEqual(manual.metadata.labels, { app: 'web' });
  assert.deepEqual(indexed.metadata.annotations, index);
  assert.equal(indexed.spec.hostname, 'web-0');
  assert.equal(indexed.spec.containers[0].env[0].name, 'JOB_COMPLETION_INDEX');
});

test('a pod that is missing is of the revision that the others have', () => {
  const labels = { 'controller-revision-hash': 'web-77b8' };
  const set = (status) => workload('StatefulSet', { replicas: 2 }, { uid: 'ss', status });
  const existing = [owned('web-0', labels)];
  const revisionOf = (status) =>
    podsOf(set(status), { existing })[0].metadata.labels['controller-revision-hash'];
  assert.equal(revisionOf(), 'web-77b8');
  assert.equal(revisionOf({ updateRevision: 'web-9c' }), 'web-9c');
});
