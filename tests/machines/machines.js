/**
 * The table of machines: 200 nodes of 22 kinds. Drivers, models, attributes, capacities and PCI
 * addresses are those of real machines.
 */
import * as amd from './hardware/amd.js';
import * as cpu from './hardware/cpu.js';
import * as example from './hardware/example_gpu.js';
import * as intel from './hardware/intel.js';
import * as network from './hardware/network.js';
import * as nvidia from './hardware/nvidia.js';
import { hexDigits, times } from './hardware/values.js';

/** @import { Machine } from './hardware/types.js' */

const { A100_PROFILES, GH200_PROFILES, MODELS } = nvidia;

/** Eight GPUs, two on each root. */
const AMAZON_GPUS = ['10', '20', '90', 'a0'].flatMap((bus) =>
  ['1c', '1d'].map((slot) => `0000:${bus}:${slot}.0`),
);
const GRACE_GPUS = ['0008', '0009', '0018', '0019'].map((domain) => `${domain}:06:00.0`);
const AZURE_GPUS = ['0001', '0002', '0003', '0008', '0009', '000a', '000b', '000c'].map(
  (domain) => `${domain}:00:00.0`,
);
const EIGHT_CARDS = times(8, (index) => `0000:${(index + 1).toString(16)}3:00.0`);
const FOUR_AND_FOUR = [0, 0, 0, 0, 1, 1, 1, 1];
const ORACLE_PORTS = ['0000', '0002', '0010', '0012'].flatMap((domain) =>
  ['0', '1'].map((port) => ({
    address: `${domain}:03:00.${port}`,
    numaNode: domain.startsWith('001') ? 1 : 0,
  })),
);
const ARC = { family: 'Arc', model: 'A770', pciId: '0x56a0', sriov: false, memory: '16288Mi' };
const FLEX = { family: 'Flex', model: 'Flex 170', pciId: '0x56c0', sriov: true, memory: '16Gi' };

/** Four Flex GPUs, two on each root. */
const FLEX_GPUS = ['0000:10:00.0', '0000:1a:00.0', '0000:40:00.0', '0000:4a:00.0'];

/** @param {string} slot @returns {string[]} */
function fourFunctions(slot) {
  return times(4, (index) => `0000:08:${slot}.${index + 2}`);
}

const SRIOV_PORTS = [
  { resourceName: 'port1-vfs', root: 'pci0000:00', addresses: fourFunctions('00'), numaNode: 0 },
  { resourceName: 'port2-vfs', root: 'pci0000:80', addresses: fourFunctions('02'), numaNode: 1 },
];

/** @param {string} bus @param {string} slot @param {number} numaNode */
function onAmazonBus(bus, slot, numaNode) {
  return { address: `0000:${bus}:${slot}.0`, numaNode };
}

/** The blocks of Oracle's network, the same for all machines. */
export const ORACLE_BLOCKS = Object.freeze({
  gpuMemoryFabricId: 'fabric-1',
  hpcIslandId: 'island-1',
  localBlockId: 'local-block-1',
  networkBlockId: 'network-block-1',
  rackId: 'rack-1',
});

export const GB300_PLACEMENT_GROUP = 'placement-group-gb300';

/** @type {readonly Machine[]} */
export const MACHINES = Object.freeze([
  ...nvidiaMachines(),
  ...acceleratorMachines(),
  ...exampleMachines(),
  { name: 'plain', nodes: 6, publish: () => [] },
]);

/** @returns {Machine[]} */
function nvidiaMachines() {
  return [
    {
      name: 'a100-mig',
      nodes: 8,
      publish: (random) => [
        nvidia.partitionedGpus(MODELS.a100, A100_PROFILES, AMAZON_GPUS, random),
      ],
    },
    {
      name: 'gh200-mig',
      nodes: 8,
      publish: (random) => [
        nvidia.partitionedGpus(MODELS.gh200, GH200_PROFILES, ['0009:01:00.0'], random),
      ],
    },
    {
      name: 'l4-shared',
      nodes: 8,
      publish: (random) => [nvidia.sharedGpus(MODELS.l4, ['0000:30:00.0', '0000:50:00.0'], random)],
    },
    {
      name: 'p4d',
      nodes: 10,
      publish: (random) => [
        nvidia.wholeGpus(MODELS.a100, AMAZON_GPUS, random),
        network.amazonAdapters(
          ['10', '20', '90', 'a0'].map((bus, at) => onAmazonBus(bus, '1b', at < 2 ? 0 : 1)),
          ['20', '90', 'a0'].map((bus, at) => onAmazonBus(bus, '01', at < 1 ? 0 : 1)),
          random,
        ),
      ],
    },
    {
      name: 'h100',
      nodes: 8,
      publish: (random) => [
        nvidia.wholeGpus(MODELS.h100, AZURE_GPUS, random),
        network.azureFunctions({
          vmSize: 'Standard_ND96isr_H100_v5',
          subsystem: '0041',
          numaNodes: FOUR_AND_FOUR,
          placementGroup: hexDigits(random, 12),
        }),
      ],
    },
    {
      name: 'gb200',
      nodes: 12,
      publish: (random) => [
        nvidia.wholeGpus(MODELS.gb200, GRACE_GPUS, random),
        network.oracleAdapters(ORACLE_PORTS, ORACLE_BLOCKS, random),
      ],
    },
    {
      name: 'gb300',
      nodes: 12,
      publish: (random) => [
        nvidia.wholeGpus(MODELS.gb300, GRACE_GPUS, random),
        nvidia.computeDomain(),
        network.azureFunctions({
          vmSize: 'Standard_ND128isr_GB300_v6',
          subsystem: '0240',
          numaNodes: [0, 0, 1, 1],
          placementGroup: GB300_PLACEMENT_GROUP,
        }),
      ],
    },
  ];
}

/** @returns {Machine[]} */
function acceleratorMachines() {
  return [
    {
      name: 'mi300x',
      nodes: 12,
      publish: (random) => [
        amd.wholeGpus(EIGHT_CARDS),
        network.azureFunctions({
          vmSize: 'Standard_ND96isr_MI300X_v5',
          subsystem: '0101',
          numaNodes: FOUR_AND_FOUR,
          placementGroup: hexDigits(random, 12),
        }),
      ],
    },
    { name: 'mi300x-cpx', nodes: 8, publish: () => [amd.partitionedGpus(EIGHT_CARDS)] },
    {
      name: 'flex',
      nodes: 10,
      publish: (random) => [
        intel.intelGpus(FLEX_GPUS.map((address) => ({ ...FLEX, address, driver: 'i915' }))),
        network.plainAdapters(
          [
            { address: '0000:1f:00.0', numaNode: 0 },
            { address: '0000:4f:00.0', numaNode: 1 },
          ],
          random,
        ),
      ],
    },
    {
      name: 'arc',
      nodes: 8,
      publish: () => [
        intel.intelGpus([
          { ...ARC, address: '0000:03:00.0', driver: 'i915' },
          { ...ARC, address: '0000:13:00.0', driver: 'xe-vfio-pci' },
        ]),
      ],
    },
    {
      name: 'gaudi2',
      nodes: 8,
      publish: (random) => [
        intel.gaudis('Gaudi2', { addresses: EIGHT_CARDS, unhealthy: [5] }, random),
      ],
    },
    {
      name: 'gaudi3',
      nodes: 8,
      publish: (random) => [intel.gaudis('Gaudi3', { addresses: EIGHT_CARDS }, random)],
    },
    { name: 'qat', nodes: 8, publish: () => [intel.qatFunctions()] },
    {
      name: 'cpu',
      nodes: 12,
      publish: () => [cpu.numaNodes({ smtEnabled: false, coreType: 'p-core' })],
    },
    {
      name: 'cpu-smt',
      nodes: 4,
      publish: () => [cpu.numaNodes({ smtEnabled: true, coreType: 'standard' })],
    },
  ];
}

/** @returns {Machine[]} */
function exampleMachines() {
  return [
    {
      name: 'sriov',
      nodes: 8,
      publish: (random) => [
        network.virtualFunctions(SRIOV_PORTS),
        example.exampleGpus({ count: 2, addresses: ['0000:01:00.0', '0000:81:00.0'] }, random),
      ],
    },
    {
      name: 'example',
      nodes: 12,
      publish: (random) => [example.exampleGpus({ count: 8 }, random), cpu.exampleCpus()],
    },
    { name: 'example-partitions', nodes: 8, publish: () => [example.partitionedGpus()] },
    { name: 'example-shares', nodes: 8, publish: () => [example.sharedPartitions()] },
    {
      name: 'example-unhealthy',
      nodes: 4,
      publish: (random) => [example.unhealthyGpus(4, random)],
    },
    { name: 'example-fabric', nodes: 2, publish: (random) => [example.fabricGpus(random)] },
    {
      name: 'example-network',
      nodes: 8,
      publish: (random) => [network.bandwidthCards(random)],
    },
  ];
}
