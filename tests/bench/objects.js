/** The nodes and pods of the bench's clusters. */
import { encodeLines } from '../support/raw_engine.js';

const ZONES = ['zone-a', 'zone-b', 'zone-c'];
export const ZONE = 'topology.kubernetes.io/zone';
export const HOSTNAME = 'kubernetes.io/hostname';
export const TAINT_SETS = 10;

/** Objects per batch for the engine. */
const BATCH = 1000;

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

/** @param {number} row @param {{spec?: object, images?: object[]}} [more] */
export function nodeOf(row, { spec = {}, images } = {}) {
  const name = `node-${row}`;
  const resources = { cpu: '32', memory: '128Gi', pods: '110' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `uid-${name}`,
      labels: {
        [HOSTNAME]: name,
        'kubernetes.io/os': 'linux',
        'topology.kubernetes.io/region': 'region-1',
        [ZONE]: ZONES[row % ZONES.length],
      },
    },
    spec,
    status: { allocatable: resources, capacity: resources, ...(images && { images }) },
  };
}

/** @param {number} count @param {{image?: string, [field: string]: unknown}} [more] */
export function podOf(count, { image = 'registry.example.com/pause:3.10', ...spec } = {}) {
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
export function renamed(object, name) {
  const { metadata } = object;
  const labels = metadata.labels?.[HOSTNAME] && { ...metadata.labels, [HOSTNAME]: name };
  return {
    ...object,
    metadata: { ...metadata, name, uid: `uid-${name}`, ...(labels && { labels }) },
  };
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

/** Spreads over two of the three zones. @param {number} count */
export function zoneAffinity(count) {
  const values = ZONES.filter((_, zone) => zone !== count % ZONES.length);
  const term = {
    matchExpressions: [{ key: ZONE, operator: 'In', values }],
  };
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
  };
}

/**
 * Nodes of set 0 have no taints; a third of the others also have a PreferNoSchedule taint.
 * @param {number} set
 */
export function taintSet(set) {
  if (set === 0) return [];
  const dedicated = { key: 'dedicated', value: `team-${set}`, effect: 'NoSchedule' };
  const spot = { key: 'spot', value: 'true', effect: 'PreferNoSchedule' };
  return set % 3 === 0 ? [dedicated, spot] : [dedicated];
}

/** Tolerates the taints of two of the ten sets. @param {number} count */
export function tolerationsOf(count) {
  return [count % TAINT_SETS, (count + 1) % TAINT_SETS].map((set) => ({
    key: 'dedicated',
    operator: 'Equal',
    value: `team-${set}`,
    effect: 'NoSchedule',
  }));
}

/** @param {any} pod @param {number} row */
export function bound(pod, row) {
  const status = { phase: 'Running', startTime: '2026-01-01T00:00:00Z' };
  return { ...pod, spec: { ...pod.spec, nodeName: `node-${row}` }, status };
}
