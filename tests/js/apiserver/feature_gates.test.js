// Goal: the server accepts and stores what kube-apiserver does with its feature gates, by default
// those of the release. Method: servers with a gate on and off, asked to store the same objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from 'node:fs/promises';

import { SERVER_GATES } from '../../../js/src/kubernetes/server_gates.js';
import { createJsonApiServer } from '../../../js/apiserver/index.js';
import { featureGatesOf, GATES } from '../../../js/apiserver/feature_gates.js';
import { objectFaults } from '../../../js/apiserver/object_faults.js';
import { updateFaults } from '../../../js/apiserver/update_faults.js';
import { AskedServer, pod } from './asked_server.js';
import { faultsOf } from './validation/refusals.js';
import { inDefault, workload } from './workloads.js';

const COMPARING = { featureGates: { TaintTolerationComparisonOperators: true } };

/** @param {string} operator @param {string} [value] */
const toleration = (operator, value) => [{ key: 'sla', operator, value, effect: 'NoSchedule' }];

test('the gates are those of the engine', async () => {
  const path = new URL('../../../core/config/features.cc', import.meta.url);
  const features = await readFile(path, 'utf8');
  for (const [name, states] of Object.entries(GATES)) {
    const [, ofEngine] = new RegExp(`\\{"${name}",[^"]*"([^"]*)"\\}`).exec(features) ?? [];
    assert.equal(ofEngine, Object.hasOwn(SERVER_GATES, name) ? undefined : states, name);
  }
});

test('gates have the defaults of their release, unless they or their stage are set', () => {
  const { DRAConsumableCapacity, MutablePVNodeAffinity, PodLevelResources } = featureGatesOf().on;
  assert.deepEqual(
    [DRAConsumableCapacity, MutablePVNodeAffinity, PodLevelResources],
    [true, false, true],
  );
  const isOn = (/** @type {string} */ gate, /** @type {any[]} */ ...args) =>
    /** @type {any} */ (featureGatesOf(...args)).on[gate];
  for (const [release, expected] of /** @type {const} */ ([
    ['1.33', false],
    ['v1.34.9', false],
    ['v1.35', false],
    ['v1.36.0', true],
    ['v1.37.0-preview', true],
    ['1.37-preview', true],
    ['v1.12', true],
  ]))
    assert.equal(isOn('DRAConsumableCapacity', {}, release), expected, release);
  assert.equal(isOn('MutablePVNodeAffinity', { AllAlpha: true }), true);
  assert.equal(isOn('MutablePVNodeAffinity', { AllAlpha: true }, '1.33'), false, 'not there yet');
  const both = { AllAlpha: true, MutablePVNodeAffinity: false };
  assert.equal(isOn('MutablePVNodeAffinity', both), false);
  assert.equal(isOn('PodLevelResources', { AllBeta: false }), false);
  assert.equal(isOn('PodLevelResources', { AllAlpha: true }, '1.33'), true);
  assert.equal(isOn('DRAPrioritizedList', { AllBeta: false }, '1.36'), true, 'general');
  assert.equal(isOn('DRAPrioritizedList', { DRAPrioritizedList: false }, '1.36'), false);
  assert.equal(isOn('DRAPrioritizedList', { DRAPrioritizedList: false }, '1.37-preview'), true);
});

test('tolerations compare numbers only with their gate, in every kind', () => {
  const tolerations = toleration('Gt', '900');
  const containers = [{ name: 'c', image: 'i' }];
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers, tolerations } };
  const job = { template: { spec: { containers, tolerations, restartPolicy: 'Never' } } };
  const metadata = { name: 'web', ...inDefault };
  const controller = { metadata, spec: { selector: { app: 'web' }, template } };
  /** @type {[string, any][]} */
  const objects = [
    ['pods', pod('a', { tolerations }, inDefault)],
    ...['deployments', 'replicasets', 'daemonsets', 'statefulsets'].map(
      (resource) => /** @type {[string, any]} */ ([resource, workload({ template })]),
    ),
    ['replicationcontrollers', controller],
    ['jobs', { metadata, spec: job }],
    ['cronjobs', { metadata, spec: { schedule: '0 0 * * *', jobTemplate: { spec: job } } }],
    ['runtimeclasses', { metadata: { name: 'r' }, handler: 'h', scheduling: { tolerations } }],
  ];
  for (const [resource, object] of objects) {
    const faults = (/** @type {object} */ options) =>
      faultsOf(() => new AskedServer(options).store.create(resource, structuredClone(object)));
    assert.deepEqual(faults(COMPARING), [], resource);
    const [fault, ...others] = faults({});
    assert.match(
      fault,
      /tolerations\[0\]\.operator: Unsupported value: "Gt": .* "Equal", "Exists", "Lt", "Gt"$/,
    );
    assert.deepEqual(others, [], resource);
  }
});

test('a comparison needs an integer', () => {
  const faults = (/** @type {string} */ operator, /** @type {string} */ value) => {
    const { store } = new AskedServer(COMPARING);
    const spec = { tolerations: toleration(operator, value) };
    return faultsOf(() => store.create('pods', pod('a', spec, inDefault)));
  };
  const field = 'spec.tolerations[0].value';
  for (const value of ['0', '-5', '950']) assert.deepEqual(faults('Lt', value), []);
  for (const value of ['0950', '+5', '1.5', '-0', 'high'])
    assert.deepEqual(faults('Gt', value), [
      `${field}: Invalid value: "${value}": must be a valid decimal integer in canonical form`,
    ]);
  assert.deepEqual(faults('Lt', ''), [`${field}: Invalid value: "": must be non-empty`]);
});

test('equal pods of servers with other gates are judged by each server', () => {
  const [on, off] = [new AskedServer(COMPARING), new AskedServer()];
  const create = (/** @type {AskedServer} */ { store }, /** @type {string} */ name) =>
    faultsOf(() =>
      store.create('pods', pod(name, { tolerations: toleration('Lt', '7') }, inDefault)),
    ).length;
  assert.deepEqual(
    [create(on, 'a'), create(off, 'a'), create(on, 'b'), create(off, 'b')],
    [0, 1, 0, 1],
  );
});

test('the node affinity of a volume changes only with its gate', () => {
  const affinity = (/** @type {string} */ zone) => ({
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
    },
  });
  const volume = (/** @type {string} */ zone) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v' },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'd', volumeHandle: 'h' },
      nodeAffinity: affinity(zone),
    },
  });
  const updated = (/** @type {object} */ options) => {
    const { store } = new AskedServer(options);
    store.create('persistentvolumes', volume('a'));
    return faultsOf(() => store.update('persistentvolumes', volume('b')));
  };
  const gate = { MutablePVNodeAffinity: true };
  assert.match(updated({})[0], /^spec\.nodeAffinity: Invalid value: .* field is immutable/);
  assert.deepEqual(updated({ featureGates: gate }), []);
  const stored = /** @type {any} */ (new AskedServer().store.load(volume('a')));
  const faults = (/** @type {object} */ options) => updateFaults(volume('b'), stored, options);
  assert.equal(faults({})?.length, 1);
  assert.deepEqual(faults({ gates: featureGatesOf(gate) }), []);
});

test('fields of features that are off are dropped, unless they are stored', () => {
  const spread = [
    {
      maxSkew: 1,
      topologyKey: 'zone',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
      matchLabelKeys: ['rev'],
    },
  ];
  const spec = { resources: { requests: { cpu: '2' } }, topologySpreadConstraints: spread };
  const off = { PodLevelResources: false, MatchLabelKeysInPodTopologySpread: false };
  const stored = (/** @type {object} */ featureGates) => {
    const { store } = new AskedServer({ featureGates });
    const made = store.create('pods', pod('a', spec, { ...inDefault, labels: { rev: '1' } }));
    store.create('deployments', workload({ template: workload({}).spec.template }));
    return { store, made: /** @type {any} */ (made) };
  };
  const { made } = stored(off);
  assert.equal(made.spec.resources, undefined);
  const [constraint] = made.spec.topologySpreadConstraints;
  assert.deepEqual(
    [constraint.matchLabelKeys, constraint.labelSelector],
    [undefined, { matchLabels: { app: 'web' } }],
  );
  const { store: full, made: whole } = stored({});
  assert.deepEqual(whole.spec.resources.requests, { cpu: '2' });
  assert.equal(whole.spec.topologySpreadConstraints[0].labelSelector.matchExpressions.length, 1);
  const { store } = new AskedServer({ featureGates: off });
  store.load(whole);
  const labelled = structuredClone(whole);
  labelled.metadata.labels = { b: 'c' };
  delete labelled.metadata.resourceVersion;
  assert.deepEqual(store.update('pods', labelled).spec, whole.spec);
  const deployment = /** @type {any} */ (
    structuredClone(full.get('deployments', 'default', 'web'))
  );
  store.load(structuredClone(deployment));
  deployment.spec.template.spec.resources = spec.resources;
  delete deployment.metadata.resourceVersion;
  const next = /** @type {any} */ (store.update('deployments', deployment));
  assert.equal(next.spec.template.spec.resources, undefined);
});

test('the server that speaks only JSON has no gates', () => {
  const { store } = new AskedServer({
    create: createJsonApiServer,
    featureGates: { ...COMPARING.featureGates, PodLevelResources: false },
  });
  const spec = { resources: { requests: { cpu: '2' } } };
  const made = /** @type {any} */ (store.create('pods', pod('a', spec, inDefault)));
  assert.deepEqual(made.spec.resources, spec.resources);
  const tolerations = toleration('Gt', 'high');
  const faults = faultsOf(() => store.create('pods', pod('b', { tolerations }, inDefault)));
  assert.equal(faults.length, 1);
  assert.match(faults[0], /tolerations\[0\]\.operator: Unsupported value: "Gt"/);
});

test('a claim loses what its release does not know', () => {
  const exactly = { deviceClassName: 'gpu', capacity: { requests: { memory: '1Gi' } } };
  const devices = {
    requests: [
      { name: 'a', exactly: { ...exactly, adminAccess: true } },
      { name: 'b', firstAvailable: [{ name: 'c', ...exactly }] },
    ],
    constraints: [{ requests: ['a'], matchAttribute: 'd/e' }],
  };
  const claim = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { name: 'c', namespace: 'gpu' },
    spec: { devices },
  };
  const template = {
    ...claim,
    kind: 'ResourceClaimTemplate',
    spec: { spec: claim.spec },
  };
  const made = (/** @type {object} */ options) => {
    const { store } = new AskedServer(options);
    const labels = { 'resource.kubernetes.io/admin-access': 'true' };
    store.create('namespaces', { metadata: { name: 'gpu', labels } });
    const one = /** @type {any} */ (store.create('resourceclaims', structuredClone(claim)));
    const other = /** @type {any} */ (
      store.create('resourceclaimtemplates', structuredClone(template))
    );
    assert.deepEqual(other.spec.spec, one.spec);
    const [
      { exactly: first },
      {
        firstAvailable: [second],
      },
    ] = one.spec.devices.requests;
    return [first.capacity, second.capacity, first.adminAccess].map((field) => Boolean(field));
  };
  assert.deepEqual(made({}), [true, true, true]);
  assert.deepEqual(made({ gitVersion: 'v1.35.6' }), [false, false, true]);
  const off = { DRAAdminAccess: false };
  assert.deepEqual(made({ gitVersion: 'v1.35.6', featureGates: off }), [false, false, false]);
  const gates = featureGatesOf({ DRAPrioritizedList: false });
  assert.deepEqual(
    objectFaults(/** @type {any} */ (claim), { gates })?.map(({ field }) => field),
    ['spec.devices.requests[1]'],
  );
  assert.deepEqual(objectFaults(/** @type {any} */ (claim)), []);
});
