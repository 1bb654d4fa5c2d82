/** The devices of gpu.amd.com. */
import { rootOf, times, version } from './values.js';

/** @import { Device, Publication } from './types.js' */

const DRIVER = 'gpu.amd.com';

/** How many partitions a GPU has in mode CPX, one for each of its compute dies. */
const PARTITIONS = 8;

const MI300X = { memoryMi: 196592, computeUnits: 304, simdUnits: 1216 };

/** @param {number} index */
function commonAttributes(index) {
  return {
    driverVersion: version('6.12.12'),
    family: 'AI',
    productName: 'AMD_Instinct_MI300X_OAM',
    // GPU and partitions of one card have one deviceID.
    deviceID: String(9_000_000_000 + 1_111 * index),
  };
}

/** @param {string} address */
function placeOf(address) {
  return {
    'resource.kubernetes.io/pciBusID': address,
    'resource.kubernetes.io/pcieRoot': rootOf(address),
  };
}

/** Whole GPUs. @param {string[]} addresses @returns {Publication} */
export function wholeGpus(addresses) {
  const devices = addresses.map((address, index) => ({
    name: `gpu-${index}-${128 + index}`,
    attributes: {
      ...commonAttributes(index),
      ...placeOf(address),
      cardIndex: index,
      partitionProfile: 'spx_nps1',
      renderIndex: 128 + index,
      type: 'amdgpu',
    },
    capacity: {
      computeUnits: String(MI300X.computeUnits),
      memory: `${MI300X.memoryMi}Mi`,
      simdUnits: String(MI300X.simdUnits),
    },
  }));
  return { driver: DRIVER, devices };
}

/** GPUs in mode CPX: only their partitions can be allocated. @param {string[]} addresses */
export function partitionedGpus(addresses) {
  const devices = addresses.flatMap((address, gpu) =>
    times(PARTITIONS, (part) => {
      const index = gpu * PARTITIONS + part;
      return /** @type {Device} */ ({
        name: `gpu-${index}-${128 + index}`,
        attributes: {
          ...commonAttributes(gpu),
          ...placeOf(address),
          cardIndex: index,
          partitionProfile: 'cpx_nps1',
          renderIndex: 128 + index,
          type: 'amdgpu-partition',
        },
        capacity: {
          computeUnits: String(MI300X.computeUnits / PARTITIONS),
          memory: `${MI300X.memoryMi / PARTITIONS}Mi`,
          simdUnits: String(MI300X.simdUnits / PARTITIONS),
        },
      });
    }),
  );
  return { driver: DRIVER, devices };
}
