/** Arbitrary scenarios: a scheduler's options, a cluster, and the changes of both. */
import fc from 'fast-check';

import { node, other, pod as podOfAny, rarely } from './objects.js';
import { boundClaimsOf, podVolumes, storage, stored } from './storage_objects.js';

/**
 * @typedef {object} Step
 * @property {object[]} events  objects, watch events, marks
 * @property {number} advanceUs  before the step
 * @property {number} [asked] which of the pods so far is evaluated, then scheduled out of turn
 * @property {object} [question] options of an evaluation of a pod that is not in the cluster
 * @property {number} cycles
 *
 * @typedef {object} Scenario
 * @property {object} options of the scheduler, without those that may change only speed
 * @property {any[]} nodes
 * @property {number} copies the number of copies of each node
 * @property {any[]} stored  classes, volumes, claims
 * @property {any} stranger the pod that is only evaluated
 * @property {Step[]} steps
 */

const pick = fc.constantFrom;

const FIT = 'NodeResourcesFit';
const SHAPE = [
  { utilization: 0, score: 1 },
  { utilization: 70, score: 10 },
  { utilization: 100, score: 0 },
];

/** @param {object} rest */
const configurationOf = (rest) => ({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  ...rest,
});

/** @param {string} name @param {object} args */
const profileWith = (name, args) => ({ pluginConfig: [{ name, args }] });

const CONFIGURATIONS = [
  undefined,
  configurationOf({ percentageOfNodesToScore: 100 }),
  configurationOf({ percentageOfNodesToScore: 1 }),
  // Pods have signatures, so that OpportunisticBatching takes part.
  configurationOf({ profiles: [profileWith('PodTopologySpread', { defaultingType: 'List' })] }),
  configurationOf({
    percentageOfNodesToScore: 30,
    profiles: [
      { schedulerName: 'default-scheduler', percentageOfNodesToScore: 60 },
      {
        schedulerName: 'second',
        ...profileWith(FIT, { scoringStrategy: { type: 'MostAllocated' } }),
        plugins: { score: { disabled: [{ name: 'ImageLocality' }] } },
      },
    ],
  }),
  configurationOf({
    profiles: [
      profileWith(FIT, {
        ignoredResources: ['example.com/gpu'],
        scoringStrategy: {
          type: 'RequestedToCapacityRatio',
          resources: [
            { name: 'cpu', weight: 3 },
            { name: 'memory', weight: 1 },
          ],
          requestedToCapacityRatio: { shape: SHAPE },
        },
      }),
    ],
  }),
  configurationOf({
    profiles: [
      {
        pluginConfig: [
          { name: 'InterPodAffinity', args: { hardPodAffinityWeight: 50 } },
          {
            name: 'PodTopologySpread',
            args: {
              defaultingType: 'List',
              defaultConstraints: [
                {
                  maxSkew: 1,
                  topologyKey: 'topology.kubernetes.io/zone',
                  whenUnsatisfiable: 'ScheduleAnyway',
                },
              ],
            },
          },
        ],
      },
    ],
  }),
];

const options = fc.record({
  configuration: pick(...CONFIGURATIONS),
  seed: fc.integer({ min: 0, max: 1_000_000 }),
  tieBreak: pick('heap', 'heap', 'name', 'random'),
  api: pick('simulated', 'simulated', 'simulated', 'host'),
  simulate: fc.record({ gracefulDeletion: fc.boolean() }),
  featureGates: pick(
    {},
    {},
    {},
    { OpportunisticBatching: false },
    { NodeDeclaredFeatures: false, InPlacePodLevelResourcesVerticalScaling: false },
  ),
});

const pod = fc.tuple(podOfAny, rarely(podVolumes, 5)).map(([one, volumes]) => {
  return volumes ? { ...one, spec: { ...one.spec, volumes } } : one;
});

/** A pod of which a controller makes many; the last one's own claims may be bound already. */
const series = fc
  .tuple(pod, fc.integer({ min: 2, max: 12 }), fc.boolean())
  .map(([one, count, hasClaims]) => {
    const pods = Array.from({ length: count }, (_, index) => {
      const name = `s-${one.metadata.name}-${index}`;
      const { nodeName: _bound, ...spec } = one.spec;
      return { ...one, metadata: { ...one.metadata, name, uid: `u-${name}` }, spec };
    });
    return hasClaims ? [...boundClaimsOf(pods[count - 1]), ...pods] : pods;
  });

/** Pods for which others are preempted. */
const urgent = fc.tuple(pick('1', '4', '7500m'), fc.nat(2)).map(([cpu, number]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `urgent-${number}`, namespace: 'default', uid: `u-urgent-${number}` },
  spec: {
    schedulerName: 'default-scheduler',
    priority: 2_000_000_000,
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'c', resources: { requests: { cpu } } }],
  },
}));

const object = fc.oneof(
  { weight: 2, arbitrary: node },
  { weight: 6, arbitrary: pod },
  { weight: 2, arbitrary: urgent },
  { weight: 2, arbitrary: other },
  { weight: 1, arbitrary: storage },
);

const event = fc
  .tuple(pick('ADDED', 'MODIFIED', 'DELETED', 'DELETED'), object)
  .map(([type, value]) => ({ type, object: value }));

/** A relist of Services, complete or truncated; a bookmark of a stream. */
const marks = pick(
  [
    {
      type: 'BOOKMARK',
      object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: '7' } },
    },
  ],
  [{ type: 'SYNC_BEGIN', resource: 'services' }],
  [{ type: 'SYNC_END', resource: 'services', resourceVersion: '9' }],
  ...Array.from({ length: 3 }, () => [
    { type: 'SYNC_BEGIN', resource: 'services' },
    { type: 'SYNC_END', resource: 'services', resourceVersion: '9' },
  ]),
);

const events = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: object.map((value) => [value]) },
      { weight: 4, arbitrary: event.map((value) => [value]) },
      { weight: 3, arbitrary: series },
      { weight: 1, arbitrary: marks },
    ),
    { maxLength: 5 },
  )
  .map((lists) => lists.flat());

const step = fc.record({
  events,
  advanceUs: pick(0, 1, 1000, 600_000),
  asked: fc.option(fc.nat(1000), { nil: undefined, freq: 2 }),
  question: fc.option(
    fc.record({
      detail: pick('nodes', 'table'),
      allPlugins: fc.boolean(),
      everyNode: fc.boolean(),
      preemption: fc.boolean(),
      classify: fc.boolean(),
    }),
    { nil: undefined, freq: 2 },
  ),
  cycles: pick(0, 1, 3, 20),
});

/** @type {fc.Arbitrary<Scenario>} */
export const scenario = fc.record({
  options,
  nodes: fc.array(node, { minLength: 1, maxLength: 10 }),
  copies: pick(1, 1, 1, 4, 25),
  stored,
  stranger: pod,
  steps: fc.array(step, { minLength: 2, maxLength: 8 }),
});

/** The nodes with their copies, each under a name of its own. @param {Scenario} one */
export function allNodes({ nodes, copies }) {
  return nodes.flatMap((value) =>
    Array.from({ length: copies }, (_, copy) => {
      if (copy === 0) return value;
      const name = `${value.metadata.name}-${copy}`;
      const labels = { ...value.metadata.labels, 'kubernetes.io/hostname': name };
      return { ...value, metadata: { ...value.metadata, name, uid: `u-${name}`, labels } };
    }),
  );
}
