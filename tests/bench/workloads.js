/** Clusters and pods of the bench: deterministic, each with the property in its name. */
import { loadOpenb } from '../support/openb.js';
import { ofReplicaSets, preferred, repeated, required, spread } from './apps.js';
import { DEVICES } from './devices.js';
import {
  bound,
  HOSTNAME,
  nodeOf,
  podOf,
  renamed,
  TAINT_SETS,
  taintSet,
  tolerationsOf,
  ZONE,
  zoneAffinity,
} from './objects.js';
import { VARIED } from './varied.js';
import { csiStorage, sharedStorage, volumeOf, zonalStorage } from './volumes.js';

export { batchesOf, realisticPod } from './objects.js';

/**
 * @typedef {object} Workload
 * @property {(row: number) => object} node
 * @property {(count: number) => object} pod
 * @property {(nodes: number, pods: number) => { count: number, object: (at: number) => object }}
 *   [existing] objects besides nodes that exist before the first decision
 * @property {(slice: number, nodes: number) => object[]} [changes]  events after each timed slice
 * @property {number[]} [sizes] the numbers of nodes that it supports; default: all
 */

const VICTIMS_PER_NODE = 2;
const IMAGES = 100;
const IMAGES_PER_NODE = 10;
const MEGABYTE = 1_000_000;

/** @type {Record<string, (data: string) => Workload>} */
export const WORKLOADS = {
  basic: () => ({ node: (row) => nodeOf(row), pod: (count) => podOf(count) }),
  'node-affinity': () => ({
    node: (row) => nodeOf(row),
    pod: (count) => podOf(count, { affinity: zoneAffinity(count) }),
  }),
  tolerations: () => ({
    node: (row) => nodeOf(row, { spec: { taints: taintSet(row % TAINT_SETS) } }),
    pod: (count) => podOf(count, { tolerations: tolerationsOf(count) }),
  }),
  'image-locality': () => ({
    node: (row) => nodeOf(row, { images: imagesOf(row) }),
    pod: (count) => podOf(count, { image: imageName(count % (IMAGES / 5)) }),
  }),
  'soft-spread': () =>
    repeated((app) => ({ topologySpreadConstraints: [spread(app, 'ScheduleAnyway')] })),
  'basic-owned': () => ofReplicaSets(),
  'hard-spread': () =>
    repeated((app) => ({ topologySpreadConstraints: [spread(app, 'DoNotSchedule')] })),
  'preferred-pod-affinity': () =>
    repeated((app) => ({ affinity: { podAffinity: preferred(app) } })),
  'required-pod-affinity': () =>
    repeated((app) => ({ affinity: { podAffinity: required(app, ZONE) } })),
  'required-pod-anti-affinity': () =>
    repeated((app) => ({ affinity: { podAntiAffinity: required(app, HOSTNAME) } })),
  'preemption-storm': () => ({
    node: (row) => nodeOf(row),
    pod: (count) => largePod(count, 'urgent', 1000),
    existing: (nodes) => ({
      count: nodes * VICTIMS_PER_NODE,
      object: (at) => bound(largePod(at, 'victim', 0), at % nodes),
    }),
  }),
  'csi-claims': () => withClaims(csiStorage, volumeOf),
  'zonal-volumes': () => withClaims(zonalStorage, volumeOf),
  'shared-claim': () => withClaims(sharedStorage, () => volumeOf(0)),
  'mixed-10k-pods': () => ({ ...mixed(), existing: amongMixed(10_000), sizes: [5000] }),
  'mixed-100k-pods': () => ({ ...mixed(), existing: amongMixed(100_000), sizes: [5000] }),
  mixed,
  ...DEVICES,
  ...variedWorkloads(),
  'mixed-openb': (data) => {
    const { nodes, events } = loadOpenb(data, 'gpuspec33');
    const pods = events.filter(({ type }) => type === 'create').map(({ pod }) => pod);
    return {
      node: (row) => renamed(nodes[row % nodes.length], `node-${row}`),
      pod: (count) => renamed(pods[count % pods.length], `pod-${count}`),
    };
  },
};

/** Workloads, one for each size. @returns {Record<string, () => Workload>} */
function variedWorkloads() {
  const entries = Object.entries(VARIED);
  return Object.fromEntries(
    entries.map(([name, make]) => [name, () => ({ ...make(), sizes: [5000] })]),
  );
}

/**
 * @param {(nodes: number, pods: number) => object[]} storage
 * @param {(count: number) => object} volume of a pod: its own with a claim, or the one for all
 * @returns {Workload}
 */
function withClaims(storage, volume) {
  return {
    node: (row) => nodeOf(row),
    pod: (count) => podOf(count, { volumes: [volume(count)] }),
    existing: (nodes, pods) => {
      const objects = storage(nodes, pods);
      return { count: objects.length, object: (at) => objects[at] };
    },
    sizes: [5000],
  };
}

/**
 * The constraints of the pods of `mixed`, by template.
 * @type {((app: number) => { [field: string]: unknown })[]}
 */
const MIXTURE = [
  () => ({}),
  (app) => ({ topologySpreadConstraints: [spread(app, 'ScheduleAnyway')] }),
  (app) => ({ topologySpreadConstraints: [spread(app, 'DoNotSchedule')] }),
  (app) => ({ affinity: { podAffinity: preferred(app) } }),
  (app) => ({ affinity: { podAffinity: required(app, ZONE) } }),
  (app) => ({ affinity: { podAntiAffinity: required(app, HOSTNAME) } }),
];

function mixed() {
  return repeated((app) => MIXTURE[app % MIXTURE.length](app));
}

/** Pods of `mixed`, in equal parts. @param {number} count */
function amongMixed(count) {
  const { pod } = mixed();
  return (/** @type {number} */ nodes) => ({
    count,
    object: (/** @type {number} */ at) => bound(renamed(pod(at), `placed-${at}`), at % nodes),
  });
}

/** Two of them fill a node. @param {number} count @param {string} kind @param {number} priority */
function largePod(count, kind, priority) {
  const resources = { requests: { cpu: '16', memory: '1Gi' } };
  const containers = [{ name: 'main', image: 'registry.example.com/pause:3.10', resources }];
  return renamed(podOf(count, { containers, priority }), `${kind}-${count}`);
}

/** @param {number} row */
function imagesOf(row) {
  return Array.from({ length: IMAGES_PER_NODE }, (_, at) => {
    const image = (row * 7 + at * 11) % IMAGES;
    return { names: [imageName(image)], sizeBytes: (50 + image * 13) * MEGABYTE };
  });
}

/** @param {number} image */
function imageName(image) {
  return `registry.example.com/shop/service-${image}:v1`;
}
