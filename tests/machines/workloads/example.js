/** Workloads for the devices of the example drivers. */

/** @import { Request, Workload } from './types.js' */

const GPU = 'gpu.example.com';

/** @param {string} model */
function isModel(model) {
  return `device.attributes['gpu.example.com'].model == '${model}'`;
}

/** @param {string} amount @param {string} [operator] */
function hasMemory(amount, operator = '>=') {
  return `device.capacity['gpu.example.com'].memory.compareTo(quantity('${amount}')) ${operator} 0`;
}

/** @type {Request[]} */
const ONE_GPU = [{ name: 'gpu', class: GPU }];

/** @type {Workload[]} */
const GPUS = [
  {
    name: 'third-choice',
    onMachine: 'example',
    requests: [
      {
        name: 'gpu',
        firstAvailable: [
          { name: 'bleeding-edge', class: GPU, selectors: [isModel('BLEEDING-EDGE-GPU')] },
          { name: 'huge', class: GPU, selectors: [hasMemory('1Ti')] },
          { name: 'any', class: GPU },
        ],
      },
    ],
    fits: { example: 8 },
    chooses: 'gpu/any',
  },
  {
    name: 'first-choice',
    onMachine: 'example',
    requests: [
      {
        name: 'gpu',
        firstAvailable: [
          { name: 'latest', class: GPU, selectors: [isModel('LATEST-GPU-MODEL')] },
          { name: 'any', class: GPU },
        ],
      },
    ],
    fits: { example: 8 },
    chooses: 'gpu/latest',
  },
  {
    name: 'latest-gpu',
    onMachine: 'example',
    requests: [
      { name: 'gpu', class: GPU, selectors: [isModel('LATEST-GPU-MODEL'), hasMemory('4Gi')] },
    ],
    fits: { example: 8 },
  },
  {
    name: 'admin',
    onMachine: 'example',
    requests: [{ name: 'gpus', class: GPU, all: true, adminAccess: true }],
    // Administrators' claims use no device up, so any number of pods fits.
    fits: { example: Infinity },
    pods: 24,
  },
  {
    name: 'gpu-as-resource',
    onMachine: 'example-unhealthy',
    extended: { 'example.com/gpu': '1' },
    // One of four GPUs has a taint, and extended resources have no tolerations.
    fits: { 'example-unhealthy': 3 },
  },
  {
    name: 'gpu-by-class',
    onMachine: 'example-unhealthy',
    extended: { 'deviceclass.resource.kubernetes.io/gpu.example.com': '3' },
    fits: { 'example-unhealthy': 1 },
  },
  {
    name: 'untainted',
    onMachine: 'example-unhealthy',
    requests: ONE_GPU,
    fits: { 'example-unhealthy': 3 },
  },
  {
    name: 'tolerating',
    onMachine: 'example-unhealthy',
    requests: [
      {
        ...ONE_GPU[0],
        tolerations: [
          {
            key: 'gpu.example.com/unhealthy',
            operator: 'Equal',
            value: 'true',
            effect: 'NoExecute',
          },
        ],
      },
    ],
    fits: { 'example-unhealthy': 4 },
  },
];

/** @type {Workload[]} */
const PARTITIONS = [
  {
    name: 'two-partitions',
    onMachine: 'example-partitions',
    requests: [{ name: 'partitions', class: GPU, count: 2 }],
    // The first partition of a GPU is all of it.
    fits: { 'example-partitions': 1 },
  },
  {
    name: 'two-quarters',
    onMachine: 'example-partitions',
    requests: [{ name: 'quarters', class: GPU, count: 2, selectors: [hasMemory('20Gi', '==')] }],
    fits: { 'example-partitions': 4 },
  },
  {
    name: 'half-and-quarters',
    onMachine: 'example-partitions',
    requests: [
      { name: 'half', class: GPU, selectors: [hasMemory('40Gi', '==')] },
      { name: 'quarters', class: GPU, count: 2, selectors: [hasMemory('20Gi', '==')] },
    ],
    constraints: [{ matchAttribute: 'gpu.example.com/index' }],
    fits: { 'example-partitions': 2 },
  },
  {
    name: 'shared-partition',
    onMachine: 'example-shares',
    requests: [{ name: 'gpu', class: GPU, capacity: { memory: '8Gi', compute: '10' } }],
    // A GPU has memory for three of its partitions, each of which two claims can share.
    fits: { 'example-shares': 12 },
  },
];

/** @type {Workload[]} */
const SHARES = [
  {
    name: 'ten-gigabits-in',
    requests: [
      {
        name: 'nic',
        class: 'net.example.com',
        capacity: { ingressBandwidth: '10G', egressBandwidth: '5G' },
      },
    ],
    // Two for each of two cards with 25G.
    fits: { 'example-network': 4 },
  },
  {
    name: 'five-gigabits',
    requests: [
      {
        name: 'nic',
        class: 'net.example.com',
        capacity: { ingressBandwidth: '5G', egressBandwidth: '4500M' },
      },
    ],
    // The policy rounds egress up to 5G.
    fits: { 'example-network': 10 },
  },
  {
    name: 'two-cpus',
    requests: ['first', 'second'].map((name) => ({
      name,
      class: 'cpu.example.com',
      capacity: { 'cpu.example.com/cpu': '1' },
    })),
    // Two sockets with eight CPUs.
    fits: { example: 8 },
  },
];

/** @type {readonly Workload[]} */
export const EXAMPLE_WORKLOADS = Object.freeze([...GPUS, ...PARTITIONS, ...SHARES]);
