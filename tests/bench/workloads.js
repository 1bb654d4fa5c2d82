/** Clusters and pods of the bench: deterministic, each with the property its name says. */
import { loadOpenb } from '../support/openb.js';
import { encodeLines } from '../support/raw_engine.js';
import { csiStorage, volumeOf, zonalStorage } from './volumes.js';

/**
 * @typedef {object} Workload
 * @property {(row: number) => object} node
 * @property {(count: number) => object} pod
 * @property {(nodes: number, pods: number) => { count: number, object: (at: number) => object }}
 *   [existing]  what is there besides nodes before anything is decided
 * @property {number[]} [sizes]  numbers of nodes that it is for; all unless it says so
 */

const ZONES = ['zone-a', 'zone-b', 'zone-c'];
const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
/** Templates of the workloads that compare pods, each repeated as a Deployment repeats its own. */
const APPS = 12;
const VICTIMS_PER_NODE = 2;
const TAINT_SETS = 10;
const IMAGES = 100;
const IMAGES_PER_NODE = 10;
const MEGABYTE = 1_000_000;

/** Objects per batch handed to the engine. */
export const BATCH = 1000;

/** @type {Record<string, (data: string) => Workload>} */
export const WORKLOADS = {
  basic: () => ({ node: (row) => nodeOf(row), pod: (count) => podOf(count) }),
  'node-affinity': () => ({
    node: (row) => nodeOf(row),
    pod: (count) => podOf(count, { affinity: zoneAffinity(count) }),
  }),
  tolerations: () => ({
    node: (row) => nodeOf(row, { spec: { taints: taintSet(row % TAINT_SETS) } }),
    pod: (count) => podOf(count, { tolerations: tolerationsOf(count) }),
  }),
  'image-locality': () => ({
    node: (row) => nodeOf(row, { images: imagesOf(row) }),
    pod: (count) => podOf(count, { image: imageName(count % (IMAGES / 5)) }),
  }),
  'soft-spread': () =>
    repeated((app) => ({ topologySpreadConstraints: [spread(app, 'ScheduleAnyway')] })),
  'default-spread': ofReplicaSets,
  'hard-spread': () =>
    repeated((app) => ({ topologySpreadConstraints: [spread(app, 'DoNotSchedule')] })),
  'preferred-pod-affinity': () =>
    repeated((app) => ({ affinity: { podAffinity: preferred(app) } })),
  'required-pod-affinity': () =>
    repeated((app) => ({ affinity: { podAffinity: required(app, ZONE) } })),
  'required-pod-anti-affinity': () =>
    repeated((app) => ({ affinity: { podAntiAffinity: required(app, HOSTNAME) } })),
  'preemption-storm': () => ({
    node: (row) => nodeOf(row),
    pod: (count) => largePod(count, 'urgent', 1000),
    existing: (nodes) => ({
      count: nodes * VICTIMS_PER_NODE,
      object: (at) => bound(largePod(at, 'victim', 0), at % nodes),
    }),
  }),
  'csi-claims': () => withClaims(csiStorage),
  'zonal-volumes': () => withClaims(zonalStorage),
  'mixed-10k-pods': () => ({ ...mixed(), existing: amongMixed(10_000), sizes: [5000] }),
  'mixed-100k-pods': () => ({ ...mixed(), existing: amongMixed(100_000), sizes: [5000] }),
  mixed,
  'mixed-openb': (data) => {
    const { nodes, events } = loadOpenb(data, 'gpuspec33');
    const pods = events.filter(({ type }) => type === 'create').map(({ pod }) => pod);
    return {
      node: (row) => renamed(nodes[row % nodes.length], `node-${row}`),
      pod: (count) => renamed(pods[count % pods.length], `pod-${count}`),
    };
  },
};

/**
 * @param {number} count @param {(at: number) => object} make
 * @returns {Uint8Array[]}  lines of at most BATCH objects each
 */
export function batchesOf(count, make) {
  const batches = [];
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    batches.push(encodeLines(Array.from({ length }, (_, at) => make(from + at))));
  }
  return batches;
}

/**
 * The same as events of a watch.
 * @param {string} type @param {number} count @param {(at: number) => object} make
 */
export function eventsOf(type, count, make) {
  return batchesOf(count, (at) => ({ type, object: make(at) }));
}

/**
 * A pod as it comes from an API server, about 1.5 KB.
 * @param {number} count @param {object} [spec]
 */
export function realisticPod(count, spec = {}) {
  const { metadata, ...pod } = podOf(count);
  const labels = {
    app: 'storefront',
    'app.kubernetes.io/name': 'storefront',
    'app.kubernetes.io/version': '4.17.2',
    'pod-template-hash': '6d9c7b5f4c',
  };
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'storefront-6d9c7b5f4c',
    uid: '7a0f4f0e-8a0e-4be5-b1a3-5d2d6f0a3b11',
    controller: true,
    blockOwnerDeletion: true,
  };
  return {
    ...pod,
    metadata: {
      ...metadata,
      labels,
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9090' },
      creationTimestamp: '2026-01-01T00:00:00Z',
      resourceVersion: String(100_000 + count),
      ownerReferences: [owner],
    },
    spec: { ...pod.spec, ...REALISTIC_SPEC, ...spec },
    status: { phase: 'Running', startTime: '2026-01-01T00:00:00Z', qosClass: 'Burstable' },
  };
}

const REALISTIC_SPEC = {
  containers: [
    {
      name: 'main',
      image: 'registry.example.com/shop/storefront:4.17.2',
      ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
      env: [
        { name: 'LOG_LEVEL', value: 'info' },
        { name: 'REGION', value: 'eu-west-1' },
      ],
      resources: {
        requests: { cpu: '100m', memory: '500Mi' },
        limits: { cpu: '1', memory: '1Gi' },
      },
      volumeMounts: [{ name: 'config', mountPath: '/etc/config', readOnly: true }],
      livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 10 },
      terminationMessagePath: '/dev/termination-log',
      imagePullPolicy: 'IfNotPresent',
    },
  ],
  volumes: [{ name: 'config', configMap: { name: 'storefront-config', defaultMode: 420 } }],
  tolerations: [
    { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' },
    { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' },
  ],
  serviceAccountName: 'storefront',
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
};

/** @param {number} row @param {{spec?: object, images?: object[]}} [more] */
function nodeOf(row, { spec = {}, images } = {}) {
  const name = `node-${row}`;
  const resources = { cpu: '32', memory: '128Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `uid-${name}`,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'region-1',
        'topology.kubernetes.io/zone': ZONES[row % ZONES.length],
      },
    },
    spec,
    status: { allocatable: resources, capacity: resources, ...(images && { images }) },
  };
}

/** @param {number} count @param {{image?: string, [field: string]: unknown}} [more] */
function podOf(count, { image = 'registry.example.com/pause:3.10', ...spec } = {}) {
  const name = `pod-${count}`;
  const requests = { cpu: '100m', memory: '500Mi' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: {
      schedulerName: 'default-scheduler',
      priority: 0,
      containers: [{ name: 'main', image, resources: { requests } }],
      ...spec,
    },
  };
}

/** @param {any} object @param {string} name */
function renamed(object, name) {
  const { metadata } = object;
  const labels = metadata.labels?.[HOSTNAME] && { ...metadata.labels, [HOSTNAME]: name };
  return {
    ...object,
    metadata: { ...metadata, name, uid: `uid-${name}`, ...(labels && { labels }) },
  };
}

/**
 * Every pod has a claim of its own, which waits for it.
 * @param {(nodes: number, pods: number) => object[]} storage
 * @returns {Workload}
 */
function withClaims(storage) {
  return {
    node: (row) => nodeOf(row),
    pod: (count) => podOf(count, { volumes: [volumeOf(count)] }),
    existing: (nodes, pods) => {
      const objects = storage(nodes, pods);
      return { count: objects.length, object: (at) => objects[at] };
    },
    sizes: [5000],
  };
}

/** Two of the three zones. @param {number} count */
function zoneAffinity(count) {
  const values = ZONES.filter((_, zone) => zone !== count % ZONES.length);
  const term = {
    matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values }],
  };
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  };
}

/** Set 0 is free of taints; a third of the others is also avoided softly. @param {number} set */
function taintSet(set) {
  if (set === 0) return [];
  const dedicated = { key: 'dedicated', value: `team-${set}`, effect: 'NoSchedule' };
  const spot = { key: 'spot', value: 'true', effect: 'PreferNoSchedule' };
  return set % 3 === 0 ? [dedicated, spot] : [dedicated];
}

/** Two teams of ten, besides the free nodes. @param {number} count */
function tolerationsOf(count) {
  return [count % TAINT_SETS, (count + 1) % TAINT_SETS].map((set) => ({
    key: 'dedicated',
    operator: 'Equal',
    value: `team-${set}`,
    effect: 'NoSchedule',
  }));
}

/**
 * Pods of APPS templates in turn.
 * @param {(app: number) => { [field: string]: unknown }} specOf @returns {Workload}
 */
function repeated(specOf) {
  return {
    node: (row) => nodeOf(row),
    pod: (count) => {
      const app = count % APPS;
      const { metadata, ...pod } = podOf(count, specOf(app));
      return { ...pod, metadata: { ...metadata, labels: labelsOf(app) } };
    },
  };
}

/** @param {number} app */
function labelsOf(app) {
  return { app: `app-${app}` };
}

/**
 * The system's own constraints, by zone and by node, are those of every pod of a ReplicaSet.
 * @returns {Workload}
 */
function ofReplicaSets() {
  const { node, pod } = repeated(() => ({}));
  return {
    node,
    pod: (count) => {
      const { metadata, ...rest } = /** @type {any} */ (pod(count));
      return { ...rest, metadata: { ...metadata, ownerReferences: [ownedBy(count % APPS)] } };
    },
    existing: () => ({ count: APPS, object: replicaSetOf }),
  };
}

/** @param {number} app */
function ownedBy(app) {
  const { apiVersion, kind, metadata } = replicaSetOf(app);
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
}

/** @param {number} app */
function replicaSetOf(app) {
  const name = `app-${app}`;
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: { selector: { matchLabels: labelsOf(app) } },
  };
}

/** @param {number} app @param {string} whenUnsatisfiable */
function spread(app, whenUnsatisfiable) {
  const labelSelector = { matchLabels: labelsOf(app) };
  return { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable, labelSelector };
}

/** @param {number} app @param {string} topologyKey */
function termOf(app, topologyKey) {
  return { labelSelector: { matchLabels: labelsOf(app) }, topologyKey };
}

/** @param {number} app */
function preferred(app) {
  const term = { weight: 100, podAffinityTerm: termOf(app, ZONE) };
  return { preferredDuringSchedulingIgnoredDuringExecution: [term] };
}

/** @param {number} app @param {string} topologyKey */
function required(app, topologyKey) {
  return { requiredDuringSchedulingIgnoredDuringExecution: [termOf(app, topologyKey)] };
}

/**
 * What the pods of `mixed` want, by template.
 * @type {((app: number) => { [field: string]: unknown })[]}
 */
const MIXTURE = [
  () => ({}),
  (app) => ({ topologySpreadConstraints: [spread(app, 'ScheduleAnyway')] }),
  (app) => ({ topologySpreadConstraints: [spread(app, 'DoNotSchedule')] }),
  (app) => ({ affinity: { podAffinity: preferred(app) } }),
  (app) => ({ affinity: { podAffinity: required(app, ZONE) } }),
  (app) => ({ affinity: { podAntiAffinity: required(app, HOSTNAME) } }),
];

function mixed() {
  return repeated((app) => MIXTURE[app % MIXTURE.length](app));
}

/** Pods of `mixed`, spread evenly. @param {number} count */
function amongMixed(count) {
  const { pod } = mixed();
  return (/** @type {number} */ nodes) => ({
    count,
    object: (/** @type {number} */ at) => bound(renamed(pod(at), `placed-${at}`), at % nodes),
  });
}

/** @param {any} pod @param {number} row */
function bound(pod, row) {
  const status = { phase: 'Running', startTime: '2026-01-01T00:00:00Z' };
  return { ...pod, spec: { ...pod.spec, nodeName: `node-${row}` }, status };
}

/** Two of them fill a node. @param {number} count @param {string} kind @param {number} priority */
function largePod(count, kind, priority) {
  const resources = { requests: { cpu: '16', memory: '1Gi' } };
  const containers = [{ name: 'main', image: 'registry.example.com/pause:3.10', resources }];
  return renamed(podOf(count, { containers, priority }), `${kind}-${count}`);
}

/** @param {number} row */
function imagesOf(row) {
  return Array.from({ length: IMAGES_PER_NODE }, (_, at) => {
    const image = (row * 7 + at * 11) % IMAGES;
    return { names: [imageName(image)], sizeBytes: (50 + image * 13) * MEGABYTE };
  });
}

/** @param {number} image */
function imageName(image) {
  return `registry.example.com/shop/service-${image}:v1`;
}
