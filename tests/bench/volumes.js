/** Storage for the bench: a claim for every pod, and the source of its volume. */

const ZONES = ['zone-a', 'zone-b', 'zone-c'];
const ZONE = 'topology.kubernetes.io/zone';
const DRIVER = 'csi.example.com';
const VOLUMES_PER_NODE = 40;

/** Volumes with a claim per pod. @param {number} count */
export function volumeOf(count) {
  return { name: 'data', persistentVolumeClaim: { claimName: claimName(count) } };
}

/**
 * Volumes are provisioned where the first pod is placed; the driver limits the volumes of a node.
 * @param {number} nodes @param {number} pods
 */
export function csiStorage(nodes, pods) {
  const drivers = [
    {
      name: DRIVER,
      nodeID: 'id',
      topologyKeys: [ZONE],
      allocatable: { count: VOLUMES_PER_NODE },
    },
  ];
  return [
    storageClass('csi', DRIVER),
    ...times(nodes, (row) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name: `node-${row}`, uid: `csinode-${row}` },
      spec: { drivers },
    })),
    ...times(pods, (count) => claimOf(count, 'csi')),
  ];
}

/**
 * Existing volumes, a third of them in each zone.
 * @param {number} _nodes @param {number} pods
 */
export function zonalStorage(_nodes, pods) {
  return [
    storageClass('zonal', 'kubernetes.io/no-provisioner'),
    ...times(pods, (count) => zonalVolume(count)),
    ...times(pods, (count) => claimOf(count, 'zonal')),
  ];
}

/**
 * One existing volume for all pods, in two of three zones.
 * @param {number} nodes
 */
export function sharedStorage(nodes) {
  const volume = zonalVolume(0);
  const [expression] = volume.spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions;
  expression.values = ZONES.slice(0, 2);
  volume.spec.accessModes = ['ReadWriteMany'];
  const claim = claimOf(0, 'shared');
  return [
    ...csiStorage(nodes, 0),
    volume,
    {
      ...claim,
      metadata: {
        ...claim.metadata,
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes' },
      },
      spec: { ...claim.spec, accessModes: ['ReadWriteMany'], volumeName: volume.metadata.name },
      status: { phase: 'Bound' },
    },
  ];
}

/** @param {number} count */
function claimName(count) {
  return `data-${count}`;
}

/** @param {string} name @param {string} provisioner */
function storageClass(name, provisioner) {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, uid: `class-${name}` },
    provisioner,
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'WaitForFirstConsumer',
  };
}

/** @param {number} count @param {string} storageClassName */
function claimOf(count, storageClassName) {
  const name = claimName(count);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace: 'default', uid: `uid-${name}` },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
      storageClassName,
      volumeMode: 'Filesystem',
    },
    status: { phase: 'Pending' },
  };
}

/** @param {number} count */
function zonalVolume(count) {
  const name = `volume-${count}`;
  const expression = { key: ZONE, operator: 'In', values: [ZONES[count % ZONES.length]] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: `uid-${name}` },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '10Gi' },
      csi: { driver: DRIVER, volumeHandle: name },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
      },
      persistentVolumeReclaimPolicy: 'Retain',
      storageClassName: 'zonal',
      volumeMode: 'Filesystem',
    },
    status: { phase: 'Available' },
  };
}

/** @template T @param {number} count @param {(at: number) => T} make @returns {T[]} */
function times(count, make) {
  return Array.from({ length: count }, (_, at) => make(at));
}
