// Goal: the former template of a StatefulSet is in a snapshot, so that missing pods below the
// partition are made from it. Method: a cluster whose former template alone fits, and each kind of
// snapshot of it; revisions of DaemonSets are not read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { makeList, makeNode } from '../support/objects.js';
import { runCli } from '../support/run_cli.js';
import { makeWorkload, owned } from '../support/workloads.js';

const { file } = await makeFolder();
const spec = { replicas: 1, updateStrategy: { rollingUpdate: { partition: 1 } } };
const set = owned({
  ...makeWorkload('StatefulSet', 'web', { cpu: '9', spec }),
  status: { currentRevision: 'web-1', updateRevision: 'web-2' },
});
const { template } = makeWorkload('StatefulSet', 'web', { cpu: '1' }).spec;
const [container] = template.spec.containers;
const former = {
  ...template,
  $patch: 'replace',
  spec: { ...template.spec, containers: [{ ...container, env: [{ name: 'A', value: 'secret' }] }] },
};
/** @param {any} owner @param {string} name */
const revision = (owner, name) =>
  owned(
    {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: { name },
      data: { spec: { template: former } },
      revision: 1,
    },
    owner,
  );
const agent = owned(makeWorkload('DaemonSet', 'agent'));
const objects = [
  makeNode('a', { cpu: '2' }),
  set,
  revision(set, 'web-1'),
  revision(agent, 'agent-1'),
];
const cluster = await file('cluster.json', makeList(...objects));

test('a missing pod below the partition is the same in each snapshot', async () => {
  for (const flags of [undefined, [], ['--anonymize']]) {
    const path = flags
      ? await file('snapshot.json', (await runCli(['snapshot', cluster, '-q', ...flags])).stdout)
      : cluster;
    const { stdout, stderr } = await runCli(['simulate', path, '-o', 'json']);
    const { pods, ignoredKinds } = JSON.parse(stdout);
    assert.deepEqual(
      pods.map((/** @type {any} */ { result }) => result),
      ['Scheduled'],
      stderr,
    );
    assert.deepEqual(ignoredKinds ?? {}, {});
  }
});

test('a revision keeps what its pods need', async () => {
  const { stdout } = await runCli(['snapshot', cluster, '-q']);
  assert.ok(!stdout.includes('secret'));
  const { items } = JSON.parse(stdout);
  const kept = items.filter((/** @type {any} */ { kind }) => kind === 'ControllerRevision');
  assert.deepEqual(
    kept.map((/** @type {any} */ { metadata }) => metadata.name),
    ['web-1'],
  );
});
