// Goal: fields of features that are off are dropped, in every kind, and what depends on a gate
// besides. Method: servers with a gate on and off, or of several releases, store the same objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { featureGatesOf, GATES } from '../../../js/apiserver/feature_gates.js';
import { objectFaults } from '../../../js/apiserver/object_faults.js';
import { ConfigurationError } from '../../../js/src/kubernetes/errors.js';
import { AskedServer, pod } from './asked_server.js';
import { slice } from './devices.js';
import { faultsOf } from './validation/refusals.js';
import { inDefault, workload } from './workloads.js';

/** @param {any} object @param {string} path */
const valueAt = (object, path) =>
  path.split('.').reduce((part, name) => part?.[name] ?? undefined, object);

const container = (/** @type {object} */ fields) => ({ name: 'c', image: 'i', ...fields });
const of = (/** @type {string} */ kind, /** @type {object} */ fields) => ({
  kind,
  metadata: { name: 'o', ...inDefault },
  ...fields,
});
const podOf = (/** @type {object} */ spec, /** @type {object} */ status = {}) =>
  of('Pod', { spec: { containers: [container({})], ...spec }, status });
const devices = (/** @type {object} */ device) =>
  of('ResourceSlice', { spec: { devices: [{ name: 'd', ...device }] } });
const results = (/** @type {object} */ result) =>
  of('ResourceClaim', { status: { allocation: { devices: { results: [result] } } } });

const RESULTS = 'status.allocation.devices.results.0';

/** A gate, an object with a field of its, and where that is. @type {[string, any, string][]} */
const FIELDS = [
  [
    'ClusterTrustBundleProjection',
    podOf({ volumes: [{ name: 'v', projected: { sources: [{ clusterTrustBundle: {} }] } }] }),
    'spec.volumes.0.projected.sources.0.clusterTrustBundle',
  ],
  [
    'ContainerRestartRules',
    podOf({ containers: [container({ restartPolicy: 'Never' })] }),
    'spec.containers.0.restartPolicy',
  ],
  [
    'ContainerRestartRules',
    podOf({ initContainers: [container({ restartPolicyRules: [] })] }),
    'spec.initContainers.0.restartPolicyRules',
  ],
  [
    'ContainerStopSignals',
    podOf({ containers: [container({ lifecycle: { stopSignal: 'SIGTERM' } })] }),
    'spec.containers.0.lifecycle',
  ],
  [
    'EnvFiles',
    podOf({ containers: [container({ env: [{ name: 'A', valueFrom: { fileKeyRef: {} } }] })] }),
    'spec.containers.0.env.0.valueFrom.fileKeyRef',
  ],
  [
    'InPlacePodVerticalScaling',
    podOf({ containers: [container({ resizePolicy: [{}] })] }),
    'spec.containers.0.resizePolicy',
  ],
  ['DynamicResourceAllocation', podOf({ resourceClaims: [{}] }), 'spec.resourceClaims'],
  [
    'DynamicResourceAllocation',
    podOf({ containers: [container({ resources: { claims: [{}] } })] }),
    'spec.containers.0.resources.claims',
  ],
  ['GenericWorkload', podOf({ schedulingGroup: { podGroupName: 'g' } }), 'spec.schedulingGroup'],
  ['HostnameOverride', podOf({ hostnameOverride: 'h' }), 'spec.hostnameOverride'],
  ['ImageVolume', podOf({ volumes: [{ name: 'v', image: {} }] }), 'spec.volumes.0.image'],
  [
    'PodCertificateRequest',
    podOf({ volumes: [{ name: 'v', projected: { sources: [{ podCertificate: {} }] } }] }),
    'spec.volumes.0.projected.sources.0.podCertificate',
  ],
  [
    'SELinuxChangePolicy',
    podOf({ securityContext: { seLinuxChangePolicy: 'Recursive' } }),
    'spec.securityContext.seLinuxChangePolicy',
  ],
  [
    'SupplementalGroupsPolicy',
    podOf({ securityContext: { supplementalGroupsPolicy: 'Strict' } }),
    'spec.securityContext.supplementalGroupsPolicy',
  ],
  ['UserNamespacesSupport', podOf({ hostUsers: false }), 'spec.hostUsers'],
  [
    'ResourceHealthStatus',
    podOf({}, { containerStatuses: [{ allocatedResourcesStatus: [] }] }),
    'status.containerStatuses.0.allocatedResourcesStatus',
  ],
  [
    'PodObservedGenerationTracking',
    podOf({}, { conditions: [{ observedGeneration: 2 }] }),
    'status.conditions.0.observedGeneration',
  ],
  [
    'DRAExtendedResource',
    podOf({}, { extendedResourceClaimStatus: {} }),
    'status.extendedResourceClaimStatus',
  ],
  [
    'InPlacePodLevelResourcesVerticalScaling',
    podOf({}, { allocatedResources: {} }),
    'status.allocatedResources',
  ],
  [
    'HostnameOverride',
    of('CronJob', {
      spec: { jobTemplate: { spec: { template: podOf({ hostnameOverride: 'h' }) } } },
    }),
    'spec.jobTemplate.spec.template.spec.hostnameOverride',
  ],
  ['JobManagedBy', of('Job', { spec: { managedBy: 'a/b' } }), 'spec.managedBy'],
  [
    'HostnameOverride',
    of('Job', { spec: { template: podOf({ hostnameOverride: 'h' }) } }),
    'spec.template.spec.hostnameOverride',
  ],
  [
    'MaxUnavailableStatefulSet',
    of('StatefulSet', { spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } } }),
    'spec.updateStrategy.rollingUpdate.maxUnavailable',
  ],
  [
    'DeploymentReplicaSetTerminatingReplicas',
    of('Deployment', { status: { terminatingReplicas: 0 } }),
    'status.terminatingReplicas',
  ],
  [
    'NodeDeclaredFeatures',
    of('Node', { status: { declaredFeatures: ['a'] } }),
    'status.declaredFeatures',
  ],
  [
    'DRAExtendedResource',
    of('DeviceClass', { spec: { extendedResourceName: 'a/b' } }),
    'spec.extendedResourceName',
  ],
  ['DRADeviceTaints', devices({ taints: [{}] }), 'spec.devices.0.taints'],
  [
    'DRAPartitionableDevices',
    devices({ consumesCounters: [{}] }),
    'spec.devices.0.consumesCounters',
  ],
  ['DRAPartitionableDevices', devices({ nodeName: 'n' }), 'spec.devices.0.nodeName'],
  [
    'DRAPartitionableDevices',
    of('ResourceSlice', { spec: { perDeviceNodeSelection: true } }),
    'spec.perDeviceNodeSelection',
  ],
  [
    'DRAConsumableCapacity',
    devices({ allowMultipleAllocations: true }),
    'spec.devices.0.allowMultipleAllocations',
  ],
  [
    'DRAConsumableCapacity',
    devices({ capacity: { memory: { requestPolicy: {} } } }),
    'spec.devices.0.capacity.memory.requestPolicy',
  ],
  ['DRADeviceBindingConditions', devices({ bindsToNode: true }), 'spec.devices.0.bindsToNode'],
  [
    'DRAListTypeAttributes',
    devices({ attributes: { a: { ints: [1] } } }),
    'spec.devices.0.attributes.a.ints',
  ],
  [
    'DRANodeAllocatableResources',
    devices({ nodeAllocatableResourceMappings: {} }),
    'spec.devices.0.nodeAllocatableResourceMappings',
  ],
  [
    'DRAResourceClaimDeviceStatus',
    of('ResourceClaim', { status: { devices: [] } }),
    'status.devices',
  ],
  ['DRAConsumableCapacity', results({ shareID: 's' }), `${RESULTS}.shareID`],
  [
    'DRADeviceBindingConditions',
    results({ bindingConditions: [] }),
    `${RESULTS}.bindingConditions`,
  ],
  [
    'TopologyAwareWorkloadScheduling',
    of('PodGroup', { spec: { schedulingConstraints: {} } }),
    'spec.schedulingConstraints',
  ],
  [
    'DRAWorkloadResourceClaims',
    of('PodGroup', { spec: { resourceClaims: [] } }),
    'spec.resourceClaims',
  ],
  [
    'WorkloadAwarePreemption',
    of('Workload', { spec: { podGroupTemplates: [{ priority: 3 }] } }),
    'spec.podGroupTemplates.0.priority',
  ],
  [
    'VolumeAttributesClass',
    of('PersistentVolumeClaim', { spec: { volumeAttributesClassName: 'a' } }),
    'spec.volumeAttributesClassName',
  ],
  [
    'CrossNamespaceVolumeDataSource',
    of('PersistentVolumeClaim', { spec: { dataSourceRef: { namespace: 'n' } } }),
    'spec.dataSourceRef.namespace',
  ],
  [
    'VolumeLimitScaling',
    of('CSIDriver', { spec: { preventPodSchedulingIfMissing: true } }),
    'spec.preventPodSchedulingIfMissing',
  ],
];

test('the field of a gate that is off is dropped, unless it is stored', () => {
  for (const [gate, object, path] of FIELDS) {
    const on = { [gate]: true };
    const state = (/** @type {any} */ one) => valueAt(one, path);
    // Each gate is on in the newest release or can be turned on there, or is locked.
    assert.notEqual(state(featureGatesOf(on).enabled(object)), undefined, `${gate} ${path}`);
    const version = ['1.36', '1.35', '1.34', '1.33'].find((release) => {
      const { on: states } = featureGatesOf({ [gate]: false }, release);
      return states[gate] === false;
    });
    const off = featureGatesOf({ [gate]: false }, version);
    assert.equal(state(off.enabled(object)), undefined, `${gate} ${path} off`);
    assert.equal(off.enabled(object, object), object, `${gate} ${path} stored`);
    const kept = off.enabled(object, undefined, /** @type {any} */ ([gate]));
    assert.equal(kept, object, `${gate} ${path} kept`);
  }
});

test('all fields of a feature stay if the stored object has one of them', () => {
  const gates = featureGatesOf({ DRAPartitionableDevices: false });
  const next = devices({ nodeName: 'n', consumesCounters: [{}] });
  assert.equal(gates.enabled(next, devices({ nodeName: 'm' })), next);
  assert.notEqual(gates.enabled(next, devices({})), next);
});

test('some fields get another value, or stay with one', () => {
  const off = featureGatesOf({ ProcMountType: false, ContainerRestartRules: false }, '1.35');
  const made = /** @type {any} */ (
    off.enabled(
      podOf({
        containers: [container({ securityContext: { procMount: 'Unmasked' } })],
        initContainers: [
          container({ restartPolicy: 'Always' }),
          container({ restartPolicy: 'Never' }),
        ],
      }),
    )
  );
  assert.equal(made.spec.containers[0].securityContext.procMount, 'Default');
  assert.deepEqual(
    made.spec.initContainers.map((/** @type {any} */ one) => one.restartPolicy),
    ['Always', undefined],
  );
  const both = { lifecycle: { stopSignal: 'SIGTERM', preStop: {} } };
  const left = /** @type {any} */ (
    featureGatesOf().enabled(podOf({ containers: [container(both)] }))
  );
  assert.deepEqual(left.spec.containers[0].lifecycle, { preStop: {} });
});

test('a release has its gates, and refuses others and what it has locked', () => {
  const server = (/** @type {object} */ featureGates, /** @type {string} */ gitVersion) => () =>
    new AskedServer({ featureGates, gitVersion });
  const refused =
    (/** @type {string} */ field, /** @type {RegExp} */ words) => (/** @type {any} */ error) =>
      error instanceof ConfigurationError &&
      words.test(error.message) &&
      error.errors[0].field === `featureGates.${field}`;
  assert.throws(
    server({ EnvFiles: true }, '1.33'),
    refused('EnvFiles', /^unrecognized feature gate: EnvFiles$/),
  );
  assert.throws(
    server({ ImageVolume: false }, '1.36'),
    refused('ImageVolume', /^cannot set feature gate ImageVolume to false, .* locked to true$/),
  );
  server({ ImageVolume: true, EnvFiles: false, SchedulerAsyncPreemption: true }, '1.36')();
  assert.equal(featureGatesOf({ EnvFiles: true }, '1.33').on.EnvFiles, false);
  for (const [name, states] of Object.entries(GATES)) assert.match(states, /^[-abBGL]{5}$/, name);
});

test('an image volume of a release without them is a volume without a source', () => {
  const volume = pod('a', { volumes: [{ name: 'v', image: { reference: 'r' } }] }, inDefault);
  const faults = (/** @type {string} */ gitVersion) =>
    faultsOf(() => new AskedServer({ gitVersion }).store.create('pods', structuredClone(volume)));
  assert.deepEqual(faults('1.34'), ['spec.volumes[0]: Required value: must specify a volume type']);
  assert.deepEqual(faults('1.35'), []);
});

test('a StatefulSet gets maxUnavailable only with its gate', () => {
  const strategy = (/** @type {string} */ gitVersion, /** @type {object} */ rollingUpdate) => {
    const { store } = new AskedServer({ gitVersion });
    const set = workload({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
    return /** @type {any} */ (store.create('statefulsets', set)).spec.updateStrategy.rollingUpdate;
  };
  assert.deepEqual(strategy('1.36', { maxUnavailable: 2 }), { partition: 0 });
  assert.deepEqual(strategy('v1.37.0-preview', { maxUnavailable: 2 }), {
    partition: 0,
    maxUnavailable: 2,
  });
  assert.deepEqual(strategy('v1.37.0-preview', {}), { partition: 0, maxUnavailable: 1 });
});

test('slices and classes lose what their release does not have', () => {
  const { store } = new AskedServer({ gitVersion: '1.35' });
  const device = { name: 'd', taints: [{ key: 'a', effect: 'NoSchedule' }] };
  const made = /** @type {any} */ (store.create('resourceslices', slice({ devices: [device] })));
  assert.deepEqual(made.spec.devices, [{ name: 'd' }]);
  const group = of('PodGroup', { spec: { schedulingPolicy: { basic: {} }, priority: 3 } });
  const stored = /** @type {any} */ (store.create('podgroups', structuredClone(group)));
  assert.deepEqual(stored.spec, { podGroupTemplateRef: null, schedulingPolicy: { basic: {} } });
});

test('a field in use may be used further when its gate is off', () => {
  const { store } = new AskedServer();
  const tolerations = [{ key: 'sla', operator: 'Gt', value: '9', effect: 'NoSchedule' }];
  const old = pod('a', { tolerations }, { ...inDefault, uid: 'u' });
  store.load({ apiVersion: 'v1', kind: 'Pod', ...old });
  const next = structuredClone(/** @type {any} */ (store.get('pods', 'default', 'a')));
  delete next.metadata.resourceVersion;
  next.metadata.labels = { b: 'c' };
  assert.deepEqual(
    faultsOf(() => store.update('pods', next)),
    [],
  );
  next.spec.tolerations.push({ ...tolerations[0], operator: 'Lt', value: 'high' });
  assert.match(faultsOf(() => store.update('pods', next))[0], /must be a valid decimal integer/);
});

test('keys of topology spread are merged into the selector since v1.34', () => {
  const constraint = {
    maxSkew: 1,
    topologyKey: 'zone',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
    matchLabelKeys: ['rev'],
  };
  const merged = (/** @type {string} */ gitVersion) => {
    const { store } = new AskedServer({ gitVersion });
    const labels = { rev: '1' };
    const spec = { topologySpreadConstraints: [structuredClone(constraint)] };
    const made = /** @type {any} */ (
      store.create('pods', pod('a', spec, { ...inDefault, labels }))
    );
    return made.spec.topologySpreadConstraints[0].labelSelector.matchExpressions;
  };
  assert.equal(merged('1.33'), undefined);
  assert.deepEqual(merged('1.34'), [{ key: 'rev', operator: 'In', values: ['1'] }]);
});

test('names of services may start with a digit where the gate is on', () => {
  const service = { metadata: { name: '1-web', ...inDefault }, spec: { ports: [{ port: 80 }] } };
  const faults = (/** @type {string} */ gitVersion) =>
    faultsOf(() =>
      new AskedServer({ gitVersion }).store.create('services', structuredClone(service)),
    );
  assert.match(faults('1.35')[0], /^metadata\.name: Invalid value: "1-web": a DNS-1035 label must/);
  assert.deepEqual(faults('1.36'), []);
});

test('users of a pod and namespaces of the host exclude each other', () => {
  const spec = { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true };
  const faults = (/** @type {object} */ featureGates) =>
    faultsOf(() =>
      new AskedServer({ featureGates }).store.create('pods', pod('a', spec, inDefault)),
    );
  const words = 'Forbidden: when `hostUsers` is false';
  const others = [`spec.hostPID: ${words}`, `spec.hostIPC: ${words}`];
  assert.deepEqual(faults({}), [`spec.hostNetwork: ${words}`, ...others]);
  assert.deepEqual(faults({ UserNamespacesHostNetworkSupport: true }), others);
  const known = objectFaults({
    apiVersion: 'v1',
    ...podOf({ hostUsers: false, hostNetwork: true }),
  });
  assert.equal(known?.length, 1);
});
