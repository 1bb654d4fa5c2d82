// Goal: workloads of other projects become pods in the questions about the future as they do in
// check. Method: the commands on a JobSet and a LeaderWorkerSet, beside check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../../support/folder.js';
import { makeList, makeNode, makePod } from '../../support/objects.js';
import { runCli } from '../../support/run_cli.js';

const { file } = await makeFolder();
const cluster = await file('cluster.json', makeList(makeNode('a', { cpu: '2' })));
const pool = await file('pool.json', makeNode('large', { cpu: '2' }));
const template = { spec: { ...makePod('p', { cpu: '1' }).spec, restartPolicy: 'Never' } };

const jobSet = {
  apiVersion: 'jobset.x-k8s.io/v1alpha2',
  kind: 'JobSet',
  metadata: { name: 'train' },
  spec: {
    replicatedJobs: [
      { name: 'w', replicas: 2, template: { spec: { parallelism: 2, completions: 2, template } } },
    ],
  },
};
const leaders = {
  apiVersion: 'leaderworkerset.x-k8s.io/v1',
  kind: 'LeaderWorkerSet',
  metadata: { name: 'serve' },
  spec: {
    replicas: 2,
    leaderWorkerTemplate: { size: 2, workerTemplate: { spec: makePod('p', { cpu: '1' }).spec } },
  },
};

for (const object of [jobSet, leaders]) {
  test(`the four pods of a ${object.kind}`, async () => {
    const manifest = await file(`${object.kind}.json`, object);
    const ofCluster = ['--cluster', cluster, '-o', 'json'];
    const checked = await runCli(['check', '-f', manifest, ...ofCluster]);
    const [{ replicas, placed }] = JSON.parse(checked.stdout).workloads;
    assert.deepEqual([replicas, placed], [4, 2]);

    const planned = await runCli(['plan', '-f', manifest, '--pool', pool, ...ofCluster]);
    const { nodes, pods } = JSON.parse(planned.stdout);
    assert.deepEqual([nodes, pods.length], [1, 4]);
    assert.doesNotMatch(planned.stderr, /left aside/);

    const changes = await file('changes.json', {
      apiVersion: 'stowage/v1',
      kind: 'Changes',
      changes: [{ type: 'apply', object }],
    });
    for (const from of [
      ['--apply', manifest],
      ['-f', changes],
    ]) {
      const { stdout, stderr } = await runCli(['whatif', ...from, ...ofCluster]);
      const { summary } = JSON.parse(stdout);
      assert.deepEqual([summary.placed, summary.newWaits], [2, 2], from[0]);
      assert.doesNotMatch(stderr, /left aside/);
    }
  });
}
