/** Workloads that vary what the plain ones keep constant: templates, domains, sizes, nodes. */
import { APPS, labelsOf, ofReplicaSets, repeated, spread, termOf } from './apps.js';
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

/** @typedef {import('./workloads.js').Workload} Workload */

const TIERS = 4;
const NAMESPACES = 6;
const STAGES = ['production', 'staging'];
/** All of them are tried, and wait, before anything is timed. */
const NOMINATED = 32;
const DISK = 'disk';
const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
/** CPUs of a node, and GiB of memory per CPU. */
const SIZES = [
  [4, 4],
  [8, 8],
  [8, 2],
  [16, 4],
  [32, 4],
  [48, 8],
  [64, 2],
  [96, 4],
];
const FILLERS_PER_NODE = 3;

/** @type {Record<string, () => Workload>} */
export const VARIED = {
  'templates-1': () => templates(1),
  'templates-10': () => templates(10),
  'templates-100': () => templates(100),
  'templates-1000': () => templates(1000),
  // More than the cache has room for, so a template is as good as new each time.
  'templates-10000': () => templates(10_000),
  'own-signature': () => ({
    node: (row) => nodeOf(row),
    pod: (count) => withRequests(podOf(count), { cpu: `${100 + count}m`, memory: '500Mi' }),
  }),
  'hostname-hard-spread': () =>
    repeated((app) => ({
      topologySpreadConstraints: [{ ...spread(app, 'DoNotSchedule'), topologyKey: HOSTNAME }],
    })),
  'policy-spread': () => ({
    ...repeated(policySpread),
    node: (row) => nodeOf(row, { spec: { taints: taintSet(row % TAINT_SETS) } }),
  }),
  'two-constraints': twoConstraints,
  'namespace-selector-affinity': namespaceSelectors,
  nominated: () => ({
    node: (row) => nodeOf(row),
    pod: (count) => podOf(count),
    existing: () => ({ count: NOMINATED, object: nominatedPod }),
  }),
  'node-churn': () => ({
    node: (row) => nodeOf(row),
    pod: (count) => podOf(count),
    changes: (slice, nodes) => [
      { type: 'DELETED', object: nodeOf(slice) },
      { type: 'ADDED', object: nodeOf(nodes + slice) },
    ],
  }),
  uneven,
};

/**
 * Basic pods of that many templates in turn, each with its own requests and labels.
 * @param {number} number @returns {Workload}
 */
function templates(number) {
  return {
    node: (row) => nodeOf(row),
    pod: (count) => {
      const template = count % number;
      const requests = { cpu: `${100 + template}m`, memory: `${500 + template}Mi` };
      return labelled(withRequests(podOf(count), requests), labelsOf(template));
    },
  };
}

/** Only nodes that the pod's affinity and tolerations allow count. @param {number} app */
function policySpread(app) {
  const policies = { nodeAffinityPolicy: 'Honor', nodeTaintsPolicy: 'Honor' };
  return {
    topologySpreadConstraints: [{ ...spread(app, 'DoNotSchedule'), ...policies }],
    affinity: zoneAffinity(app),
    tolerations: tolerationsOf(app),
  };
}

/** Evenly over zones with their app, and if possible over nodes with their tier. */
function twoConstraints() {
  const { node, pod } = repeated((app) => {
    const tier = {
      ...spread(app, 'ScheduleAnyway'),
      topologyKey: HOSTNAME,
      labelSelector: { matchLabels: tierOf(app) },
    };
    return { topologySpreadConstraints: [spread(app, 'DoNotSchedule'), tier] };
  });
  return {
    node,
    pod: (/** @type {number} */ count) => {
      const app = count % APPS;
      return labelled(pod(count), { ...labelsOf(app), ...tierOf(app) });
    },
  };
}

/** @param {number} app */
function tierOf(app) {
  return { tier: `tier-${app % TIERS}` };
}

/**
 * Near their app's pods in all namespaces of their stage, away from those of the other stage.
 * @returns {Workload}
 */
function namespaceSelectors() {
  const { node, pod } = repeated((app) => {
    const termIn = (/** @type {string} */ stage, /** @type {string} */ key) => {
      return { ...termOf(app, key), namespaceSelector: { matchLabels: { stage } } };
    };
    const [own, other] = [stageOf(app), stageOf(app + 1)];
    const away = { weight: 100, podAffinityTerm: termIn(other, HOSTNAME) };
    return {
      affinity: {
        podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [termIn(own, ZONE)] },
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [away] },
      },
    };
  });
  return {
    node,
    pod: (count) => {
      const { metadata, ...rest } = /** @type {any} */ (pod(count));
      // An app's pods are in two namespaces of one stage.
      const space = (count % APPS) + 2 * (Math.floor(count / APPS) % 2);
      return { ...rest, metadata: { ...metadata, namespace: namespaceName(space) } };
    },
    existing: () => ({ count: NAMESPACES, object: namespaceOf }),
  };
}

/** @param {number} space */
function stageOf(space) {
  return STAGES[space % STAGES.length];
}

/** @param {number} space */
function namespaceName(space) {
  return `team-${space % NAMESPACES}`;
}

/** @param {number} space */
function namespaceOf(space) {
  const name = namespaceName(space);
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, uid: `uid-${name}`, labels: { stage: stageOf(space) } },
  };
}

/**
 * A nominated pod that reserves room: it waits for a node that does not exist and may not preempt,
 * so it is tried once and keeps its nomination.
 * @param {number} at
 */
function nominatedPod(at) {
  const pod = renamed(
    podOf(at, {
      priority: 1000,
      preemptionPolicy: 'Never',
      nodeSelector: { [INSTANCE_TYPE]: 'ordered' },
    }),
    `nominated-${at}`,
  );
  return { ...pod, status: { phase: 'Pending', nominatedNodeName: `node-${at * 3}` } };
}

/**
 * Nodes of many sizes and fill levels, a third of them with taints; pods of ReplicaSets with the
 * default spreading, which prefer certain nodes.
 * @returns {Workload}
 */
function uneven() {
  const { pod, existing } = ofReplicaSets();
  return {
    node: unevenNode,
    pod: (count) => {
      const { spec, ...rest } = /** @type {any} */ (pod(count));
      const app = count % APPS;
      const more = { affinity: preferredNodes(app), tolerations: tolerationsOf(app) };
      return { ...rest, spec: { ...spec, ...more } };
    },
    existing: (nodes, pods) => {
      const replicaSets = /** @type {NonNullable<Workload['existing']>} */ (existing)(nodes, pods);
      return {
        count: replicaSets.count + nodes * FILLERS_PER_NODE,
        object: (at) =>
          at < replicaSets.count ? replicaSets.object(at) : filler(at - replicaSets.count, nodes),
      };
    },
  };
}

/** @param {number} row */
function unevenNode(row) {
  const [cpus, gibPerCpu] = SIZES[drawn(row, SIZES.length)];
  const resources = { cpu: String(cpus), memory: `${cpus * gibPerCpu}Gi`, pods: '110' };
  const taints = drawn(row + 0x1000, 3) === 0 ? taintSet(drawn(row + 0x2000, TAINT_SETS)) : [];
  const node = nodeOf(row, { spec: { taints } });
  const labels = {
    ...node.metadata.labels,
    [INSTANCE_TYPE]: `c${cpus}m${gibPerCpu}`,
    [DISK]: drawn(row + 0x3000, 4) === 0 ? 'ssd' : 'hdd',
  };
  return {
    ...node,
    metadata: { ...node.metadata, labels },
    status: { allocatable: resources, capacity: resources },
  };
}

/**
 * An existing pod, of up to 1.5 CPUs and 6 GiB.
 * @param {number} at @param {number} nodes
 */
function filler(at, nodes) {
  const requests = { cpu: `${50 * drawn(at, 30)}m`, memory: `${200 * drawn(~at, 30)}Mi` };
  const pod = renamed(withRequests(podOf(at), requests), `filler-${at}`);
  return bound(pod, drawn(at + 0x4000, nodes));
}

/** @param {number} app */
function preferredNodes(app) {
  const [cpus, gibPerCpu] = SIZES[app % SIZES.length];
  const wish = (
    /** @type {number} */ weight,
    /** @type {string} */ key,
    /** @type {string} */ value,
  ) => {
    return { weight, preference: { matchExpressions: [{ key, operator: 'In', values: [value] }] } };
  };
  const wishes = [wish(20, DISK, 'ssd'), wish(1 + app, INSTANCE_TYPE, `c${cpus}m${gibPerCpu}`)];
  return { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: wishes } };
}

/** @param {any} pod @param {Record<string, string>} requests */
export function withRequests(pod, requests) {
  const [container] = pod.spec.containers;
  const containers = [{ ...container, resources: { requests } }];
  return { ...pod, spec: { ...pod.spec, containers } };
}

/** @param {any} object @param {Record<string, string>} labels */
function labelled(object, labels) {
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** A deterministic number below `below` for `at`. @param {number} at @param {number} below */
function drawn(at, below) {
  let hash = Math.imul(at ^ 0x9e3779b9, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % below;
}
