/** All workloads of the table. */
import { ACCELERATOR_WORKLOADS } from './workloads/accelerators.js';
import { EXAMPLE_WORKLOADS } from './workloads/example.js';
import { NVIDIA_WORKLOADS } from './workloads/nvidia.js';

/** @type {readonly import('./workloads/types.js').Workload[]} */
export const WORKLOADS = Object.freeze([
  ...NVIDIA_WORKLOADS,
  ...ACCELERATOR_WORKLOADS,
  ...EXAMPLE_WORKLOADS,
]);
