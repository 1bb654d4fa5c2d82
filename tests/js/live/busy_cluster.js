/** A cluster in which everything changes all the time: objects of all kinds come, change and go. */
import { makePod } from '../support/objects.js';

/**
 * @import { KubernetesObject } from '../../../js/src/kubernetes/types.js'
 * @import { Store } from '../../../js/apiserver/store.js'
 * @import { Random } from '../../sim/random.js'
 */

const podTemplate = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'main', image: 'app:v1' }] },
};
const selector = { matchLabels: { app: 'a' } };
const namespace = 'default';
const quantity = '1Gi';

/** A new object of each kind. @type {Record<string, (name: string) => any>} */
const MAKE = {
  nodes: (name) => ({
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    status: { allocatable: { cpu: '8', memory: '16Gi', pods: '110' } },
  }),
  pods: (name) => makePod(name, { cpu: '10m', metadata: { namespace } }),
  namespaces: (name) => ({ metadata: { name } }),
  services: (name) => ({
    metadata: { name, namespace },
    spec: { clusterIP: 'None', selector: { app: 'a' }, ports: [{ port: 80 }] },
  }),
  replicationcontrollers: (name) => ({
    metadata: { name, namespace },
    spec: { replicas: 0, selector: { app: 'a' }, template: podTemplate },
  }),
  replicasets: (name) => ({
    metadata: { name, namespace },
    spec: { replicas: 0, selector, template: podTemplate },
  }),
  statefulsets: (name) => ({
    metadata: { name, namespace },
    spec: { replicas: 0, serviceName: 'a', selector, template: podTemplate },
  }),
  poddisruptionbudgets: (name) => ({
    metadata: { name, namespace },
    spec: { minAvailable: 1, selector },
  }),
  persistentvolumes: (name) => ({
    metadata: { name },
    spec: {
      capacity: { storage: quantity },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'a',
      hostPath: { path: '/a' },
    },
  }),
  persistentvolumeclaims: (name) => ({
    metadata: { name, namespace },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'a',
      resources: { requests: { storage: quantity } },
    },
  }),
  storageclasses: (name) => ({ metadata: { name }, provisioner: 'csi.example.com' }),
  csinodes: (name) => ({ metadata: { name }, spec: { drivers: [] } }),
  csidrivers: (name) => ({ metadata: { name }, spec: {} }),
  csistoragecapacities: (name) => ({
    metadata: { name, namespace },
    storageClassName: 'a',
    capacity: quantity,
  }),
  volumeattachments: (name) => ({
    metadata: { name },
    spec: { attacher: 'a', nodeName: 'a', source: { persistentVolumeName: 'a' } },
  }),
  resourceclaims: (name) => ({ metadata: { name, namespace }, spec: {} }),
  resourceslices: (name) => ({
    metadata: { name },
    spec: {
      driver: 'example.com',
      nodeName: 'a',
      pool: { name, generation: 1, resourceSliceCount: 1 },
      devices: [],
    },
  }),
  deviceclasses: (name) => ({ metadata: { name }, spec: {} }),
};

const PLURALS = Object.keys(MAKE);

/** Names come again: what is new under an old name has another uid. */
const NAMES = 12;

/** What a change says where a line of text could be cut wrongly. */
const TEXTS = [
  'plain',
  'line\nfeed',
  '{"type":"BOOKMARK"}',
  'ümläut 漢字 🚀',
  '\\"\u2028',
  '}\r\n',
];

export class BusyCluster {
  #random;
  #plurals;
  #count = 0;

  /**
   * @param {Random} random
   * @param {readonly string[]} [plurals] the kinds that change; default: all
   */
  constructor(random, plurals = PLURALS) {
    this.#random = random;
    this.#plurals = plurals;
  }

  /**
   * @param {Store} store
   * @param {number} count of changes
   */
  change(store, count) {
    for (let left = count; left > 0; left -= 1) this.#changeOne(store);
  }

  /** @param {Store} store */
  #changeOne(store) {
    const random = this.#random;
    const plural = random.chance(0.4) ? 'pods' : random.pick(this.#plurals);
    const name = `${plural}-${random.below(NAMES)}`;
    const made = MAKE[plural](name);
    const there = store.get(plural, made.metadata.namespace ?? '', name);
    if (!there) store.create(plural, made);
    else if (there.metadata.deletionTimestamp) this.#finish(store, plural, there);
    else if (random.chance(0.3)) store.delete(plural, made.metadata.namespace ?? '', name);
    else if (plural === 'pods' && random.chance(0.4)) this.#move(store, there);
    else this.#touch(store, plural, there);
  }

  /** A pod gets a node, or ends. @param {Store} store @param {KubernetesObject} pod */
  #move(store, pod) {
    const { name } = pod.metadata;
    if (!pod.spec.nodeName) {
      const target = { name: `nodes-${this.#random.below(NAMES)}` };
      store.bind(namespace, name, { target });
      return;
    }
    const status = { ...pod.status, phase: this.#random.pick(['Running', 'Succeeded', 'Failed']) };
    store.update('pods', { ...pod, status }, { subresource: 'status' });
  }

  /** @param {Store} store @param {string} plural @param {KubernetesObject} object */
  #touch(store, plural, object) {
    this.#count += 1;
    const { metadata } = object;
    const annotations = {
      ...metadata.annotations,
      'example.com/count': String(this.#count),
      'example.com/text': this.#random.pick(TEXTS),
    };
    store.update(plural, { ...object, metadata: { ...metadata, annotations } });
  }

  /** @param {Store} store @param {string} plural @param {KubernetesObject} object */
  #finish(store, plural, object) {
    const { finalizers, ...metadata } = object.metadata;
    if (finalizers) store.update(plural, { ...object, metadata });
  }
}
