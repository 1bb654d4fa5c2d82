/** The pods of a plan, grouped by the nodes that can take them, and what they take there. */
import { hasOwnClaims } from '../../engine/awaited_claims.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { podRequests } from '../../kubernetes/pod_requests.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Evaluation } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 */

/**
 * Amounts by resource: thousandths of a CPU, bytes, whole units.
 * @typedef {Map<string, number>} Amounts
 */

/**
 * Pods that ask for the same. `takers`: the nodes that do not refuse them for good.
 * @typedef {object} Shape
 * @property {string[]} pods `namespace/name`
 * @property {Amounts} amounts
 * @property {Set<string>} takers
 * @property {string} message about the first pod if no node takes it, else empty
 */

/**
 * Plugins whose refusals stay: no pod leaves its node in a plan, so that room, ports, labels and
 * taints get no better.
 */
const LASTING = new Set([
  'NodeName',
  'NodeUnschedulable',
  'NodeAffinity',
  'TaintToleration',
  'NodePorts',
  'NodeResourcesFit',
]);

const FIT = 'NodeResourcesFit';

const EVERYTHING = Object.freeze({
  detail: /** @type {const} */ ('nodes'),
  everyNode: true,
  allPlugins: true,
  preemption: false,
});

/**
 * Groups pods, and asks the engine which nodes can take them.
 * @param {Scheduler} scheduler with the nodes, the pods, and the claims of their own
 * @param {KubernetesObject[]} pods complete
 * @param {{ nodes: string[], signal?: AbortSignal }} options `nodes`: the names of all
 * @returns {Promise<Shape[]>}
 */
export async function shapesOf(scheduler, pods, { nodes, signal }) {
  /** @type {Map<string, Shape>} */
  const shapes = new Map();
  /** @type {Map<string, Shape>} */
  const known = new Map();
  for (const pod of pods) {
    signal?.throwIfAborted();
    const [key, asked] = [podKeyOf(pod), JSON.stringify(askedBy(pod))];
    // A claim of its own may be missing, or belong to another pod: each such pod is asked.
    const question = hasOwnClaims(pod) ? `${key} ${asked}` : asked;
    let shape = known.get(question);
    if (!shape) {
      const evaluation = await scheduler.evaluateAsync(key, EVERYTHING);
      const takers = takersIn(evaluation, nodes);
      const message = takers.size === 0 ? (evaluation.message ?? '') : '';
      const alike = JSON.stringify([asked, [...takers], message]);
      shape = shapes.get(alike) ?? { pods: [], amounts: amountsOf(pod.spec), takers, message };
      shapes.set(alike, shape);
      known.set(question, shape);
    }
    shape.pods.push(key);
  }
  return [...shapes.values()];
}

/** Returns what the lasting refusals depend on. @param {KubernetesObject} pod */
function askedBy({ metadata, spec }) {
  const { affinity, containers, initContainers, ...rest } = spec;
  const asked = (/** @type {any[]} */ list = []) =>
    list.map(({ resources, ports, restartPolicy }) => ({ resources, ports, restartPolicy }));
  // The PreFilter plugins of claims and volumes may refuse the pod everywhere.
  const { nodeSelector, tolerations, overhead, resources, schedulerName, hostNetwork } = rest;
  return {
    namespace: metadata.namespace,
    schedulerName,
    nodeSelector,
    nodeAffinity: affinity?.nodeAffinity,
    tolerations,
    overhead,
    resources,
    hostNetwork,
    containers: asked(containers),
    initContainers: asked(initContainers),
    volumes: rest.volumes,
    resourceClaims: rest.resourceClaims,
  };
}

/**
 * @param {Evaluation} evaluation
 * @param {string[]} nodes
 */
function takersIn({ filterAll = [], filter = [], preFilter, preFilterResult }, nodes) {
  if (preFilter) return new Set();
  const takers = new Set(preFilterResult ?? nodes);
  for (const group of [...filter, ...filterAll])
    if (LASTING.has(group.plugin)) for (const node of group.nodes) takers.delete(node);
  return takers;
}

/**
 * Returns what a pod takes at least: the engine rounds up, and counts requests of the pod as a
 * whole only if that feature is enabled.
 * @param {any} spec
 * @returns {Amounts}
 */
export function amountsOf(spec) {
  const { resources, ...ofContainers } = spec;
  const whole = podRequests(spec);
  /** @type {Amounts} */
  const amounts = new Map([['pods', 1]]);
  for (const [name, nano] of podRequests(ofContainers)) {
    const asked = whole.get(name) ?? 0n;
    const least = asked < nano ? asked : nano;
    const amount = Number(least / (name === 'cpu' ? 1_000_000n : 1_000_000_000n));
    if (amount > 0) amounts.set(name, amount);
  }
  return amounts;
}

/**
 * Returns the resources whose shortage makes every node refuse a pod, whatever the configuration
 * says: those that it ignores, or that devices serve, are left out.
 * @param {Scheduler} scheduler with the nodes
 * @param {KubernetesObject[]} pods complete; their schedulers are asked
 * @param {{ nodes: string[], free: Map<string, Amounts>, resources: Iterable<string> }} cluster
 * @returns {Promise<string[]>}
 */
export async function scarceResources(scheduler, pods, { nodes, free, resources }) {
  const schedulers = new Set(pods.map(({ spec }) => String(spec.schedulerName)));
  const isScarce = async (/** @type {string} */ resource) => {
    const amounts = nodes.map((node) => free.get(node)?.get(resource) ?? 0);
    const most = amounts.reduce((greatest, one) => Math.max(greatest, one), 0);
    // More than any node has in all, pods included.
    const amount = `${2 * most + 2 ** 50}${resource === 'cpu' ? 'm' : ''}`;
    for (const schedulerName of schedulers) {
      const probe = probeFor(resource, amount, schedulerName);
      const { filterAll = [] } = await scheduler.evaluateAsync(probe, EVERYTHING);
      const refusing = filterAll.filter(
        ({ plugin, reasons }) => plugin === FIT && reasons.includes(`Insufficient ${resource}`),
      );
      const refused = new Set(refusing.flatMap((group) => group.nodes));
      if (nodes.some((node) => !refused.has(node))) return false;
    }
    return true;
  };
  /** @type {string[]} */
  const scarce = [];
  for (const resource of resources)
    if (resource !== 'pods' && (await isScarce(resource))) scarce.push(resource);
  // The plugin that counts CPUs counts pods.
  if (scarce.includes('cpu') || (await isScarce('cpu'))) scarce.push('pods');
  return scarce;
}

/**
 * @param {string} resource
 * @param {string} amount
 * @param {string} schedulerName
 */
function probeFor(resource, amount, schedulerName) {
  const requests = { [resource]: amount };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'probe', uid: 'probe' },
    spec: {
      schedulerName,
      preemptionPolicy: 'Never',
      containers: [{ name: 'probe', resources: { requests } }],
    },
    status: { phase: 'Pending' },
  };
}

/**
 * Returns the room of nodes, in the engine's own numbers.
 * @param {Scheduler} scheduler
 * @param {Iterable<string>} nodes
 * @returns {Map<string, Amounts>} by node
 */
export function roomOn(scheduler, nodes) {
  /** @type {Map<string, Amounts>} */
  const room = new Map();
  for (const node of nodes) {
    const { allocatable, requested, pods } = scheduler.inspect({ node });
    /** @type {Amounts} */
    const free = new Map([
      ['cpu', allocatable.milliCPU - requested.milliCPU],
      ['memory', allocatable.memory - requested.memory],
      ['ephemeral-storage', allocatable.ephemeralStorage - requested.ephemeralStorage],
      ['pods', allocatable.allowedPodNumber - pods.length],
    ]);
    for (const [name, amount] of Object.entries(allocatable.scalarResources))
      free.set(name, amount - (requested.scalarResources[name] ?? 0));
    room.set(node, free);
  }
  return room;
}
