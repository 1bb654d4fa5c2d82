/** The devices of gpu.example.com, the driver that shows what drivers can do. */
import { rootOf, times, uuid, version } from './values.js';

/** @import { Device, Publication, Random } from './types.js' */

const DRIVER = 'gpu.example.com';
const MODEL = 'LATEST-GPU-MODEL';

/** @param {number} index @param {string} [address] */
function attributesOf(index, address) {
  return {
    driverVersion: version('1.0.0'),
    index,
    model: MODEL,
    ...(address && { 'resource.kubernetes.io/pcieRoot': rootOf(address) }),
  };
}

/**
 * Whole GPUs.
 *
 * @param {{ count: number, addresses?: string[] }} facts
 * @param {Random} random
 * @returns {Publication}
 */
export function exampleGpus({ count, addresses = [] }, random) {
  const devices = times(count, (index) => ({
    name: `gpu-${index}`,
    attributes: { ...attributesOf(index, addresses[index]), uuid: `gpu-${uuid(random)}` },
    capacity: { memory: '80Gi' },
  }));
  return { driver: DRIVER, devices };
}

/** GPUs of which the first reports a fault. @param {number} count @param {Random} random */
export function unhealthyGpus(count, random) {
  const { driver, devices } = exampleGpus({ count }, random);
  const taints = [{ key: 'gpu.example.com/unhealthy', value: 'true', effect: 'NoExecute' }];
  return { driver, devices: devices.map((each, at) => (at === 0 ? { ...each, taints } : each)) };
}

/** GPUs that must be attached through a fabric before a pod can start. @param {Random} random */
export function fabricGpus(random) {
  const { driver, devices } = exampleGpus({ count: 2 }, random);
  const conditions = {
    bindingConditions: ['gpu.example.com/attached'],
    bindingFailureConditions: ['gpu.example.com/attach-failed'],
  };
  return { driver, devices: devices.map((each) => ({ ...each, ...conditions })) };
}

/**
 * Two GPUs that can be used whole, as two halves or as four quarters; counters keep them from
 * being used twice. @returns {Publication}
 */
export function partitionedGpus() {
  return partitions(['80Gi', '40Gi', '40Gi', '20Gi', '20Gi', '20Gi', '20Gi'], {});
}

/**
 * Two GPUs with four partitions that claims share. A GPU has memory for three of them, and a
 * partition takes its memory from its GPU with the first claim. @returns {Publication}
 */
export function sharedPartitions() {
  const sizes = times(4, () => '20Gi');
  return partitions(sizes, { shared: true, compute: '25', total: '60Gi' });
}

/**
 * @param {string[]} sizes the memory of each partition of a GPU
 * @param {{ shared?: boolean, compute?: string, total?: string }} facts
 * @returns {Publication}
 */
function partitions(sizes, { shared, compute, total = '80Gi' }) {
  /** @type {Record<string, Record<string, string>>} */
  const counterSets = {};
  const devices = times(2, (gpu) => {
    counterSets[`gpu-${gpu}-counters`] = { memory: total };
    return sizes.map((memory, part) => {
      const name = `gpu-${gpu}-partition-${part}`;
      const capacity = { memory, ...(compute && { compute }) };
      const counters = { [`gpu-${gpu}-counters`]: { memory } };
      const attributes = { ...attributesOf(gpu), partition: part };
      return /** @type {Device} */ ({
        name,
        attributes,
        capacity,
        counters,
        ...(shared && { shared }),
      });
    });
  });
  return { driver: DRIVER, devices: devices.flat(), counterSets };
}
