// Goal: claims get the volumes that upstream would give them, and volumes of deleted claims follow
// their reclaim policy.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbagecollector } from '../../../../js/apiserver/controllers/garbagecollector/garbage_collector.js';
import { volumes } from '../../../../js/apiserver/controllers/volumes.js';
import { World } from './world.js';

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';

const storageClass = (name, fields = {}, metadata = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, ...metadata },
  provisioner: 'csi.example.org',
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  ...fields,
});
const claim = (name, spec = {}, annotations = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name, annotations },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '2Gi' } },
    storageClassName: '',
    ...spec,
  },
});
const volume = (name, storage, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    hostPath: { path: `/data/${name}` },
    ...spec,
  },
});
const node = (name, labels) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels },
});

/** @param {import('node:test').TestContext} t @param {...object} objects */
async function prepare(t, ...objects) {
  const world = new World(volumes, garbagecollector);
  t.after(() => {
    world.stop();
    assert.deepEqual(world.errors, []);
  });
  for (const object of objects) {
    world.create(object);
    await world.settle();
  }
  return world;
}

const phases = (world, resource) =>
  Object.fromEntries(
    world.list(resource).map(({ metadata, status }) => [metadata.name, status?.phase]),
  );

test('a claim gets the smallest volume that suits, and both say so', async (t) => {
  const world = await prepare(
    t,
    volume('large', '10Gi'),
    volume('small', '1Gi'),
    volume('fits', '2Gi'),
    volume('block', '2Gi', { volumeMode: 'Block' }),
    volume('shared', '2Gi', { accessModes: ['ReadOnlyMany'] }),
    volume('classy', '2Gi', { storageClassName: 'gold' }),
    claim('data'),
  );
  const bound = world.get('persistentvolumeclaims', 'data');
  assert.equal(bound.spec.volumeName, 'fits');
  assert.deepEqual(bound.status, {
    phase: 'Bound',
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '2Gi' },
  });
  assert.deepEqual(bound.metadata.annotations, {
    'pv.kubernetes.io/bind-completed': 'yes',
    'pv.kubernetes.io/bound-by-controller': 'yes',
  });
  const { metadata, spec, status } = world.get('persistentvolumes', 'fits');
  assert.equal(spec.claimRef.uid, bound.metadata.uid);
  assert.deepEqual(metadata.annotations, { 'pv.kubernetes.io/bound-by-controller': 'yes' });
  assert.equal(status.phase, 'Bound');
  assert.equal(phases(world, 'persistentvolumes').large, 'Available');
});

test('a claim waits for a volume, by size, class, labels or name', async (t) => {
  const world = await prepare(
    t,
    claim('picky', { selector: { matchLabels: { disk: 'ssd' } } }),
    claim('named', { volumeName: 'mine' }),
    volume('plain', '5Gi'),
  );
  assert.deepEqual(phases(world, 'persistentvolumeclaims'), { named: 'Pending', picky: 'Pending' });
  assert.match(world.events('picky').join('\n'), /FailedBinding: no persistent volumes available/);
  const labelled = volume('labelled', '5Gi');
  world.create({ ...labelled, metadata: { name: 'labelled', labels: { disk: 'ssd' } } });
  world.create(volume('mine', '3Gi'));
  await world.settle();
  assert.deepEqual(phases(world, 'persistentvolumeclaims'), { named: 'Bound', picky: 'Bound' });
  const { annotations } = world.get('persistentvolumeclaims', 'named').metadata;
  assert.deepEqual(annotations, { 'pv.kubernetes.io/bind-completed': 'yes' });
});

test('a volume that is set aside is for that claim alone', async (t) => {
  const claimRef = { namespace: 'default', name: 'mine' };
  const world = await prepare(
    t,
    volume('kept', '2Gi', { claimRef }),
    claim('other'),
    claim('mine'),
  );
  assert.equal(world.get('persistentvolumeclaims', 'mine').spec.volumeName, 'kept');
  assert.equal(phases(world, 'persistentvolumeclaims').other, 'Pending');
});

test('a volume that is being deleted, or of other attributes, is for no claim', async (t) => {
  const claimRef = (/** @type {string} */ name) => ({ claimRef: { namespace: 'default', name } });
  const ending = (/** @type {string} */ name, /** @type {object} */ spec) => {
    const { metadata, ...object } = volume(name, '2Gi', spec);
    return { ...object, metadata: { ...metadata, finalizers: ['example.org/kept'] } };
  };
  const world = await prepare(
    t,
    ending('reserved', claimRef('mine')),
    ending('free', {}),
    volume('fast', '2Gi', { ...claimRef('slow'), volumeAttributesClassName: 'fast' }),
  );
  for (const name of ['reserved', 'free']) world.delete('persistentvolumes', name);
  await world.settle();
  world.create(claim('mine'));
  world.create(claim('named', { volumeName: 'free' }));
  world.create(claim('slow'));
  await world.settle();
  assert.deepEqual(phases(world, 'persistentvolumeclaims'), {
    mine: 'Pending',
    named: 'Pending',
    slow: 'Pending',
  });
  assert.match(
    world.events('named').join('\n'),
    /VolumeMismatch: .* "free": the volume is marked for deletion "free"/,
  );
});

test('a claim that names a volume which does not suit stays pending', async (t) => {
  const world = await prepare(t, volume('small', '1Gi'), claim('data', { volumeName: 'small' }));
  assert.equal(phases(world, 'persistentvolumeclaims').data, 'Pending');
  assert.match(world.events('data').join('\n'), /VolumeMismatch: .* requested PV is too small/);
});

test('a class that binds at once has a volume made, which goes with the claim', async (t) => {
  const world = await prepare(t, storageClass('fast'), claim('data', { storageClassName: 'fast' }));
  const bound = world.get('persistentvolumeclaims', 'data');
  const name = `pvc-${bound.metadata.uid}`;
  assert.equal(bound.spec.volumeName, name);
  const made = world.get('persistentvolumes', name);
  assert.deepEqual(made.spec.csi, { driver: 'csi.example.org', volumeHandle: name });
  assert.equal(made.spec.nodeAffinity, undefined);
  assert.equal(made.metadata.annotations['pv.kubernetes.io/provisioned-by'], 'csi.example.org');
  assert.deepEqual(made.metadata.finalizers, ['kubernetes.io/pv-protection']);
  world.delete('persistentvolumeclaims', 'data');
  await world.settle();
  assert.deepEqual(
    [world.list('persistentvolumeclaims'), world.list('persistentvolumes')],
    [[], []],
  );
});

test('a class that waits for a pod has a volume made where its node is', async (t) => {
  const world = await prepare(
    t,
    storageClass('zonal', { volumeBindingMode: 'WaitForFirstConsumer' }),
    node('a', { 'topology.kubernetes.io/zone': 'z1', 'csi.example.org/rack': 'r7' }),
    claim('data', { storageClassName: 'zonal' }),
  );
  assert.equal(phases(world, 'persistentvolumeclaims').data, 'Pending');
  assert.match(world.events('data').join('\n'), /WaitForFirstConsumer: waiting for first consumer/);
  const select = () =>
    world.change('persistentvolumeclaims', 'data', (object) => ({
      ...object,
      metadata: {
        ...object.metadata,
        annotations: { ...object.metadata.annotations, [SELECTED_NODE]: 'a' },
      },
    }));
  select();
  await world.settle();
  const terms = () =>
    world.list('persistentvolumes').at(-1).spec.nodeAffinity.required.nodeSelectorTerms;
  const zone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] };
  assert.deepEqual(terms(), [{ matchExpressions: [zone] }]);
  assert.equal(phases(world, 'persistentvolumeclaims').data, 'Bound');
});

test('the driver of the class says by which labels its volumes are reached', async (t) => {
  const drivers = [
    { name: 'csi.example.org', nodeID: 'a', topologyKeys: ['csi.example.org/rack'] },
  ];
  const world = await prepare(
    t,
    storageClass('zonal', { volumeBindingMode: 'WaitForFirstConsumer' }),
    node('a', { 'topology.kubernetes.io/zone': 'z1', 'csi.example.org/rack': 'r7' }),
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: 'a' },
      spec: { drivers },
    },
    claim('data', { storageClassName: 'zonal' }, { [SELECTED_NODE]: 'a' }),
  );
  const [made] = world.list('persistentvolumes');
  assert.deepEqual(made.spec.nodeAffinity.required.nodeSelectorTerms, [
    { matchExpressions: [{ key: 'csi.example.org/rack', operator: 'In', values: ['r7'] }] },
  ]);
});

test('a node that cannot reach the volume is given back to the scheduler', async (t) => {
  const allowedTopologies = [
    { matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['z2'] }] },
  ];
  const world = await prepare(
    t,
    storageClass('zonal', { volumeBindingMode: 'WaitForFirstConsumer', allowedTopologies }),
    node('a', { 'topology.kubernetes.io/zone': 'z1' }),
    claim('data', { storageClassName: 'zonal' }, { [SELECTED_NODE]: 'a' }),
  );
  const pending = world.get('persistentvolumeclaims', 'data');
  assert.equal(pending.metadata.annotations[SELECTED_NODE], undefined);
  assert.equal(pending.status.phase, 'Pending');
  assert.deepEqual(world.list('persistentvolumes'), []);
});

test('a volume that the scheduler reserved for a waiting claim is bound', async (t) => {
  const world = await prepare(
    t,
    storageClass('local', {
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    }),
    volume('disk', '5Gi', { storageClassName: 'local' }),
    claim('data', { storageClassName: 'local' }),
  );
  assert.equal(phases(world, 'persistentvolumeclaims').data, 'Pending');
  const { uid } = world.get('persistentvolumeclaims', 'data').metadata;
  const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data', uid };
  world.patchSpec('persistentvolumes', 'disk', { claimRef });
  await world.settle();
  assert.equal(phases(world, 'persistentvolumeclaims').data, 'Bound');
  assert.equal(phases(world, 'persistentvolumes').disk, 'Bound');
});

/** A claim whose spec names no class. @param {object} [annotations] */
function claimWithoutClass(annotations) {
  const { spec, ...rest } = claim('data', { storageClassName: undefined }, annotations);
  return { ...rest, spec: JSON.parse(JSON.stringify(spec)) };
}

for (const mark of [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]) {
  test(`a claim without class gets a later default class, by ${mark}`, async (t) => {
    const world = await prepare(t, claimWithoutClass());
    assert.equal(phases(world, 'persistentvolumeclaims').data, 'Pending');
    world.create(storageClass('standard', {}, { annotations: { [mark]: 'true' } }));
    await world.settle();
    const bound = world.get('persistentvolumeclaims', 'data');
    assert.deepEqual([bound.spec.storageClassName, bound.status.phase], ['standard', 'Bound']);
  });
}

test('a claim whose annotation names no class gets no default class', async (t) => {
  const named = claimWithoutClass({ 'volume.beta.kubernetes.io/storage-class': '' });
  const world = await prepare(t, named);
  const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  world.create(storageClass('standard', {}, { annotations }));
  await world.settle();
  const { spec, status } = world.get('persistentvolumeclaims', 'data');
  assert.deepEqual([spec.storageClassName, status.phase], [undefined, 'Pending']);
});

test('a claim without its volume is lost, a volume without its claim released', async (t) => {
  const world = await prepare(t, volume('one', '2Gi'), claim('data'));
  world.change('persistentvolumes', 'one', (object) => ({
    ...object,
    metadata: { ...object.metadata, finalizers: [] },
  }));
  world.delete('persistentvolumes', 'one');
  await world.settle();
  assert.deepEqual(world.get('persistentvolumeclaims', 'data').status, { phase: 'Lost' });
  const other = await prepare(t, volume('one', '2Gi'), claim('data'));
  other.delete('persistentvolumeclaims', 'data');
  await other.settle();
  assert.equal(phases(other, 'persistentvolumes').one, 'Released');
  other.create(claim('next'));
  await other.settle();
  assert.equal(phases(other, 'persistentvolumeclaims').next, 'Pending');
});

test('a claim that a pod uses stays until the pod is gone', async (t) => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: {
      nodeName: 'a',
      containers: [{ name: 'main', image: 'app:v1' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  };
  const world = await prepare(
    t,
    storageClass('fast'),
    claim('data', { storageClassName: 'fast' }),
    pod,
  );
  world.delete('persistentvolumeclaims', 'data');
  await world.settle();
  assert.ok(world.get('persistentvolumeclaims', 'data').metadata.deletionTimestamp);
  world.delete('pods', 'web', { gracePeriodSeconds: 0 });
  await world.settle();
  assert.equal(world.get('persistentvolumeclaims', 'data'), undefined);
});

test('an ephemeral volume has a claim that comes and goes with its pod', async (t) => {
  const volumeClaimTemplate = {
    metadata: { labels: { kind: 'scratch' } },
    spec: { ...claim('').spec, storageClassName: 'fast' },
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: {
      containers: [{ name: 'main', image: 'app:v1' }],
      volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate } }],
    },
  };
  const world = await prepare(t, storageClass('fast'), pod);
  const made = world.get('persistentvolumeclaims', 'web-scratch');
  assert.deepEqual(made.metadata.labels, { kind: 'scratch' });
  assert.equal(made.metadata.ownerReferences[0].name, 'web');
  assert.equal(made.status.phase, 'Bound');
  world.delete('pods', 'web');
  await world.settle();
  assert.deepEqual(
    [world.list('persistentvolumeclaims'), world.list('persistentvolumes')],
    [[], []],
  );
});
