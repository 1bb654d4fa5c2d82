/**
 * One expression or more of each form of selector that drivers' manifests use, with the verdict on
 * each of the sample devices, derived by hand from the table of machines.
 */

/**
 * The sample devices: a machine and a device of it.
 * @type {Readonly<Record<string, [string, string]>>}
 */
export const SAMPLES = Object.freeze({
  a100: ['p4d', 'gpu-0'],
  indexed: ['a100-mig', 'gpu-3'],
  small: ['a100-mig', 'gpu-0-mig-1g5gb-2'],
  half: ['a100-mig', 'gpu-1-mig-3g20gb-4'],
  gh200: ['gh200-mig', 'gpu-0'],
  h100: ['h100', 'gpu-3'],
  gb300: ['gb300', 'gpu-0'],
  channel: ['gb300', 'channel-0'],
  efa: ['p4d', 'pci-0000-10-1b-0'],
  ena: ['p4d', 'pci-0000-20-01-0'],
  function: ['gb300', 'pci-0101-00-00-0'],
  rdma5: ['gb200', 'pci-0010-03-00-1'],
  amd: ['mi300x', 'gpu-0-128'],
  partition: ['mi300x-cpx', 'gpu-0-128'],
  flex: ['flex', '0000-10-00-0'],
  arc: ['arc', '0000-13-00-0'],
  gaudi: ['gaudi2', '0000-63-00-0'],
  qat: ['qat', 'qatvf-0000-1a-00-1'],
  vf: ['sriov', 'pci-0000-08-00-2'],
  cpu: ['cpu', 'cpudevnuma000'],
  example: ['example', 'gpu-0'],
  share: ['example-shares', 'gpu-0-partition-0'],
  nic: ['example-network', 'nic-0'],
});

/**
 * `accepts` and `refuses` name samples, `fails` those with an error in cel-go's words; all others
 * have the verdict `others`: refused, or an error.
 *
 * @typedef {object} Form
 * @property {string} selector
 * @property {string[]} accepts
 * @property {string[]} [refuses]
 * @property {Record<string, string>} [fails]
 * @property {false | string} others
 */

const NVIDIA_GPUS = ['a100', 'indexed', 'gh200', 'h100', 'gb300'];
const MIGS = ['small', 'half'];
const NVIDIA = [...NVIDIA_GPUS, ...MIGS];
const NETWORK = ['efa', 'ena', 'function', 'rdma5'];
const EXAMPLE_GPUS = ['example', 'share'];

/** @param {string} id */
function missing(id) {
  return `no such key: ${id}`;
}

/** @type {Form[]} */
const DRIVERS = [
  { selector: 'device.driver == "dra.net"', accepts: NETWORK, others: false },
  { selector: "device.driver == 'gpu.amd.com'", accepts: ['amd', 'partition'], others: false },
  {
    selector: 'device.driver == "no.such.driver" && device.attributes["x.y"].type == "t"',
    accepts: [],
    others: false,
  },
  {
    selector:
      "device.driver == 'gpu.nvidia.com' && device.attributes['gpu.nvidia.com'].type == 'mig'",
    accepts: MIGS,
    others: false,
  },
  {
    selector:
      "device.driver == 'compute-domain.nvidia.com' && " +
      "device.attributes['compute-domain.nvidia.com'].type == 'channel' && " +
      "device.attributes['compute-domain.nvidia.com'].id == 0",
    accepts: ['channel'],
    others: false,
  },
];

/** @type {Form[]} */
const STRINGS = [
  {
    selector: "device.attributes['gpu.nvidia.com'].profile == '3g.20gb'",
    accepts: ['half'],
    refuses: ['small'],
    others: missing('profile'),
  },
  {
    selector: 'device.attributes["gpu.amd.com"].type == "amdgpu-partition"',
    accepts: ['partition'],
    refuses: ['amd'],
    others: missing('type'),
  },
  {
    selector: 'device.attributes["dra.net"]["rdmaDevice"] == "mlx5_0"',
    accepts: ['function'],
    refuses: ['efa'],
    others: missing('rdmaDevice'),
  },
  {
    selector: `device.attributes["gaudi.intel.com"].model == 'Gaudi2'`,
    accepts: ['gaudi'],
    others: missing('model'),
  },
  {
    selector: `device.attributes["gpu.intel.com"].family == 'Flex'`,
    accepts: ['flex'],
    refuses: ['arc'],
    others: missing('family'),
  },
  {
    // A qualified name of another domain than the driver's.
    selector: 'device.attributes["k8s.cni.cncf.io"].resourceName == "sriov_nic_1"',
    accepts: ['vf'],
    others: missing('resourceName'),
  },
  {
    selector: 'device.attributes["resource.kubernetes.io"].pciBusID == "0008:06:00.0"',
    accepts: ['gb300'],
    refuses: ['a100', 'indexed', 'gh200', 'h100', 'amd', 'partition'],
    others: missing('pciBusID'),
  },
  {
    selector:
      'device.attributes["qat.intel.com"].services == "sym" ||\n' +
      'device.attributes["qat.intel.com"].services == "sym;asym"',
    accepts: ['qat'],
    others: missing('services'),
  },
  {
    selector: 'device.attributes["azure.dra.net"]["placementGroupId"] != ""',
    accepts: ['function'],
    others: missing('placementGroupId'),
  },
  {
    selector: `device.attributes["dra.net"].pciDevice == 'Elastic Fabric Adapter (EFA)'`,
    accepts: ['efa'],
    refuses: ['ena', 'function', 'rdma5'],
    others: missing('pciDevice'),
  },
];

/** @type {Form[]} */
const NUMBERS_AND_BOOLS = [
  {
    selector: 'device.attributes["dra.net"].rdma == true',
    accepts: ['efa', 'function', 'rdma5'],
    refuses: ['ena'],
    others: missing('rdma'),
  },
  {
    selector: 'device.attributes["dra.net"].rdma',
    accepts: ['efa', 'function', 'rdma5'],
    refuses: ['ena'],
    others: missing('rdma'),
  },
  {
    selector: 'device.attributes["gaudi.intel.com"].healthy == true',
    accepts: [],
    refuses: ['gaudi'],
    others: missing('healthy'),
  },
  {
    // CPUs and virtual functions have an attribute of this domain too.
    selector: 'device.attributes["dra.net"]["numaNode"] == 1',
    accepts: ['rdma5'],
    refuses: ['efa', 'ena', 'function', 'vf', 'cpu'],
    others: missing('numaNode'),
  },
  {
    selector: 'device.attributes["gpu.nvidia.com"].index <= 2',
    accepts: ['gh200'],
    refuses: ['indexed'],
    others: missing('index'),
  },
  {
    selector: 'device.attributes["gpu.example.com"].index < 1',
    accepts: EXAMPLE_GPUS,
    others: missing('index'),
  },
  {
    // Values of different types are different, and no error.
    selector: 'device.attributes["dra.net"].numaNode == "0"',
    accepts: [],
    refuses: [...NETWORK, 'vf', 'cpu'],
    others: missing('numaNode'),
  },
];

/** @type {Form[]} */
const LOGIC = [
  {
    // An operand that is false decides, although another one has an error.
    selector:
      'device.attributes["dra.net"].rdma == true &&\n' +
      'device.attributes["dra.net"].virtual == false &&\n' +
      'device.attributes["dra.net"].numaNode == 1',
    accepts: ['rdma5'],
    // An ENA has no RDMA; the others are at NUMA node 0.
    refuses: ['efa', 'ena', 'function', 'vf', 'cpu'],
    others: missing('rdma'),
  },
  {
    selector:
      `device.attributes["gpu.intel.com"].driver == 'vfio-pci' || ` +
      `device.attributes["gpu.intel.com"].driver == 'xe-vfio-pci'`,
    accepts: ['arc'],
    refuses: ['flex'],
    others: missing('driver'),
  },
  {
    selector:
      "device.attributes['gpu.nvidia.com'].productName.lowerAscii().matches('^.*a100.*$')\n&&\n" +
      "(device.attributes['gpu.nvidia.com'].index == 0 ||\n" +
      "device.attributes['gpu.nvidia.com'].index == 3)",
    accepts: ['indexed'],
    refuses: ['gh200', 'h100', 'gb300'],
    fails: { a100: missing('index'), small: missing('index'), half: missing('index') },
    others: missing('productName'),
  },
  {
    selector: '!(device.attributes["dra.net"].virtual)',
    accepts: ['ena', 'rdma5'],
    others: missing('virtual'),
  },
];

/** @type {Form[]} */
const SETS_AND_PRESENCE = [
  {
    selector:
      'device.attributes["resource.kubernetes.io"]["pciBusID"] in ' +
      '["0001:00:00.0","0002:00:00.0","0003:00:00.0","0008:00:00.0"]',
    accepts: ['h100'],
    refuses: ['a100', 'indexed', 'gh200', 'gb300', 'amd', 'partition'],
    others: missing('pciBusID'),
  },
  {
    selector:
      '"azure.dra.net" in device.attributes && ' +
      'device.attributes["azure.dra.net"]["vmSize"] == "Standard_ND128isr_GB300_v6"',
    accepts: ['function'],
    others: false,
  },
  {
    selector: 'has(device.attributes["dra.net"].ifName)',
    accepts: ['ena', 'rdma5'],
    others: false,
  },
  {
    selector:
      'has(device.attributes["dra.net"].ifName) && ' +
      '(device.attributes["dra.net"].ifName == "rdma4" || ' +
      'device.attributes["dra.net"].ifName == "rdma5")',
    accepts: ['rdma5'],
    others: false,
  },
  {
    // Quoted as one name, the domain is unknown, and so is every attribute in it.
    selector: 'device.attributes["dra.net/rdma"].bool == true',
    accepts: [],
    others: missing('bool'),
  },
];

/** @type {Form[]} */
const TEXTS = [
  {
    selector: 'device.attributes["dra.net"].ifName.startsWith("rdma")',
    accepts: ['rdma5'],
    refuses: ['ena'],
    others: missing('ifName'),
  },
  {
    selector: 'device.attributes["dra.net"].ifName.endsWith("5")',
    accepts: ['ena', 'rdma5'],
    others: missing('ifName'),
  },
  {
    selector: 'device.attributes["oke.dra.net"].localBlockId.contains("block")',
    accepts: ['rdma5'],
    others: missing('localBlockId'),
  },
  {
    selector: 'device.attributes["gpu.intel.com"].family.startsWith("Arc")',
    accepts: ['arc'],
    refuses: ['flex'],
    others: missing('family'),
  },
  {
    selector:
      'device.attributes["gpu.nvidia.com"].productName.lowerAscii().matches("^.*h[12]00.*$")',
    accepts: ['gh200', 'h100'],
    refuses: NVIDIA.filter((name) => !['gh200', 'h100'].includes(name)),
    others: missing('productName'),
  },
  {
    // "ens65": the fourth letter is a 6.
    selector:
      'has(device.attributes["dra.net"].mac) && ' +
      'device.attributes["dra.net"].ifName.startsWith("ens") && ' +
      'int(device.attributes["dra.net"].ifName.substring(3, 4)) >= 4',
    accepts: ['ena'],
    others: false,
  },
];

/** @type {Form[]} */
const AMOUNTS_AND_VERSIONS = [
  {
    selector: 'device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0',
    accepts: NVIDIA_GPUS,
    refuses: MIGS,
    others: missing('memory'),
  },
  {
    selector: `device.capacity['gpu.nvidia.com'].memory.isGreaterThan(quantity("80Gi"))`,
    accepts: ['gh200', 'gb300'],
    refuses: ['a100', 'indexed', 'h100', ...MIGS],
    others: missing('memory'),
  },
  {
    selector: `device.capacity['gpu.nvidia.com'].multiprocessors.isLessThan(quantity("30"))`,
    accepts: ['small'],
    refuses: ['half'],
    others: missing('multiprocessors'),
  },
  {
    selector: "device.capacity['gpu.example.com'].memory.compareTo(quantity('1Ti')) >= 0",
    accepts: [],
    refuses: EXAMPLE_GPUS,
    others: missing('memory'),
  },
  {
    selector:
      'device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("580.126.0")) >= 0',
    accepts: ['a100', 'indexed', ...MIGS],
    refuses: ['gh200', 'h100', 'gb300'],
    others: missing('driverVersion'),
  },
  {
    selector: 'device.allowMultipleAllocations',
    accepts: ['share', 'cpu', 'nic'],
    others: false,
  },
];

/** @type {Form[]} */
export const FORMS = [
  ...DRIVERS,
  ...STRINGS,
  ...NUMBERS_AND_BOOLS,
  ...LOGIC,
  ...SETS_AND_PRESENCE,
  ...TEXTS,
  ...AMOUNTS_AND_VERSIONS,
];
