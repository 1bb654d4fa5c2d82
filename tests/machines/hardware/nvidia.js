/** The devices of gpu.nvidia.com and compute-domain.nvidia.com. */
import { rootOf, times, uuid, version } from './values.js';

/** @import { Device, Publication, Random, Value } from './types.js' */

const DRIVER = 'gpu.nvidia.com';
const COMPUTE_DOMAIN_DRIVER = 'compute-domain.nvidia.com';

/**
 * A GPU's model.
 *
 * @typedef {object} GpuModel
 * @property {string} productName
 * @property {string} architecture
 * @property {string} computeCapability
 * @property {string} addressingMode
 * @property {string} driverVersion
 * @property {string} memory
 */

/** @type {Record<'a100' | 'h100' | 'gh200' | 'gb200' | 'gb300' | 'l4', GpuModel>} */
export const MODELS = {
  a100: {
    productName: 'NVIDIA A100-SXM4-40GB',
    architecture: 'Ampere',
    computeCapability: '8.0.0',
    addressingMode: 'HMM',
    driverVersion: '580.126.9',
    memory: '40Gi',
  },
  h100: {
    productName: 'NVIDIA H100 80GB HBM3',
    architecture: 'Hopper',
    computeCapability: '9.0.0',
    addressingMode: 'HMM',
    driverVersion: '570.86.15',
    memory: '81559Mi',
  },
  gh200: {
    productName: 'NVIDIA GH200 96GB HBM3',
    architecture: 'Hopper',
    computeCapability: '9.0.0',
    addressingMode: 'ATS',
    driverVersion: '580.105.8',
    memory: '97871Mi',
  },
  gb200: {
    productName: 'NVIDIA GB200',
    architecture: 'Blackwell',
    computeCapability: '10.0.0',
    addressingMode: 'ATS',
    driverVersion: '580.126.20',
    memory: '189471Mi',
  },
  gb300: {
    productName: 'NVIDIA GB300',
    architecture: 'Blackwell',
    computeCapability: '10.3.0',
    addressingMode: 'ATS',
    driverVersion: '580.105.8',
    memory: '284208Mi',
  },
  l4: {
    productName: 'NVIDIA L4',
    architecture: 'Ada Lovelace',
    computeCapability: '8.9.0',
    addressingMode: 'HMM',
    driverVersion: '580.126.9',
    memory: '23034Mi',
  },
};

/**
 * A profile of Multi-Instance GPU: its size in parts of the GPU, and where it can start among the
 * eight memory slices.
 *
 * @typedef {object} MigProfile
 * @property {string} name
 * @property {number} multiprocessors
 * @property {number} copyEngines
 * @property {number} decoders
 * @property {string} memory
 * @property {number} memorySlices
 * @property {number[]} starts
 */

const MEMORY_SLICES = 8;

/** @type {MigProfile[]} */
export const A100_PROFILES = [
  profile('1g.5gb', 14, [1, 0], '4864Mi', 1, [0, 1, 2, 3, 4, 5, 6]),
  profile('2g.10gb', 28, [2, 1], '9856Mi', 2, [0, 2, 4]),
  profile('3g.20gb', 42, [3, 2], '19968Mi', 4, [0, 4]),
  profile('4g.20gb', 56, [4, 2], '19968Mi', 4, [0]),
  profile('7g.40gb', 98, [7, 5], '40192Mi', 8, [0]),
];

/** @type {MigProfile[]} */
export const GH200_PROFILES = [
  profile('1g.12gb', 16, [1, 1], '11008Mi', 1, [0, 1, 2, 3, 4, 5, 6]),
  profile('3g.48gb', 60, [3, 3], '46080Mi', 4, [0, 4]),
  profile('7g.96gb', 132, [8, 7], '94208Mi', 8, [0]),
];

/**
 * @param {string} name
 * @param {number} multiprocessors
 * @param {[number, number]} engines copy engines and decoders
 * @param {string} memory
 * @param {number} memorySlices
 * @param {number[]} starts
 * @returns {MigProfile}
 */
function profile(name, multiprocessors, [copyEngines, decoders], memory, memorySlices, starts) {
  return { name, multiprocessors, copyEngines, decoders, memory, memorySlices, starts };
}

/**
 * Whole GPUs, one for each PCI address.
 *
 * @param {GpuModel} model
 * @param {string[]} addresses
 * @param {Random} random
 * @returns {Publication}
 */
export function wholeGpus(model, addresses, random) {
  return {
    driver: DRIVER,
    devices: addresses.map((address, index) => wholeGpu(model, address, index, random)),
  };
}

/** @param {GpuModel} model @param {string} address @param {number} index @param {Random} random */
function wholeGpu(model, address, index, random) {
  return {
    name: `gpu-${index}`,
    attributes: {
      ...commonAttributes(model),
      'resource.kubernetes.io/pciBusID': address,
      'resource.kubernetes.io/pcieRoot': rootOf(address),
      type: 'gpu',
      uuid: `GPU-${uuid(random)}`,
    },
    capacity: { memory: model.memory },
  };
}

/** @param {GpuModel} model @returns {Record<string, Value>} */
function commonAttributes(model) {
  return {
    addressingMode: model.addressingMode,
    architecture: model.architecture,
    brand: 'Nvidia',
    cudaComputeCapability: version(model.computeCapability),
    cudaDriverVersion: version('13.0.0'),
    driverVersion: version(model.driverVersion),
    productName: model.productName,
  };
}

/**
 * GPUs whose memory claims may share.
 *
 * @param {GpuModel} model
 * @param {string[]} addresses
 * @param {Random} random
 * @returns {Publication}
 */
export function sharedGpus(model, addresses, random) {
  const { driver, devices } = wholeGpus(model, addresses, random);
  const capacity = {
    memory: {
      value: model.memory,
      requestPolicy: { default: model.memory, validRange: { min: '1Gi', step: '1Mi' } },
    },
  };
  return { driver, devices: devices.map((device) => ({ ...device, shared: true, capacity })) };
}

/**
 * GPUs with all partitions that could be created of them. A GPU and its partitions take from one
 * counter set, so that they exclude each other.
 *
 * @param {GpuModel} model
 * @param {MigProfile[]} profiles the last one takes the whole GPU
 * @param {string[]} addresses
 * @param {Random} random
 * @returns {Publication}
 */
export function partitionedGpus(model, profiles, addresses, random) {
  /** @type {Record<string, Record<string, string>>} */
  const counterSets = {};
  const devices = addresses.flatMap((address, index) => {
    const set = `gpu-${index}-counters`;
    const whole = countersOf(profiles[profiles.length - 1], 0);
    counterSets[set] = whole;
    const gpu = wholeGpu(model, address, index, random);
    const indexed = { ...gpu.attributes, index, minor: index };
    return [
      { ...gpu, attributes: indexed, counters: { [set]: whole } },
      ...profiles.flatMap((each) =>
        each.starts.map((start) => partition(each, start, { model, gpu, index, set })),
      ),
    ];
  });
  return { driver: DRIVER, devices, counterSets };
}

/**
 * @param {MigProfile} each
 * @param {number} start
 * @param {{ model: GpuModel, gpu: Device, index: number, set: string }} parent
 * @returns {Device}
 */
function partition(each, start, { model, gpu, index, set }) {
  const { name, multiprocessors, copyEngines, decoders, memory } = each;
  return {
    name: `gpu-${index}-mig-${name.replace('.', '')}-${start}`,
    attributes: {
      ...commonAttributes(model),
      parentIndex: index,
      parentUUID: gpu.attributes.uuid,
      profile: name,
      'resource.kubernetes.io/pcieRoot': gpu.attributes['resource.kubernetes.io/pcieRoot'],
      type: 'mig',
    },
    capacity: {
      copyEngines: String(copyEngines),
      decoders: String(decoders),
      memory,
      multiprocessors: String(multiprocessors),
    },
    counters: { [set]: countersOf(each, start) },
  };
}

/** @param {MigProfile} each @param {number} start @returns {Record<string, string>} */
function countersOf({ multiprocessors, copyEngines, decoders, memory, memorySlices }, start) {
  const slices = times(memorySlices, (index) => [`memory-slice-${start + index}`, '1']);
  if (start + memorySlices > MEMORY_SLICES) throw new RangeError('the partition is too long');
  return {
    'copy-engines': String(copyEngines),
    decoders: String(decoders),
    memory,
    multiprocessors: String(multiprocessors),
    ...Object.fromEntries(slices),
  };
}

/** The channel and the daemon of a compute domain. @returns {Publication} */
export function computeDomain() {
  return {
    driver: COMPUTE_DOMAIN_DRIVER,
    devices: [
      { name: 'channel-0', attributes: { id: 0, type: 'channel' } },
      { name: 'daemon-0', attributes: { id: 0, type: 'daemon' } },
    ],
  };
}
