/** A future of a cluster: changes that are applied to a fork of it, and what the scheduler does. */
import { podKeyOf } from '../kubernetes/keys.js';
import { unplaced } from '../engine/object_events.js';
import { volumeRemovals } from '../engine/own_claims.js';
import { endsWithNode, linesFor, queuedPods } from './population.js';
import { LastDecisions } from './last_decisions.js';
import { LayeredMap } from './layered_map.js';
import { onFork } from './on_fork.js';

/**
 * @import { Scheduler } from '../engine/scheduler.js'
 * @import { Decision } from '../engine/types.js'
 * @import { KubernetesObject, WatchEvent } from '../kubernetes/types.js'
 * @import { Population } from './population.js'
 */

/**
 * Where a pod is in a future. `node` is null for a pod that waits, and for one that is gone.
 * `message` is the one of the last decision about a pod without a node.
 * @typedef {object} Fate
 * @property {'Placed' | 'Pending' | 'Gone'} state
 * @property {string | null} node
 * @property {string} message
 * @property {string} [preemptedBy] the pod for which it was evicted, `namespace/name`
 */

/**
 * The duration of the simulated time after which retries end: longer than any backoff, and less
 * than the five minutes after which kube-scheduler retries every pod. Milliseconds.
 */
export const SETTLING = 240_000;

/** The number of cycles between two looks at the signal. */
const CYCLES = 2_000;

/**
 * Calls `use` with a future of the scheduler's cluster; afterwards the cluster is as before.
 * @template T
 * @param {Scheduler} scheduler with the simulated API
 * @param {Population} population of the scheduler
 * @param {(future: Future) => Promise<T>} use
 * @returns {Promise<T>}
 */
export function inFuture(scheduler, population, use) {
  return onFork(scheduler, (fork) => use(new Future(fork, population)));
}

const copyOfSet = (/** @type {Set<string>} */ set) => new Set(set);

/** Changes on a fork. What it reads of a pod's past comes from the population. */
export class Future {
  #population;
  /** The time of the last decision here: milliseconds. @type {number | undefined} */
  #settledAt;
  #decided = new LastDecisions();
  /** The pods that were evicted, and for which pod. @type {LayeredMap<string, string>} */
  #preempted = new LayeredMap();
  /** Pods that were taken off their nodes, or created here. @type {LayeredMap<string, true>} */
  #moving = new LayeredMap();
  /** @type {LayeredMap<string, true>} */
  #gone = new LayeredMap();
  /** The pods that were applied here. @type {LayeredMap<string, KubernetesObject>} */
  #applied = new LayeredMap();
  /** Those that were applied with a node, by its name. @type {LayeredMap<string, Set<string>>} */
  #appliedOn = new LayeredMap();
  /** The names of the nodes that were applied here. @type {LayeredMap<string, true>} */
  #nodes = new LayeredMap();

  /**
   * @param {Scheduler} scheduler the fork
   * @param {Population} population
   */
  constructor(scheduler, population) {
    this.scheduler = scheduler;
    this.#population = population;
  }

  /**
   * Returns a future that begins as this one is now, which takes no time: this one must not change
   * while the branch is used.
   * @param {Scheduler} [scheduler] a transaction of this one's scheduler; default: a fork, of which
   *   the caller disposes
   * @returns {Future}
   */
  branch(scheduler = this.scheduler.fork()) {
    const branch = new Future(scheduler, this.#population);
    branch.#settledAt = this.#settledAt;
    branch.#decided = this.#decided.layer();
    branch.#preempted = this.#preempted.layer();
    branch.#moving = this.#moving.layer();
    branch.#gone = this.#gone.layer();
    branch.#applied = this.#applied.layer();
    branch.#appliedOn = this.#appliedOn.layer();
    branch.#nodes = this.#nodes.layer();
    return branch;
  }

  /** The pods that were displaced, evicted or added, in that order. */
  get moving() {
    return this.#moving.keys();
  }

  /** The pods that ended with their node, or were deleted. */
  get gone() {
    return this.#gone.keys();
  }

  /** Whether a pod is among `moving` or `gone`. @param {string} key `namespace/name` */
  hasMoved(key) {
    return this.#moving.has(key) || this.#gone.has(key);
  }

  /** The pods that were applied, `namespace/name`. @returns {IterableIterator<string>} */
  get applied() {
    return this.#applied.keys();
  }

  /** The nodes that were added or changed, by name. */
  get appliedNodes() {
    return this.#nodes.keys();
  }

  /**
   * Returns a pod as it was before the scheduler placed it here: the applied one, or that of the
   * population; undefined if it does not exist or ended.
   * @param {string} key `namespace/name`
   * @returns {KubernetesObject | undefined}
   */
  pod(key) {
    if (this.#gone.has(key)) return undefined;
    return this.#applied.get(key) ?? this.#population.pod(key);
  }

  /**
   * Returns a pod as `pods` has it: without a node if it was displaced here.
   * @param {string} key `namespace/name`
   * @returns {KubernetesObject | undefined}
   */
  standing(key) {
    const pod = this.pod(key);
    const isDisplaced = pod && this.#moving.has(key) && !this.#applied.has(key);
    return isDisplaced ? unplaced(pod) : pod;
  }

  /** All pods as they were before the scheduler placed any here. @returns {KubernetesObject[]} */
  get pods() {
    const past = this.#population.pods.flatMap((pod) => {
      const key = podKeyOf(pod);
      if (this.#gone.has(key) || this.#applied.has(key)) return [];
      return [this.#moving.has(key) ? unplaced(pod) : pod];
    });
    return [...past, ...this.#applied.values()];
  }

  /**
   * Returns the pods that are on a node now, `namespace/name`: those of the population that did not
   * move since, those that were applied with this node, and those that were placed on it here.
   * @param {string} node
   * @returns {string[]}
   */
  podsOn(node) {
    const isSettled = (/** @type {string} */ key) => !this.#moving.has(key) && !this.#gone.has(key);
    const past = this.#population.podsOn(node).filter((key) => !this.#applied.has(key));
    const applied = [...(this.#appliedOn.get(node) ?? [])];
    return [...past.filter(isSettled), ...applied.filter(isSettled), ...this.#decided.podsOn(node)];
  }

  /**
   * Applies objects and watch events. Pods without a node become pods to report.
   * @param {(KubernetesObject | WatchEvent)[]} changes
   */
  apply(changes) {
    this.scheduler.apply(changes.flatMap((change) => this.#withOwnVolumes(change)));
    for (const change of changes) {
      const object = /** @type {any} */ (change).object ?? change;
      const isGone = /** @type {any} */ (change).type === 'DELETED';
      if (object.kind === 'Node' && !isGone) this.#nodes.set(object.metadata.name, true);
      if (object.kind !== 'Pod') continue;
      const key = podKeyOf(object);
      this.#decided.delete(key);
      this.#moving.delete(key);
      this.#forgetApplied(key);
      if (isGone) {
        this.#gone.set(key, true);
        continue;
      }
      this.#gone.delete(key);
      this.#applied.set(key, object);
      const node = object.spec?.nodeName;
      if (!node) this.#moving.set(key, true);
      else this.#appliedOn.set(node, (this.#appliedOn.own(node, copyOfSet) ?? new Set()).add(key));
    }
  }

  /** @param {string} key */
  #forgetApplied(key) {
    const node = this.#applied.get(key)?.spec?.nodeName;
    if (node) this.#appliedOn.own(node, copyOfSet)?.delete(key);
    this.#applied.delete(key);
  }

  /**
   * A deleted pod takes the claims of its ephemeral volumes with it.
   * @param {KubernetesObject | WatchEvent} change
   */
  #withOwnVolumes(change) {
    const { type, object } = /** @type {WatchEvent} */ (change);
    if (type !== 'DELETED' || object?.kind !== 'Pod') return [change];
    return [change, ...volumeRemovals(object, this.scheduler)];
  }

  /**
   * Removes nodes with their pods. Pods of DaemonSets and static pods end; all others are created
   * again without a node, in the order of the nodes and of the pods on them.
   * @param {string[]} nodes
   */
  removeNodes(nodes) {
    const pods = nodes.flatMap((node) => this.podsOn(node));
    const removals = nodes.map((name) =>
      JSON.stringify({
        type: 'DELETED',
        object: { apiVersion: 'v1', kind: 'Node', metadata: { name } },
      }),
    );
    this.#displace(pods, removals);
  }

  /**
   * Takes pods off their nodes; those that do not end with their node are created again.
   * @param {string[]} pods `namespace/name`
   */
  displace(pods) {
    this.#displace(pods, []);
  }

  /**
   * @param {string[]} pods
   * @param {string[]} between watch events after the removals and before the additions
   */
  #displace(pods, between) {
    /** @type {string[]} */
    const additions = [];
    const removals = pods.flatMap((key) => {
      const { removal, addition } = this.#linesOf(key);
      const volumes = this.#volumeLines(key);
      this.#decided.delete(key);
      if (addition === null) this.#gone.set(key, true);
      else {
        this.#moving.set(key, true);
        additions.push(addition);
      }
      return [removal, ...volumes];
    });
    this.scheduler.apply([...removals, ...between, ...additions].join('\n'), { format: 'lines' });
  }

  /** @param {string} key `namespace/name` */
  #linesOf(key) {
    const applied = this.#applied.get(key);
    if (!applied) return this.#population.linesOf(key);
    return linesFor(applied, this.scheduler, this.#population.endingNamespaces);
  }

  /** Returns what deletes a pod's ephemeral volumes. @param {string} key `namespace/name` */
  #volumeLines(key) {
    if (!this.#linesOf(key).hasVolumes) return [];
    const pod = /** @type {KubernetesObject} */ (this.pod(key));
    return volumeRemovals(pod, this.scheduler).map((event) => JSON.stringify(event));
  }

  /**
   * Runs the scheduler until no pod moves any more. Evicted pods are created again as their
   * controllers would.
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<Set<string>>} the pods that were decided or preempted, `namespace/name`
   * @throws the signal's reason
   */
  async settle({ signal } = {}) {
    /** @type {Set<string>} */
    const changed = new Set();
    this.#settledAt ??= this.#population.now;
    const until = this.#settledAt + SETTLING;
    for (;;) {
      signal?.throwIfAborted();
      const decisions = await this.scheduler.schedule({ until, maxAttempts: CYCLES, signal });
      if (decisions.length === 0) return changed;
      for (const decision of decisions) {
        changed.add(decision.pod);
        this.#settledAt = Date.parse(decision.at);
        for (const victim of this.#remember(decision)) changed.add(victim);
      }
    }
  }

  /** Milliseconds. Only settling moves the clock, so until then the population knows the time. */
  get now() {
    if (this.#settledAt === undefined) return this.#population.now;
    return Date.parse(this.scheduler.inspect().now);
  }

  /** @param {Decision} decision @returns {string[]} the pods that it preempts */
  #remember(decision) {
    this.#decided.set(decision);
    const victims = decision.preemption?.victims ?? [];
    for (const victim of victims) {
      this.#preempted.set(victim, decision.pod);
      this.#decided.delete(victim);
    }
    const returning = victims.filter((victim) => {
      const pod = this.pod(victim);
      return pod && !endsWithNode(pod, this.scheduler, this.#population.endingNamespaces);
    });
    const volumes = victims.flatMap((victim) => this.#volumeLines(victim));
    victims
      .filter((victim) => !returning.includes(victim))
      .forEach((pod) => this.#gone.set(pod, true));
    for (const victim of returning) this.#moving.set(victim, true);
    const lines = [...volumes, ...returning.map((victim) => this.#linesOf(victim).addition)];
    if (lines.length > 0) this.scheduler.apply(lines.join('\n'), { format: 'lines' });
    return victims;
  }

  /**
   * Returns where a pod is now.
   * @param {string} pod `namespace/name`
   * @returns {Fate}
   */
  fateOf(pod) {
    const preemptedBy = this.#preempted.get(pod);
    const rest = preemptedBy === undefined ? {} : { preemptedBy };
    if (this.#gone.has(pod)) return { state: 'Gone', node: null, message: '', ...rest };
    const decision = this.#decided.get(pod);
    if (decision?.node) return { state: 'Placed', node: decision.node, message: '', ...rest };
    const message = decision?.message ?? '';
    if (decision || this.#moving.has(pod))
      return { state: 'Pending', node: null, message, ...rest };
    const { node } = this.scheduler.inspect({ pod });
    return { state: node ? 'Placed' : 'Pending', node, message, ...rest };
  }

  /** The decisions, the last one for each pod. @returns {Iterable<Decision>} */
  get decisions() {
    return this.#decided.all;
  }

  /**
   * Returns the pods that wait, `namespace/name`, with the message of their last decision.
   * @returns {{ pod: string, message: string }[]}
   */
  pending() {
    const queued = queuedPods(this.scheduler);
    return queued.map((pod) => ({ pod, message: this.#decided.get(pod)?.message ?? '' }));
  }
}
