/** Packs pods tighter: the moves that empty nodes. */
import { badArgument, checkCount } from './arguments.js';
import { ChangedCluster } from './changes/changed_cluster.js';
import { documentOf } from './document.js';
import { drain, drainIn } from './drain.js';
import { BudgetIndex } from './drain/budget_index.js';
import { Budgets } from './drain/budgets.js';
import { sortForDrain } from './drain/evictable_pods.js';
import { Future } from './future.js';
import { Population } from './population.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 */

/**
 * How many nodes are to be empty in the end, those that are already included.
 * @typedef {{ emptyNodes: number } | { maximum: true }} RepackGoal
 */

/**
 * @typedef {object} RepackOptions
 * @property {string[]} [keep] nodes that are not emptied
 * @property {(node: KubernetesObject) => number} [priceOf] the price of a node: the dearest nodes
 *   are emptied first, and the answer has the price saved
 * @property {boolean} [deleteEmptyDirData] whether pods with emptyDir volumes are moved
 * @property {number} [maxTrials] the most nodes that are tried; default 10,000
 * @property {() => Scheduler} [createScheduler] returns an empty scheduler with the same
 *   configuration, in which the moves are replayed
 * @property {Iterable<KubernetesObject>} [objects] the cluster's objects that a scheduler does not
 *   keep: budgets read Deployments
 * @property {boolean} [knowsDaemonSets] as for `drain`
 * @property {(done: number, total: number) => void} [progress] in nodes that may be emptied
 * @property {AbortSignal} [signal]
 */

/**
 * A node that stays, and why. `pod` is in the way, if one is.
 * @typedef {object} BlockedNode
 * @property {string} node
 * @property {'Kept' | 'ControlPlane' | 'Refused' | 'Budget' | 'Waits' | 'Preempts' | 'Returns' |
 *   'NotTried'} reason `Refused`: `kubectl drain` would refuse a pod, such as one without a
 *   controller; `Waits`: a moved pod would find no node; `Preempts`: a moved pod would evict
 *   another one; `Returns`: a moved pod would land on a node to be emptied
 * @property {string | null} pod
 * @property {string} message
 */

/**
 * `to` is null for a pod that ends: it is being deleted, or its namespace is.
 * @typedef {{ step: number, pod: string, from: string, to: string | null }} Move
 */

/** @typedef {Awaited<ReturnType<typeof drain>>} Drained */

const MOST_TRIALS = 10_000;

/**
 * While there are so few moves, candidates are drained together with the nodes chosen before them
 * at once: that takes little time, and now and then works where the drain of one after another
 * does not.
 */
const FEW_MOVES = 100;

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';

/**
 * Returns the moves that empty nodes. All of these are cordoned first; then their pods are evicted
 * as `drain` does it, within PodDisruptionBudgets, and land where the scheduler puts them. A node
 * is emptied only if all its pods find a node then, and none is preempted. Nodes that are cheap to
 * empty come first. Once there are many moves, each candidate is drained after those before it,
 * which takes little time; those that work are then drained together with them.
 * @param {Scheduler} scheduler with the simulated API; pending pods have been tried
 * @param {RepackGoal} goal
 * @param {RepackOptions} [options]
 * @throws {import('../kubernetes/errors.js').InputError} if the goal, a node or an option is
 *   invalid
 * @throws the signal's reason
 */
export async function repack(scheduler, goal, options = {}) {
  const { keep = [], maxTrials = MOST_TRIALS, priceOf } = options;
  const population = new Population(scheduler);
  checkQuestion(goal, { keep, maxTrials, nodes: population.nodes });
  const wanted = 'emptyNodes' in goal ? goal.emptyNodes : Infinity;
  const search = new Search(scheduler, { ...options, population, maxTrials });
  try {
    const { candidates, blocked } = candidatesIn(search.cluster, population, options);
    const { nodes, drained } = await search.among(candidates, wanted);
    const moves = movesOf(drained);
    const proof = await search.replay(nodes, moves);
    const rows = nodes.map((node) => ({
      node,
      moves: 0,
      ...(priceOf && { price: priceOf(nodeOf(scheduler, node)) }),
    }));
    const rowOf = new Map(rows.map((row) => [row.node, row]));
    for (const { from } of moves) /** @type {(typeof rows)[0]} */ (rowOf.get(from)).moves += 1;
    const { rest } = search;
    return documentOf('Repack', scheduler, {
      reached: wanted === Infinity || rows.length >= wanted,
      complete: [...rest.values()].every(({ reason }) => reason !== 'NotTried'),
      ...proof,
      ...(priceOf && { priceSaved: rows.reduce((sum, { price = 0 }) => sum + price, 0) }),
      emptied: rows,
      moves,
      blocked: [...blocked, ...rest.values()],
      trials: search.trials,
    });
  } finally {
    search.dispose();
  }
}

/**
 * A candidate, and why it does not work.
 * @typedef {{ node: string, fault?: BlockedNode }} Looked
 */

/** A future in which nodes are empty. @typedef {{ future: Future, budgets: Budgets }} Emptied */

/** Chooses nodes to empty. */
class Search {
  /** The cluster before the moves. */
  cluster;
  #scheduler;
  #options;
  #index;
  /** Where the nodes chosen so far are empty. @type {Emptied} */
  #emptied;
  /** The nodes that were not emptied. @type {Map<string, BlockedNode>} */
  rest = new Map();
  trials = 0;
  /** The most candidates that were known to work or not to. */
  #done = 0;

  /**
   * @param {Scheduler} scheduler
   * @param {RepackOptions & { population: Population, maxTrials: number }} options
   */
  constructor(scheduler, options) {
    this.#scheduler = scheduler;
    this.#options = options;
    const { population, objects = [] } = options;
    this.cluster = new ChangedCluster(new Future(scheduler, population), objects);
    this.#index = new BudgetIndex(this.cluster);
    this.#emptied = this.#present();
  }

  dispose() {
    this.#emptied.future.scheduler.dispose();
  }

  /**
   * Adds candidates in their order, as many at once as worked before and as few as needed.
   * @param {string[]} candidates
   * @param {number} wanted
   * @returns {Promise<{ nodes: string[], drained: Drained | undefined }>}
   */
  async among(candidates, wanted) {
    /** @type {string[]} */
    let nodes = [];
    /** @type {Drained | undefined} */
    let drained;
    let size = 1;
    let left = candidates;
    while (left.length > 0 && nodes.length < wanted && this.trials < this.#options.maxTrials) {
      const before = candidates.length - left.length;
      const onLook = (/** @type {number} */ looked) => this.#report(before + looked, candidates);
      const most = Math.min(size, wanted - nodes.length);
      const isQuick = movesOf(drained).length < FEW_MOVES;
      const looked = isQuick ? this.#take(left, most) : await this.#look(left, most, onLook);
      onLook(looked.length);
      const some = looked.flatMap(({ node, fault }) => (fault ? [] : [node]));
      const tried = some.length > 0 ? await this.#drain([...nodes, ...some], some[0]) : drained;
      const fault = tried && 'reason' in tried ? tried : undefined;
      if (fault && some.length > 1) {
        size = Math.floor(some.length / 2);
        continue;
      }
      const end = fault ? looked.findIndex(({ node }) => node === some[0]) : looked.length;
      for (const one of looked.slice(0, end)) if (one.fault) this.rest.set(one.node, one.fault);
      if (fault) this.rest.set(some[0], fault);
      else [nodes, drained, size] = [[...nodes, ...some], /** @type {Drained} */ (tried), 2 * size];
      left = left.slice(fault ? end + 1 : end);
    }
    for (const node of left) this.rest.set(node, notTried(node));
    return { nodes, drained };
  }

  /**
   * Repeats the moves in a scheduler built from scratch.
   * @param {string[]} nodes
   * @param {Move[]} moves
   * @returns {Promise<{ replayed: boolean, sameNodes: boolean }>}
   */
  async replay(nodes, moves) {
    const { createScheduler } = this.#options;
    if (!createScheduler) return { replayed: false, sameNodes: false };
    if (nodes.length === 0) return { replayed: true, sameNodes: true };
    const fresh = createScheduler();
    try {
      const { population, progress, ...options } = this.#options;
      fresh.apply(this.#scheduler.snapshot());
      await fresh.schedule({ until: population.now, signal: options.signal });
      const again = await drain(fresh, nodes, options);
      const isSame = JSON.stringify(movesOf(again)) === JSON.stringify(moves);
      return { replayed: faultIn(again, nodes[0]) === undefined, sameNodes: isSame };
    } finally {
      fresh.dispose();
    }
  }

  /**
   * Returns the first candidates, of which nothing is known.
   * @param {string[]} candidates
   * @param {number} most
   * @returns {Looked[]}
   */
  #take(candidates, most) {
    const { signal, maxTrials } = this.#options;
    signal?.throwIfAborted();
    const some = candidates.slice(0, Math.min(most, maxTrials - this.trials));
    this.trials += some.length;
    return some.map((node) => ({ node, fault: undefined }));
  }

  /**
   * Drains candidates one after another, each after those before it that worked. Ends when it has
   * found enough, or most candidates did not work: what they found is no use if the nodes before
   * them do not work together.
   * @param {string[]} candidates
   * @param {number} most the number of nodes to find
   * @param {(looked: number) => void} onLook
   * @returns {Promise<Looked[]>} those that were drained
   */
  async #look(candidates, most, onLook) {
    const { signal, maxTrials } = this.#options;
    const ahead = branchOf(this.#emptied);
    const looked = [];
    try {
      let found = 0;
      for (const node of candidates.slice(0, 2 * most)) {
        if (found === most || this.trials === maxTrials) break;
        signal?.throwIfAborted();
        this.trials += 1;
        const fault = await ahead.future.scheduler.transaction(async (transaction) =>
          faultIn(await this.#drainIn(branchOf(ahead, transaction), [node]), node),
        );
        onLook(looked.push({ node, fault }));
        if (fault) continue;
        found += 1;
        if (found < most) await this.#drainIn(ahead, [node]);
      }
      return looked;
    } finally {
      ahead.future.scheduler.dispose();
    }
  }

  /**
   * Drains nodes together. If that works, they are the chosen ones.
   * @param {string[]} nodes
   * @param {string} last the one that a fault is reported of
   * @returns {Promise<Drained | BlockedNode>}
   */
  async #drain(nodes, last) {
    let unused = this.#present();
    try {
      const drained = await this.#drainIn(unused, nodes);
      const fault = faultIn(drained, last);
      if (!fault) [this.#emptied, unused] = [unused, this.#emptied];
      return fault ?? drained;
    } finally {
      unused.future.scheduler.dispose();
    }
  }

  /** @param {number} done @param {string[]} candidates */
  #report(done, { length }) {
    this.#done = Math.max(this.#done, done);
    this.#options.progress?.(this.#done, length);
  }

  /** @returns {Emptied} */
  #present() {
    const future = new Future(this.#scheduler.fork(), this.#options.population);
    return { future, budgets: new Budgets(this.#index) };
  }

  /** @param {Emptied} emptied @param {string[]} nodes */
  #drainIn({ future, budgets }, nodes) {
    const { deleteEmptyDirData, population, signal } = this.#options;
    const options = { deleteEmptyDirData, population, signal, budgets };
    return drainIn(this.cluster.in(future), nodes, options);
  }
}

/**
 * @param {Emptied} emptied
 * @param {Scheduler} [scheduler] a transaction of its scheduler; default: a fork
 * @returns {Emptied}
 */
function branchOf({ future, budgets }, scheduler) {
  return { future: future.branch(scheduler), budgets: budgets.layer() };
}

/**
 * Returns the nodes that may be emptied, the best first: of a high price, with little to move.
 * @param {ChangedCluster} cluster
 * @param {Population} population
 * @param {RepackOptions} options
 */
function candidatesIn(cluster, population, options) {
  const { keep = [], priceOf = () => 0, deleteEmptyDirData = false } = options;
  const { scheduler } = cluster;
  const kept = new Set(keep);
  const sorting = { force: false, deleteEmptyDirData, daemonSets: cluster.knownDaemonSets };
  /** @type {BlockedNode[]} */
  const blocked = [];
  /** @type {{ node: string, price: number, pods: number, cpu: number }[]} */
  const candidates = [];
  for (const object of scheduler.list('Node')) {
    const { name: node, labels } = object.metadata;
    const pods = population.podsOn(node).flatMap((key) => population.pod(key) ?? []);
    const { refused, evicts } = sortForDrain(pods, sorting);
    if (kept.has(node)) blocked.push({ node, reason: 'Kept', pod: null, message: '' });
    else if (labels?.[CONTROL_PLANE] !== undefined)
      blocked.push({ node, reason: 'ControlPlane', pod: null, message: '' });
    else if (refused.length > 0) blocked.push({ node, reason: 'Refused', ...refused[0] });
    else {
      const cpu = evicts.length > 0 ? scheduler.inspect({ node }).requested.milliCPU : 0;
      const price = priceOf(object);
      if (!Number.isFinite(price)) throw badArgument('priceOf', price, `no price of node ${node}`);
      candidates.push({ node, price, pods: evicts.length, cpu });
    }
  }
  candidates.sort(
    (left, right) => right.price - left.price || left.cpu - right.cpu || left.pods - right.pods,
  );
  return { candidates: candidates.map(({ node }) => node), blocked };
}

/**
 * Returns why a drain does not empty its nodes.
 * @param {Drained} drained
 * @param {string} node the one that was added last
 * @returns {BlockedNode | undefined}
 */
function faultIn({ nodes, blocked, waiting, preempted, rounds }, node) {
  const [held] = blocked;
  if (held) return { node, reason: 'Budget', pod: held.pod, message: held.message };
  const moves = rounds.flatMap(({ evictions }) => evictions);
  const evicted = [...preempted, ...moves].find(({ after }) => after.preemptedBy !== undefined);
  if (evicted) {
    const message = `it would be preempted by ${evicted.after.preemptedBy}`;
    return { node, reason: 'Preempts', pod: evicted.pod, message };
  }
  const moved = new Map(moves.map(({ pod, after }) => [pod, after.node]));
  const late = waiting.find(({ pod }) => moved.has(pod));
  if (late) return { node, reason: 'Waits', ...late };
  const emptied = new Set(nodes.map((one) => one.node));
  const [back] = [...moved].filter(([, to]) => to !== null && emptied.has(to));
  if (!back) return undefined;
  const message = `it tolerates cordoned nodes, and would land on ${back[1]}`;
  return { node, reason: 'Returns', pod: back[0], message };
}

/** @param {Drained | undefined} drained @returns {Move[]} */
function movesOf(drained) {
  return (drained?.rounds ?? []).flatMap(({ node, evictions }, index) =>
    evictions.map(({ pod, after }) => ({
      step: index + 1,
      pod,
      from: node,
      to: after.node,
    })),
  );
}

/** @param {string} node @returns {BlockedNode} */
function notTried(node) {
  return { node, reason: 'NotTried', pod: null, message: '' };
}

/** @param {Scheduler} scheduler @param {string} name */
function nodeOf(scheduler, name) {
  return /** @type {KubernetesObject} */ (scheduler.get('Node', name));
}

/**
 * @param {RepackGoal} goal
 * @param {{ keep: string[], maxTrials: number, nodes: string[] }} question
 */
function checkQuestion(goal, { keep, maxTrials, nodes }) {
  const { emptyNodes, maximum } = /** @type {any} */ (goal) ?? {};
  if (maximum === undefined) checkCount('goal.emptyNodes', emptyNodes, 1);
  if (maximum !== undefined && (maximum !== true || emptyNodes !== undefined))
    throw badArgument('goal.maximum', maximum, 'must be true, and the only goal');
  keep.forEach((name, index) => {
    if (!nodes.includes(name)) throw badArgument(`keep[${index}]`, name, `Not found: "${name}"`);
  });
  checkCount('maxTrials', maxTrials, 1);
}

/** @typedef {Awaited<ReturnType<typeof repack>>} Repack */
