/**
 * A small sample cluster: nodes in three zones, applications that spread, wait, store data and
 * finish, and one that fits on no node.
 */

/** @import { KubernetesObject } from '../../kubernetes/types.js' */

const ZONES = ['a', 'b', 'c'];
const DEFAULT_NODES = 6;
const ZONE_LABEL = 'topology.kubernetes.io/zone';

/**
 * Nodes with four cores each, alternating between three zones.
 * @param {number} count
 * @returns {KubernetesObject[]}
 */
export function sampleNodes(count) {
  return Array.from({ length: count }, (_, index) => {
    const zone = ZONES[index % ZONES.length];
    const name = `node-${zone}${Math.floor(index / ZONES.length) + 1}`;
    const amounts = { cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi', pods: '110' };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: {
          'kubernetes.io/hostname': name,
          'kubernetes.io/os': 'linux',
          'kubernetes.io/arch': 'amd64',
          'topology.kubernetes.io/region': 'sample',
          [ZONE_LABEL]: `zone-${zone}`,
        },
      },
      status: { capacity: amounts, allocatable: amounts },
    };
  });
}

/**
 * Returns the nodes, and the workloads to run on them.
 * @param {number} [nodes] the number of nodes
 * @returns {KubernetesObject[]}
 */
export function sampleCluster(nodes = DEFAULT_NODES) {
  return [
    ...sampleNodes(nodes),
    priorityClass(),
    storageClass(),
    web(),
    cache(),
    checkout(),
    giant(),
    database(),
    agent(),
    report(),
    budget(),
  ];
}

/** Spread over the zones. */
function web() {
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: ZONE_LABEL,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ];
  return deployment(
    'web',
    4,
    podSpec('nginx:1.29', '500m', '256Mi', { topologySpreadConstraints }),
  );
}

/** Never two on a node. */
function cache() {
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        topologyKey: 'kubernetes.io/hostname',
        labelSelector: { matchLabels: { app: 'cache' } },
      },
    ],
  };
  const affinity = { podAntiAffinity };
  return deployment('cache', 3, podSpec('redis:8', '1', '2Gi', { affinity }));
}

/** Has a higher priority than the others. */
function checkout() {
  const priorityClassName = 'important';
  return deployment('checkout', 2, podSpec('checkout:v3', '500m', '512Mi', { priorityClassName }));
}

/** Needs more than any node has. */
function giant() {
  return deployment('giant', 1, podSpec('giant:v1', '64', '1Ti'));
}

/** Stores data, in the zone where it starts. */
function database() {
  return {
    ...workload('apps/v1', 'StatefulSet', 'db'),
    spec: {
      replicas: 2,
      serviceName: 'db',
      ...podsOf('db', podSpec('postgres:18', '500m', '1Gi')),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '8Gi' } } },
        },
      ],
    },
  };
}

/** One on each node. */
function agent() {
  return {
    ...workload('apps/v1', 'DaemonSet', 'agent', 'kube-system'),
    spec: podsOf('agent', podSpec('agent:v1', '100m', '64Mi')),
  };
}

/** Finishes. */
function report() {
  const spec = { ...podSpec('report:v1', '250m', '128Mi'), restartPolicy: 'Never' };
  const template = { metadata: { labels: { app: 'report' } }, spec };
  return {
    ...workload('batch/v1', 'Job', 'report'),
    spec: { completions: 4, parallelism: 2, template },
  };
}

function budget() {
  return {
    ...workload('policy/v1', 'PodDisruptionBudget', 'web'),
    spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } },
  };
}

function priorityClass() {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name: 'important' },
    value: 1000,
    description: 'What customers wait for.',
  };
}

function storageClass() {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: {
      name: 'standard',
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    },
    provisioner: 'csi.sample.stowage',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
}

/**
 * @param {string} name
 * @param {number} replicas
 * @param {object} spec of its pods
 */
function deployment(name, replicas, spec) {
  return {
    ...workload('apps/v1', 'Deployment', name),
    spec: { replicas, ...podsOf(name, spec) },
  };
}

/**
 * @param {string} apiVersion
 * @param {string} kind
 * @param {string} name
 * @param {string} [namespace]
 */
function workload(apiVersion, kind, name, namespace = 'default') {
  return { apiVersion, kind, metadata: { name, namespace, labels: { app: name } } };
}

/**
 * @param {string} app
 * @param {object} spec
 */
function podsOf(app, spec) {
  const labels = { app };
  return { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } };
}

/**
 * @param {string} image
 * @param {string} cpu
 * @param {string} memory
 * @param {object} [others]
 */
function podSpec(image, cpu, memory, others = {}) {
  const resources = { requests: { cpu, memory } };
  return { containers: [{ name: 'main', image, resources }], ...others };
}
