/** The objects that obstacles are made of. */

const ZONE = 'topology.kubernetes.io/zone';

/**
 * What obstacles change.
 * @typedef {{ nodes: any[], pods: any[], others: any[], pod: any, draw: (below: number) => number
 *   }} Draft
 */

/** @param {string} kind @param {string} name @param {object} fields @returns {any} */
const object = (kind, name, fields, apiVersion = 'v1') => ({
  apiVersion,
  kind,
  metadata: { name, namespace: 'default', uid: `u-${kind}-${name}`.toLowerCase() },
  ...fields,
});

/**
 * @param {string} name @param {object} [requests] @param {object} [spec] @param {object} [labels]
 * @returns {any}
 */
export function podOf(name, requests = { cpu: '100m' }, spec = {}, labels = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name, uid: `u-${name}`, labels },
    spec: {
      schedulerName: 'default-scheduler',
      priority: 0,
      containers: [{ name: 'main', image: 'app', resources: { requests } }],
      ...spec,
    },
    status: { phase: 'Pending' },
  };
}

export const storageClass = (/** @type {string} */ name, /** @type {object} */ fields = {}) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, uid: `u-class-${name}` },
  provisioner: 'csi.example',
  volumeBindingMode: 'WaitForFirstConsumer',
  ...fields,
});

/** @param {string} name @param {string} storageClassName @param {object} [spec] */
export const claimOf = (name, storageClassName, spec = {}) =>
  object('PersistentVolumeClaim', name, {
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
      storageClassName,
      ...spec,
    },
    status: { phase: 'Pending' },
  });

/** @param {Draft} draft @param {string} claimName */
export function mount({ pod }, claimName) {
  const name = `data-${(pod.spec.volumes ?? []).length}`;
  (pod.spec.volumes ??= []).push({ name, persistentVolumeClaim: { claimName } });
}

/**
 * A claim with its volume in a zone.
 * @param {string} name @param {string} zone @param {string} [mode]
 */
export function boundClaim(name, zone, mode = 'ReadWriteOnce') {
  const volume = `pv-${name}`;
  const claim = claimOf(name, 'wait', { volumeName: volume, accessModes: [mode] });
  claim.metadata = {
    ...claim.metadata,
    annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
  };
  claim.status = { phase: 'Bound' };
  return [
    claim,
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: volume, uid: `u-${volume}`, labels: { [ZONE]: zone } },
      spec: {
        accessModes: [mode],
        capacity: { storage: '1Gi' },
        storageClassName: 'wait',
        csi: { driver: 'csi.example', volumeHandle: volume },
        claimRef: {
          kind: 'PersistentVolumeClaim',
          namespace: 'default',
          name,
          uid: claim.metadata.uid,
        },
      },
      status: { phase: 'Bound' },
    },
  ];
}

export const deviceClass = (/** @type {string} */ name) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name, uid: `u-dc-${name}` },
  spec: { selectors: [{ cel: { expression: `device.driver == "${name}.example"` } }] },
});

/** @param {string} node @param {string} driver @param {object[]} devices */
export const sliceOf = (node, driver, devices) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `${driver}-${node}`, uid: `u-slice-${driver}-${node}` },
  spec: {
    driver: `${driver}.example`,
    nodeName: node,
    pool: { name: node, generation: 1, resourceSliceCount: 1 },
    devices,
  },
});

/** @param {Draft} draft @param {object} exactly @param {string} [deviceClassName] */
export function claimDevices({ pod, others }, exactly, deviceClassName = 'gpu') {
  const request = { deviceClassName, allocationMode: 'ExactCount', count: 1, ...exactly };
  others.push(
    object(
      'ResourceClaim',
      'devices',
      { spec: { devices: { requests: [{ name: 'r', exactly: request }] } } },
      'resource.k8s.io/v1',
    ),
  );
  pod.spec.resourceClaims = [{ name: 'devices', resourceClaimName: 'devices' }];
}

/** A pod on the node that has its device. @param {Draft} draft @param {string} node */
export function useDevice({ pods, others }, node) {
  const name = `devices-of-${node}`;
  const user = podOf(`has-${node}`, {}, { nodeName: node });
  user.spec.resourceClaims = [{ name: 'devices', resourceClaimName: name }];
  pods.push(user);
  const exactly = { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 };
  const results = [{ request: 'r', driver: 'gpu.example', pool: node, device: 'd0' }];
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const fields = {
    spec: { devices: { requests: [{ name: 'r', exactly }] } },
    status: {
      allocation: {
        devices: { results },
        nodeSelector: { nodeSelectorTerms: [{ matchFields }] },
      },
      reservedFor: [{ resource: 'pods', name: user.metadata.name, uid: user.metadata.uid }],
    },
  };
  others.push(object('ResourceClaim', name, fields, 'resource.k8s.io/v1'));
}

/** @param {object} labels @param {string} topologyKey */
export const termOf = (labels, topologyKey) => ({
  topologyKey,
  labelSelector: { matchLabels: labels },
});

export const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';

/** @param {Draft} draft @param {string} field @param {object[]} terms */
export function requireTerms({ pod }, field, terms) {
  pod.spec.affinity = { ...pod.spec.affinity, [field]: { [REQUIRED]: terms } };
}

/** Puts one pod on each node. @param {Draft} draft @param {object} labels */
export function fill({ nodes, pods }, labels) {
  for (const { metadata } of nodes) {
    const name = `on-${metadata.name}-${pods.length}`;
    const spec = { nodeName: metadata.name, priority: 0 };
    pods.push(podOf(name, { cpu: '100m' }, spec, labels));
  }
}
