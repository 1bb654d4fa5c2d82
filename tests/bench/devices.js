/** Workloads whose pods claim devices: 5,000 nodes with 8 devices each. */
import { deviceClass, selectorsOf } from '../machines/device_objects.js';
import { nodeOf, podOf } from './objects.js';

/** @typedef {import('./workloads.js').Workload} Workload */

const API_VERSION = 'resource.k8s.io/v1';
const DRIVER = 'gpu.example.com';
const NETWORK_DRIVER = 'net.example.com';
const EXTENDED_RESOURCE = 'example.com/gpu';
const DEVICES_PER_NODE = 8;
/** Two GPUs that are cut into four parts each. */
const PARTS_PER_GPU = 4;
const MEMORY_GI = 80;

/** @type {Record<string, () => Workload>} */
export const DEVICES = {
  'device-claims': () => withDevices(gpuSlices, [request('gpu', 'gpu', [isLarge()])]),
  'device-claims-aligned': () =>
    withDevices(gpuAndNetworkSlices, [request('gpu', 'gpu', [isLarge()]), request('nic', 'nic')], {
      constraints: [{ requests: ['gpu', 'nic'], matchAttribute: 'example.com/pcieRoot' }],
    }),
  'device-partitions': () => withDevices(partitionSlices, [request('part', 'gpu')]),
  'device-extended-resource': () => ({
    ...withDevices(gpuSlices, []),
    pod: (count) => {
      const requests = { cpu: '100m', memory: '500Mi', [EXTENDED_RESOURCE]: '1' };
      const limits = { [EXTENDED_RESOURCE]: '1' };
      return podOf(count, { containers: [{ name: 'main', resources: { requests, limits } }] });
    },
  }),
};

function isLarge() {
  return `device.capacity['${DRIVER}'].memory.compareTo(quantity('${MEMORY_GI}Gi')) >= 0`;
}

/** @param {string} name @param {string} deviceClassName @param {string[]} [expressions] */
function request(name, deviceClassName, expressions = []) {
  return { name, exactly: { deviceClassName, selectors: selectorsOf(expressions) } };
}

/**
 * @param {(node: string) => object[]} slices of a node
 * @param {object[]} requests of every pod, through a template
 * @param {object} [others] fields of the claims
 * @returns {Workload}
 */
function withDevices(slices, requests, others = {}) {
  const template = {
    apiVersion: API_VERSION,
    kind: 'ResourceClaimTemplate',
    metadata: { name: 'devices', namespace: 'default', uid: 'template' },
    spec: { spec: { devices: { requests, ...others } } },
  };
  const classes = [
    deviceClass('gpu', `device.driver == '${DRIVER}'`, { extendedResourceName: EXTENDED_RESOURCE }),
    deviceClass('nic', `device.driver == '${NETWORK_DRIVER}'`),
  ];
  return {
    node: (row) => nodeOf(row),
    pod: (count) =>
      podOf(count, {
        resourceClaims: [{ name: 'devices', resourceClaimTemplateName: 'devices' }],
      }),
    existing: (nodes) => {
      const all = Array.from({ length: nodes }, (_, row) => slices(`node-${row}`));
      const objects = [...classes, template, ...all.flat()];
      return { count: objects.length, object: (at) => objects[at] };
    },
    sizes: [5000],
  };
}

/** @param {string} driver @param {string} node @param {object[]} parts  contents of the slices */
function slicesOf(driver, node, parts) {
  return parts.map((part, index) => {
    const name = `${node}-${driver}-${index}`;
    const pool = { name: node, generation: 1, resourceSliceCount: parts.length };
    return {
      apiVersion: API_VERSION,
      kind: 'ResourceSlice',
      metadata: { name, uid: `slice-${name}` },
      spec: { driver, nodeName: node, pool, ...part },
    };
  });
}

/** @param {number} count @param {(index: number) => object} make */
function devices(count, make) {
  return Array.from({ length: count }, (_, index) => ({ name: `device-${index}`, ...make(index) }));
}

/** @param {number} index  two devices are behind each root */
function pcieRoot(index) {
  return { 'example.com/pcieRoot': { string: `pci${Math.floor(index / 2)}` } };
}

/** @param {number} index */
function gpu(index) {
  return { attributes: pcieRoot(index), capacity: { memory: { value: `${MEMORY_GI}Gi` } } };
}

/** @param {string} node */
function gpuSlices(node) {
  return slicesOf(DRIVER, node, [{ devices: devices(DEVICES_PER_NODE, gpu) }]);
}

/** @param {string} node */
function gpuAndNetworkSlices(node) {
  const cards = devices(DEVICES_PER_NODE / 2, (index) => ({
    attributes: pcieRoot(DEVICES_PER_NODE / 2 - 1 - index),
  }));
  return [
    ...slicesOf(DRIVER, node, [{ devices: devices(DEVICES_PER_NODE / 2, gpu) }]),
    ...slicesOf(NETWORK_DRIVER, node, [{ devices: cards }]),
  ];
}

/** @param {string} node */
function partitionSlices(node) {
  const gpus = DEVICES_PER_NODE / PARTS_PER_GPU;
  const memory = (/** @type {number} */ amount) => ({ memory: { value: `${amount}Gi` } });
  const sharedCounters = Array.from({ length: gpus }, (_, index) => ({
    name: `gpu-${index}`,
    counters: memory(MEMORY_GI),
  }));
  // A whole GPU, then its parts.
  const parts = devices(gpus * (PARTS_PER_GPU + 1), (index) => {
    const isWhole = index % (PARTS_PER_GPU + 1) === 0;
    const counters = memory(isWhole ? MEMORY_GI : MEMORY_GI / PARTS_PER_GPU);
    const counterSet = `gpu-${Math.floor(index / (PARTS_PER_GPU + 1))}`;
    return { capacity: counters, consumesCounters: [{ counterSet, counters }] };
  });
  return slicesOf(DRIVER, node, [{ sharedCounters }, { devices: parts }]);
}
