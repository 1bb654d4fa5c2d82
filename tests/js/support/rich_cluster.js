/**
 * A cluster that has something for every command to read: workloads of all kinds with fewer pods
 * than they want, budgets of all forms, static pods, volumes, devices, quotas. Objects hold what an
 * API server, kubelet and controllers write, also what no command reads.
 */

const TIME = '2026-01-01T00:00:00Z';
const NAMESPACE = 'shop';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** @param {number} minute */
const at = (minute) =>
  new Date(Date.parse(TIME) + minute * 60_000).toISOString().slice(0, 19) + 'Z';

/** @param {string} apiVersion @param {string} kind @param {string} name @param {any} [fields] */
function made(apiVersion, kind, name, { metadata = {}, ...fields } = {}) {
  const own = { name, uid: `uid-${kind}-${name}`, resourceVersion: '7', creationTimestamp: TIME };
  return { apiVersion, kind, metadata: { ...own, ...metadata }, ...fields };
}

/** @param {string} apiVersion @param {string} kind @param {string} name @param {any} [fields] */
const inShop = (apiVersion, kind, name, { metadata = {}, ...fields } = {}) =>
  made(apiVersion, kind, name, { metadata: { namespace: NAMESPACE, ...metadata }, ...fields });

/** @param {any} owner */
const ownedBy = ({ apiVersion, kind, metadata: { name, uid } }) => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
});

/** @param {any} manifest */
const appliedAs = (manifest) => ({ annotations: { [LAST_APPLIED]: JSON.stringify(manifest) } });

/** @param {string} name @param {string} zone */
function nodeOf(name, zone) {
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': zone,
    'node.example/pool': zone,
  };
  return made('v1', 'Node', name, {
    metadata: {
      labels,
      ...appliedAs({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {} }),
    },
    spec: { podCIDR: '10.0.0.0/24', providerID: `cloud:///${name}` },
    status: {
      capacity: { cpu: '5', memory: '9Gi', pods: '110' },
      allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: TIME }],
      images: [{ names: ['app:v1'], sizeBytes: 90_000_000 }],
      nodeInfo: { kubeletVersion: 'v1.36.0' },
    },
  });
}

/** A large node that is kept free. */
function reserved() {
  const node = nodeOf('n4', 'z2');
  const taints = [
    { key: 'team', value: 'gpu', effect: 'NoSchedule', timeAdded: TIME },
    { key: 'old', effect: 'PreferNoSchedule', timeAdded: TIME },
  ];
  const allocatable = { ...node.status.allocatable, cpu: '32' };
  return { ...node, spec: { ...node.spec, taints }, status: { ...node.status, allocatable } };
}

/** @param {string} cpu @param {any} [spec] */
const podSpec = (cpu, { containers: [container = {}] = [], ...spec } = {}) => ({
  schedulerName: 'default-scheduler',
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 45,
  enableServiceLinks: true,
  containers: [
    {
      name: 'main',
      image: 'app:v1',
      env: [{ name: 'PASSWORD', value: 'secret' }],
      resources: { requests: { cpu, memory: '256Mi' }, limits: { memory: '512Mi' } },
      ...container,
    },
  ],
  ...spec,
});

/** @param {string} name @param {string} [node] @param {any} [options] */
function podOf(name, node, { metadata, cpu = '500m', spec, minute = 1, ready = 'True' } = {}) {
  const conditions = [{ type: 'Ready', status: ready, lastTransitionTime: at(minute + 1) }];
  const running = {
    phase: 'Running',
    qosClass: 'Burstable',
    startTime: at(minute),
    conditions,
    containerStatuses: [{ name: 'main', restartCount: minute, ready: ready === 'True' }],
  };
  return inShop('v1', 'Pod', name, {
    metadata: { creationTimestamp: at(minute), ...metadata },
    spec: { ...podSpec(cpu, spec), ...(node && { nodeName: node }) },
    status: node ? running : { phase: 'Pending' },
  });
}

/** A Deployment in the middle of a rollout, with a budget of a percentage. */
function web() {
  const template = {
    metadata: { labels: { app: 'web' }, annotations: { 'example.com/config': 'new' } },
    spec: podSpec('500m', { containers: [{ ports: [{ name: 'http', containerPort: 80 }] }] }),
  };
  const selector = { matchLabels: { app: 'web' } };
  const deployment = inShop('apps/v1', 'Deployment', 'web', {
    metadata: { annotations: { 'deployment.kubernetes.io/revision': '2' } },
    spec: {
      replicas: 4,
      selector,
      template,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    },
  });
  /** @param {string} hash @param {number} replicas @param {string} config */
  const setOf = (hash, replicas, config) => {
    const labels = { app: 'web', 'pod-template-hash': hash };
    const revision = config === 'new' ? '2' : '1';
    return inShop('apps/v1', 'ReplicaSet', `web-${hash}`, {
      metadata: {
        labels,
        annotations: { 'deployment.kubernetes.io/revision': revision },
        ...ownedBy(deployment),
      },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          ...template,
          metadata: { labels, annotations: { 'example.com/config': config } },
        },
      },
      status: { replicas },
    });
  };
  const [old, fresh] = [setOf('aaa', 2, 'old'), setOf('bbb', 1, 'new')];
  /** @param {any} set @param {string} tail @param {string} node @param {any} [options] */
  const replica = (set, tail, node, { annotations, ...options } = {}) =>
    podOf(`${set.metadata.name}-${tail}`, node, {
      metadata: { labels: set.metadata.labels, annotations, ...ownedBy(set) },
      ...options,
    });
  return [
    deployment,
    old,
    fresh,
    replica(old, 'x1', 'n1', { minute: 2 }),
    replica(old, 'x2', 'n2', {
      minute: 300,
      annotations: { 'controller.kubernetes.io/pod-deletion-cost': '9' },
    }),
    replica(fresh, 'y1', 'n1', { minute: 9 }),
    inShop('policy/v1', 'PodDisruptionBudget', 'web', {
      spec: { selector, maxUnavailable: '34%', unhealthyPodEvictionPolicy: 'AlwaysAllow' },
      status: { disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2, expectedPods: 3 },
    }),
  ];
}

/** A Deployment whose ReplicaSet is not there. */
function api() {
  const labels = { app: 'api' };
  const deployment = inShop('apps/v1', 'Deployment', 'api', {
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: podSpec('250m', {
          containers: [
            {
              ports: [
                { name: 'http', containerPort: 80, hostPort: 8080 },
                { name: 'metrics', containerPort: 9090 },
              ],
            },
          ],
        }),
      },
    },
  });
  const set = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'api-ccc', uid: 'uid-c' },
  };
  const pod = podOf('api-ccc-1', 'n1', {
    metadata: { labels: { ...labels, 'pod-template-hash': 'ccc' }, ...ownedBy(set) },
    cpu: '250m',
    spec: deployment.spec.template.spec,
  });
  return [deployment, pod];
}

/** @param {number} index of the pod whose volume it is */
function boundVolume(index) {
  return [
    made('v1', 'PersistentVolume', `pv-${index}`, {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        persistentVolumeReclaimPolicy: 'Delete',
        claimRef: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace: NAMESPACE,
          name: `data-db-${index}`,
          uid: `uid-PersistentVolumeClaim-data-db-${index}`,
        },
        csi: { driver: 'csi.example', volumeHandle: `h${index}` },
      },
      status: { phase: 'Bound' },
    }),
    inShop('v1', 'PersistentVolumeClaim', `data-db-${index}`, {
      metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'fast',
        volumeName: `pv-${index}`,
        resources: { requests: { storage: '1Gi' } },
      },
      status: { phase: 'Bound', capacity: { storage: '1Gi' } },
    }),
  ];
}

/** A StatefulSet in the middle of an update, with claims and a budget of a number. */
function db() {
  const labels = { app: 'db' };
  const set = inShop('apps/v1', 'StatefulSet', 'db', {
    spec: {
      replicas: 3,
      serviceName: 'db',
      selector: { matchLabels: labels },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
      template: { metadata: { labels }, spec: podSpec('300m') },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'fast',
            resources: { requests: { storage: '1Gi' } },
          },
        },
      ],
    },
    status: { updateRevision: 'db-r2', currentRevision: 'db-r1', replicas: 2 },
  });
  const pods = ['n1', 'n2'].map((node, index) =>
    podOf(`db-${index}`, node, {
      metadata: {
        labels: {
          ...labels,
          'controller-revision-hash': 'db-r1',
          'statefulset.kubernetes.io/pod-name': `db-${index}`,
          'apps.kubernetes.io/pod-index': String(index),
        },
        ...ownedBy(set),
      },
      cpu: '300m',
      spec: {
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: `data-db-${index}` } },
          ...(index === 1 ? [{ name: 'scratch', emptyDir: {} }] : []),
        ],
      },
    }),
  );
  return [
    made('storage.k8s.io/v1', 'StorageClass', 'fast', {
      provisioner: 'csi.example',
      volumeBindingMode: 'WaitForFirstConsumer',
      reclaimPolicy: 'Delete',
    }),
    ...boundVolume(0),
    ...boundVolume(1),
    set,
    ...pods,
    inShop('policy/v1', 'PodDisruptionBudget', 'db', {
      spec: { selector: { matchLabels: labels }, minAvailable: 1 },
      status: { disruptionsAllowed: 1 },
    }),
  ];
}

/** A DaemonSet, a static pod, Jobs, and a pod without an owner. */
function others() {
  const agent = inShop('apps/v1', 'DaemonSet', 'agent', {
    metadata: { annotations: { 'deprecated.daemonset.template.generation': '3' } },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { metadata: { labels: { app: 'agent' } }, spec: podSpec('100m') },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
    },
    status: { desiredNumberScheduled: 3 },
  });
  const agents = ['n1', 'n2'].map((node) =>
    podOf(`agent-${node}`, node, {
      metadata: {
        labels: { app: 'agent', 'controller-revision-hash': 'r3', 'pod-template-generation': '3' },
        ...ownedBy(agent),
      },
      cpu: '100m',
    }),
  );
  const job = inShop('batch/v1', 'Job', 'index', {
    spec: {
      completions: 3,
      parallelism: 2,
      completionMode: 'Indexed',
      backoffLimit: 6,
      template: {
        metadata: { labels: { app: 'index' } },
        spec: podSpec('200m', { restartPolicy: 'Never' }),
      },
    },
    status: { active: 1 },
  });
  const worker = podOf('index-1-zz', 'n2', {
    metadata: {
      labels: { app: 'index' },
      annotations: { 'batch.kubernetes.io/job-completion-index': '1' },
      finalizers: ['batch.kubernetes.io/job-tracking'],
      ...ownedBy(job),
    },
    cpu: '200m',
  });
  const proxy = podOf('proxy-n1', 'n1', {
    metadata: {
      annotations: { 'kubernetes.io/config.mirror': 'd1', 'kubernetes.io/config.hash': 'd1' },
    },
    cpu: '50m',
    spec: { priority: 2_000_001_000, priorityClassName: 'system-node-critical' },
  });
  const bare = podOf('bare', 'n3', { metadata: { labels: { app: 'bare' } } });
  return [agent, ...agents, job, worker, proxy, bare];
}

/** A device for which two pods wait, one with a claim of a template. */
function devices() {
  const group = 'resource.k8s.io/v1';
  const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } };
  const asking = (/** @type {string} */ name) =>
    podOf(name, undefined, {
      metadata: { labels: { app: 'train' } },
      spec: {
        resourceClaims: [{ name: 'c', resourceClaimTemplateName: 'one' }],
        containers: [{ resources: { requests: { cpu: '100m' }, claims: [{ name: 'c' }] } }],
      },
    });
  return [
    made(group, 'DeviceClass', 'gpu', {
      spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.example"' } }] },
    }),
    made(group, 'ResourceSlice', 'n3-gpu', {
      spec: {
        driver: 'gpu.example',
        nodeName: 'n3',
        pool: { name: 'n3', generation: 1, resourceSliceCount: 1 },
        devices: [{ name: 'd0', attributes: { model: { string: 'x' } } }],
      },
    }),
    inShop(group, 'ResourceClaimTemplate', 'one', { spec: { spec } }),
    asking('train-a'),
    asking('train-b'),
  ];
}

/** Pods that wait, and what admission reads. */
function rest() {
  const volume = {
    name: 'tmp',
    ephemeral: {
      volumeClaimTemplate: {
        metadata: { labels: { app: 'big' } },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 'fast',
          resources: { requests: { storage: '1Gi' } },
        },
      },
    },
  };
  const hard = { pods: '40', 'requests.cpu': '99' };
  return [
    podOf('big', undefined, { cpu: '30', spec: { volumes: [volume] } }),
    podOf('lump', undefined, { cpu: '100m', spec: { volumes: [volume] } }),
    podOf('picky', undefined, {
      spec: {
        nodeSelector: { 'node.example/pool': 'none' },
        tolerations: [{ operator: 'Exists' }],
      },
    }),
    made('scheduling.k8s.io/v1', 'PriorityClass', 'gold', { value: 100, description: 'gold' }),
    made('node.k8s.io/v1', 'RuntimeClass', 'kata', {
      handler: 'kata',
      overhead: { podFixed: { cpu: '10m' } },
    }),
    inShop('v1', 'LimitRange', 'limits', {
      spec: { limits: [{ type: 'Container', defaultRequest: { cpu: '100m' } }] },
    }),
    inShop('v1', 'ResourceQuota', 'quota', {
      metadata: appliedAs({
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'quota', namespace: NAMESPACE },
        spec: { hard },
      }),
      spec: { hard },
      status: { hard, used: { pods: '9', 'requests.cpu': '4' } },
    }),
    inShop('v1', 'Service', 'web', { spec: { selector: { app: 'web' }, clusterIP: '10.9.9.9' } }),
  ];
}

/** @returns {any[]} all objects, each as an API server stores it */
export function richCluster() {
  return [
    made('v1', 'Namespace', NAMESPACE),
    ...[
      ['n1', 'z1'],
      ['n2', 'z1'],
      ['n3', 'z2'],
    ].map(([name, zone]) => nodeOf(name, zone)),
    reserved(),
    ...web(),
    ...api(),
    ...db(),
    ...others(),
    ...devices(),
    ...rest(),
  ];
}
