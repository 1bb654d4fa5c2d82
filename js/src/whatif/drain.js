/** Drains nodes: what evicts which pod when, where its successor lands, and what blocks. */
import { InputError } from '../kubernetes/errors.js';
import { keyOf } from '../kubernetes/keys.js';
import { ChangedCluster } from './changes/changed_cluster.js';
import { cordoned } from './changes/nodes.js';
import { documentOf } from './document.js';
import { BudgetIndex } from './drain/budget_index.js';
import { Budgets } from './drain/budgets.js';
import { sortForDrain } from './drain/evictable_pods.js';
import { inFuture } from './future.js';
import { attachmentOf, Population } from './population.js';
import { withReason } from './what_if.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { BudgetState } from './drain/budgets.js'
 * @import { NodePods } from './drain/evictable_pods.js'
 * @import { Fate, Future } from './future.js'
 */

/**
 * An eviction. `budget`: the one that it is charged to, `namespace/name`. `after`: where the pod's
 * successor is at the end of the drain.
 * @typedef {{ pod: string, budget: string | null, gracePeriodSeconds: number, after: Fate }}
 *   Eviction
 */

/**
 * The evictions of one node that budgets grant together. `secondsAtMost`: the longest grace period,
 * and the time until the successors are ready.
 * @typedef {{ node: string, secondsAtMost: number, evictions: Eviction[] }} DrainRound
 */

/**
 * A pod that cannot be evicted, the API server's reason, and the figures of its budgets.
 * @typedef {{ pod: string, node: string, message: string, budgets: BudgetState[] }} BlockedPod
 */

/** One node of the drain; `left` are the pods still to evict. @typedef {NodePods & { node: string,
 *   left: string[] }} NodePlan */

/** kubelet's default, which the API server writes into every pod: seconds. */
const GRACE_PERIOD = 30;

/**
 * @typedef {object} DrainOptions
 * @property {boolean} [force] also evicts pods without a controller, and those whose DaemonSet is
 *   gone; they end
 * @property {boolean} [deleteEmptyDirData] also evicts pods with emptyDir volumes
 * @property {number} [readySeconds] how long after the old pod's end its successor is ready;
 *   default 0
 * @property {Iterable<KubernetesObject>} [objects] the cluster's objects that a scheduler does not
 *   keep: budgets read Deployments
 * @property {boolean} [knowsDaemonSets] whether `objects` has all DaemonSets of the cluster, so
 *   that others are gone; default: whether it has any
 * @property {Population} [population] of the scheduler, if there is one already
 * @property {AbortSignal} [signal]
 * @property {(done: number, total: number) => void} [progress] in evictions
 */

/**
 * `budgets`: as they stand in the future; the drain changes them.
 * @typedef {Omit<DrainOptions, 'objects' | 'knowsDaemonSets' | 'population'> & { budgets: Budgets,
 *   population: Population }} DrainInOptions
 */

/**
 * Returns how `kubectl drain --ignore-daemonsets` of these nodes would go. All are cordoned; then
 * their pods are evicted node by node, in rounds: all that the PodDisruptionBudgets grant, and when
 * the successors are ready the next ones. A node with a pod that kubectl refuses keeps all of its
 * pods.
 * @param {Scheduler} scheduler with the simulated API; pending pods have been tried
 * @param {string[]} nodes
 * @param {DrainOptions} [options]
 * @returns {Promise<ReturnType<typeof answerOf>>}
 * @throws {InputError} if a node does not exist, or `readySeconds` is not a whole number
 * @throws the signal's reason
 */
export async function drain(scheduler, nodes, options = {}) {
  const { objects = [], knowsDaemonSets, ...others } = options;
  const { population = new Population(scheduler), ...rest } = others;
  return inFuture(scheduler, population, (future) => {
    const cluster = new ChangedCluster(future, objects, { knowsDaemonSets });
    const budgets = new Budgets(new BudgetIndex(cluster));
    return drainIn(cluster, nodes, { ...rest, population, budgets });
  });
}

/**
 * The same in a future, which stays as the drain leaves it. Nodes may have been drained there.
 * @param {ChangedCluster} cluster of the future
 * @param {string[]} nodes
 * @param {DrainInOptions} options
 * @returns {Promise<ReturnType<typeof answerOf>>}
 * @throws {InputError} as `drain`
 * @throws the signal's reason
 */
export async function drainIn(cluster, nodes, options) {
  const { force = false, deleteEmptyDirData = false, readySeconds = 0 } = options;
  const { budgets, population, signal, progress } = options;
  const { future } = cluster;
  const sorting = { force, deleteEmptyDirData, daemonSets: cluster.knownDaemonSets };
  checkQuestion(cluster.scheduler, nodes, readySeconds);
  const plans = [...new Set(nodes)].map((node) => {
    const pods = future.podsOn(node).flatMap((key) => future.pod(key) ?? []);
    const sorted = sortForDrain(pods, sorting);
    return { node, ...sorted, left: sorted.refused.length === 0 ? sorted.evicts : [] };
  });
  cluster.put(plans.map(({ node }) => cordoned(cluster.node(node))));
  const count = plans.reduce((sum, { left }) => sum + left.length, 0);
  const run = new DrainRun({ cluster, budgets, readySeconds, signal });
  await run.through(plans, (done) => progress?.(done, count));
  return answerOf(plans, { run, population });
}

/** The rounds of one drain. */
class DrainRun {
  #budgets;
  #readySeconds;
  #signal;
  /** @type {{ node: string, secondsAtMost: number, evictions: Omit<Eviction, 'after'>[] }[]} */
  rounds = [];
  /** @type {Set<string>} */
  evicted = new Set();
  /** The evicted pods, and those that were decided since. @type {Set<string>} */
  changed = new Set();

  /**
   * @param {{ cluster: ChangedCluster, budgets: Budgets, readySeconds: number, signal?:
   *   AbortSignal }} parts
   */
  constructor({ cluster, budgets, readySeconds, signal }) {
    this.cluster = cluster;
    this.#budgets = budgets;
    this.#readySeconds = readySeconds;
    this.#signal = signal;
  }

  get future() {
    return this.cluster.future;
  }

  /**
   * Evicts until no budget grants anything any more. A blocked node is tried again after the
   * others. Each round evicts a pod at least, so the rounds end.
   * @param {NodePlan[]} plans
   * @param {(done: number) => void} progress
   */
  async through(plans, progress) {
    for (let before = -1; this.rounds.length > before;) {
      before = this.rounds.length;
      for (const plan of plans) while (await this.#round(plan)) progress(this.evicted.size);
    }
  }

  /**
   * @param {NodePlan} plan
   * @returns {Promise<boolean>} whether anything was evicted
   */
  async #round(plan) {
    this.#signal?.throwIfAborted();
    const here = new Set(this.future.podsOn(plan.node));
    plan.left = plan.left.filter((key) => here.has(key));
    this.#budgets.refresh();
    const pods = podsOf(this.future, plan.left);
    /** @type {Omit<Eviction, 'after'>[]} */
    const evictions = [];
    for (const [pod, object] of pods) {
      const answer = this.#budgets.ask(object);
      if (!answer.isAllowed) continue;
      const { terminationGracePeriodSeconds = GRACE_PERIOD } = object.spec;
      const gracePeriodSeconds = terminationGracePeriodSeconds;
      evictions.push({ pod, budget: answer.budget, gracePeriodSeconds });
    }
    if (evictions.length === 0) return false;
    this.#evict(evictions.map(({ pod }) => /** @type {KubernetesObject} */ (pods.get(pod))));
    for (const { pod } of evictions) this.evicted.add(pod);
    plan.left = plan.left.filter((key) => !this.evicted.has(key));
    const decided = await this.future.settle({ signal: this.#signal });
    const changed = new Set([...evictions.map(({ pod }) => pod), ...decided]);
    for (const pod of changed) this.changed.add(pod);
    this.#note(changed);
    const longest = evictions.reduce(
      (most, { gracePeriodSeconds }) => Math.max(most, gracePeriodSeconds),
      0,
    );
    this.rounds.push({
      node: plan.node,
      secondsAtMost: longest + this.#readySeconds,
      evictions,
    });
    return true;
  }

  /** Pods without a controller end. @param {KubernetesObject[]} pods */
  #evict(pods) {
    const isBare = (/** @type {KubernetesObject} */ pod) => attachmentOf(pod) === 'Bare';
    this.cluster.remove(pods.filter(isBare));
    this.future.displace(pods.filter((pod) => !isBare(pod)).map(keyOf));
  }

  /** Tells the budgets where pods are now. @param {Iterable<string>} pods */
  #note(pods) {
    this.#budgets.update([...pods].map((pod) => [pod, this.future.fateOf(pod).state]));
  }

  /**
   * Returns the pods of a node that cannot be evicted, with the reasons.
   * @param {NodePlan} plan
   * @returns {BlockedPod[]}
   */
  blockedOf({ node, left }) {
    this.#budgets.refresh();
    return [...podsOf(this.future, left)].flatMap(([pod, object]) => {
      const answer = this.#budgets.ask(object);
      if (answer.isAllowed) return [];
      return [{ pod, node, message: answer.message, budgets: answer.budgets }];
    });
  }
}

/**
 * @param {NodePlan[]} plans
 * @param {{ run: DrainRun, population: Population }} parts
 */
function answerOf(plans, { run, population }) {
  const { future } = run;
  const fateOf = (/** @type {string} */ pod) => withReason(future.fateOf(pod), future.pod(pod));
  const nodes = plans.map(({ node, stays, refused, left }) => {
    const isDrained = refused.length === 0 && left.length === 0;
    return { node, isDrained, stays, refused };
  });
  const rounds = run.rounds.map((round) => ({
    ...round,
    evictions: round.evictions.map((one) => ({ ...one, after: fateOf(one.pod) })),
  }));
  const moved = worseIn(run).map((pod) => ({ pod, after: fateOf(pod) }));
  const waiting = moved.filter(({ after }) => after.state === 'Pending');
  const preempted = moved
    .filter(({ pod, after }) => after.preemptedBy !== undefined && !run.evicted.has(pod))
    .map(({ pod, after }) => ({
      pod,
      before: String(population.pod(pod)?.spec?.nodeName),
      after,
    }));
  return documentOf('Drain', future.scheduler, {
    isDrained: nodes.every((one) => one.isDrained),
    isPlaced: waiting.length === 0,
    secondsAtMost: rounds.reduce((sum, { secondsAtMost }) => sum + secondsAtMost, 0),
    nodes,
    rounds,
    blocked: plans.flatMap((plan) => run.blockedOf(plan)),
    waiting: waiting.map(({ pod, after }) => ({ pod, message: after.message })),
    preempted,
  });
}

/**
 * Returns the pods that the drain moved, and that wait or were preempted: in the order in which
 * they were moved.
 * @param {DrainRun} run
 */
function worseIn({ future, changed }) {
  const worse = [...changed].filter((pod) => {
    const { state, preemptedBy } = future.fateOf(pod);
    return future.hasMoved(pod) && (state === 'Pending' || preemptedBy !== undefined);
  });
  if (worse.length < 2) return worse;
  const wanted = new Set(worse);
  return [...new Set([...future.moving, ...future.gone])].filter((pod) => wanted.has(pod));
}

/**
 * @param {Future} future
 * @param {string[]} keys
 * @returns {Map<string, KubernetesObject>}
 */
function podsOf(future, keys) {
  return new Map(
    keys.flatMap((key) => {
      const pod = future.pod(key);
      return pod ? [[key, pod]] : [];
    }),
  );
}

/**
 * @param {Scheduler} scheduler
 * @param {string[]} nodes
 * @param {number} readySeconds
 */
function checkQuestion(scheduler, nodes, readySeconds) {
  if (!Array.isArray(nodes) || nodes.length === 0)
    throw fault('nodes', 'FieldValueRequired', nodes, 'the name of a node is expected');
  for (const [index, node] of nodes.entries())
    if (typeof node !== 'string' || !scheduler.get('Node', node))
      throw fault(`nodes[${index}]`, 'FieldValueInvalid', node, `Not found: "${node}"`);
  if (!Number.isInteger(readySeconds) || readySeconds < 0)
    throw fault(
      'readySeconds',
      'FieldValueInvalid',
      readySeconds,
      'a whole number from 0 is expected',
    );
}

/**
 * @param {string} field
 * @param {string} code
 * @param {unknown} value
 * @param {string} detail
 */
function fault(field, code, value, detail) {
  return new InputError({ code, kind: 'Drain', field, value, detail });
}
