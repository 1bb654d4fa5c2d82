/** How many nodes to buy: the cheapest that leave nothing pending. */
import { podKeyOf } from '../kubernetes/keys.js';
import { checkCount } from './arguments.js';
import { documentOf } from './document.js';
import { Bound } from './plan/bound.js';
import { nodesIn, priceOf } from './plan/mixes.js';
import { checkPools, daemonsIn, PoolNodes } from './plan/pools.js';
import { search } from './plan/search.js';
import { roomOn, scarceResources, shapesOf } from './plan/shapes.js';
import { takePending, Trials } from './plan/trials.js';
import { Population } from './population.js';
import { onFork } from './on_fork.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Mix } from './plan/mixes.js'
 * @import { Pool } from './plan/pools.js'
 * @import { Outcome } from './plan/trials.js'
 */

/**
 * @typedef {object} PlanOptions
 * @property {number} [maxNodes] the most new nodes, of all pools together; default 1000
 * @property {number} [maxTrials] the most mixes that are tried; default 200
 * @property {() => Scheduler} [createScheduler] returns an empty scheduler with the same
 *   configuration. The plan is replayed in it, and counts only if nothing is pending there either
 * @property {(trials: number) => void} [progress] gets the number of mixes tried so far
 * @property {AbortSignal} [signal]
 */

/** Default limits. */
const MOST_NODES = 1_000;
const MOST_TRIALS = 200;

/** The number of plans whose replay may fail. */
const REPLAYS = 5;

/**
 * Returns the cheapest number of nodes per pool with which no pod of the cluster's queues and none
 * of `pending` waits. All pods keep their places, and none is evicted. Every DaemonSet with pods
 * gets one on each new node that it selects.
 * @param {Scheduler} scheduler with the simulated API
 * @param {KubernetesObject[]} pending further pods, which the cluster lacks
 * @param {Pool[]} pools
 * @param {PlanOptions} [options]
 * @throws {import('../kubernetes/errors.js').InputError} if a pod, a pool or an option is invalid
 */
export async function plan(scheduler, pending, pools, options = {}) {
  checkPools(pools);
  const { maxNodes = MOST_NODES, maxTrials = MOST_TRIALS, signal } = options;
  checkCount('maxNodes', maxNodes, 0);
  checkCount('maxTrials', maxTrials, 1);
  const base = scheduler.fork();
  try {
    const { pods, gated } = takePending(base, pending);
    const objects = base.snapshot().items;
    const existing = new Population(base).nodes;
    const nodes = new PoolNodes(pools, {
      nodes: existing,
      daemons: daemonsIn([...objects, ...pods]),
    });
    const asked = { pools, nodes, existing, maxNodes, signal };
    const { impossible, possible, bound } = await boundFor(base, pods, asked);
    const trials = new Trials(base, { ...options, nodes, pods: possible });
    const limits = { maxNodes, maxTrials, bound, pools, nodes, signal };
    const found = await provenSearch(trials, limits, { ...options, objects });
    return documentOf('Plan', scheduler, {
      ...answerOf(found, { pools, nodes }),
      lowerBound: bound.excludesAll ? null : bound.price(),
      trials: trials.count,
      impossible: [...gated, ...impossible],
    });
  } finally {
    base.dispose();
  }
}

/**
 * Separates pods that no node of any pool can take, and bounds the mixes for the others.
 * @param {Scheduler} base the cluster without the pods
 * @param {KubernetesObject[]} pods
 * @param {{ pools: Pool[], nodes: PoolNodes, existing: string[], maxNodes: number, signal?:
 *   AbortSignal }} asked
 */
function boundFor(base, pods, { pools, nodes, existing, maxNodes, signal }) {
  return onFork(base, async (fork) => {
    fork.apply(nodes.of(pools.map(() => 1)));
    fork.apply(pods);
    // The simulated controllers create the claims of the pods.
    fork.run({ maxCycles: 0 });
    const samples = pools.map((_, pool) => nodes.namesOf(pool, 1)[0]);
    const all = [...existing, ...samples];
    const shapes = await shapesOf(fork, pods, { nodes: all, signal });
    const lost = new Map(
      shapes
        .filter(({ takers }) => takers.size === 0)
        .flatMap((shape) => shape.pods.map((pod) => [pod, shape.message])),
    );
    const possible = pods.filter((pod) => !lost.has(podKeyOf(pod)));
    const taken = shapes.filter(({ takers }) => takers.size > 0);
    const used = new Set(taken.flatMap(({ takers }) => [...takers]));
    const room = roomOn(fork, new Set([...all.filter((node) => used.has(node)), ...samples]));
    const asked = new Set(taken.flatMap(({ amounts }) => [...amounts.keys()]));
    const cluster = { nodes: all, free: room, resources: asked };
    const resources = possible.length > 0 ? await scarceResources(fork, possible, cluster) : [];
    const bound = new Bound(taken, { pools, samples, maxNodes, room, resources });
    const impossible = [...lost].map(([pod, message]) => ({ pod, message }));
    return { impossible, possible, bound };
  });
}

/**
 * @typedef {object} Found
 * @property {Mix} mix
 * @property {Outcome} outcome
 * @property {boolean} found
 * @property {boolean} optimal
 * @property {boolean} minimal
 * @property {boolean} replayed
 */

/**
 * Searches until the replay of the best mix leaves nothing pending, too.
 * @param {Trials} trials
 * @param {import('./plan/search.js').Limits} limits
 * @param {PlanOptions & { objects: KubernetesObject[] }} options
 * @returns {Promise<Found>}
 */
async function provenSearch(trials, limits, { createScheduler, objects }) {
  for (let count = 1; ; count++) {
    const best = await search(trials, limits);
    const outcome = await trials.run(best.mix);
    if (!best.found || !createScheduler) return { ...best, outcome, replayed: false };
    const fresh = createScheduler();
    try {
      const again = await trials.replay(best.mix, fresh, objects);
      if (again.pending.length === 0) return { ...best, outcome: again, replayed: true };
      trials.reject(best.mix, again);
      const failed = { found: false, optimal: false, minimal: false, replayed: true };
      if (count === REPLAYS) return { mix: best.mix, outcome: again, ...failed };
    } finally {
      fresh.dispose();
    }
  }
}

/**
 * @param {Found} found
 * @param {{ pools: Pool[], nodes: PoolNodes }} cluster
 */
function answerOf({ mix, outcome, ...proofs }, { pools, nodes }) {
  /** @type {Map<string, string>} */
  const poolOf = new Map();
  const counts = pools.map(({ node, price }, index) => {
    const pool = String(node.metadata.name);
    const names = nodes.namesOf(index, mix[index]);
    for (const name of names) poolOf.set(name, pool);
    return { pool, price, nodes: names };
  });
  const pods = [...outcome.placed].map(([pod, node]) => ({
    pod,
    node,
    pool: poolOf.get(node) ?? null,
  }));
  return {
    ...proofs,
    nodes: nodesIn(mix),
    price: priceOf(mix, pools),
    pools: counts,
    pods,
    pending: outcome.pending,
  };
}

/** @typedef {Awaited<ReturnType<typeof plan>>} Plan */
