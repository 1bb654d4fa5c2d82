/** The devices of dra.cpu and cpu.example.com: CPUs that claims share. */
import { times } from './values.js';

/** @import { Publication } from './types.js' */

const DRIVER = 'dra.cpu';
const EXAMPLE_DRIVER = 'cpu.example.com';

/** CPUs of each NUMA node. */
const CPUS = 64;

/**
 * One device for each NUMA node of a host with two sockets.
 *
 * @param {{ smtEnabled: boolean, coreType: string }} facts
 * @returns {Publication}
 */
export function numaNodes({ smtEnabled, coreType }) {
  const devices = times(2, (index) => ({
    name: `cpudevnuma00${index}`,
    attributes: {
      coreType,
      'dra.cpu/numaNodeID': index,
      'dra.cpu/smtEnabled': smtEnabled,
      'dra.cpu/socketID': index,
      'dra.net/numaNode': index,
      numCPUs: CPUS,
    },
    capacity: {
      'dra.cpu/cpu': {
        value: String(CPUS),
        requestPolicy: { default: String(CPUS), validRange: { min: '1', step: '1' } },
      },
    },
    shared: true,
  }));
  return { driver: DRIVER, devices };
}

/** The example driver's CPUs, in two sockets of eight. @returns {Publication} */
export function exampleCpus() {
  const devices = times(2, (index) => ({
    name: `cpu-${index}`,
    attributes: { socket: index },
    capacity: {
      'cpu.example.com/cpu': {
        value: '8',
        requestPolicy: { default: '1', validRange: { min: '1', step: '1' } },
      },
    },
    shared: true,
  }));
  return { driver: EXAMPLE_DRIVER, devices };
}
