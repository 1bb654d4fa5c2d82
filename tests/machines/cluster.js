/**
 * Makes a cluster of the table: nodes, ResourceSlices and DeviceClasses, and the pods of a workload
 * with their claims. Equal seeds give equal objects.
 */
import { randomFor } from '../sim/random.js';
import { DEVICE_CLASSES } from './device_classes.js';
import { RESOURCE_VERSION, selectorsOf, slicesOf } from './device_objects.js';
import { MACHINES } from './machines.js';

/** @import { KubernetesObject } from '../../js/src/index.js' */
/** @import { Machine } from './hardware/types.js' */
/** @import { Request, Workload } from './workloads/types.js' */

/** The label of a node that names its kind of machine. */
export const MACHINE_LABEL = 'machine.example.com/kind';

/**
 * @param {{ seed?: number, machines?: readonly Machine[], nodesOf?: (machine: Machine) => number }}
 *   [options] `nodesOf`: how many nodes to make of each kind
 * @returns {KubernetesObject[]} in the order in which they are created
 */
export function makeCluster({ seed = 1, machines = MACHINES, nodesOf = byTable } = {}) {
  const names = machines.flatMap((machine) =>
    Array.from({ length: nodesOf(machine) }, (_, index) => ({ machine, index })),
  );
  const random = randomFor('machines', seed);
  const objects = shuffled(names, random).flatMap(({ machine, index }) => {
    const name = `${machine.name}-${index}`;
    const publications = machine.publish(randomFor('machine', seed, name));
    return [
      nodeOf(name, machine.name),
      ...publications.flatMap((publication) => slicesOf(publication, name)),
    ];
  });
  return [...DEVICE_CLASSES, ...objects];
}

/** @param {Machine} machine */
function byTable({ nodes }) {
  return nodes;
}

/**
 * @template T
 * @param {readonly T[]} list
 * @param {import('../sim/random.js').Random} random
 */
export function shuffled(list, random) {
  const result = [...list];
  for (let last = result.length - 1; last > 0; --last) {
    const other = random.below(last + 1);
    [result[last], result[other]] = [result[other], result[last]];
  }
  return result;
}

/** @param {string} name @param {string} machine @returns {KubernetesObject} */
export function nodeOf(name, machine) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: `node-${name}`,
      labels: { 'kubernetes.io/hostname': name, [MACHINE_LABEL]: machine },
    },
    status: { allocatable: { cpu: '128', memory: '1Ti', pods: '250' } },
  };
}

/**
 * The template of a workload's claims, if it has claims.
 *
 * @param {Workload} workload
 * @returns {KubernetesObject[]}
 */
export function templatesOf({ name, requests = [], constraints }) {
  if (requests.length === 0) return [];
  const devices = { requests: requests.map(requestOf), ...(constraints && { constraints }) };
  return [
    {
      apiVersion: RESOURCE_VERSION,
      kind: 'ResourceClaimTemplate',
      metadata: { name, namespace: 'default', uid: `template-${name}` },
      spec: { spec: { devices } },
    },
  ];
}

/** @param {Request} request */
export function requestOf({ name, firstAvailable, ...content }) {
  if (!firstAvailable) return { name, exactly: contentOf(content) };
  const alternatives = firstAvailable.map(({ name: alternative, ...each }) => ({
    name: alternative,
    ...contentOf(each),
  }));
  return { name, firstAvailable: alternatives };
}

/** @param {Omit<Request, 'name' | 'firstAvailable'>} content */
function contentOf({ class: deviceClassName, selectors, all, capacity, ...others }) {
  return {
    deviceClassName,
    ...(selectors && { selectors: selectorsOf(selectors) }),
    ...(all && { allocationMode: 'All' }),
    ...(capacity && { capacity: { requests: capacity } }),
    ...others,
  };
}

/**
 * The pod number `index` of a workload.
 *
 * @param {Workload} workload
 * @param {number} index
 * @returns {KubernetesObject}
 */
export function podOf({ name, requests, extended, onMachine }, index) {
  const pod = `${name}-${index}`;
  const hasClaim = requests !== undefined;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: pod, namespace: 'default', uid: `pod-${pod}` },
    spec: {
      schedulerName: 'default-scheduler',
      ...(onMachine && { nodeSelector: { [MACHINE_LABEL]: onMachine } }),
      containers: [
        {
          name: 'main',
          image: 'app:v1',
          resources: {
            requests: { cpu: '100m', ...extended },
            ...(extended && { limits: extended }),
            ...(hasClaim && { claims: [{ name: 'devices' }] }),
          },
        },
      ],
      ...(hasClaim && {
        resourceClaims: [{ name: 'devices', resourceClaimTemplateName: name }],
      }),
    },
  };
}

/**
 * The last decision of each pod. The first one of a pod with a template is that it waits for its
 * claim.
 *
 * @template {{ pod: string }} D
 * @param {readonly D[]} decisions
 * @returns {D[]}
 */
export function lastDecisions(decisions) {
  return [...new Map(decisions.map((decision) => [decision.pod, decision])).values()];
}
