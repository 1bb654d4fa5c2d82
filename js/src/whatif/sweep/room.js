/**
 * Proves for many failures, without running them, that no pod waits afterwards.
 *
 * A pod is plain if the verdicts of filters about it depend on the node alone, except for its
 * resources: it has no constraints on other pods, no host ports, claims, devices, volumes that are
 * attached, or rules that need a feature of the node. Let all displaced pods be plain, and no pod
 * wait in the present. A node that is feasible for a pod now stays so until displaced pods fill
 * it: they must take more than its slack of some resource that the pod requests. Relative to the
 * demand of all displaced pods, the slack of a node is the least of its quotients over these
 * resources. All displaced pods together take at most 1 of each resource. So if the slacks of the
 * remaining feasible nodes add up to the number of resources, displaced pods cannot fill all of
 * these nodes, in whatever order and on whichever nodes they are placed. Every displaced pod finds
 * a node, and none preempts.
 */
import { InputError } from '../../kubernetes/errors.js';
import { podRequests } from '../../kubernetes/pod_requests.js';
import { itemsIn } from '../../kubernetes/values.js';
import { endsWithNode } from '../population.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Population } from '../population.js'
 * @import { Part } from './failures.js'
 */

/** Amounts of cpu (thousandths), memory and ephemeral storage (bytes), and pods. */
/** @typedef {number[]} Amounts */

/**
 * Plain pods about which filters say the same.
 * @typedef {{ requests: Amounts, feasible: string[] }} PodClass
 */

/**
 * The displaced pods of a node.
 * @typedef {{ classes: Set<PodClass>, demand: Amounts }} Displaced
 */

/** Resources in the order of Amounts, each with its unit in 10^-9 of the resource's own. */
const UNITS = new Map([
  ['cpu', 1_000_000n],
  ['memory', 1_000_000_000n],
  ['ephemeral-storage', 1_000_000_000n],
]);

/** More classes are not asked about: each takes an evaluation of all nodes. */
const CLASSES_MAX = 2_000;

/** Covers the rounding of quotients. */
const MARGIN = 1e-6;

/** Fields of a plain pod's spec. A pod with another field is not plain. */
const PLAIN_FIELDS = new Set([
  ...['activeDeadlineSeconds', 'affinity', 'automountServiceAccountToken', 'containers'],
  ...['dnsConfig', 'dnsPolicy', 'enableServiceLinks', 'hostAliases', 'hostIPC', 'hostPID'],
  ...['hostname', 'imagePullSecrets', 'initContainers', 'nodeName', 'nodeSelector', 'overhead'],
  ...['preemptionPolicy', 'priority', 'priorityClassName', 'readinessGates', 'resources'],
  ...['restartPolicy', 'runtimeClassName', 'schedulerName', 'securityContext', 'serviceAccount'],
  ...['serviceAccountName', 'setHostnameAsFQDN', 'shareProcessNamespace', 'subdomain'],
  ...['terminationGracePeriodSeconds', 'tolerations', 'topologySpreadConstraints', 'volumes'],
]);

/** Volumes that no filter reads. */
const PLAIN_VOLUMES = new Set([
  ...['configMap', 'downwardAPI', 'emptyDir', 'hostPath', 'projected', 'secret'],
]);

/** What is proven about the failures of one cluster. */
export class Room {
  #scheduler;
  #population;
  /** @type {Map<string, PodClass | null>} */
  #classes = new Map();
  /** Null: not all of them are plain. @type {Map<string, Displaced | null>} */
  #displaced = new Map();
  /** What is left on each node. @type {Map<string, Amounts>} */
  #left = new Map();

  /**
   * @param {Scheduler} scheduler only in-tree plugins filter its pods
   * @param {Population} population in which no pod waits
   */
  constructor(scheduler, population) {
    this.#scheduler = scheduler;
    this.#population = population;
  }

  /**
   * Whether it is proven that every displaced pod finds a node.
   * @param {Part[]} parts that fail at once
   */
  isEnough(parts) {
    const nodes = parts.flatMap((part) => part.nodes);
    const demand = [0, 0, 0, 0];
    /** @type {Set<PodClass>} */
    const classes = new Set();
    for (const node of nodes) {
      const displaced = this.#displacedFrom(node);
      if (!displaced) return false;
      displaced.demand.forEach((amount, at) => (demand[at] += amount));
      for (const one of displaced.classes) classes.add(one);
    }
    const lost = new Set(nodes);
    return [...classes].every((one) => this.#hasRoom(one, demand, lost));
  }

  /**
   * @param {PodClass} podClass
   * @param {Amounts} demand of all displaced pods
   * @param {Set<string>} lost
   */
  #hasRoom({ requests, feasible }, demand, lost) {
    const asked = requests.flatMap((amount, at) => (amount > 0 ? [at] : []));
    let slack = 0;
    for (const node of feasible) {
      if (lost.has(node)) continue;
      const left = this.#leftOn(node);
      const least = Math.min(...asked.map((at) => (left[at] - requests[at]) / demand[at]));
      if (least > 0) slack += least;
      if (slack > asked.length + MARGIN) return true;
    }
    return false;
  }

  /** @param {string} node @returns {Displaced | null} */
  #displacedFrom(node) {
    const known = this.#displaced.get(node);
    if (known !== undefined) return known;
    const found = this.#pods(node);
    this.#displaced.set(node, found);
    return found;
  }

  /** @param {string} node @returns {Displaced | null} */
  #pods(node) {
    const demand = [0, 0, 0, 0];
    /** @type {Set<PodClass>} */
    const classes = new Set();
    for (const key of this.#population.podsOn(node)) {
      const pod = /** @type {KubernetesObject} */ (this.#population.pod(key));
      if (endsWithNode(pod, this.#scheduler, this.#population.endingNamespaces)) continue;
      const podClass = this.#classOf(pod, key);
      if (!podClass) return null;
      classes.add(podClass);
      podClass.requests.forEach((amount, at) => (demand[at] += amount));
    }
    return { classes, demand };
  }

  /** @param {KubernetesObject} pod @param {string} key @returns {PodClass | null} */
  #classOf(pod, key) {
    const requests = isPlain(pod) ? amountsOf(pod) : null;
    if (!requests) return null;
    const { nodeSelector, affinity, tolerations, schedulerName } = pod.spec;
    const { namespace, labels } = pod.metadata;
    const name = JSON.stringify([
      ...[namespace, labels, requests, nodeSelector, affinity, tolerations, schedulerName],
    ]);
    const known = this.#classes.get(name);
    if (known !== undefined) return known;
    if (this.#classes.size >= CLASSES_MAX) return null;
    const feasible = this.#feasibleFor(key);
    const found = feasible && { requests, feasible };
    this.#classes.set(name, found);
    return found;
  }

  /**
   * @param {string} pod
   * @returns {string[] | null} null if this scheduler does not place it
   */
  #feasibleFor(pod) {
    try {
      const { feasible } = this.#scheduler.evaluate(pod, { everyNode: true, preemption: false });
      return feasible ?? null;
    } catch (error) {
      if (error instanceof InputError) return null;
      throw error;
    }
  }

  /** @param {string} node @returns {Amounts} */
  #leftOn(node) {
    const known = this.#left.get(node);
    if (known) return known;
    const { allocatable, requested, pods } = this.#scheduler.inspect({ node });
    const left = [
      allocatable.milliCPU - requested.milliCPU,
      allocatable.memory - requested.memory,
      allocatable.ephemeralStorage - requested.ephemeralStorage,
      allocatable.allowedPodNumber - pods.length,
    ];
    this.#left.set(node, left);
    return left;
  }
}

/** @param {KubernetesObject} pod */
function isPlain({ spec }) {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  const containers = [...itemsIn(spec.containers), ...itemsIn(spec.initContainers)];
  return (
    Object.keys(spec).every((field) => PLAIN_FIELDS.has(field)) &&
    itemsIn(podAffinity?.[required]).length === 0 &&
    itemsIn(podAntiAffinity?.[required]).length === 0 &&
    itemsIn(spec.topologySpreadConstraints).every(
      (constraint) => constraint?.whenUnsatisfiable === 'ScheduleAnyway',
    ) &&
    containers.every(
      ({ ports, restartPolicyRules }) =>
        !restartPolicyRules && itemsIn(ports).every((port) => !port?.hostPort),
    ) &&
    itemsIn(spec.volumes).every((volume) =>
      Object.keys(volume ?? {}).every((field) => field === 'name' || PLAIN_VOLUMES.has(field)),
    )
  );
}

/**
 * @param {KubernetesObject} pod
 * @returns {Amounts | null} null if it requests another resource, which may be devices
 */
function amountsOf({ spec }) {
  const requests = [...podRequests(spec)].filter(([, amount]) => amount > 0n);
  if (!requests.every(([name]) => UNITS.has(name))) return null;
  const amounts = new Map(requests);
  const rounded = [...UNITS].map(([name, unit]) =>
    Number(((amounts.get(name) ?? 0n) + unit - 1n) / unit),
  );
  return [...rounded, 1];
}
