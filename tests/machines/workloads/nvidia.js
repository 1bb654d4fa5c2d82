/** Workloads for NVIDIA's GPUs, and for the network cards beside them. */
import { GB300_PLACEMENT_GROUP, ORACLE_BLOCKS } from '../machines.js';

/** @import { Workload } from './types.js' */

const GPU = 'gpu.nvidia.com';
const MIG = 'mig.nvidia.com';
const NIC = 'dranet.net';
const ROOT = 'resource.kubernetes.io/pcieRoot';

/** @param {string} address */
function isAt(address) {
  return `device.attributes["resource.kubernetes.io"].pciBusID == "${address}"`;
}

/** @param {string} profile */
function isProfile(profile) {
  return `device.attributes['gpu.nvidia.com'].profile == '${profile}'`;
}

/** @param {string} name @param {string} profile */
function mig(name, profile) {
  return { name, class: MIG, selectors: [isProfile(profile)] };
}

const IS_A100 =
  "device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('^.*a100.*$')";

const EVERY_OTHER_A100 = `${IS_A100}
&&
(device.attributes['gpu.nvidia.com'].index == 0 ||
device.attributes['gpu.nvidia.com'].index == 2 ||
device.attributes['gpu.nvidia.com'].index == 4 ||
device.attributes['gpu.nvidia.com'].index == 6)`;

const PHYSICAL_RDMA = `device.attributes["dra.net"].rdma == true &&
device.attributes["dra.net"].virtual == false &&
device.attributes["dra.net"].numaNode == 0`;

/** @type {Workload[]} */
const GPUS = [
  {
    name: 'one-gpu',
    requests: [{ name: 'gpu', class: GPU }],
    // A claim without a capacity takes all memory of a shared GPU.
    fits: { 'a100-mig': 8, 'gh200-mig': 1, 'l4-shared': 2, p4d: 8, h100: 8, gb200: 4, gb300: 4 },
  },
  {
    name: 'every-gpu',
    onMachine: 'gb200',
    requests: [{ name: 'gpus', class: GPU, all: true }],
    fits: { gb200: 1 },
  },
  {
    name: 'large-gpu',
    requests: [
      {
        name: 'gpu',
        class: GPU,
        selectors: [`device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity("80Gi"))`],
      },
    ],
    // An H100 has 81,559 MiB, less than 80 GiB.
    fits: { 'gh200-mig': 1, gb200: 4, gb300: 4 },
  },
  {
    name: 'hopper',
    requests: [
      {
        name: 'gpu',
        class: GPU,
        selectors: [`device.attributes['gpu.nvidia.com'].architecture == 'Hopper'`],
      },
    ],
    fits: { 'gh200-mig': 1, h100: 8 },
  },
  {
    name: 'newer-driver',
    requests: [
      {
        name: 'gpus',
        class: GPU,
        count: 4,
        selectors: [
          `device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("580.126.0")) >= 0`,
        ],
      },
    ],
    // 580.126.9 and 580.126.20 are newer; there are two L4 on a machine.
    fits: { 'a100-mig': 2, p4d: 2, gb200: 1 },
  },
  {
    name: 'every-other-gpu',
    onMachine: 'a100-mig',
    requests: [{ name: 'gpu', class: GPU, selectors: [EVERY_OTHER_A100] }],
    fits: { 'a100-mig': 4 },
  },
  {
    name: 'unknown-attribute',
    requests: [{ name: 'gpu', class: GPU, selectors: [EVERY_OTHER_A100] }],
    fits: {},
    pods: 1,
    // The A100 of p4d are published without an index.
    error: 'no such key: index',
  },
  {
    name: 'no-such-gpu',
    requests: [
      {
        name: 'gpu',
        class: GPU,
        selectors: ['device.attributes["gpu.nvidia.com"].productName == "NVIDIA G1"'],
      },
    ],
    fits: {},
  },
  {
    name: 'gpu-memory',
    onMachine: 'l4-shared',
    requests: [{ name: 'gpu', class: GPU, capacity: { memory: '4Gi' } }],
    // 23,034 MiB of each of two GPUs.
    fits: { 'l4-shared': 10 },
  },
];

/** @type {Workload[]} */
const PARTITIONS = [
  {
    name: 'four-partitions',
    requests: [
      mig('small-0', '1g.5gb'),
      mig('small-1', '1g.5gb'),
      mig('medium', '2g.10gb'),
      mig('large', '3g.20gb'),
    ],
    constraints: [{ matchAttribute: 'gpu.nvidia.com/parentUUID' }],
    // 1 + 1 + 2 + 4 memory slices of 8.
    fits: { 'a100-mig': 8 },
  },
  {
    name: 'small-and-large',
    requests: [
      {
        name: 'small',
        class: MIG,
        selectors: [`device.capacity['gpu.nvidia.com'].multiprocessors.isLessThan(quantity("30"))`],
      },
      {
        name: 'large',
        class: MIG,
        selectors: [
          `device.capacity['gpu.nvidia.com'].multiprocessors.isGreaterThan(quantity("50"))`,
        ],
      },
    ],
    // Pod n takes small partition n of the first GPU and the large one of GPU n + 1, because
    // devices are tried in their order: seven pods, then no GPU can have a large one any more. On
    // the single GH200 the large one is 3g.48gb, beside a small one in the first half.
    fits: { 'a100-mig': 7, 'gh200-mig': 1 },
  },
  {
    name: 'half-gpu',
    requests: [mig('half', '3g.20gb')],
    fits: { 'a100-mig': 16 },
  },
  {
    name: 'partition-as-resource',
    extended: { 'nvidia.com/mig-1g.12gb': '1' },
    fits: { 'gh200-mig': 7 },
  },
];

/** @type {Workload[]} */
const ALIGNED = [
  {
    name: 'gpu-beside-efa',
    requests: [
      { name: 'gpu', class: GPU, count: 1 },
      { name: 'efa', class: 'efa.networking.k8s.aws', count: 1 },
    ],
    constraints: [{ requests: ['gpu', 'efa'], matchAttribute: ROOT }],
    // Two GPUs and one adapter on each of four roots.
    fits: { p4d: 4 },
  },
  {
    name: 'gpu-and-efa',
    requests: [
      { name: 'gpu', class: GPU, count: 1 },
      { name: 'efa', class: 'efa.networking.k8s.aws', count: 1 },
    ],
    fits: { p4d: 4 },
  },
  {
    name: 'pairs-on-one-root',
    requests: [
      { name: 'gpu', class: GPU, count: 2 },
      { name: 'nic', class: 'rdma-net', count: 2 },
    ],
    constraints: [{ matchAttribute: ROOT }],
    // No root has two GPUs and two cards with RDMA.
    fits: {},
  },
  {
    name: 'half-of-numa-node',
    onMachine: 'gb200',
    requests: [
      { name: 'gpu', class: GPU, count: 1, selectors: [isAt('0008:06:00.0')] },
      { name: 'nic', class: NIC, count: 2, selectors: [PHYSICAL_RDMA] },
    ],
    fits: { gb200: 1 },
  },
  {
    name: 'whole-gb200',
    onMachine: 'gb200',
    requests: [
      { name: 'gpu', class: GPU, count: 4 },
      {
        name: 'nic',
        class: NIC,
        count: 8,
        selectors: [PHYSICAL_RDMA.replace(/ &&\n[^\n]*numaNode == 0$/, '')],
      },
    ],
    fits: { gb200: 1 },
  },
  {
    name: 'same-fabric',
    onMachine: 'gb200',
    requests: [
      {
        name: 'nic',
        class: NIC,
        count: 2,
        selectors: [
          'device.attributes["oke.dra.net"].gpuMemoryFabricId == ' +
            `"${ORACLE_BLOCKS.gpuMemoryFabricId}"`,
        ],
      },
    ],
    fits: { gb200: 4 },
  },
  {
    name: 'gpu-and-function',
    onMachine: 'gb300',
    requests: [
      { name: 'gpu', class: GPU, selectors: [isAt('0008:06:00.0')] },
      {
        name: 'nic',
        class: NIC,
        selectors: ['device.attributes["dra.net"]["rdmaDevice"] == "mlx5_0"'],
      },
    ],
    fits: { gb300: 1 },
  },
  {
    name: 'placement-group',
    onMachine: 'gb300',
    requests: [
      {
        name: 'nic',
        class: NIC,
        selectors: [
          'device.attributes["azure.dra.net"]["placementGroupId"] == ' +
            `"${GB300_PLACEMENT_GROUP}"`,
          'device.attributes["dra.net"]["rdma"] == true',
        ],
      },
    ],
    fits: { gb300: 4 },
  },
  {
    name: 'numa-node',
    requests: [
      {
        name: 'gpu',
        class: GPU,
        count: 4,
        selectors: [
          'device.attributes["resource.kubernetes.io"]["pciBusID"] in ' +
            '["0001:00:00.0", "0002:00:00.0", "0003:00:00.0", "0008:00:00.0"]',
        ],
      },
      {
        name: 'nic',
        class: NIC,
        count: 4,
        selectors: [
          'device.attributes["dra.net"]["rdma"] == true && ' +
            'device.attributes["dra.net"]["numaNode"] == 0',
        ],
      },
    ],
    fits: { h100: 1 },
  },
  {
    name: 'four-nics',
    requests: [
      {
        name: 'nic',
        class: NIC,
        count: 4,
        selectors: [
          'device.attributes["dra.net"].rdma && device.attributes["dra.net"].numaNode == 0',
        ],
      },
    ],
    // Other machines have one or two cards at NUMA node 0.
    fits: { h100: 1, mi300x: 1, gb200: 1 },
  },
  {
    name: 'compute-domain',
    requests: [
      { name: 'channel', class: 'compute-domain-default-channel.nvidia.com' },
      { name: 'daemon', class: 'compute-domain-daemon.nvidia.com' },
    ],
    fits: { gb300: 1 },
  },
];

/** @type {readonly Workload[]} */
export const NVIDIA_WORKLOADS = Object.freeze([...GPUS, ...PARTITIONS, ...ALIGNED]);
