import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityOfOwner, Owners } from '../../../js/src/kubernetes/owners.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../support/workloads.js';

const deployment = owned(makeWorkload('Deployment', 'web'));
const set = replicaSetOf(deployment, '7d4b');
const pod = podOf('web-7d4b-x', set);

/** @param {object[]} objects @param {any} object */
const chain = (objects, object) => new Owners(objects).chainOf(object).map(identityOfOwner);

test('the owners of a Deployment’s pod, whichever of them the dump holds', () => {
  const expected = ['ReplicaSet default/web-7d4b', 'Deployment default/web'];
  for (const others of [[], [set], [deployment], [set, deployment]])
    assert.deepEqual(chain([pod, ...others], pod), expected, others.map(({ kind }) => kind).join());
});

test('a name alone makes no Deployment', () => {
  const bare = { ...pod, metadata: { ...pod.metadata, labels: {} } };
  assert.deepEqual(chain([bare], bare), ['ReplicaSet default/web-7d4b']);
  const other = podOf('web-7d4b-x', set, { labels: { 'pod-template-hash': 'else' } });
  assert.deepEqual(chain([other], other), ['ReplicaSet default/web-7d4b']);
  const alone = owned({ ...set, metadata: { name: 'web-7d4b' } });
  assert.deepEqual(chain([alone], podOf('p', alone)), ['ReplicaSet default/web-7d4b']);
});

test('a CronJob’s pod is its Job’s, which has the minute in its name', () => {
  const cronJob = owned(makeWorkload('CronJob', 'nightly'));
  const job = owned(makeWorkload('Job', 'nightly-29463120'), cronJob);
  const made = podOf('nightly-29463120-x', job);
  const expected = ['Job default/nightly-29463120', 'CronJob default/nightly'];
  for (const others of [[], [job]]) assert.deepEqual(chain([made, ...others], made), expected);
});

test('other owners of the same kind differ by their group', () => {
  const job = owned({
    apiVersion: 'batch.volcano.sh/v1alpha1',
    kind: 'Job',
    metadata: { name: 'j' },
  });
  assert.deepEqual(chain([job], podOf('p', job)), ['batch.volcano.sh Job default/j']);
});

test('a circle of owners ends', () => {
  const a = owned(makeWorkload('Job', 'a'));
  const b = owned(makeWorkload('Job', 'b'), a);
  const circle = owned(makeWorkload('Job', 'a'), b);
  assert.ok(chain([circle, b], circle).length < 20);
});

test('the uid of a workload, where only its pods know it', () => {
  const written = makeWorkload('StatefulSet', 'db');
  const stored = owned(written);
  assert.equal(new Owners([podOf('db-0', stored)]).uidOf(written), stored.metadata.uid);
  assert.equal(new Owners([stored]).uidOf(written), stored.metadata.uid);
  assert.equal(new Owners([]).uidOf(written), undefined);
});
