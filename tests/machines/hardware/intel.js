/** The devices of gpu.intel.com, gaudi.intel.com and qat.intel.com. */
import { hexDigits, nameAt, rootOf, times } from './values.js';

/** @import { Publication, Random, Taint } from './types.js' */

const GPU_DRIVER = 'gpu.intel.com';
const GAUDI_DRIVER = 'gaudi.intel.com';
const QAT_DRIVER = 'qat.intel.com';

/**
 * @typedef {object} IntelGpu
 * @property {string} address
 * @property {string} family
 * @property {string} model
 * @property {string} pciId
 * @property {string} driver the kernel's driver
 * @property {boolean} sriov
 * @property {string} memory
 */

/** @param {IntelGpu[]} gpus @returns {Publication} */
export function intelGpus(gpus) {
  const devices = gpus.map(({ address, memory, ...facts }) => ({
    name: nameAt(address).replace('pci-', ''),
    attributes: {
      ...facts,
      pciAddress: address,
      pciRoot: rootOf(address).replace('pci', ''),
      'resource.kubernetes.io/pcieRoot': rootOf(address),
    },
    capacity: { memory, millicores: '1k' },
  }));
  return { driver: GPU_DRIVER, devices };
}

/**
 * Gaudi accelerators. The driver taints an unhealthy one.
 *
 * @param {'Gaudi2' | 'Gaudi3'} model
 * @param {{ addresses: string[], unhealthy?: number[] }} cards `unhealthy`: indices
 * @param {Random} random
 * @returns {Publication}
 */
export function gaudis(model, { addresses, unhealthy = [] }, random) {
  /** @type {Taint[]} */
  const taints = [{ key: 'gaudi.intel.com/unhealthy', effect: 'NoExecute' }];
  const devices = addresses.map((address, index) => {
    const healthy = !unhealthy.includes(index);
    return {
      name: nameAt(address).replace('pci-', ''),
      attributes: {
        healthy,
        model,
        moduleIdx: index,
        pciRoot: rootOf(address).replace('pci', ''),
        'resource.kubernetes.io/pcieRoot': rootOf(address),
        serial: `AN${hexDigits(random, 8)}`,
      },
      ...(!healthy && { taints }),
    };
  });
  return { driver: GAUDI_DRIVER, devices };
}

/** The virtual functions of each QAT card, as its services are configured. */
const QAT_CARDS = ['sym;asym', 'dc', 'sym;dc', 'dcc'];
const QAT_FUNCTIONS = 4;

/** @returns {Publication} */
export function qatFunctions() {
  const devices = QAT_CARDS.flatMap((services, card) =>
    times(QAT_FUNCTIONS, (index) => ({
      name: `qatvf-0000-${card + 1}a-00-${index + 1}`,
      attributes: { services },
    })),
  );
  return { driver: QAT_DRIVER, devices };
}
