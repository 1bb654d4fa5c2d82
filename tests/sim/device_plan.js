/**
 * The changes of the devices in a seed's world: pools, classes, templates, claims, and pods that
 * use them.
 */
import { CARD, EXPRESSIONS, GPU_DRIVER, NET_DRIVER, PART_DRIVER } from './devices.js';
import { ZONE } from './volumes.js';

/** @typedef {import('./random.js').Random} Random */

const SECOND_US = 1_000_000;
const SHARED = 4;
const ZONES = ['z0', 'z1', 'z2'];
const [IS_GPU, IS_PART, IS_NET, IS_MODEL_A, IS_NEAR, IS_LARGE] = Object.keys(EXPRESSIONS);

/** The weights of the changes in seeds with devices, besides those in all seeds. */
export const DEVICE_WEIGHTS = {
  putPool: 7,
  dropPool: 1,
  taintDevice: 3,
  loseDevice: 2,
  createClaim: 3,
  deleteDeviceClaim: 2,
  putStorage: 2,
  deleteStorage: 0.7,
  touch: 2,
};

/** @typedef {keyof typeof DEVICE_WEIGHTS} DeviceOp */

/** @param {string} op @returns {op is DeviceOp} */
export const isDeviceOp = (op) => op in DEVICE_WEIGHTS;

const CLASSES = /** @type {Record<string, object>} */ ({
  gpu: { selectors: [IS_GPU] },
  'gpu-a': { selectors: [IS_GPU, IS_MODEL_A] },
  part: { selectors: [IS_PART] },
  net: { selectors: [IS_NET] },
  card: { selectors: [IS_GPU], extendedResourceName: CARD },
  // It has no verdict about other devices.
  narrow: { selectors: [IS_MODEL_A] },
});
const NUMA = `${GPU_DRIVER}/numa`;
const BROKEN = { key: 'broken', value: 'yes', effect: 'NoSchedule' };
const TAINTS = [
  undefined,
  undefined,
  [BROKEN],
  [{ ...BROKEN, effect: 'NoExecute' }],
  [{ ...BROKEN, effect: 'None' }],
];

/** @param {string} name @param {any} own */
const exactly = (name, own) => ({ name, exactly: { allocationMode: 'ExactCount', ...own } });
/** @param {string} deviceClassName @param {object} [rest] */
const one = (deviceClassName, rest) => ({ requests: [exactly('r', { deviceClassName, ...rest })] });
/** @param {...string} expressions */
const selecting = (...expressions) => ({
  selectors: expressions.map((expression) => ({ cel: { expression } })),
});
const alternatives = ['gpu-a', 'gpu', 'part'].map((deviceClassName, index) => ({
  name: `s${index}`,
  deviceClassName,
  allocationMode: 'ExactCount',
  count: 2 - (index & 1),
}));

/** What claims ask for, and how often. @type {Record<string, [number, object]>} */
const CLAIMS = {
  gpu: [20, one('gpu', { count: 1 })],
  two: [8, one('gpu', { count: 2 })],
  a: [6, one('gpu-a', { count: 1 })],
  large: [6, one('gpu', { count: 1, ...selecting(IS_LARGE) })],
  memory: [4, one('gpu', { count: 1, capacity: { requests: { memory: '12Gi' } } })],
  near: [4, one('gpu', { count: 1, ...selecting(IS_NEAR) })],
  half: [12, one('part', { count: 1 })],
  parts: [6, one('part', { count: 2 })],
  net: [8, one('net', { count: 1 })],
  wide: [8, one('net', { count: 1, capacity: { requests: { bandwidth: '5' } } })],
  much: [2, one('net', { count: 1, capacity: { requests: { bandwidth: '9' } } })],
  all: [3, one('gpu', { allocationMode: 'All', count: undefined })],
  watched: [3, one('gpu', { count: 1, adminAccess: true })],
  tolerant: [4, one('gpu', { count: 1, tolerations: [{ key: 'broken', operator: 'Exists' }] })],
  first: [9, { requests: [{ name: 'r', firstAvailable: alternatives }] }],
  aligned: [
    8,
    {
      requests: [
        exactly('left', { deviceClassName: 'gpu', count: 1 }),
        exactly('right', { deviceClassName: 'gpu', count: 1 }),
      ],
      constraints: [{ requests: ['left', 'right'], matchAttribute: NUMA }],
    },
  ],
  apart: [
    3,
    {
      requests: [
        exactly('left', { deviceClassName: 'gpu', count: 1 }),
        exactly('right', { deviceClassName: 'gpu', count: 1 }),
      ],
      constraints: [{ distinctAttribute: NUMA }],
    },
  ],
  both: [
    6,
    {
      requests: [
        exactly('card', { deviceClassName: 'gpu', count: 1 }),
        exactly('link', { deviceClassName: 'net', count: 1 }),
      ],
    },
  ],
  narrow: [0.5, one('narrow', { count: 1 })],
  gone: [1, one('gone', { count: 1 })],
};
const CLAIM_WEIGHTS = Object.fromEntries(
  Object.entries(CLAIMS).map(([name, [weight]]) => [name, weight]),
);
const TEMPLATES = ['gpu', 'half', 'wide', 'first', 'aligned', 'both'];

/** @param {string} kind @param {object} metadata @param {object} rest */
const resource = (kind, metadata, rest) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind,
  metadata,
  ...rest,
});

export class DevicePlanner {
  #random;
  #nodeName;
  #made = 0;
  /** Names of claims that may exist. */
  #claimKeys = ['default/devices0'];

  /** @param {Random} random @param {() => string} nodeName  any */
  constructor(random, nodeName) {
    this.#random = random;
    this.#nodeName = nodeName;
  }

  /** The objects that exist before the first pod. @returns {(object & {op: string})[]} */
  beginning() {
    const classes = Object.keys(CLASSES).map((name) => this.#class(name));
    const templates = ['default', 'other'].flatMap((space) =>
      TEMPLATES.map((name) => {
        const [, devices] = CLAIMS[name];
        return resource(
          'ResourceClaimTemplate',
          { namespace: space, name },
          { spec: { spec: { devices } } },
        );
      }),
    );
    const objects = [...classes, ...templates];
    const pools = Array(8).fill('putPool');
    const claims = Array(2).fill('createClaim');
    return [
      ...objects.map((object) => ({ op: 'putStorage', object })),
      ...[...pools, ...claims].map((op) => ({ op, ...this.details(op) })),
    ];
  }

  /** @param {DeviceOp} op @returns {Record<string, any>} */
  details(op) {
    const random = this.#random;
    switch (op) {
      case 'putPool':
        return { object: this.#pool() };
      case 'dropPool':
        return { pool: this.#poolName() };
      case 'taintDevice':
        return { pool: this.#poolName(), at: random.below(5), taints: random.pick(TAINTS) };
      case 'loseDevice':
        return { pool: this.#poolName(), at: random.below(5) };
      case 'createClaim':
        return { object: this.#claim('default', this.#sharedName()) };
      case 'deleteDeviceClaim':
        return { claim: this.#anyClaim() };
      case 'putStorage':
        return { object: this.#class(random.pick(Object.keys(CLASSES))) };
      case 'deleteStorage':
        return { kind: 'DeviceClass', key: random.pick(Object.keys(CLASSES)) };
      default:
        return { kind: 'ResourceClaim', key: this.#anyClaim() };
    }
  }

  /**
   * What a new pod claims, and its claims, some of which are created later.
   * @param {string} namespace @param {string} podName
   * @returns {{resourceClaims?: object[], containers?: object[], initContainers?: undefined,
   *   claims: {object: object, delayUs: number}[]}}
   */
  ofPod(namespace, podName, sharesClaims = true) {
    const random = this.#random;
    if (random.chance(0.2)) {
      const counts = random.weighted({ 1: 60, 2: 25, '1,1': 15 }).split(',');
      const containers = counts.map((count, index) => ({
        name: `c${index}`,
        resources: { requests: { [CARD]: count, cpu: '10m' } },
      }));
      return { containers, initContainers: undefined, claims: [] };
    }
    /** @type {{object: object, delayUs: number}[]} */
    const claims = [];
    const count = Number(random.weighted({ 1: 80, 2: 20 }));
    const resourceClaims = Array.from({ length: count }, (_, index) => {
      const name = `e${index}`;
      const often = sharesClaims ? 28 : 0;
      const origin = random.weighted({ template: 45, own: 25, shared: often, missing: 2 });
      if (origin === 'template') return { name, resourceClaimTemplateName: random.pick(TEMPLATES) };
      const own = `k${index}-${podName}`;
      const shared = `devices${(random.below(SHARED) & ~1) + index}`;
      const resourceClaimName = origin === 'shared' ? shared : own;
      if (origin === 'own') {
        const delayUs = random.chance(0.7) ? 0 : random.below(20 * SECOND_US);
        claims.push({ object: this.#claim(namespace, own), delayUs });
      }
      return { name, resourceClaimName };
    });
    return { resourceClaims, claims };
  }

  #sharedName() {
    return `devices${this.#random.below(SHARED)}`;
  }

  #anyClaim() {
    if (this.#random.chance(0.4)) return `default/${this.#sharedName()}`;
    return this.#random.pick(this.#claimKeys);
  }

  #poolName() {
    const random = this.#random;
    if (random.chance(0.2)) return `net-${random.pick([...ZONES, 'all'])}`;
    return `${random.chance(0.6) ? 'gpu' : 'part'}-${this.#nodeName()}`;
  }

  /** @param {string} namespace @param {string} name */
  #claim(namespace, name) {
    this.#made += 1;
    this.#claimKeys.push(`${namespace}/${name}`);
    const [, devices] = CLAIMS[this.#random.weighted(CLAIM_WEIGHTS)];
    const metadata = { namespace, name, uid: `k${this.#made}-${name}` };
    return resource('ResourceClaim', metadata, { spec: { devices }, status: {} });
  }

  /** @param {string} name */
  #class(name) {
    const { selectors, ...rest } = /** @type {any} */ (CLASSES[name]);
    return resource('DeviceClass', { name }, { spec: { ...selecting(...selectors), ...rest } });
  }

  #pool() {
    const name = this.#poolName();
    const [type, place] = name.split('-');
    const spec =
      type === 'gpu' ? this.#gpus(place) : type === 'part' ? this.#parts(place) : this.#nets(place);
    return { apiVersion: 'sim/v1', kind: 'DevicePool', metadata: { name }, spec };
  }

  /** @param {string} nodeName */
  #gpus(nodeName) {
    const random = this.#random;
    const conditions = random.chance(0.25) && {
      bindsToNode: true,
      bindingConditions: ['Prepared'],
      bindingFailureConditions: ['PrepareFailed'],
    };
    const devices = Array.from({ length: 1 + random.below(4) }, (_, index) => ({
      name: `g${index}`,
      attributes: {
        model: { string: random.pick(['a', 'b']) },
        ...(random.chance(0.9) && { numa: { int: random.below(2) } }),
      },
      capacity: { memory: { value: random.pick(['8Gi', '16Gi']) } },
      taints: random.chance(0.2) ? random.pick(TAINTS) : undefined,
      ...conditions,
    }));
    return { driver: GPU_DRIVER, place: { nodeName }, perSlice: 1 + random.below(3), devices };
  }

  /** @param {string} nodeName */
  #parts(nodeName) {
    const random = this.#random;
    const device = (/** @type {string} */ name, /** @type {number} */ amount) => ({
      name,
      consumesCounters: [{ counterSet: 'card', counters: { memory: { value: String(amount) } } }],
    });
    const halves = [device('half0', 2), device('half1', 2)];
    const quarters = Array.from({ length: 4 }, (_, index) => device(`quarter${index}`, 1));
    const all = [device('whole', 4), ...halves, ...quarters];
    const devices = random.chance(0.5) ? all : all.reverse();
    const sharedCounters = [
      { name: 'card', counters: { memory: { value: random.pick(['4', '4', '3']) } } },
    ];
    const perSlice = 2 + random.below(6);
    return { driver: PART_DRIVER, place: { nodeName }, perSlice, devices, sharedCounters };
  }

  /** @param {string} where  a zone, or all */
  #nets(where) {
    const random = this.#random;
    const expression = { key: ZONE, operator: 'In', values: [where] };
    const nodeSelector = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
    const requestPolicy = { default: '2', validRange: { min: '1', max: '8', step: '1' } };
    const devices = Array.from({ length: 1 + random.below(2) }, (_, index) => ({
      name: `link${index}`,
      allowMultipleAllocations: true,
      capacity: { bandwidth: { value: random.pick(['6', '10']), requestPolicy } },
    }));
    const place = where === 'all' ? { allNodes: true } : { nodeSelector };
    return { driver: NET_DRIVER, place, perSlice: 2, devices };
  }
}
