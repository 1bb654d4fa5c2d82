/**
 * The events in the world of a seed: a list that can be cut anywhere, because each event names its
 * object, and has no effect if that does not exist. Objects are those of the decision simulation,
 * as far as their amounts can be computed.
 */
import fc from 'fast-check';

import { DEVICE_WEIGHTS, DevicePlanner, isDeviceOp } from './device_plan.js';
import { GANG_WEIGHTS, GangPlanner, isGangOp } from './gang_plan.js';
import { isPlainAmount } from './amounts.js';
import { node, other, pod } from './objects.js';
import { Random, randomFor } from './random.js';
import { isVolumeOp, VOLUME_WEIGHTS, VolumePlanner } from './volume_plan.js';
import { hasDevices, hasGangs, hasVolumes, kindsOf } from './fault_odds.js';

/** @typedef {import('./world.js').Change} Change */

/**
 * A change, or an event for the scheduler: a `jump` of the clock, a `gap` in the watch of a kind, a
 * `resync` of its informer, a `backup` of the world, and its `restore`.
 *
 * @typedef {Change & {waitUs: number}} Happening
 */

const NODES = 10;
const NAMES = 60;
const PODS_FULL = 32;
const SECOND_US = 1_000_000;
const NAMESPACES = ['default', 'default', 'default', 'other'];
const OTHERS = new Set(['Namespace', 'PodDisruptionBudget', 'Service']);

const WEIGHTS = {
  createPod: 34,
  deletePod: 9,
  finishPod: 12,
  ungatePod: 3,
  labelPod: 3,
  toleratePod: 2,
  bindForeign: 2,
  putNode: 4,
  deleteNode: 1.5,
  cordon: 3,
  taintNode: 3,
  resizeNode: 3,
  labelNode: 3,
  reportNode: 2,
  putOther: 3,
  deleteOther: 1,
  jump: 1,
  gap: 2,
  resync: 2,
  backup: 2,
  restore: 1,
  createCrowd: 0.3,
};
const FULL_WEIGHTS = { createPod: 12, deletePod: 20, finishPod: 26 };
/** The most victims that one preemption may need. */
const CROWD = 100;
/** Of the pods of seeds with volumes, and with devices. */
const POD_WITH_VOLUMES = 0.5;
const POD_WITH_DEVICES = 0.7;

/**
 * @typedef {keyof typeof WEIGHTS | import('./volume_plan.js').VolumeOp |
 *   import('./device_plan.js').DeviceOp | import('./gang_plan.js').GangOp} Op
 */

/** Half of a surrogate pair, which UTF-8 cannot encode. */
const LONE = /\\u[dD][89a-fA-F]/;

/** @param {any} value @returns {string[]} all quantities in it */
function amountsIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    ['requests', 'allocatable', 'overhead'].includes(name)
      ? Object.values(member ?? {})
      : amountsIn(member),
  );
}

/** @template T @param {fc.Arbitrary<T>} arbitrary @param {number} seed @param {number} numRuns */
function plain(arbitrary, seed, numRuns) {
  return fc.sample(arbitrary, { seed, numRuns }).filter((value) => {
    const isTaken = !hasOddNumber(value) && !LONE.test(JSON.stringify(value));
    return isTaken && amountsIn(value).every(isPlainAmount);
  });
}

/** @param {unknown} value */
const isInt32 = (value) => Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;

const ANY_INT32 = new Set(['priority', 'disruptionsAllowed']);
const POSITIVE_INT32 = new Set(['hostPort', 'maxSkew', 'minDomains', 'weight']);

/** Numbers that an API server would refuse. @param {any} value @returns {boolean} */
function hasOddNumber(value) {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, member]) => {
    if (ANY_INT32.has(name)) return !isInt32(member);
    if (POSITIVE_INT32.has(name)) return !isInt32(member) || member < 1;
    return hasOddNumber(member);
  });
}

export class Planner {
  #random;
  #kinds;
  /** Null in seeds without volumes. @type {VolumePlanner | null} */
  #volumes = null;
  /** Null in seeds without devices. @type {DevicePlanner | null} */
  #devices = null;
  /** Null in seeds without gangs. @type {GangPlanner | null} */
  #gangs = null;
  #storageRandom;
  /** The last pod with claims, by namespace. @type {Map<string, any>} */
  #twins = new Map();
  /** The weights of the events. @type {Record<string, number>} */
  #weights = WEIGHTS;
  #pods;
  #nodes;
  #others;
  #made = 0;
  /** Names of pods that may exist. @type {string[]} */
  #living = [];

  /** @param {number} seed */
  constructor(seed) {
    this.#random = new Random(seed);
    this.#kinds = kindsOf(seed);
    this.#storageRandom = randomFor(seed, 'storage');
    if (hasVolumes(seed)) {
      const random = this.#storageRandom;
      this.#volumes = new VolumePlanner(random, () => `n${random.below(NODES)}`);
      this.#weights = { ...WEIGHTS, ...VOLUME_WEIGHTS };
    } else if (hasDevices(seed)) {
      const random = this.#storageRandom;
      this.#devices = new DevicePlanner(random, () => `n${random.below(NODES)}`);
      this.#weights = { ...WEIGHTS, ...DEVICE_WEIGHTS };
    }
    if (hasGangs(seed)) {
      this.#gangs = new GangPlanner(randomFor(seed, 'gangs'), () => this.#newPod());
      this.#weights = { ...this.#weights, ...GANG_WEIGHTS };
    }
    this.#pods = plain(pod, seed, 90);
    this.#nodes = plain(node, seed, 40);
    this.#others = plain(other, seed, 60).filter(({ kind }) => OTHERS.has(kind));
  }

  /** @param {number} count @returns {Happening[]} */
  plan(count) {
    const nodes = Array.from({ length: Math.min(6, count) }, () => this.#make('putNode'));
    const planner = this.#volumes ?? this.#devices;
    const storage = (planner?.beginning() ?? []).map((one) => ({ waitUs: 0, ...one }));
    const first = [...nodes, ...storage].slice(0, count);
    const rest = Array.from({ length: count - first.length }, () => {
      const isFull = this.#living.length > PODS_FULL;
      const weights = isFull ? { ...this.#weights, ...FULL_WEIGHTS } : this.#weights;
      return this.#make(/** @type {Op} */ (this.#random.weighted(weights)));
    });
    return [...first, ...rest];
  }

  /** @param {Op} op @returns {Happening} */
  #make(op) {
    const waitUs = this.#wait();
    return { op, waitUs, ...this.#details(op) };
  }

  #wait() {
    const random = this.#random;
    const span = random.weighted({ none: 40, short: 25, second: 30, long: 5 });
    if (span === 'none') return 0;
    if (span === 'short') return random.below(50_000);
    return random.below(span === 'second' ? 2 * SECOND_US : 40 * SECOND_US);
  }

  /** @param {Op} op @returns {Record<string, any>} */
  #details(op) {
    if (this.#volumes && isVolumeOp(op)) return this.#volumes.details(op);
    if (this.#devices && isDeviceOp(op)) return this.#devices.details(op);
    if (this.#gangs && isGangOp(op)) return this.#ofGang(this.#gangs.details(op));
    const random = this.#random;
    const graceUs = random.pick([0, 0, 0, 2, 30]) * SECOND_US;
    switch (op) {
      case 'createPod':
        return this.#withClaims(this.#newPod());
      case 'deletePod':
        return { pod: this.#anyPod(true), graceUs };
      case 'finishPod':
        return { pod: this.#anyPod(true), phase: random.pick(['Succeeded', 'Failed']) };
      case 'labelPod':
        return {
          pod: this.#anyPod(),
          labels: /** @type {any} */ (random.pick(this.#pods)).metadata.labels,
        };
      case 'toleratePod':
        return { pod: this.#anyPod(), toleration: this.#toleration() };
      case 'ungatePod':
      case 'bindForeign':
        return { pod: this.#anyPod(), node: this.#nodeName() };
      case 'putOther':
        return { object: random.pick(this.#others) };
      case 'deleteOther': {
        const { kind, metadata } = random.pick(this.#others);
        const { namespace, name } = /** @type {any} */ (metadata);
        return { kind, key: namespace ? `${namespace}/${name}` : name };
      }
      case 'jump':
        return { us: random.pick([1, 20, 90, 400, 1000]) * SECOND_US };
      case 'createCrowd':
        return this.#crowd();
      case 'backup':
      case 'restore':
        return {};
      case 'gap':
        return { kind: random.pick(this.#kinds), us: random.below(20 * SECOND_US) };
      case 'resync':
        return { kind: random.pick(this.#kinds) };
      default:
        return this.#ofNode(op);
    }
  }

  #nodeName() {
    return `n${this.#random.below(NODES)}`;
  }

  /** @param {string} op */
  #ofNode(op) {
    const random = this.#random;
    const name = this.#nodeName();
    const like = /** @type {any} */ (random.pick(this.#nodes));
    const labels = { ...like.metadata.labels, 'kubernetes.io/hostname': name };
    switch (op) {
      case 'putNode':
        return {
          node: { ...like, metadata: { ...like.metadata, name, uid: `u-${name}`, labels } },
        };
      case 'cordon':
        return { node: name, isOn: random.chance(0.4) };
      case 'taintNode':
        return { node: name, taints: random.chance(0.4) ? like.spec.taints : undefined };
      case 'resizeNode':
        return { node: name, allocatable: like.status.allocatable };
      case 'labelNode':
        return { node: name, labels };
      default: {
        const conditions = [{ type: 'Ready', status: random.pick(['True', 'Unknown']) }];
        const { images, declaredFeatures } = like.status;
        return { node: name, members: { conditions, images, declaredFeatures } };
      }
    }
  }

  /** Many small pods on a node, and one that needs the whole node. */
  #crowd() {
    const node = this.#nodeName();
    const containers = [{ name: 'c', resources: { requests: { cpu: '1m' } } }];
    const small = { schedulerName: 'stranger', nodeName: node, priority: -1000, containers };
    const crowd = Array.from({ length: 1 + this.#random.below(CROWD) }, () =>
      this.#podOfCrowd('crowd', small, {
        phase: 'Running',
        startTime: '2026-02-02T03:00:00Z',
      }),
    );
    const spec = {
      schedulerName: 'default-scheduler',
      priority: 1_000_000,
      nodeSelector: { 'kubernetes.io/hostname': node },
      tolerations: [{ operator: 'Exists' }],
    };
    return { node, crowd, large: this.#podOfCrowd('large', spec, { phase: 'Pending' }) };
  }

  /** @param {string} prefix @param {object} spec @param {object} status */
  #podOfCrowd(prefix, spec, status) {
    this.#made += 1;
    const name = `${prefix}-${this.#made}`;
    this.#living.push(`default/${name}`);
    const creationTimestamp = '2026-02-02T02:40:00Z';
    const metadata = { namespace: 'default', name, uid: `u-${name}`, creationTimestamp };
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status };
  }

  #toleration() {
    const tolerant = this.#pods.find(({ spec }) => /** @type {any} */ (spec).tolerations?.length);
    return /** @type {any} */ (tolerant)?.spec.tolerations[0] ?? { operator: 'Exists' };
  }

  /**
   * Some pods have claims, which are created with them.
   * @param {any} pod @param {boolean} [sharesClaims] whether other pods may have the same ones
   */
  #withClaims(pod, sharesClaims = true) {
    const random = this.#storageRandom;
    const planner = this.#volumes ?? this.#devices;
    const odds = this.#devices ? POD_WITH_DEVICES : POD_WITH_VOLUMES;
    if (!planner || !random.chance(odds)) return { pod };
    const { namespace, name } = pod.metadata;
    const twin = this.#twins.get(namespace);
    // One more pod of a series, which shares its claims.
    if (sharesClaims && twin && random.chance(0.2)) return { pod: { ...pod, spec: twin } };
    const { claims, ...members } = planner.ofPod(namespace, name, sharesClaims);
    // Most have few other constraints, so that their claims decide.
    const { affinity: _, nodeSelector: __, topologySpreadConstraints: ___, ...simple } = pod.spec;
    const spec = { ...(random.chance(0.8) ? simple : pod.spec), ...members };
    if (sharesClaims && !spec.nodeName) this.#twins.set(namespace, spec);
    return { pod: { ...pod, spec }, claims };
  }

  /**
   * The pods of a gang may have claims. They share none, because the first of them to be bound
   * would allocate it, and the others would fail.
   * @param {Record<string, any>} details
   */
  #ofGang({ pods, ...details }) {
    if (!pods) return details;
    return { pods: pods.map((/** @type {any} */ one) => this.#withClaims(one, false)) };
  }

  /** @param {boolean} [isEnd] whether the pod is being deleted */
  #anyPod(isEnd = false) {
    if (this.#living.length === 0) return 'default/none';
    const at = this.#random.below(this.#living.length);
    const name = this.#living[at];
    if (isEnd) this.#living.splice(at, 1);
    return name;
  }

  #newPod() {
    const random = this.#random;
    const like = /** @type {any} */ (random.pick(this.#pods));
    this.#made += 1;
    const name = `p${random.below(NAMES)}`;
    const namespace = random.pick(NAMESPACES);
    const { nodeName: _, ...spec } = like.spec;
    const { labels, ownerReferences } = like.metadata;
    const { nominatedNodeName } = like.status;
    const isForeign = random.chance(0.1);
    this.#living.push(`${namespace}/${name}`);
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        namespace,
        name,
        uid: `u${this.#made}-${name}`,
        generation: 1,
        labels,
        ownerReferences,
        creationTimestamp: '2026-02-02T02:40:00Z',
      },
      spec: isForeign ? { ...spec, schedulerName: 'stranger', nodeName: this.#nodeName() } : spec,
      status: { phase: 'Pending', ...(nominatedNodeName && { nominatedNodeName }) },
    };
  }
}
