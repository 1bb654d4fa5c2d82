// Goal: `check` keeps what `kubectl apply` and the controllers keep: the count of a manifest that
// names none, and the pods below a StatefulSet's partition.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeList, makeNode } from '../../support/objects.js';
import { makeFolder } from '../../support/folder.js';
import { runCli } from '../../support/run_cli.js';
import { makeWorkload, owned, podOf, replicaSetOf } from '../../support/workloads.js';

const { file } = await makeFolder();
let count = 0;

/**
 * Result, replicas and placed pods of each workload, as `check` has them.
 * @param {object[]} objects of the cluster
 * @param {object[]} manifests
 */
async function check(objects, ...manifests) {
  const cluster = await file(`${(count += 1)}.json`, makeList(...objects));
  const stdin = JSON.stringify(makeList(...manifests));
  const { stdout } = await runCli(['check', '-', '--cluster', cluster, '-o', 'json'], { stdin });
  return JSON.parse(stdout).workloads.map(({ result, replicas, placed }) => [
    result,
    replicas,
    placed,
  ]);
}

const node = makeNode('a', { cpu: '2' });
const low = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name: 'low', uid: 'low' },
  value: -1,
};
const recreate = { strategy: { type: 'Recreate' } };
const scaled = (kind, replicas, spec = {}) =>
  owned(makeWorkload(kind, 'web', { spec: { replicas, ...spec } }));

test('a manifest without a count keeps that of the cluster', async () => {
  const written = makeWorkload('Deployment', 'web', { spec: recreate });
  const stored = scaled('Deployment', 3);
  const set = replicaSetOf(stored, '7d4b', { replicas: 3 });
  const pods = ['x', 'y'].map((id) => podOf(`web-7d4b-${id}`, set, { node: 'a' }));
  const kept = ['DoesNotFit', 3, 2];
  assert.deepEqual(await check([node, stored, set, ...pods], written), [kept]);
  assert.deepEqual(await check([node, stored], written), [kept]);
  assert.deepEqual(await check([node, set, ...pods], written), [kept]);
  assert.deepEqual(await check([node, ...pods], written), [['Fits', 2, 2]], 'as the pods show it');
  assert.deepEqual(await check([node], written), [['Fits', 1, 1]], 'the default');
  for (const kind of ['StatefulSet', 'ReplicaSet']) {
    const found = await check([node, scaled(kind, 3)], makeWorkload(kind, 'web'));
    assert.deepEqual(found, [kept], kind);
  }
});

test('a count that the manifest before named and this one does not is the default', async () => {
  const stored = scaled('Deployment', 3);
  const applied = (spec) => ({
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ spec }),
  });
  const written = makeWorkload('Deployment', 'web', { spec: recreate });
  const rows = [];
  for (const spec of [{ replicas: 3 }, {}]) {
    const metadata = { ...stored.metadata, annotations: applied(spec) };
    rows.push(...(await check([node, { ...stored, metadata }], written)));
  }
  assert.deepEqual(rows, [
    ['Fits', 1, 1],
    ['DoesNotFit', 3, 2],
  ]);
});

test('pods below the partition stay as they are, and keep their room', async () => {
  for (const start of [0, 5]) {
    const ordinals = start ? { ordinals: { start } } : {};
    const stored = scaled('StatefulSet', 3, ordinals);
    const pods = [0, 1, 2].map((place) =>
      podOf(`web-${start + place}`, stored, { node: 'a', cpu: '2' }),
    );
    const nodes = [makeNode('a', { cpu: '6' })];
    const partitioned = (partition, cpu) =>
      makeWorkload('StatefulSet', 'web', {
        cpu,
        spec: {
          replicas: 3,
          ...ordinals,
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
        },
      });
    // The scheduler decides its pod after those of the StatefulSet.
    const podSpec = { priorityClassName: 'low' };
    const other = makeWorkload('Deployment', 'api', { cpu: '2', spec: recreate, podSpec });
    for (const held of [pods, [...pods, stored]]) {
      const cluster = [...nodes, low, ...held];
      // Two pods of 2 cpu stay, the third shrinks to 1: no room for 2 more.
      assert.deepEqual(await check(cluster, partitioned(2, '1'), other), [
        ['Fits', 3, 3],
        ['DoesNotFit', 1, 0],
      ]);
      assert.deepEqual(await check(cluster, partitioned(0, '1'), other), [
        ['Fits', 3, 3],
        ['Fits', 1, 1],
      ]);
      // The new template is too large for all three, not for the last one.
      assert.deepEqual(await check(cluster, partitioned(3, '4')), [['Fits', 3, 3]]);
      assert.deepEqual(await check(cluster, partitioned(2, '4')), [['DoesNotFit', 3, 2]]);
    }
  }
});

test('what others added to a template stays, what the manifest no longer has goes', async () => {
  const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
  const tolerations = [{ key: 'z', operator: 'Exists' }];
  const tainted = { ...node, spec: { taints: [{ key: 'z', effect: 'NoSchedule' }] } };
  const surge = { replicas: 2, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
  /** @param {object} podSpec of the last manifest @param {(template: any) => object} change */
  const dump = (podSpec, change) => {
    const last = makeWorkload('Deployment', 'web', { spec: surge, podSpec });
    const stored = owned(structuredClone(last));
    stored.metadata.annotations = { [annotation]: JSON.stringify(last) };
    stored.spec.template = change(stored.spec.template);
    const set = replicaSetOf(stored, '7d4b', { replicas: 2 });
    set.spec.template = { ...stored.spec.template };
    const spec = stored.spec.template.spec.tolerations ? { tolerations } : {};
    return [
      stored,
      set,
      ...['x', 'y'].map((id) => podOf(`web-7d4b-${id}`, set, { node: 'a', spec })),
    ];
  };
  const written = makeWorkload('Deployment', 'web', { spec: surge });
  const restarted = dump({}, (template) => ({
    ...template,
    metadata: { ...template.metadata, annotations: { restartedAt: 'x' } },
  }));
  assert.deepEqual(await check([node, ...restarted], written), [['Fits', 2, 2]]);
  const tolerant = dump({}, (template) => ({
    ...template,
    spec: { ...template.spec, tolerations },
  }));
  assert.deepEqual(await check([tainted, ...tolerant], written), [['Fits', 2, 2]]);
  const injected = dump({}, (template) => {
    const { containers } = template.spec;
    const sidecar = { name: 'side', image: 'b' };
    return { ...template, spec: { ...template.spec, containers: [...containers, sidecar] } };
  });
  assert.deepEqual(await check([node, ...injected], written), [['Fits', 2, 2]]);
  const removed = dump({ tolerations }, (template) => template);
  assert.deepEqual(await check([tainted, ...removed], written), [['DoesNotFit', 2, 0]]);
});
