/** Runs the failures of a sweep, each in a transaction of a fork of the cluster. */
import { ApiError } from '../../kubernetes/api_error.js';
import { InputError } from '../../kubernetes/errors.js';
import { labelOf, parseLabelSelector } from '../../kubernetes/label_selector.js';
import { pause } from '../../runtimes/pause.js';
import { Future } from '../future.js';
import { Population } from '../population.js';
import { checkedSets, Failures, parseFailures } from './failures.js';
import { Room } from './room.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Failure, FailureGroup, FailureSet, Part } from './failures.js'
 */

/**
 * What a sweep asks.
 * @typedef {object} SweepQuestion
 * @property {string | FailureSet[]} failures such as `nodes:1,zones:1,pairs`
 * @property {string} [topologyKey] the label of nodes that names racks
 * @property {string} [byLabel] pods that wait are also grouped by the value of this label
 * @property {string} [selector] only pods with such labels are reported: `tier=gold,app!=x`
 * @property {string} [namespace] only pods of this namespace are reported
 */

/**
 * A pod that waits after a failure. `node`: its node before.
 * @typedef {object} WaitingPod
 * @property {string} pod `namespace/name`
 * @property {string} node
 * @property {number} priority
 * @property {string | null} [label] its value of the label `byLabel`
 * @property {string} message of the last decision about it
 * @property {string} [preemptedBy] the pod for which it was evicted
 */

/**
 * A failure that leaves pods pending. `displaced`: pods of the failed nodes that need another one.
 * `waiting`: how many pods wait; `pods`: the first of them.
 * @typedef {object} FailureReport
 * @property {number} task its index among all failures
 * @property {string} failure such as `node/a+node/b`
 * @property {string[]} parts
 * @property {number} displaced
 * @property {number} waiting
 * @property {{ priority: number, pods: number }[]} byPriority the highest first
 * @property {{ value: string | null, pods: number }[]} [byLabel] the most pods first
 * @property {WaitingPod[]} pods
 */

/**
 * What all parts of a sweep have in common.
 * @typedef {object} SweepHead
 * @property {string} kubernetesVersion
 * @property {FailureGroup[]} groups
 * @property {number} tasks
 * @property {string} [byLabel]
 * @property {string} [selector]
 * @property {string} [namespace]
 */

/** The number of pods that a report lists. */
const PODS_LISTED = 100;

/** The failures of a sweep as tasks, which depend on nothing but the cluster and their index. */
export class SweepTasks {
  #scheduler;
  #population;
  #failures;
  #question;
  #selects;
  /** @type {Room | undefined} */
  #room;
  /**
   * The fork of the last failure, in which the first part of a pair has failed. Its caches stay
   * warm from one failure to the next.
   * @type {{ first: string | undefined, future: Future } | undefined}
   */
  #held;
  /** The failures that run: one at a time has a transaction. @type {Promise<unknown>} */
  #running = Promise.resolve();

  /**
   * @param {Scheduler} scheduler with the simulated API; its pending pods should have been tried
   * @param {SweepQuestion} question
   * @param {{ population?: Population, onlyInTree?: boolean }} [options] `onlyInTree`: no plugin or
   *   extender of the host filters nodes, and PodTopologySpread has no default constraint that
   *   does; then failures that displace plain pods need not be run if there is enough room
   * @throws {InputError} if the question cannot be asked of this cluster
   */
  constructor(scheduler, question, options = {}) {
    const { population = new Population(scheduler), onlyInTree = false } = options;
    const { failures, topologyKey, byLabel, selector, namespace } = question;
    const sets =
      typeof failures === 'string'
        ? parseFailures(failures, { topologyKey })
        : checkedSets(failures);
    this.#scheduler = scheduler;
    this.#population = population;
    this.#failures = new Failures(sets, { scheduler, population });
    this.#question = { byLabel, selector, namespace };
    this.#selects = selectionOf({ selector, namespace });
    if (onlyInTree && population.isSettled) this.#room = new Room(scheduler, population);
  }

  /** The number of failures. */
  get length() {
    return this.#failures.length;
  }

  /**
   * Returns what fails in a task.
   * @param {number} index less than `length`
   * @returns {Failure}
   */
  at(index) {
    return this.#failures.at(index);
  }

  /** @returns {SweepHead} */
  get head() {
    const { kubernetesVersion } = this.#scheduler;
    const { groups, length: tasks } = this.#failures;
    const given = Object.entries(this.#question).filter(([, value]) => value !== undefined);
    return { kubernetesVersion, groups, tasks, ...Object.fromEntries(given) };
  }

  /**
   * Runs one failure.
   * @param {number} index less than `length`
   * @param {{ signal?: AbortSignal }} [options]
   * @returns {Promise<FailureReport | null>} null if no pod waits that had a node before
   * @throws the signal's reason
   */
  async run(index, { signal } = {}) {
    const failure = this.#failures.at(index);
    if (this.#isHarmless(failure) || this.#room?.isEnough(failure.parts)) return null;
    // Cycles of one call do not yield: without a pause no message could abort.
    await pause();
    signal?.throwIfAborted();
    const earlier = this.#running;
    const report = earlier.then(() => this.#runNext(index, failure, signal));
    this.#running = report.catch(() => {});
    return report;
  }

  /**
   * @param {number} index
   * @param {Failure} failure
   * @param {AbortSignal} [signal]
   */
  #runNext(index, failure, signal) {
    const last = /** @type {Part} */ (failure.parts.at(-1));
    const before = this.#before(failure.parts.length === 1 ? undefined : failure.parts[0]);
    return before.scheduler.transaction(async (transaction) => {
      const future = before.branch(transaction);
      future.removeNodes(last.nodes);
      await future.settle({ signal });
      return this.#reportOf(index, failure, future);
    });
  }

  /** Frees the memory of the fork. */
  dispose() {
    this.#held?.future.scheduler.dispose();
    this.#held = undefined;
  }

  /**
   * Whether a failure changes nothing for any pod: no pod waits now, and none needs another node.
   * @param {Failure} failure
   */
  #isHarmless({ parts }) {
    return (
      this.#population.isSettled &&
      parts.every(({ nodes }) =>
        nodes.every((node) =>
          this.#population
            .podsOn(node)
            .every((pod) => this.#population.linesOf(pod).addition === null),
        ),
      )
    );
  }

  /**
   * Returns a future in which a part has failed, or none, before the scheduler's next cycle.
   * @param {Part} [part]
   */
  #before(part) {
    if (!this.#held || this.#held.first !== part?.name) {
      this.dispose();
      const future = new Future(this.#scheduler.fork(), this.#population);
      this.#held = { first: part?.name, future };
      if (part) future.removeNodes(part.nodes);
    }
    return this.#held.future;
  }

  /**
   * @param {number} task
   * @param {Failure} failure
   * @param {Future} future settled
   * @returns {FailureReport | null}
   */
  #reportOf(task, { name, parts }, future) {
    const lost = new Set(parts.flatMap(({ nodes }) => nodes));
    let displaced = 0;
    /** @type {WaitingPod[]} */
    const waiting = [];
    for (const key of future.moving) {
      const { node } = this.#population.linesOf(key);
      // Pods that waited before are not the failure's, even if one was placed and evicted.
      if (!node) continue;
      if (lost.has(node)) displaced += 1;
      const { state, message, preemptedBy } = future.fateOf(key);
      // A pod without a decision belongs to another scheduler.
      if (state !== 'Pending' || message === '') continue;
      const pod = this.#podOf(key);
      if (!this.#selects(pod)) continue;
      waiting.push(this.#waitingPod(pod, { node, message, preemptedBy }));
    }
    if (waiting.length === 0) return null;
    waiting.sort((a, b) => b.priority - a.priority || compare(a.pod, b.pod));
    return {
      task,
      failure: name,
      parts: parts.map((part) => part.name),
      displaced,
      waiting: waiting.length,
      ...this.#groupsOf(waiting),
      pods: waiting.slice(0, PODS_LISTED),
    };
  }

  /**
   * @param {KubernetesObject} pod
   * @param {{ node: string, message: string, preemptedBy?: string }} fate
   * @returns {WaitingPod}
   */
  #waitingPod({ metadata, spec }, { node, message, preemptedBy }) {
    const { byLabel } = this.#question;
    return {
      pod: `${metadata.namespace}/${metadata.name}`,
      node,
      priority: spec.priority ?? 0,
      ...(byLabel !== undefined && { label: labelOf(metadata.labels, byLabel) ?? null }),
      message,
      ...(preemptedBy !== undefined && { preemptedBy }),
    };
  }

  /** @param {WaitingPod[]} waiting the highest priority first */
  #groupsOf(waiting) {
    const byPriority = countsOf(waiting.map(({ priority }) => priority));
    const priorities = byPriority.map(([priority, pods]) => ({ priority, pods }));
    if (this.#question.byLabel === undefined) return { byPriority: priorities };
    const byLabel = countsOf(waiting.map(({ label = null }) => label))
      .map(([value, pods]) => ({ value, pods }))
      .sort((a, b) => b.pods - a.pods || compare(a.value ?? '', b.value ?? ''));
    return { byPriority: priorities, byLabel };
  }

  /** @param {string} key @returns {KubernetesObject} */
  #podOf(key) {
    return /** @type {KubernetesObject} */ (this.#population.pod(key));
  }
}

/**
 * @param {{ selector?: string, namespace?: string }} selection
 * @returns {(pod: KubernetesObject) => boolean}
 * @throws {InputError}
 */
function selectionOf({ selector, namespace }) {
  const labels = selector === undefined ? undefined : parsedSelector(selector);
  return ({ metadata }) =>
    (namespace === undefined || metadata.namespace === namespace) &&
    (labels === undefined || labels.matches(metadata.labels));
}

/** @param {string} selector */
function parsedSelector(selector) {
  try {
    return parseLabelSelector(selector);
  } catch (cause) {
    if (!(cause instanceof ApiError)) throw cause;
    const detail = cause.message;
    const fields = { code: 'FieldValueInvalid', field: 'selector', value: selector, detail };
    throw new InputError(fields, { cause });
  }
}

/**
 * Counts equal values, in the order in which they first occur.
 * @template T
 * @param {T[]} values
 * @returns {[T, number][]}
 */
function countsOf(values) {
  /** @type {Map<T, number>} */
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

/** @param {string} a @param {string} b */
function compare(a, b) {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
