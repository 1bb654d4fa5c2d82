/** The devices of dra.net, sriovnetwork.k8snetworkplumbingwg.io and net.example.com. */
import { hexDigits, macAddress, nameAt, rootOf, times } from './values.js';

/** @import { Device, Publication, Random, Value } from './types.js' */

const DRANET_DRIVER = 'dra.net';
const SRIOV_DRIVER = 'sriovnetwork.k8snetworkplumbingwg.io';
const EXAMPLE_NETWORK_DRIVER = 'net.example.com';

const EFA = 'Elastic Fabric Adapter (EFA)';
const ENA = 'Elastic Network Adapter (ENA)';

/** @typedef {{ address: string, numaNode: number }} Place */

/**
 * Amazon's adapters: one EFA for each root, and one ENA for each root except the first.
 * EFA devices have no network interface, and therefore no ifName.
 *
 * @param {Place[]} efas
 * @param {Place[]} enas
 * @param {Random} random
 * @returns {Publication}
 */
export function amazonAdapters(efas, enas, random) {
  const vendor = 'Amazon.com, Inc.';
  const devices = [
    ...efas.map(({ address, numaNode }, index) =>
      adapter(address, {
        ...physical({ address, numaNode, pciDevice: EFA, vendor }),
        'dra.net/pciSubsystem': 'efa0',
        'dra.net/rdma': true,
        'dra.net/rdmaDevice': `rdmap${16 * (index + 1)}s27`,
      }),
    ),
    ...enas.map(({ address, numaNode }, index) =>
      adapter(address, {
        ...physical({ address, numaNode, pciDevice: ENA, vendor }),
        ...interfaceOf(`ens${65 + 32 * index}`, 9001, random),
        'dra.net/alias': '',
        'dra.net/ebpf': false,
        'dra.net/encapsulation': 'ether',
        'dra.net/ipv4': `192.168.${144 + index}.${10 + random.below(200)}/19`,
        'dra.net/pciSubsystem': 'ec20',
        'dra.net/rdma': false,
        'dra.net/sriov': false,
      }),
    ),
  ];
  const byName = (/** @type {Device} */ a, /** @type {Device} */ b) => (a.name < b.name ? -1 : 1);
  return { driver: DRANET_DRIVER, devices: devices.sort(byName) };
}

/**
 * Azure's InfiniBand functions: no interface, no root, but a placement group.
 *
 * @param {{ vmSize: string, subsystem: string, numaNodes: number[], placementGroup: string }} facts
 *   `numaNodes`: one for each function
 * @returns {Publication}
 */
export function azureFunctions({ vmSize, subsystem, numaNodes, placementGroup }) {
  const pciDevice = 'ConnectX Family mlx5Gen Virtual Function';
  const devices = numaNodes.map((numaNode, index) => {
    const address = `010${index + 1}:00:00.0`;
    const place = { address, numaNode, pciDevice, vendor: 'Mellanox Technologies' };
    return {
      name: nameAt(address),
      attributes: {
        'azure.dra.net/placementGroupId': placementGroup,
        'azure.dra.net/vmSize': vmSize,
        ...physical(place),
        'dra.net/pciSubsystem': subsystem,
        'dra.net/rdma': true,
        'dra.net/rdmaDevice': `mlx5_${index}`,
      },
    };
  });
  return { driver: DRANET_DRIVER, devices };
}

/**
 * Oracle's ConnectX-8 ports: two for each root, with the blocks of the network around them.
 *
 * @param {Place[]} places
 * @param {Record<string, string>} blocks `gpuMemoryFabricId`, `localBlockId` and so on
 * @param {Random} random
 * @returns {Publication}
 */
export function oracleAdapters(places, blocks, random) {
  const known = Object.entries(blocks).map(([id, value]) => [`oke.dra.net/${id}`, value]);
  const devices = places.map(({ address, numaNode }, index) =>
    adapter(address, {
      ...physical({
        address,
        numaNode,
        pciDevice: 'CX8 Family [ConnectX-8]',
        vendor: 'Mellanox Technologies',
      }),
      ...interfaceOf(`rdma${index}`, 9000, random),
      'dra.net/rdma': true,
      'dra.net/sriov': true,
      'dra.net/sriovVfs': 0,
      ...Object.fromEntries(known),
    }),
  );
  return { driver: DRANET_DRIVER, devices };
}

/** Ports for a host with other vendors' GPUs. @param {Place[]} places @param {Random} random */
export function plainAdapters(places, random) {
  const devices = places.map(({ address, numaNode }, index) =>
    adapter(address, {
      ...physical({
        address,
        numaNode,
        pciDevice: 'MT2892 Family [ConnectX-6 Dx]',
        vendor: 'Mellanox Technologies',
      }),
      ...interfaceOf(`eth${index + 1}`, 1500, random),
      'dra.net/rdma': true,
      'dra.net/sriov': false,
    }),
  );
  return { driver: DRANET_DRIVER, devices };
}

/** @param {string} address @param {Record<string, Value>} attributes @returns {Device} */
function adapter(address, attributes) {
  const root = { 'resource.kubernetes.io/pcieRoot': rootOf(address) };
  return { name: nameAt(address), attributes: { ...attributes, ...root } };
}

/**
 * @param {Place & { pciDevice: string, vendor: string }} place
 * @returns {Record<string, Value>}
 */
function physical({ address, numaNode, pciDevice, vendor }) {
  return {
    'dra.net/numaNode': numaNode,
    'dra.net/pciAddress': address,
    'dra.net/pciDevice': pciDevice,
    'dra.net/pciVendor': vendor,
  };
}

/**
 * @param {string} name
 * @param {number} mtu
 * @param {Random} random
 * @returns {Record<string, Value>}
 */
function interfaceOf(name, mtu, random) {
  return {
    'dra.net/ifName': name,
    'dra.net/mac': macAddress(random),
    'dra.net/mtu': mtu,
    'dra.net/state': 'up',
    'dra.net/type': 'device',
    'dra.net/virtual': false,
  };
}

/**
 * Virtual functions of the ports of one SR-IOV card.
 *
 * @param {{ resourceName: string, root: string, addresses: string[], numaNode: number }[]} ports
 * @returns {Publication}
 */
export function virtualFunctions(ports) {
  const devices = ports.flatMap(({ resourceName, root, addresses, numaNode }) =>
    addresses.map((address) => ({
      name: nameAt(address),
      attributes: {
        'dra.net/numaNode': numaNode,
        'k8s.cni.cncf.io/resourceName': resourceName.replace(/^port(\d)-vfs$/, 'sriov_nic_$1'),
        pciAddress: address,
        'resource.kubernetes.io/numaNode': numaNode,
        'resource.kubernetes.io/pcieRoot': root,
        resourceName,
        vendor: '15b3',
      },
    })),
  );
  return { driver: SRIOV_DRIVER, devices };
}

/** Two network cards whose bandwidth claims share. @param {Random} random @returns {Publication} */
export function bandwidthCards(random) {
  const bandwidth = {
    value: '25G',
    requestPolicy: { default: '1G', validRange: { min: '1G', max: '25G', step: '1G' } },
  };
  const devices = times(2, (index) => ({
    name: `nic-${index}`,
    attributes: { index, model: `EXAMPLE-NIC-${hexDigits(random, 4)}`, speed: 25 },
    capacity: { egressBandwidth: bandwidth, ingressBandwidth: bandwidth },
    shared: true,
  }));
  return { driver: EXAMPLE_NETWORK_DRIVER, devices };
}
