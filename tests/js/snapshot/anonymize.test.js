import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anonymize } from '../../../js/src/snapshot/anonymize.js';
import { makeNode, storedPod } from '../support/objects.js';

/** @param {object[]} objects */
const itemsOf = (objects) => anonymize(objects).snapshot.items;

/** @param {string} name @param {object} spec @param {object} [metadata] */
const pod = (name, spec, metadata = {}) => storedPod(name, { spec, metadata });

test('anonymize replaces a name by the same one everywhere, and leaves no true name', () => {
  const objects = [
    {
      ...makeNode('prod-db-1', {
        labels: { 'acme.io/team': 'payments', 'topology.kubernetes.io/zone': 'eu-1-a' },
      }),
      spec: { taints: [{ key: 'acme.io/dedicated', value: 'payments', effect: 'NoSchedule' }] },
      status: {
        allocatable: { cpu: '4', 'acme.io/gpu': '2', 'hugepages-2Mi': '0' },
        images: [{ names: ['registry.acme.io:5000/shop/web:v7'], sizeBytes: 9 }],
      },
    },
    pod(
      'checkout',
      {
        nodeSelector: { 'acme.io/team': 'payments' },
        tolerations: [{ key: 'acme.io/dedicated', operator: 'Exists' }],
        containers: [
          {
            name: 'web',
            image: 'registry.acme.io:5000/shop/web:v7',
            env: [{ name: 'PASSWORD', value: 'hunter2' }],
            resources: { requests: { 'acme.io/gpu': '1', cpu: '1' } },
          },
        ],
      },
      { annotations: { secret: 'hunter2' }, labels: { app: 'checkout' } },
    ),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'checkout', namespace: 'default', uid: 'u-s' },
      spec: { selector: { app: 'checkout' } },
    },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'hunter2' }, data: { password: 'x' } },
  ];
  const [node, renamed, service, ...rest] = itemsOf(objects);
  assert.deepEqual(rest, []);
  const text = JSON.stringify([node, renamed, service]);
  assert.doesNotMatch(text, /acme|payments|checkout|prod|hunter|shop|eu-1|"default"/);
  const [team] = Object.keys(renamed.spec.nodeSelector);
  assert.equal(node.metadata.labels[team], renamed.spec.nodeSelector[team]);
  assert.equal(node.metadata.labels['kubernetes.io/hostname'], node.metadata.name);
  assert.match(node.metadata.labels['topology.kubernetes.io/zone'], /^z\d-z\d-z\d$/);
  assert.equal(node.spec.taints[0].key, renamed.spec.tolerations[0].key);
  assert.equal(node.spec.taints[0].value, node.metadata.labels[team]);
  assert.equal(node.status.images[0].names[0], renamed.spec.containers[0].image);
  assert.deepEqual(Object.keys(node.status.allocatable).slice(0, 1), ['cpu']);
  assert.match(Object.keys(node.status.allocatable)[1], /^w\d+\.example\/w\d+$/);
  assert.ok(
    Object.keys(node.status.allocatable)[1] in renamed.spec.containers[0].resources.requests,
  );
  assert.deepEqual(service.spec.selector, renamed.metadata.labels);
  assert.equal(service.metadata.name, renamed.metadata.name);
  assert.match(renamed.metadata.uid, /^0{8}-0000-4000-8000-0{11}\d$/);
});

test('conditions, features, keys and provisioners stay where they are those of Kubernetes', () => {
  const conditions = [
    { type: 'Ready', status: 'True' },
    { type: 'AcmeDiskFailing', status: 'True' },
  ];
  const declaredFeatures = ['UserNamespacesHostNetworkSupport', 'AcmeFeature'];
  const taints = ['node.kubernetes.io/unschedulable', 'node.kubernetes.io/acme'].map((key) => ({
    key,
    effect: 'NoSchedule',
  }));
  const classes = ['kubernetes.io/no-provisioner', 'kubernetes.io/acme'].map((provisioner) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: provisioner.slice(-4) },
    provisioner,
  }));
  const evicted = storedPod('p');
  evicted.status = {
    conditions: [
      { type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' },
      { type: 'AcmeChecked', status: 'True', reason: 'AcmeSaysSo' },
    ],
  };
  const [node, pod, ...others] = itemsOf([
    { ...makeNode('n'), spec: { taints }, status: { conditions, declaredFeatures } },
    evicted,
    ...classes,
  ]);
  assert.doesNotMatch(JSON.stringify([node, pod, others]), /acme/i);
  assert.equal(node.status.conditions[0].type, 'Ready');
  assert.equal(node.status.declaredFeatures[0], declaredFeatures[0]);
  assert.equal(node.spec.taints[0].key, taints[0].key);
  assert.deepEqual(pod.status.conditions[0], evicted.status.conditions[0]);
  assert.equal(others[0].provisioner, 'kubernetes.io/no-provisioner');
});

test('names sort as they did, also beside pods whose ordinals stay', () => {
  const names = ['b', 'a-2', 'a', 'a-10', 'ab', 'a.b', 'z', '10', '9', 'A', 'a-1-2', 'a-10-2'];
  const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', uid: 's' } };
  const items = itemsOf([...names.map((name) => makeNode(name)), set, pod('db-2', {})]);
  const renamed = items.slice(0, names.length).map(({ metadata }) => metadata);
  assert.match(items.at(-1).metadata.name, /-2$/);
  const sorted = (/** @type {string[]} */ texts) =>
    texts.map((_, at) => at).sort((a, b) => (texts[a] < texts[b] ? -1 : 1));
  assert.deepEqual(sorted(renamed.map(({ name }) => name)), sorted(names));
  assert.equal(new Set(renamed.map(({ name }) => name)).size, names.length);
});

test('values that are compared by size stay integers, in their order', () => {
  const values = ['100', '7', '-3', '0', '007', '-0', '+8', 'many', '9223372036854775808'];
  const nodes = values.map((value, at) =>
    makeNode(`n${at}`, { labels: { cores: value, other: value } }),
  );
  const requirement = { key: 'cores', operator: 'Gt', values: ['7'] };
  const required = { nodeSelectorTerms: [{ matchExpressions: [requirement] }] };
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } };
  const items = itemsOf([...nodes, pod('p', { affinity })]);
  const {
    key,
    operator,
    values: bound,
  } = items.at(-1).spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution
    .nodeSelectorTerms[0].matchExpressions[0];
  assert.equal(operator, 'Gt');
  const cores = items.slice(0, -1).map(({ metadata }) => metadata.labels[key]);
  assert.deepEqual(cores.slice(0, 7), ['4', '2', '-1', '0', '002', '-0', '+3']);
  assert.match(cores[7], /^w\d+$/);
  assert.match(cores[8], /^w\d+$/, 'too large to be compared');
  assert.deepEqual(bound, ['2']);
  const [, , other] = Object.keys(items[0].metadata.labels);
  assert.match(items[0].metadata.labels[other], /^w\d+$/, 'no rule compares these');
});

test('names with a meaning to the scheduler stay', () => {
  const node = makeNode('n', { labels: { 'topology.kubernetes.io/region': 'eu' } });
  const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
  const volume = (/** @type {string} */ name, /** @type {object} */ spec, labels = {}) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      uid: name,
      labels,
      annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes', 'acme.io/x': 'y' },
    },
    spec,
  });
  const zones = { 'topology.kubernetes.io/zone': 'us-east1-b__us-east1-c' };
  const [renamed, gce, handle, aws] = itemsOf([
    { ...node, spec: { taints } },
    volume('g', { gcePersistentDisk: { pdName: 'disk' } }, zones),
    volume('h', {
      csi: {
        driver: 'pd.csi.storage.gke.io',
        volumeHandle: 'projects/UNSPECIFIED/regions/us-east1/disks/disk',
        nodePublishSecretRef: { name: 'secret' },
      },
    }),
    volume('a', {
      awsElasticBlockStore: { volumeID: 'aws://us-east1-b/vol-1' },
      storageClassName: '',
    }),
  ]);
  assert.deepEqual(renamed.spec.taints, taints);
  assert.deepEqual(Object.keys(renamed.metadata.labels), [
    'kubernetes.io/hostname',
    'topology.kubernetes.io/region',
  ]);
  assert.deepEqual(gce.metadata.annotations, { 'pv.kubernetes.io/bound-by-controller': 'yes' });
  const [first, second] = gce.metadata.labels['topology.kubernetes.io/zone'].split('__');
  const region = first.split('-').slice(0, 2).join('-');
  assert.ok(second.startsWith(`${region}-`));
  const { pdName } = gce.spec.gcePersistentDisk;
  assert.deepEqual(handle.spec.csi, {
    driver: 'pd.csi.storage.gke.io',
    volumeHandle: `projects/UNSPECIFIED/regions/${region}/disks/${pdName}`,
  });
  assert.match(aws.spec.awsElasticBlockStore.volumeID, /^aws:\/\/w\d+-w\d+-w\d+\/vol-w\d+$/);
  assert.equal(aws.spec.storageClassName, '');
});

test('names that are made of others stay so', () => {
  const volumes = [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } }];
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'web-0-scratch', namespace: 'default', uid: 'c' },
    spec: {},
  };
  const labels = { 'pod-template-hash': 'abc' };
  const set = (/** @type {string} */ kind, /** @type {string} */ name) => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'default', uid: name, labels },
    spec: { replicas: 1, template: { metadata: { labels }, spec: {} } },
  });
  const [first, second, stateful, deployment, replicas] = itemsOf([
    pod('web-0', { volumes }),
    claim,
    set('StatefulSet', 'web'),
    set('Deployment', 'api'),
    set('ReplicaSet', 'api-abc'),
  ]).map(({ metadata, spec }) => ({ ...metadata, spec }));
  assert.equal(first.name, `${stateful.name}-0`, 'the ordinal stays');
  assert.equal(second.name, `${first.name}-${first.spec.volumes[0].name}`);
  const hash = replicas.labels['pod-template-hash'];
  assert.equal(replicas.name, `${deployment.name}-${hash}`);
  assert.doesNotMatch(JSON.stringify([first, second, stateful, deployment, replicas]), /abc/);
  const [job] = itemsOf([{ ...set('Job', 'backup-29012345'), apiVersion: 'batch/v1' }]);
  assert.match(job.metadata.name, /^w\d-29012345$/, 'it may be the minute of a CronJob');
  const [bare] = itemsOf([pod('backup-2024')]);
  assert.match(bare.metadata.name, /^w\d-w\d$/, 'other numbers go');
});

test('a configuration goes with it', () => {
  const configuration = {
    kind: 'KubeSchedulerConfiguration',
    profiles: [
      {
        schedulerName: 'acme',
        pluginConfig: [
          {
            name: 'NodeResourcesFit',
            args: {
              ignoredResourceGroups: ['acme.io'],
              scoringStrategy: {
                type: 'MostAllocated',
                resources: [{ name: 'acme.io/gpu', weight: 3 }],
              },
            },
          },
        ],
      },
    ],
    extenders: [{ urlPrefix: 'https://acme', tlsConfig: { keyData: 'hunter2' } }],
  };
  const theirs = pod('p', {
    schedulerName: 'acme',
    containers: [{ name: 'c', resources: { requests: { 'acme.io/gpu': 1 } } }],
  });
  const { snapshot, configuration: renamed } = anonymize([theirs], { configuration });
  const [item] = snapshot.items;
  const [profile] = renamed.profiles;
  const { args } = profile.pluginConfig[0];
  assert.equal(profile.schedulerName, item.spec.schedulerName);
  const [gpu] = Object.keys(item.spec.containers[0].resources.requests);
  assert.deepEqual(args.scoringStrategy, {
    type: 'MostAllocated',
    resources: [{ name: gpu, weight: 3 }],
  });
  assert.deepEqual(args.ignoredResourceGroups, [gpu.split('/')[0]]);
  assert.deepEqual(renamed.extenders, [{ urlPrefix: 'https://acme', tlsConfig: {} }]);
});

test('only the map of originals restores the true names', () => {
  const { originals, snapshot, rename } = anonymize([makeNode('a'), storedPod('p')]);
  const [node, renamed] = snapshot.items;
  assert.equal(originals.get(node.metadata.name), 'a');
  assert.equal(originals.get(renamed.metadata.uid), 'u-p');
  const bound = rename(storedPod('p', { spec: { nodeName: 'a' } }));
  assert.equal(bound?.spec.nodeName, node.metadata.name);
  assert.throws(() => rename(makeNode('stranger')), /stranger was not there/);
});

test('a value of the wrong type becomes empty, for the engine to reject', () => {
  const odd = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 7, labels: ['hunter2'], uid: { hunter2: 'hunter2' } },
    spec: 'hunter2',
    status: null,
  };
  const metadata = { name: 7, labels: [], uid: {} };
  assert.deepEqual(itemsOf([odd]), [{ ...odd, metadata, spec: '' }]);
});

test('devices keep the names that expressions use; pools, classes and claims do not', () => {
  const expression =
    'device.driver == "gpu.acme.io" && device.attributes["gpu.acme.io"].model == "x"';
  const driver = 'gpu.acme.io';
  const ofGroup = (/** @type {string} */ kind, /** @type {object} */ fields, version = 'v1') => ({
    apiVersion: `resource.k8s.io/${version}`,
    kind,
    ...fields,
  });
  const { items } = anonymize([
    ofGroup('DeviceClass', {
      metadata: { name: 'secret-class' },
      spec: { selectors: [{ cel: { expression } }] },
    }),
    ofGroup('ResourceSlice', {
      metadata: { name: 'secret-slice' },
      spec: {
        ...{ driver, nodeName: 'secret-node' },
        pool: { name: 'secret-pool', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'gpu-0', attributes: { model: { string: 'x' } } }],
      },
    }),
    ofGroup(
      'DeviceTaintRule',
      {
        metadata: { name: 'secret-rule' },
        spec: {
          deviceSelector: { driver, pool: 'secret-pool', device: 'gpu-0' },
          taint: { key: 'secret.io/key', value: 'secret-value', effect: 'NoSchedule' },
        },
      },
      'v1beta2',
    ),
    ofGroup('ResourceClaim', {
      metadata: {
        ...{ name: 'secret-claim', namespace: 'secret-namespace' },
        annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true', secret: 'secret' },
        finalizers: ['resource.kubernetes.io/delete-protection', 'secret.io/finalizer'],
      },
      spec: {
        devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'secret-class' } }] },
      },
      status: {
        allocation: {
          devices: { results: [{ request: 'gpu', driver, pool: 'secret-pool', device: 'gpu-0' }] },
        },
      },
    }),
  ]).snapshot;
  const [deviceClass, slice, rule, claim] = /** @type {any[]} */ (items);
  assert.doesNotMatch(JSON.stringify(items), /secret/);
  assert.equal(deviceClass.spec.selectors[0].cel.expression, expression);
  assert.deepEqual(slice.spec.devices, [{ name: 'gpu-0', attributes: { model: { string: 'x' } } }]);
  const pool = slice.spec.pool.name;
  assert.deepEqual(rule.spec.deviceSelector, { driver, pool, device: 'gpu-0' });
  const [result] = claim.status.allocation.devices.results;
  assert.deepEqual(result, { request: 'gpu', driver, pool, device: 'gpu-0' });
  const [{ exactly }] = claim.spec.devices.requests;
  assert.equal(exactly.deviceClassName, deviceClass.metadata.name);
  assert.deepEqual(claim.metadata.annotations, {
    'resource.kubernetes.io/extended-resource-claim': 'true',
  });
  assert.deepEqual(claim.metadata.finalizers, ['resource.kubernetes.io/delete-protection']);
});
