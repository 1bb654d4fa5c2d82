// Goal: pods get the device claims of their templates, and claims are freed and deleted as upstream
// would do it. Method: the test plays the scheduler and the kubelet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { garbagecollector } from '../../../../js/apiserver/controllers/garbagecollector/garbage_collector.js';
import { resourceclaims } from '../../../../js/apiserver/controllers/resourceclaims.js';
import { allocated, claim, claimTemplate } from '../devices.js';
import { World } from './world.js';

const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** @param {string} name @param {object[]} resourceClaims @param {object} [spec] */
const pod = (name, resourceClaims, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main', image: 'app:v1' }], resourceClaims, ...spec },
});
const ofTemplate = (/** @type {string} */ name) => ({ name, resourceClaimTemplateName: 't' });
const ofClaim = (/** @type {string} */ name) => ({ name, resourceClaimName: 'c' });

/** @param {import('node:test').TestContext} t @param {...object} objects */
async function prepare(t, ...objects) {
  const world = new World(resourceclaims, garbagecollector);
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

const names = (/** @type {World} */ world) =>
  world.list('resourceclaims').map(({ metadata }) => metadata.name);

/** Allocates a claim for pods as the scheduler does. */
async function allocate(/** @type {World} */ world, /** @type {string} */ name, ...podNames) {
  world.change('resourceclaims', name, ({ metadata, ...object }) => ({
    ...object,
    metadata: { ...metadata, finalizers: [FINALIZER] },
  }));
  const reservedFor = podNames.map((podName) => ({
    resource: 'pods',
    name: podName,
    uid: world.get('pods', podName).metadata.uid,
  }));
  world.patchStatus('resourceclaims', name, { ...allocated(), reservedFor });
  for (const podName of podNames) world.bind(podName, 'n1');
  await world.settle();
}

/** What is left of an allocation: the finalizer, the device, the consumers. */
function allocationOf(/** @type {World} */ world, /** @type {string} */ name) {
  const { metadata, status } = world.get('resourceclaims', name);
  return [
    metadata.finalizers ?? [],
    (status.allocation?.devices.results ?? []).map((/** @type {any} */ { device }) => device),
    (status.reservedFor ?? []).map((/** @type {any} */ one) => one.name),
  ];
}

test('a pod gets a claim of each template, with its labels, spec and owner', async (t) => {
  const template = claimTemplate();
  const world = await prepare(
    t,
    {
      ...template,
      spec: { ...template.spec, metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } },
    },
    pod('web', [ofTemplate('gpu'), ofClaim('shared'), ofTemplate('nic')]),
  );
  const [gpu, nic] = world.list('resourceclaims');
  const { uid, resourceVersion, creationTimestamp, ...metadata } = gpu.metadata;
  const owner = world.get('pods', 'web');
  assert.match(metadata.name, /^web-gpu-[a-z0-9]{5}$/);
  assert.deepEqual(metadata, {
    name: metadata.name,
    generateName: 'web-gpu-',
    namespace: 'default',
    labels: { a: 'b' },
    annotations: { c: 'd', 'resource.kubernetes.io/pod-claim-name': 'gpu' },
    ownerReferences: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        name: 'web',
        uid: owner.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  });
  assert.deepEqual(gpu.spec, world.get('resourceclaimtemplates', 't').spec.spec);
  assert.deepEqual(owner.status.resourceClaimStatuses, [
    { name: 'gpu', resourceClaimName: gpu.metadata.name },
    { name: 'nic', resourceClaimName: nic.metadata.name },
  ]);
  assert.equal(owner.status.phase, 'Pending');
  assert.equal(names(world).length, 2);
});

test('long names are cut in proportion', async (t) => {
  const world = await prepare(
    t,
    claimTemplate(),
    pod('p'.repeat(60), [ofTemplate('c'.repeat(40))]),
  );
  const [{ metadata }] = world.list('resourceclaims');
  assert.equal(metadata.generateName, `${'p'.repeat(33)}-${'c'.repeat(22)}`);
});

test('a missing template is reported, and tried again', async (t) => {
  const world = await prepare(t, pod('web', [ofTemplate('gpu')]));
  assert.deepEqual(world.events('web'), [
    'FailedResourceClaimCreation: PodResourceClaim gpu: resource claim template "t": ' +
      'resourceclaimtemplate.resource.k8s.io "t" not found',
  ]);
  world.create(claimTemplate());
  await world.advance(1000);
  assert.equal(names(world).length, 1);
});

test('a deleted claim is created again; one of another owner is left alone', async (t) => {
  const world = await prepare(t, claimTemplate(), pod('web', [ofTemplate('gpu')]));
  const [first] = names(world);
  world.delete('resourceclaims', first);
  await world.settle();
  const [second] = names(world);
  assert.notEqual(second, first);
  assert.deepEqual(world.get('pods', 'web').status.resourceClaimStatuses, [
    { name: 'gpu', resourceClaimName: second },
  ]);
  world.patchStatus('pods', 'web', {
    resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: 'c' }],
  });
  world.create(claim());
  await world.settle();
  assert.deepEqual(names(world).sort(), ['c', second].sort());
  assert.equal(world.get('resourceclaims', 'c').metadata.ownerReferences, undefined);
});

test('a claim that nothing needs is not created', async (t) => {
  const world = await prepare(t, pod('web', [ofTemplate('gpu')]));
  world.patchStatus('pods', 'web', { resourceClaimStatuses: [{ name: 'gpu' }] });
  world.create(claimTemplate());
  await world.advance(60_000);
  assert.deepEqual(names(world), []);
});

test('the last consumer’s end frees the devices; the claim stays', async (t) => {
  const shared = [ofClaim('shared')];
  const world = await prepare(t, claim(), pod('a', shared), pod('b', shared));
  await allocate(world, 'c', 'a', 'b');
  assert.deepEqual(allocationOf(world, 'c'), [[FINALIZER], ['gpu-0'], ['a', 'b']]);
  world.patchStatus('pods', 'a', { phase: 'Succeeded' });
  await world.settle();
  assert.deepEqual(allocationOf(world, 'c'), [[FINALIZER], ['gpu-0'], ['b']]);
  world.delete('pods', 'b', { gracePeriodSeconds: 0 });
  await world.settle();
  assert.deepEqual(allocationOf(world, 'c'), [[], [], []]);
  assert.deepEqual(world.get('resourceclaims', 'c').status, {});
});

test('a claim that is allocated without consumers stays allocated', async (t) => {
  const world = await prepare(t, claim());
  await allocate(world, 'c');
  assert.deepEqual(allocationOf(world, 'c'), [[FINALIZER], ['gpu-0'], []]);
  world.delete('resourceclaims', 'c');
  await world.settle();
  assert.deepEqual(names(world), [], 'its deletion frees it');
});

test('a claim in use waits with its deletion for its pods', async (t) => {
  const world = await prepare(t, claim(), pod('a', [ofClaim('shared')]));
  await allocate(world, 'c', 'a');
  world.delete('resourceclaims', 'c');
  await world.settle();
  assert.deepEqual(allocationOf(world, 'c'), [[FINALIZER], ['gpu-0'], ['a']]);
  world.delete('pods', 'a', { gracePeriodSeconds: 0 });
  await world.settle();
  assert.deepEqual(names(world), []);
});

test('reservations for what was replaced or never existed are removed', async (t) => {
  const world = await prepare(t, claim(), pod('a', [ofClaim('shared')]));
  await allocate(world, 'c', 'a');
  const gone = { resource: 'pods', name: 'a', uid: 'of-another' };
  const group = { apiGroup: 'scheduling.k8s.io', resource: 'podgroups', name: 'g', uid: 'group' };
  const other = { apiGroup: 'batch', resource: 'jobs', name: 'j', uid: 'job' };
  const { reservedFor } = world.get('resourceclaims', 'c').status;
  const all = [...reservedFor, gone, group, other];
  world.patchStatus('resourceclaims', 'c', { reservedFor: all });
  await world.settle();
  const kept = world.get('resourceclaims', 'c').status.reservedFor;
  assert.deepEqual(kept, [...reservedFor, other], 'consumers of other kinds are not checked');
});

test('a claim of a pod group is freed when the group goes, and not when its pods do', async (t) => {
  const group = {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name: 'g' },
    spec: { schedulingPolicy: { gang: { minCount: 1 } } },
  };
  const member = pod('web', [ofClaim('gpu')], { schedulingGroup: { podGroupName: 'g' } });
  const world = await prepare(t, claim(), group, member);
  world.change('resourceclaims', 'c', ({ metadata, ...object }) => ({
    ...object,
    metadata: { ...metadata, finalizers: [FINALIZER] },
  }));
  const { uid } = world.get('podgroups', 'g').metadata;
  const consumer = { apiGroup: 'scheduling.k8s.io', resource: 'podgroups', name: 'g', uid };
  world.patchStatus('resourceclaims', 'c', { ...allocated(), reservedFor: [consumer] });
  world.bind('web', 'n1');
  await world.settle();
  assert.deepEqual(allocationOf(world, 'c'), [[FINALIZER], ['gpu-0'], ['g']], 'no pod is added');
  world.delete('pods', 'web');
  await world.settle();
  assert.deepEqual(allocationOf(world, 'c'), [[FINALIZER], ['gpu-0'], ['g']]);
  world.delete('podgroups', 'g');
  await world.settle();
  assert.deepEqual(allocationOf(world, 'c'), [[], [], []]);
});

test('a generated claim goes when its pod has ended, or is deleted', async (t) => {
  const world = await prepare(
    t,
    claimTemplate(),
    pod('job', [ofTemplate('gpu')]),
    pod('web', [ofTemplate('gpu')]),
    pod('waiting', [ofTemplate('gpu')]),
  );
  const nameOf = (/** @type {string} */ podName) =>
    world.get('pods', podName).status.resourceClaimStatuses[0].resourceClaimName;
  const [job, web, waiting] = ['job', 'web', 'waiting'].map(nameOf);
  await allocate(world, job, 'job');
  await allocate(world, web, 'web');
  world.patchStatus('pods', 'job', { phase: 'Failed' });
  await world.settle();
  assert.deepEqual(names(world).sort(), [web, waiting].sort());
  world.delete('pods', 'web', { gracePeriodSeconds: 0 });
  world.delete('pods', 'waiting');
  await world.settle();
  assert.deepEqual(names(world), []);
});

test('a pod that was bound without a scheduler reserves its allocated claim', async (t) => {
  const world = await prepare(t, claim());
  await allocate(world, 'c');
  world.create(pod('a', [ofClaim('shared')], { nodeName: 'n1' }));
  await world.settle();
  assert.deepEqual(world.get('resourceclaims', 'c').status.reservedFor, [
    { resource: 'pods', name: 'a', uid: world.get('pods', 'a').metadata.uid },
  ]);
});

test('the claim of extended resources goes with its pod', async (t) => {
  const world = await prepare(t, pod('a', []));
  const owner = world.get('pods', 'a');
  const ownerReferences = [
    { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: owner.metadata.uid, controller: true },
  ];
  world.create(claim({}, { ownerReferences }));
  await allocate(world, 'c', 'a');
  world.patchStatus('pods', 'a', { extendedResourceClaimStatus: { resourceClaimName: 'c' } });
  await world.settle();
  assert.deepEqual(allocationOf(world, 'c'), [[FINALIZER], ['gpu-0'], ['a']]);
  world.patchStatus('pods', 'a', { phase: 'Succeeded' });
  await world.settle();
  assert.deepEqual(names(world), []);
});
