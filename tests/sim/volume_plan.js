/**
 * The changes of the storage in a seed's world: classes, volumes, claims, and pods that use them.
 */
import { NO_PROVISIONER, ZONE } from './volumes.js';

/** @typedef {import('./random.js').Random} Random */

const SECOND_US = 1_000_000;
const VOLUMES = 16;
const SHARED = 4;
const SYSTEM = 'kube-system';
const ZONES = ['z0', 'z1', 'z2'];
const DRIVER = 'csi.example.com';
const POOL_DRIVER = 'pool.example.com';
const SIZES = ['1Gi', '2Gi', '5Gi'];

/** The weights of the changes in seeds with volumes, besides those in all seeds. */
export const VOLUME_WEIGHTS = {
  createVolume: 7,
  deleteVolume: 1.5,
  freeVolume: 3,
  createClaim: 3,
  deleteClaim: 2,
  putStorage: 5,
  deleteStorage: 1.5,
  touch: 2,
};

/** @typedef {keyof typeof VOLUME_WEIGHTS} VolumeOp */

/** @param {string} op @returns {op is VolumeOp} */
export const isVolumeOp = (op) => op in VOLUME_WEIGHTS;

const CLASSES = /** @type {Record<string, object>} */ ({
  wait: { provisioner: DRIVER, volumeBindingMode: 'WaitForFirstConsumer' },
  zonal: { provisioner: DRIVER, volumeBindingMode: 'WaitForFirstConsumer' },
  now: { provisioner: DRIVER, volumeBindingMode: 'Immediate' },
  local: { provisioner: NO_PROVISIONER, volumeBindingMode: 'WaitForFirstConsumer' },
  fixed: { provisioner: NO_PROVISIONER, volumeBindingMode: 'Immediate' },
  pool: { provisioner: POOL_DRIVER, volumeBindingMode: 'WaitForFirstConsumer' },
});
/** Classes of claims; the class `gone` does not exist. */
const CLASS_WEIGHTS = { wait: 30, zonal: 14, local: 34, pool: 12, now: 10, fixed: 6, gone: 1 };
const MODE_WEIGHTS = { ReadWriteOnce: 70, ReadWriteOncePod: 15, ReadWriteMany: 15 };
const SHARED_MODE_WEIGHTS = { ...MODE_WEIGHTS, ReadWriteOncePod: 80 };

const STORAGE_WEIGHTS = { class: 3, node: 5, driver: 1, capacity: 5, attachment: 5 };

/** @param {string} kind @param {object} metadata @param {object} rest */
const storage = (kind, metadata, rest) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind,
  metadata,
  ...rest,
});

export class VolumePlanner {
  #random;
  #nodeName;
  #made = 0;
  /** Names of claims that may exist. */
  #claimKeys = ['default/shared0'];

  /** @param {Random} random @param {() => string} nodeName  any */
  constructor(random, nodeName) {
    this.#random = random;
    this.#nodeName = nodeName;
  }

  /** The objects that exist before the first pod. @returns {(object & {op: string})[]} */
  beginning() {
    const classes = Object.keys(CLASSES).map((name) => ({
      op: 'putStorage',
      object: this.#class(name),
    }));
    const rest = /** @type {const} */ ([
      ...Array(9).fill('createVolume'),
      ...Array(4).fill('putStorage'),
      ...Array(2).fill('createClaim'),
    ]);
    return [...classes, ...rest.map((op) => ({ op, ...this.details(op) }))];
  }

  /** @param {VolumeOp} op @returns {Record<string, any>} */
  details(op) {
    const random = this.#random;
    switch (op) {
      case 'createVolume':
        return { object: this.#volume() };
      case 'deleteVolume':
        return { volume: this.#volumeName(), graceUs: random.pick([0, 20]) * SECOND_US };
      case 'freeVolume':
        return { volume: this.#volumeName() };
      case 'createClaim':
        if (random.chance(0.7)) {
          return { object: this.#claim('default', this.#sharedName(), SHARED_MODE_WEIGHTS) };
        }
        // It conflicts with one that would be created for a pod.
        return { object: this.#claim('default', `p${random.below(60)}-v0`) };
      case 'deleteClaim':
        return { claim: this.#anyClaim(), graceUs: random.pick([0, 15, 60]) * SECOND_US };
      case 'putStorage':
        return { object: this.#storageObject() };
      case 'deleteStorage': {
        const { kind, metadata } = this.#storageObject();
        const { namespace, name } = /** @type {any} */ (metadata);
        return { kind, key: namespace ? `${namespace}/${name}` : name };
      }
      default:
        return random.chance(0.5)
          ? { kind: 'PersistentVolume', key: this.#volumeName() }
          : { kind: 'PersistentVolumeClaim', key: this.#anyClaim() };
    }
  }

  /**
   * The volumes of a new pod, and its claims, some of which are created later.
   * @param {string} namespace @param {string} podName
   * @returns {{volumes: object[], claims: {object: object, delayUs: number}[]}}
   */
  ofPod(namespace, podName) {
    const random = this.#random;
    /** @type {object[]} */
    const volumes = [];
    /** @type {{object: object, delayUs: number}[]} */
    const claims = [];
    const count = random.weighted({ 1: 75, 2: 25 });
    for (let index = 0; index < Number(count); index += 1) {
      const name = `v${index}`;
      const origin = random.weighted({ own: 48, shared: 30, ephemeral: 20, missing: 2 });
      if (origin === 'ephemeral') {
        const { spec } = this.#claim(namespace, `${podName}-${name}`);
        volumes.push({ name, ephemeral: { volumeClaimTemplate: { spec } } });
        continue;
      }
      const own = `d${index}-${podName}`;
      const claimName = origin === 'shared' ? `shared${(random.below(SHARED) & ~1) + index}` : own;
      volumes.push({ name, persistentVolumeClaim: { claimName } });
      if (origin !== 'own') continue;
      const delayUs = random.chance(0.7) ? 0 : random.below(20 * SECOND_US);
      claims.push({ object: this.#claim(namespace, claimName), delayUs });
    }
    return { volumes, claims };
  }

  #volumeName() {
    return `v${this.#random.below(VOLUMES)}`;
  }

  #sharedName() {
    return `shared${this.#random.below(SHARED)}`;
  }

  #anyClaim() {
    if (this.#random.chance(0.4)) return `default/${this.#sharedName()}`;
    return this.#random.pick(this.#claimKeys);
  }

  /** @param {string} namespace @param {string} name @param {typeof MODE_WEIGHTS} [modes] */
  #claim(namespace, name, modes = MODE_WEIGHTS) {
    const random = this.#random;
    this.#made += 1;
    this.#claimKeys.push(`${namespace}/${name}`);
    const storageClassName = random.weighted(CLASS_WEIGHTS);
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { namespace, name, uid: `c${this.#made}-${name}` },
      spec: {
        accessModes: [random.weighted(modes)],
        storageClassName,
        resources: { requests: { storage: random.pick(SIZES) } },
      },
      status: { phase: 'Pending' },
    };
  }

  #volume() {
    const random = this.#random;
    this.#made += 1;
    const name = this.#volumeName();
    const storageClassName = random.weighted({ local: 60, wait: 20, fixed: 20 });
    const zone = random.pick([...ZONES, 'z0__z1']);
    const isLocal = storageClassName === 'local';
    const expression = isLocal
      ? { key: 'kubernetes.io/hostname', operator: 'In', values: [this.#nodeName()] }
      : { key: ZONE, operator: 'In', values: zone.split('__') };
    const required = { nodeSelectorTerms: [{ matchExpressions: [expression] }] };
    const claimRef = { kind: 'PersistentVolumeClaim', namespace: 'default' };
    return {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: {
        name,
        uid: `v${this.#made}-${name}`,
        labels: isLocal ? {} : this.#zoneLabels(zone),
      },
      spec: {
        capacity: { storage: random.pick([...SIZES, '10Gi']) },
        accessModes: Object.keys(MODE_WEIGHTS),
        storageClassName,
        persistentVolumeReclaimPolicy: 'Retain',
        ...(isLocal
          ? { local: { path: `/${name}` } }
          : { csi: { driver: DRIVER, volumeHandle: `h-${name}` } }),
        ...((isLocal || random.chance(0.7)) && { nodeAffinity: { required } }),
        ...(random.chance(0.08) && { claimRef: { ...claimRef, name: this.#sharedName() } }),
      },
      status: { phase: 'Pending' },
    };
  }

  /** Now and then other zones than its affinity has. @param {string} zone */
  #zoneLabels(zone) {
    const random = this.#random;
    const key = random.chance(0.85) ? ZONE : 'failure-domain.beta.kubernetes.io/zone';
    return { [key]: random.chance(0.7) ? zone : random.pick(ZONES) };
  }

  #storageObject() {
    const random = this.#random;
    switch (random.weighted(STORAGE_WEIGHTS)) {
      case 'class':
        return this.#class(random.pick(Object.keys(CLASSES)));
      case 'node':
        return this.#csiNode(this.#nodeName());
      case 'driver': {
        const spec = { storageCapacity: random.chance(0.8) };
        return storage('CSIDriver', { name: POOL_DRIVER }, { spec });
      }
      case 'capacity':
        return this.#capacity();
      default:
        return this.#attachment();
    }
  }

  /** @param {string} name */
  #class(name) {
    const random = this.#random;
    const isLimited = name === 'zonal' || random.chance(0.1);
    const values = [random.pick(ZONES), random.pick(ZONES)];
    const term = { matchLabelExpressions: [{ key: ZONE, values }] };
    const topologies = isLimited && { allowedTopologies: [term] };
    return storage('StorageClass', { name }, { ...CLASSES[name], ...topologies });
  }

  /** @param {string} name */
  #csiNode(name) {
    const random = this.#random;
    const drivers = [DRIVER, POOL_DRIVER].map((driver) => ({
      name: driver,
      nodeID: name,
      topologyKeys: [ZONE],
      ...(random.chance(0.8) && { allocatable: { count: random.below(4) } }),
    }));
    return storage('CSINode', { name }, { spec: { drivers } });
  }

  #capacity() {
    const random = this.#random;
    const zone = random.pick(ZONES);
    return storage(
      'CSIStorageCapacity',
      { namespace: SYSTEM, name: `pool-${zone}` },
      {
        storageClassName: 'pool',
        nodeTopology: random.chance(0.9) ? { matchLabels: { [ZONE]: zone } } : undefined,
        ...(random.chance(0.9) && { capacity: random.pick(['0', '1Gi', '3Gi', '20Gi']) }),
        ...(random.chance(0.3) && { maximumVolumeSize: random.pick(SIZES) }),
      },
    );
  }

  #attachment() {
    const node = this.#nodeName();
    const volume = this.#volumeName();
    const spec = {
      attacher: DRIVER,
      nodeName: node,
      source: { persistentVolumeName: volume },
    };
    return storage('VolumeAttachment', { name: `a-${volume}-${node}` }, { spec });
  }
}
