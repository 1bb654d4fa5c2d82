/** Small gangs by seed that cannot start, and what schedulers built from scratch decide of them. */
import { keyOf } from '../../../js/src/kubernetes/keys.js';
import { Random } from '../../sim/random.js';
import { makeNode, makePodGroup, storedPod } from './objects.js';

const RACK = 'example.com/rack';
const HOSTNAME = 'kubernetes.io/hostname';
const GATES = { GenericWorkload: true, GangScheduling: true };
const WITH_TOPOLOGY = { ...GATES, TopologyAwareWorkloadScheduling: true };
const START = Date.UTC(2026, 0, 1);
/** Longer than all backoffs. */
const SETTLED = START + 240_000;

/**
 * @typedef {object} World
 * @property {any[]} nodes
 * @property {any[]} bound
 * @property {any[]} pods of the gang, in the order in which they are applied
 * @property {number} minCount
 * @property {boolean} isGroup whether they are a PodGroup
 * @property {string} [topologyKey]
 */

/**
 * @param {number} seed
 * @returns {World}
 */
export function gangWorld(seed) {
  const random = new Random(seed);
  const nodes = Array.from({ length: 2 + random.below(3) }, (_, at) =>
    makeNode(`n${at}`, {
      cpu: String(1 + random.below(2)),
      labels: random.chance(0.9) ? { [RACK]: `r${at % 2}` } : {},
      spec: random.chance(0.1) ? { unschedulable: true } : {},
    }),
  );
  const bound = nodes.flatMap(({ metadata: { name } }) =>
    random.chance(0.5)
      ? [storedPod(`on-${name}`, { cpu: '500m', spec: { nodeName: name, priority: 0 } })]
      : [],
  );
  const isGroup = random.chance(0.6);
  const templates = Array.from({ length: 1 + random.below(3) }, () => templateOf(random));
  const pods = Array.from({ length: 3 + random.below(3) }, (_, at) => {
    const { cpu, labels, spec } = random.pick(templates);
    const group = isGroup && { schedulingGroup: { podGroupName: 'g' } };
    return storedPod(`w-${at}`, { cpu, metadata: { labels }, spec: { ...spec, ...group } });
  });
  const minCount = random.chance(0.7) ? pods.length : 1 + random.below(pods.length);
  const topologyKey = random.chance(0.3) ? RACK : undefined;
  return { nodes, bound, pods, minCount, isGroup, ...(topologyKey && { topologyKey }) };
}

/** @param {Random} random */
function templateOf(random) {
  const role = random.pick(['driver', 'worker']);
  const other = random.pick(['driver', 'worker']);
  const term = { topologyKey: HOSTNAME, labelSelector: { matchLabels: { role: other } } };
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const spread = {
    maxSkew: 1,
    topologyKey: random.pick([HOSTNAME, RACK]),
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { role } },
  };
  return {
    cpu: random.pick(['250m', '500m', '1', '1500m']),
    labels: { role },
    spec: {
      priority: random.pick([100, 100, 100, 200]),
      ...(random.chance(0.2) && { affinity: { podAntiAffinity: required } }),
      ...(random.chance(0.1) && { affinity: { podAffinity: required } }),
      ...(random.chance(0.15) && { topologySpreadConstraints: [spread] }),
      ...(random.chance(0.15) && { nodeSelector: { [RACK]: `r${random.below(2)}` } }),
    },
  };
}

/**
 * Calls `use` with a scheduler of the world, without the gang.
 * @template T
 * @param {any} engine
 * @param {World} world
 * @param {(scheduler: any) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function withWorld(engine, { nodes, bound, isGroup, topologyKey }, use) {
  const featureGates = isGroup ? (topologyKey ? WITH_TOPOLOGY : GATES) : {};
  const scheduler = engine.createScheduler({ startTime: START, featureGates });
  try {
    scheduler.apply([...nodes, ...bound]);
    return await use(scheduler);
  } finally {
    scheduler.dispose();
  }
}

/**
 * @param {World} world
 * @param {number} minCount
 */
export function podGroup({ topologyKey }, minCount) {
  const group = makePodGroup('g', { minCount });
  const constraints = { topology: [{ key: topologyKey }] };
  const spec = { ...group.spec, ...(topologyKey && { schedulingConstraints: constraints }) };
  return { ...group, spec };
}

/** @param {any} pod */
function never(pod) {
  return { ...pod, spec: { ...pod.spec, preemptionPolicy: 'Never' } };
}

/** The order in which pods of one age are tried. @param {any[]} pods */
export function inOrder(pods) {
  return pods.toSorted((a, b) => b.spec.priority - a.spec.priority);
}

/**
 * Whether the gang of these pods starts with that minimum, in a scheduler from scratch.
 * @param {any} engine
 * @param {World} world
 * @param {any[]} pods in the order in which they are tried
 * @param {number} minCount
 * @returns {Promise<boolean>}
 */
async function starts(engine, world, pods, minCount) {
  if (world.isGroup)
    return withWorld(engine, world, async (scheduler) => {
      scheduler.apply([podGroup(world, minCount), ...pods.map(never)]);
      await scheduler.schedule();
      return (await placedIn(scheduler)) > 0;
    });
  return (await mostOf(engine, world, pods)) >= minCount;
}

/**
 * How many of the pods get a node one after another, in the domain that takes the most.
 * @param {any} engine
 * @param {World} world
 * @param {any[]} pods
 */
async function mostOf(engine, world, pods) {
  const counts = await Promise.all(worldsOf(world).map((one) => countOf(engine, one, pods)));
  return Math.max(0, ...counts);
}

/** The world, or for a gang with a topology one per domain. @param {World} world */
function worldsOf(world) {
  const { nodes, topologyKey } = world;
  if (topologyKey === undefined) return [world];
  const domains = new Set(nodes.flatMap(({ metadata }) => metadata.labels[topologyKey] ?? []));
  return [...domains].map((domain) => inDomain(world, domain));
}

/**
 * The world with the nodes of one domain alone.
 * @param {World} world
 * @param {string} domain
 * @returns {World}
 */
export function inDomain({ nodes, topologyKey = '', ...rest }, domain) {
  const inside = nodes.filter(({ metadata }) => metadata.labels[topologyKey] === domain);
  return { ...rest, nodes: inside };
}

/**
 * How many of the pods get a node one after another, each as an ordinary pod.
 * @param {any} engine
 * @param {World} world
 * @param {any[]} pods
 * @returns {Promise<number>}
 */
export function countOf(engine, world, pods) {
  return withWorld(engine, { ...world, isGroup: false }, async (scheduler) => {
    for (const { spec, ...pod } of pods) {
      const { schedulingGroup: _, ...single } = spec;
      const asked = never({ ...pod, spec: single });
      scheduler.apply([asked]);
      await scheduler.schedule();
      if (!scheduler.inspect({ pod: keyOf(pod) }).node) scheduler.remove(asked);
    }
    return placedIn(scheduler);
  });
}

/**
 * The pods that are evicted if the pods are applied one after another, as ordinary pods.
 * @param {any} engine
 * @param {World} world
 * @param {any[]} pods
 * @returns {Promise<{ victims: string[], placed: number }>}
 */
export function evictedFor(engine, world, pods) {
  return withWorld(engine, { ...world, isGroup: false }, async (scheduler) => {
    /** @type {string[]} */
    const victims = [];
    for (const { spec, ...pod } of pods) {
      const { schedulingGroup: _, ...single } = spec;
      scheduler.apply([{ ...pod, spec: single }]);
      const decisions = await scheduler.schedule({ until: SETTLED });
      victims.push(
        ...decisions.flatMap((/** @type {any} */ { preemption }) => preemption?.victims ?? []),
      );
      if (!scheduler.inspect({ pod: keyOf(pod) }).node) scheduler.remove(pod);
    }
    return { victims, placed: await placedIn(scheduler) };
  });
}

/** @param {any} scheduler */
async function placedIn(scheduler) {
  const gang = scheduler
    .list('Pod')
    .filter((/** @type {any} */ { metadata }) => metadata.name.startsWith('w-'));
  return gang.filter((/** @type {any} */ { spec }) => spec.nodeName).length;
}

/**
 * The largest minimum with which the gang starts, 0 if it never does.
 * @param {any} engine
 * @param {World} world
 * @returns {Promise<number>}
 */
export async function largestMinCount(engine, world) {
  if (!world.isGroup) return mostOf(engine, world, inOrder(world.pods));
  for (let minCount = world.pods.length; minCount > 0; minCount -= 1)
    if (await starts(engine, world, inOrder(world.pods), minCount)) return minCount;
  return 0;
}

/**
 * The first pod with which the pods up to it cannot start together.
 * @param {any} engine
 * @param {World} world
 * @returns {Promise<string | null>}
 */
export async function blockerOf(engine, world) {
  const pods = inOrder(world.pods);
  for (let count = 1; count <= pods.length; count += 1)
    if (!(await starts(engine, world, pods.slice(0, count), count)))
      return `default/${pods[count - 1].metadata.name}`;
  return null;
}

/**
 * All orders of the templates.
 * @template T
 * @param {T[]} list
 * @returns {T[][]}
 */
export function permutations(list) {
  if (list.length < 2) return [list];
  return list.flatMap((one) =>
    permutations(list.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  );
}
