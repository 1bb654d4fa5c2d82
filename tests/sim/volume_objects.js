/** A small world with volumes, and its objects, for tests. */
import { randomFor } from './random.js';
import { World } from './world.js';

const ZONE = 'topology.kubernetes.io/zone';

/** @param {string} name @param {{spec?: object, status?: object, annotations?: object}} [rest] */
export function makeClaim(name, { spec, status, annotations } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace: 'default', name, uid: `u-${name}`, ...(annotations && { annotations }) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'wait',
      resources: { requests: { storage: '1Gi' } },
      ...spec,
    },
    status: { phase: 'Pending', ...status },
  };
}

/** @param {string} name @param {{spec?: object, status?: object, annotations?: object}} [rest] */
export function makeVolume(name, { spec, status, annotations } = {}) {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, uid: `u-${name}`, ...(annotations && { annotations }) },
    spec: {
      capacity: { storage: '2Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'wait',
      persistentVolumeReclaimPolicy: 'Retain',
      ...spec,
    },
    status: { phase: 'Available', ...status },
  };
}

/** @param {string} name @param {object} [rest] */
export const makeClass = (name, rest) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'csi.example.com',
  volumeBindingMode: 'WaitForFirstConsumer',
  ...rest,
});

/** @param {string} name @param {string} zone */
export const makeNode = (name, zone) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: `u-${name}`, labels: { [ZONE]: zone } },
  spec: {},
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '9' } },
});

/** Node affinity to a zone. @param {string} zone */
export const inZone = (zone) => ({
  required: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: ZONE, operator: 'In', values: [zone] }] }],
  },
});

/**
 * A world whose delayed actions run when `pass` is called, in order, until there are none.
 * @param {(type: string, object: any) => void} [notice]
 */
export function makeWorld(notice = () => {}) {
  /** @type {{type: string, object: any}[]} */
  const told = [];
  /** @type {{atUs: number, act: () => void}[]} */
  let acts = [];
  let nowUs = 0;
  const later = (/** @type {number} */ delayUs, /** @type {() => void} */ act) => {
    acts.push({ atUs: nowUs + delayUs, act });
    acts.sort((a, b) => a.atUs - b.atUs);
  };
  const draw = (/** @type {(string | number)[]} */ ...parts) => randomFor(1, ...parts);
  const world = new World({
    draw,
    later,
    nowUs: () => nowUs,
    tell: (_kind, type, object) => {
      told.push({ type, object });
      notice(type, object);
    },
    selectsUnfinished: false,
  });
  const pass = (turnsMax = 1000) => {
    for (let turn = 0; acts.length > 0; turn += 1) {
      if (turn === turnsMax) throw new Error(`no end after ${turnsMax} turns`);
      const [next, ...rest] = acts;
      acts = rest;
      nowUs = next.atUs;
      next.act();
    }
  };
  return { world, told, later, draw, pass };
}
