/** Mixes of nodes, tried by the scheduler. */
import { InputError } from '../../kubernetes/errors.js';
import { podKeyOf } from '../../kubernetes/keys.js';
import { unplaced } from '../../engine/object_events.js';
import { Future } from '../future.js';
import { Population } from '../population.js';
import { onFork } from '../on_fork.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Mix } from './mixes.js'
 * @import { PoolNodes } from './pools.js'
 */

/** A pod that waits, and why. @typedef {{ pod: string, message: string }} Waiting */

/** @typedef {{ placed: Map<string, string>, pending: Waiting[] }} Outcome */

/**
 * Takes the pods of all queues out of a fork, and applies new ones first. They come back in each
 * trial, in the order of the queues, and evict no pod.
 * @param {Scheduler} fork
 * @param {KubernetesObject[]} added
 * @returns {{ pods: KubernetesObject[], gated: Waiting[] }} complete; `gated`: those that a gate
 *   holds back
 * @throws {InputError} if a new pod exists, has a node, or has a scheduler that the cluster lacks
 */
export function takePending(fork, added) {
  for (const pod of added) checkAdded(fork, pod);
  fork.apply(added);
  // Until the simulated controllers have created their claims, pods wait at a gate.
  fork.run({ maxCycles: 0 });
  const { active, backoff, unschedulable } = fork.inspect().queues;
  /** @type {Waiting[]} */
  const gated = [];
  /** @type {string[]} */
  const keys = [...active];
  for (const { pod, gated: isGated, message = '' } of [...backoff, ...unschedulable])
    if (isGated) gated.push({ pod, message });
    else keys.push(pod);
  const known = new Set([...keys, ...gated.map(({ pod }) => pod)]);
  for (const pod of added)
    if (!known.has(podKeyOf(pod)))
      throw invalid(pod, 'spec.schedulerName', 'is a scheduler that the configuration lacks');
  const pods = keys.map((key) => {
    const pod = /** @type {KubernetesObject} */ (fork.get('Pod', key));
    const { spec, ...rest } = unplaced(pod);
    return { ...rest, apiVersion: 'v1', kind: 'Pod', spec: { ...spec, preemptionPolicy: 'Never' } };
  });
  const all = [...pods, ...gated.map(({ pod }) => fork.get('Pod', pod))];
  const claims = fork.list('ResourceClaim');
  fork.apply(all.map((object) => ({ type: 'DELETED', object })));
  // The simulated controller takes the claims of pods that are gone; these pods come back.
  fork.run({ maxCycles: 0 });
  fork.apply(claims);
  return { pods, gated };
}

/** Tries mixes on a fork, each once. Counts what it did. */
export class Trials {
  #base;
  #nodes;
  /** @type {Map<string, KubernetesObject>} */
  #pods;
  #lines;
  #population;
  #signal;
  #progress;
  /** By the mix. @type {Map<string, Outcome>} */
  #outcomes = new Map();

  /**
   * @param {Scheduler} base the cluster without the pods
   * @param {{ nodes: PoolNodes, pods: KubernetesObject[], signal?: AbortSignal, progress?:
   *   (trials: number) => void }} parts
   */
  constructor(base, { nodes, pods, signal, progress }) {
    this.#base = base;
    this.#nodes = nodes;
    this.#pods = new Map(pods.map((pod) => [podKeyOf(pod), pod]));
    this.#lines = linesOf(pods);
    this.#population = new Population(base);
    this.#signal = signal;
    this.#progress = progress;
  }

  /** The number of mixes that were tried. */
  get count() {
    return this.#outcomes.size;
  }

  /** Whether the mix was tried. @param {Mix} mix */
  has(mix) {
    return this.#outcomes.has(String(mix));
  }

  /**
   * Returns where the pods are with these nodes.
   * @param {Mix} mix
   * @returns {Promise<Outcome>}
   */
  async run(mix) {
    const key = String(mix);
    const known = this.#outcomes.get(key);
    if (known) return known;
    const outcome = await onFork(this.#base, (fork) => this.#place(fork, mix));
    this.#outcomes.set(key, outcome);
    this.#progress?.(this.count);
    return outcome;
  }

  /**
   * Whether the mix leaves nothing pending.
   * @param {Mix} mix
   */
  async works(mix) {
    return (await this.run(mix)).pending.length === 0;
  }

  /**
   * Calls `use` with the mix in place.
   * @template T
   * @param {Mix} mix
   * @param {(fork: Scheduler, outcome: Outcome) => Promise<T>} use
   * @returns {Promise<T>}
   */
  within(mix, use) {
    return onFork(this.#base, async (fork) => use(fork, await this.#place(fork, mix)));
  }

  /**
   * Places the pods in another scheduler, which has no memory of this one.
   * @param {Mix} mix
   * @param {Scheduler} fresh empty, with the same configuration
   * @param {KubernetesObject[]} objects of the cluster, without the pods
   */
  replay(mix, fresh, objects) {
    fresh.apply(objects);
    return this.#place(fresh, mix);
  }

  /**
   * Groups waiting pods that the scheduler cannot tell apart.
   * @param {Waiting[]} pending
   * @returns {{ pod: KubernetesObject, count: number }[]} with one pod of each group
   */
  groups(pending) {
    /** @type {Map<string, { pod: KubernetesObject, count: number }>} */
    const groups = new Map();
    for (const { pod: key } of pending) {
      const pod = /** @type {KubernetesObject} */ (this.#pods.get(key));
      const { labels } = pod.metadata;
      const text = JSON.stringify([pod.metadata.namespace, labels, pod.spec]);
      const group = groups.get(text);
      if (group) group.count += 1;
      else groups.set(text, { pod, count: 1 });
    }
    return [...groups.values()];
  }

  /** Counts a mix as one that leaves pods pending. @param {Mix} mix @param {Outcome} outcome */
  reject(mix, outcome) {
    this.#outcomes.set(String(mix), outcome);
  }

  /**
   * @param {Scheduler} scheduler
   * @param {Mix} mix
   * @returns {Promise<Outcome>}
   */
  async #place(scheduler, mix) {
    this.#signal?.throwIfAborted();
    scheduler.apply(this.#nodes.of(mix));
    scheduler.apply(this.#lines, { format: 'lines' });
    const future = new Future(scheduler, this.#population);
    await future.settle({ signal: this.#signal });
    /** @type {Map<string, string>} */
    const placed = new Map();
    /** @type {Map<string, string>} */
    const messages = new Map();
    for (const { pod, node, message = '' } of future.decisions)
      if (node && this.#pods.has(pod)) placed.set(pod, node);
      else messages.set(pod, message);
    const waiting = [...this.#pods.keys()].filter((pod) => !placed.has(pod));
    const pending = waiting.map((pod) => ({ pod, message: messages.get(pod) ?? '' }));
    return { placed, pending };
  }
}

/** @param {KubernetesObject[]} pods */
function linesOf(pods) {
  return pods.map((object) => JSON.stringify({ type: 'ADDED', object })).join('\n');
}

/**
 * @param {Scheduler} fork
 * @param {KubernetesObject} pod
 */
function checkAdded(fork, pod) {
  if (pod?.kind !== 'Pod' || !pod.metadata?.name)
    throw invalid(pod, 'kind', 'must be a Pod with a name');
  if (pod.spec?.nodeName) throw invalid(pod, 'spec.nodeName', 'has a node already');
  if (fork.get('Pod', podKeyOf(pod))) throw invalid(pod, 'metadata.name', 'exists already');
}

/**
 * @param {KubernetesObject} object
 * @param {string} field
 * @param {string} detail
 */
function invalid(object, field, detail) {
  const { kind, metadata } = object ?? {};
  const { namespace, name } = metadata ?? {};
  return new InputError({ code: 'FieldValueInvalid', kind, namespace, name, field, detail });
}
