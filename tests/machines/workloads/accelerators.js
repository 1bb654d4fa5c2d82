/** Workloads for AMD's and Intel's devices, for virtual functions and for CPUs. */

/** @import { Workload } from './types.js' */

const AMD = 'gpu.amd.com';
const INTEL = 'gpu.intel.com';
const GAUDI = 'gaudi.intel.com';
const ROOT = 'resource.kubernetes.io/pcieRoot';

const IS_PARTITION = 'device.attributes["gpu.amd.com"].type == "amdgpu-partition"';

/** @param {string} name @param {number} [count] */
function partition(name, count) {
  return { name, class: AMD, selectors: [IS_PARTITION], ...(count && { count }) };
}

/** Configurations that offer a service, as an expression. @param {string[]} services */
function offersOneOf(services) {
  const attribute = 'device.attributes["qat.intel.com"].services';
  return services.map((each) => `${attribute} == "${each}"`).join(' ||\n');
}

/** @type {Workload[]} */
const AMD_WORKLOADS = [
  {
    name: 'amd-gpu',
    requests: [
      { name: 'gpu', class: AMD, selectors: ['device.attributes["gpu.amd.com"].type == "amdgpu"'] },
    ],
    fits: { mi300x: 8 },
  },
  {
    name: 'partitions-of-one-gpu',
    requests: [partition('first', 2), partition('second', 2)],
    constraints: [{ matchAttribute: 'gpu.amd.com/deviceID', requests: ['first', 'second'] }],
    // Eight partitions of each of eight GPUs, four for a pod.
    fits: { 'mi300x-cpx': 16 },
  },
  {
    name: 'partitions-of-four-gpus',
    requests: ['a', 'b', 'c', 'd'].map((name) => partition(name)),
    constraints: [{ distinctAttribute: 'gpu.amd.com/deviceID' }],
    // Eight pods use up the first four GPUs, and eight the others.
    fits: { 'mi300x-cpx': 16 },
  },
];

/** @type {Workload[]} */
const INTEL_WORKLOADS = [
  {
    name: 'gpu-or-gaudi',
    requests: [
      {
        name: 'accelerator',
        firstAvailable: [
          { name: 'gpu', class: INTEL },
          { name: 'gaudi', class: GAUDI },
        ],
      },
    ],
    // One of eight Gaudi2 is tainted.
    fits: { flex: 4, arc: 2, gaudi2: 7, gaudi3: 8 },
  },
  {
    name: 'gpus-of-one-root',
    requests: [{ name: 'gpu', class: INTEL, count: 2 }],
    constraints: [{ matchAttribute: 'gpu.intel.com/pciRoot' }],
    // The two Arc have different roots.
    fits: { flex: 2 },
  },
  {
    name: 'gpu-beside-nic',
    requests: [
      { name: 'nic', class: 'rdma-net' },
      { name: 'gpu', class: INTEL },
    ],
    constraints: [{ matchAttribute: ROOT }],
    fits: { flex: 2 },
  },
  {
    name: 'sixteen-gibibytes',
    requests: [
      {
        name: 'gpu',
        class: INTEL,
        selectors: ['device.capacity["gpu.intel.com"].memory.compareTo(quantity("16Gi")) >= 0'],
      },
    ],
    // An Arc A770 has 16,288 MiB.
    fits: { flex: 4 },
  },
  {
    name: 'vfio-gpu',
    requests: [{ name: 'gpu', class: 'gpu-vfio.intel.com' }],
    fits: { arc: 1 },
  },
  {
    name: 'arc',
    requests: [
      {
        name: 'gpu',
        class: INTEL,
        selectors: [
          'device.attributes["gpu.intel.com"].family.startsWith("Arc")',
          'device.attributes["gpu.intel.com"].sriov == false',
        ],
      },
    ],
    fits: { arc: 2 },
  },
  {
    name: 'healthy-gaudis',
    requests: [
      {
        name: 'gaudi',
        class: GAUDI,
        count: 7,
        selectors: [
          'device.attributes["gaudi.intel.com"].healthy == true',
          `device.attributes["gaudi.intel.com"].model == 'Gaudi2'`,
        ],
      },
    ],
    fits: { gaudi2: 1 },
  },
  {
    name: 'every-gaudi',
    requests: [{ name: 'gaudi', class: GAUDI, all: true }],
    // The tainted Gaudi2 is one of all, so its machines cannot serve the request.
    fits: { gaudi3: 1 },
  },
  {
    name: 'every-gaudi-tolerated',
    requests: [
      {
        name: 'gaudi',
        class: GAUDI,
        all: true,
        tolerations: [{ key: 'gaudi.intel.com/unhealthy', operator: 'Exists' }],
      },
    ],
    fits: { gaudi2: 1, gaudi3: 1 },
  },
  {
    name: 'qat-sym',
    requests: [
      {
        name: 'qat',
        class: 'qat.intel.com',
        selectors: [offersOneOf(['sym', 'sym;asym', 'sym;dc', 'asym;sym', 'dc;sym'])],
      },
    ],
    // Four functions of each card whose services include it.
    fits: { qat: 8 },
  },
  {
    name: 'qat-asym',
    requests: [
      {
        name: 'qat',
        class: 'qat.intel.com',
        selectors: [offersOneOf(['asym', 'asym;sym', 'asym;dc', 'sym;asym', 'dc;asym'])],
      },
    ],
    fits: { qat: 4 },
  },
  {
    name: 'qat-dc',
    requests: [
      {
        name: 'qat',
        class: 'qat.intel.com',
        selectors: [offersOneOf(['dc', 'dc;sym', 'dc;asym', 'sym;dc', 'asym;dc', 'dcc'])],
      },
    ],
    fits: { qat: 12 },
  },
];

/** @type {Workload[]} */
const HOST_WORKLOADS = [
  {
    name: 'virtual-function',
    extended: { 'example.com/sriov-port1': '1' },
    fits: { sriov: 4 },
  },
  {
    name: 'functions-of-both-ports',
    extended: { 'example.com/sriov-port1': '1', 'example.com/sriov-port2': '2' },
    fits: { sriov: 2 },
  },
  {
    name: 'function-beside-gpu',
    requests: [
      { name: 'vf', class: 'sriovnetwork.k8snetworkplumbingwg.io' },
      { name: 'gpu', class: 'gpu.example.com', count: 1 },
    ],
    constraints: [{ matchAttribute: ROOT }],
    // One GPU on the root of each port.
    fits: { sriov: 2 },
  },
  {
    name: 'numa-function',
    requests: [
      {
        name: 'vf',
        class: 'sriovnetwork.k8snetworkplumbingwg.io',
        selectors: [
          'device.attributes["resource.kubernetes.io"].numaNode == 1',
          'device.attributes["k8s.cni.cncf.io"].resourceName == "sriov_nic_2"',
        ],
      },
    ],
    fits: { sriov: 4 },
  },
  {
    name: 'twenty-cpus',
    requests: [{ name: 'cpus', class: 'dra.cpu', capacity: { 'dra.cpu/cpu': '20' } }],
    // Three times in each of two NUMA nodes with 64 CPUs.
    fits: { cpu: 6, 'cpu-smt': 6 },
  },
  {
    name: 'whole-numa-node',
    requests: [
      {
        name: 'cpus',
        class: 'dra.cpu',
        selectors: [
          'device.attributes["dra.cpu"].coreType == "p-core"',
          'device.attributes["dra.cpu"].smtEnabled == false',
        ],
      },
    ],
    // A claim without a capacity takes all CPUs.
    fits: { cpu: 2 },
  },
];

/** @type {readonly Workload[]} */
export const ACCELERATOR_WORKLOADS = Object.freeze([
  ...AMD_WORKLOADS,
  ...INTEL_WORKLOADS,
  ...HOST_WORKLOADS,
]);
