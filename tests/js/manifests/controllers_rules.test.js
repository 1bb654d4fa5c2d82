// Goal: `expand` creates the pods that the controllers would create for a workload in any state: one
// that ends, one whose pods ended, one in the middle of an update, a Job that is half done.
// Method: workloads and pods as a cluster has them; the names, indexes and templates of the pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Expansion, podsOf } from '../../../js/src/manifests/expand.js';
import { makeNode } from '../support/objects.js';
import { makeWorkload, owned, podOf } from '../support/workloads.js';

const names = (pods) => pods.map(({ metadata }) => metadata.name);

/** @param {string} kind @param {object} [spec] @param {{ status?: object, metadata?: object }} [rest] */
function stored(kind, spec = {}, { status, metadata } = {}) {
  const made = owned(makeWorkload(kind, 'web', { spec }));
  return { ...made, metadata: { ...made.metadata, ...metadata }, ...(status && { status }) };
}

/** @param {any} pod @param {string} phase @param {object} [metadata] */
function inPhase(pod, phase, metadata = {}) {
  return { ...pod, metadata: { ...pod.metadata, ...metadata }, status: { phase } };
}

test('no controller creates pods for a workload that is being deleted', () => {
  const kinds = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'];
  const context = { nodes: [makeNode('a')] };
  for (const kind of kinds) {
    const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z' };
    assert.equal(podsOf(stored(kind), context).length, 1, kind);
    assert.deepEqual(podsOf(stored(kind, {}, { metadata }), context), [], kind);
  }
});

test('a StatefulSet’s pod that ended is recreated, a DaemonSet’s and a ReplicaSet’s too', () => {
  for (const phase of ['Failed', 'Succeeded']) {
    const set = stored('StatefulSet', { replicas: 2 });
    const existing = [podOf('web-0', set, { node: 'a' }), inPhase(podOf('web-1', set), phase)];
    const expansion = new Expansion({ existing });
    assert.deepEqual(names(expansion.of(set)), ['web-1'], phase);
    assert.deepEqual([...expansion.ended], [existing[1]], 'the controller deletes it first');

    const daemon = stored('DaemonSet');
    const failed = inPhase(podOf('web-x1', daemon, { node: 'a' }), phase);
    const nodes = [makeNode('a')];
    assert.deepEqual(names(podsOf(daemon, { nodes, existing: [failed] })), ['web-a'], phase);

    const replicas = stored('ReplicaSet');
    const dead = inPhase(podOf('web-x1', replicas), phase);
    assert.deepEqual(names(podsOf(replicas, { existing: [dead] })), ['web-0'], phase);
  }
});

test('a StatefulSet creates no pod whose name another one has', () => {
  const set = stored('StatefulSet', { replicas: 2 });
  const metadata = { ownerReferences: undefined };
  for (const phase of ['Running', 'Failed'])
    assert.deepEqual(
      names(podsOf(set, { existing: [inPhase(podOf('web-1', set), phase, metadata)] })),
      ['web-0'],
      phase,
    );
  const leaving = inPhase(podOf('web-1', set), 'Running', {
    deletionTimestamp: '2026-01-01T00:00:00Z',
  });
  assert.deepEqual(names(podsOf(set, { existing: [leaving] })), ['web-0'], 'it has to end first');
});
