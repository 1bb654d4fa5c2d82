// Goal: a simulation makes no volume for a node that is not there, and what else it makes up is
// listed, with who would make it in the cluster. Method: a dump with claims of each kind.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { makeFolder } from '../support/folder.js';
import { validate } from '../support/json_schema.js';
import { makeList, makeNode, makePod, storedPod } from '../support/objects.js';
import { startWasm } from '../support/real_engine.js';
import { runCli } from '../support/run_cli.js';

const schema = JSON.parse(
  await readFile(new URL('../../../js/schema/stowage-v1.json', import.meta.url), 'utf8'),
);
const { engine } = await startWasm();
const loadEngine = async () => engine;
const { file } = await makeFolder();

/** @param {string} name @param {{ selected?: string, storageClassName?: string }} [options] */
function claim(name, { selected, storageClassName = 'gp3' } = {}) {
  const annotations = { 'volume.kubernetes.io/selected-node': selected };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid: `u-${name}`, ...(selected && { annotations }) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName,
    },
    status: { phase: 'Pending' },
  };
}

/** @param {string} name @param {string} provisioner */
const classOf = (name, provisioner) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, uid: `u-${name}` },
  provisioner,
  volumeBindingMode: 'WaitForFirstConsumer',
  reclaimPolicy: 'Delete',
});

/** @param {string} name */
function podWith(name) {
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }];
  return storedPod(`of-${name}`, {
    spec: { volumes, schedulerName: 'default-scheduler' },
    status: { phase: 'Pending' },
  });
}

const local = {
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'disk', uid: 'u-disk' },
  spec: {
    capacity: { storage: '5Gi' },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'local',
    local: { path: '/d' },
  },
  status: { phase: 'Available' },
};
const cluster = makeList(
  makeNode('new-1'),
  makeNode('new-2'),
  classOf('gp3', 'ebs.csi.aws.com'),
  classOf('local', 'kubernetes.io/no-provisioner'),
  local,
  claim('stuck', { selected: 'old-node' }),
  claim('pinned', { selected: 'new-2' }),
  claim('static', { storageClassName: 'local' }),
  podWith('stuck'),
  podWith('pinned'),
  podWith('static'),
);
const ephemeral = makePod('scratch', {
  spec: {
    volumes: [{ name: 'tmp', ephemeral: { volumeClaimTemplate: { spec: claim('x').spec } } }],
  },
});

test('a claim whose selected node is gone stays pending', async () => {
  const input = await file('cluster.json', cluster);
  const { code, stdout, stderr } = await runCli(['simulate', input], { loadEngine });
  assert.equal(code, 1);
  assert.match(stdout, /^default +of-stuck +<none> +Unschedulable +0\/2 nodes are available: 2 /m);
  assert.ok(stdout.includes(": 2 node(s) didn't find available persistent volumes to bind. "));
  assert.match(stdout, /^default +of-pinned +new-[12] +Scheduled/m);
  const said = 'for claim default/pinned, Pending in the input (by ebs.csi.aws.com), volume disk';
  assert.match(stderr, /^note: made up by the simulation: volume \S+ for claim default\/pinned, /m);
  assert.ok(stderr.includes(said), stderr);
});

test('assumed objects of a simulation are in its document', async () => {
  const input = await file('whole.json', makeList(cluster, ephemeral));
  const { stdout } = await runCli(['simulate', input, '-o', 'json'], { loadEngine });
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const { madeUp } = document;
  assert.deepEqual(
    madeUp.map(({ claim, by, pending }) => [claim, by, pending]),
    [
      ['default/pinned', 'ebs.csi.aws.com', true],
      ['default/scratch-tmp', 'ephemeral-volume-controller', false],
      ['default/scratch-tmp', 'ebs.csi.aws.com', false],
      ['default/static', 'persistentvolume-binder-controller', true],
    ],
  );
  assert.deepEqual(
    madeUp.map(({ volume }) => volume === null),
    [false, true, false, false],
  );
  assert.equal(madeUp[3].volume, 'disk');
  const host = await runCli(['simulate', input, '-o', 'json', '--volumes=host'], { loadEngine });
  assert.deepEqual(JSON.parse(host.stdout).madeUp, []);
});

test('check lists it as well', async () => {
  const input = await file('checked.json', cluster);
  const manifest = await file('scratch.json', ephemeral);
  const argv = ['check', '-f', manifest, '--cluster', input];
  const { stdout } = await runCli([...argv, '-o', 'json'], { loadEngine });
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  assert.ok(document.madeUp.some((each) => each.claim === 'default/scratch-tmp' && !each.pending));
  const { stderr } = await runCli(argv, { loadEngine });
  assert.match(stderr, /^note: made up by the simulation: /m);
});

test('capacity lists it as well, of the clones that were tried', async () => {
  const input = await file('room.json', cluster);
  const manifest = await file('ephemeral.json', ephemeral);
  const argv = ['capacity', '-f', manifest, '--cluster', input, '--max-limit', '2'];
  const { stdout } = await runCli([...argv, '-o', 'json'], { loadEngine });
  const document = JSON.parse(stdout);
  assert.deepEqual(validate(schema, document), []);
  const own = document.madeUp.filter(({ claim }) => claim.startsWith('default/scratch-'));
  assert.deepEqual(
    own.map(({ claim, volume, pending }) => [claim, volume !== null, pending]),
    [
      ['default/scratch-0-tmp', false, false],
      ['default/scratch-0-tmp', true, false],
      ['default/scratch-1-tmp', false, false],
      ['default/scratch-1-tmp', true, false],
    ],
  );
  assert.equal(document.total, 2);
  const { stderr } = await runCli(argv, { loadEngine });
  assert.match(stderr, /^note: made up by the simulation: /m);
  const quiet = await runCli([...argv, '-q'], { loadEngine });
  assert.doesNotMatch(quiet.stderr, /^note: /m);
});
