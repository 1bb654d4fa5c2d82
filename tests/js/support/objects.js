/** Small objects for tests; everything can be overridden. */

/**
 * @param {string} name
 * @param {{ cpu?: string, uid?: string, labels?: object, spec?: object }} [options]
 */
export function makeNode(name, { cpu = '4', uid = `node-${name}`, labels = {}, spec = {} } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, uid, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: { cpu, memory: '16Gi', pods: '110' } },
  };
}

/**
 * A pod as a person writes it: no uid.
 * @param {string} name
 * @param {{ cpu?: string, metadata?: object, spec?: object, status?: object }} [options]
 */
export function makePod(name, { cpu = '1', metadata = {}, spec = {}, status } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: {
      containers: [{ name: 'main', image: 'app:v1', resources: { requests: { cpu } } }],
      ...spec,
    },
    ...(status && { status }),
  };
}

/**
 * A gang; its pods name it in `spec.schedulingGroup`.
 * @param {string} name
 * @param {{ minCount: number }} gang
 */
export function makePodGroup(name, gang) {
  return {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name, namespace: 'default', uid: `group-${name}` },
    spec: { schedulingPolicy: { gang } },
  };
}

/** @param {object[]} items */
export function makeList(...items) {
  return { apiVersion: 'v1', kind: 'List', items };
}

/**
 * A pod as the API server has it.
 * @param {string} name
 * @param {{ cpu?: string, metadata?: object, spec?: object, status?: object }} [options]
 */
export function storedPod(name, options = {}) {
  const metadata = { namespace: 'default', uid: `u-${name}`, ...options.metadata };
  const spec = { schedulerName: 'default-scheduler', ...options.spec };
  return makePod(name, { ...options, metadata, spec });
}

/** A cluster with one pod that fits and one that does not. */
export function makeDump() {
  return makeList(
    makeNode('a', { cpu: '2' }),
    makeNode('b', { spec: { unschedulable: true } }),
    storedPod('bound', { spec: { nodeName: 'a' } }),
    storedPod('small'),
    storedPod('big', { cpu: '9' }),
  );
}

/** The default StorageClass of a cluster, `std`; its claims wait for their first pod. */
export const DEFAULT_STORAGE_CLASS = Object.freeze({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name: 'std',
    uid: 's',
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
  },
  provisioner: 'example.com/disks',
  volumeBindingMode: 'WaitForFirstConsumer',
});
