/** Objects for tests of the simulated devices. */
import { GPU_DRIVER } from './devices.js';

/** @param {string} name @param {object} [metadata] */
export const makeDeviceClaim = (name, metadata) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { namespace: 'default', name, uid: `u-${name}`, ...metadata },
  spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', count: 1 } }] } },
  status: {},
});

/** @param {string} device @param {object} [rest] */
export const makeAllocation = (device, rest) => ({
  devices: { results: [{ request: 'r', driver: GPU_DRIVER, pool: 'gpu-n1', device, ...rest }] },
});

/** @param {string} pod  its name */
export const reservedFor = (pod) => ({ resource: 'pods', name: pod, uid: `u-${pod}` });

/** @param {string} name @param {object} [spec] @param {object} [status] */
export const makeClaimingPod = (name, spec, status) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name, uid: `u-${name}` },
  spec: { containers: [{ name: 'c' }], ...spec },
  status: { phase: 'Pending', ...status },
});

/** @param {string[]} devices their names @param {object} [spec] */
export const makePool = (devices, spec) => ({
  kind: 'DevicePool',
  metadata: { name: 'gpu-n1' },
  spec: {
    driver: GPU_DRIVER,
    generation: 1,
    place: { nodeName: 'n1' },
    perSlice: 2,
    devices: devices.map((name) => ({ name })),
    ...spec,
  },
});
