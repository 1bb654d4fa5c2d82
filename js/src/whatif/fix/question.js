/** A question about one pod: reads its cluster, and lets the engine try edits. */
import { hasOwnClaims, onceClaimsExist } from '../../engine/awaited_claims.js';
import { withoutOwnClaims } from '../../engine/own_claims.js';
import { keyOf } from '../../kubernetes/keys.js';
import { InputError } from '../../kubernetes/errors.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { itemsIn } from '../../kubernetes/values.js';
import { clusterChanges, editedPod } from './edit.js';
import { coversAllNodes, Obstacles } from './obstacles.js';
import { onFork } from '../on_fork.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { EvaluateOptions, Evaluation } from '../../engine/types.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Edit } from './edit.js'
 */

/**
 * What became of the pod with some edits: its node, or null; `evicted` are the pods that
 * preemption removed, `namespace/name`. `isRun`: a cycle on a fork told, not an evaluation.
 * @typedef {{ node: string | null, evicted: string[], isRun: boolean }} Trial
 */

/** The number of cycles that a pod gets: one that evicts others needs a second one. */
const CYCLES = 3;

/** The nodes that edits are made for: the nearest ones. */
const NODES = 32;

/** The options of evaluations that edits are made from. */
const WITH_CULPRITS = Object.freeze({ culprits: true, culpritNodes: NODES });

const ONLY_THE_NODE = Object.freeze(
  /** @type {const} */ ({ detail: 'summary', preemption: false }),
);

/** Of edits that leave a refusal on every node. @type {Readonly<Trial>} */
const NOWHERE = Object.freeze({ node: null, evicted: [], isRun: false });

/** The most forks that are kept. */
const FORKS_MAX = 16;

/** Reads what edits are made of, and tries them; `dispose` it. */
export class Question {
  /** @type {Map<string, KubernetesObject | undefined>} */
  #objects = new Map();
  /** @type {Map<string, Trial>} */
  #trials = new Map();
  /** Of the sets that were evaluated. @type {Obstacles[]} */
  #obstacles = [];
  /** @type {Map<string, any>} */
  #made = new Map();
  /** The last one used is the last. @type {Map<string, Scheduler>} */
  #forks = new Map();
  #signal;

  /**
   * @param {Scheduler} scheduler one that keeps objects
   * @param {KubernetesObject} pod complete
   * @param {{ signal?: AbortSignal }} [options]
   */
  constructor(scheduler, pod, { signal } = {}) {
    this.scheduler = scheduler;
    this.pod = pod;
    this.#signal = signal;
  }

  /** The number of sets of edits that were tried. */
  get trials() {
    return this.#trials.size;
  }

  /**
   * @param {string} kind
   * @param {string} name `namespace/name`, or the name
   */
  get(kind, name) {
    const key = `${kind} ${name}`;
    if (!this.#objects.has(key)) this.#objects.set(key, this.scheduler.get(kind, name));
    return this.#objects.get(key);
  }

  /** @param {string} kind */
  list(kind) {
    return this.once(`list ${kind}`, () => this.scheduler.list(kind));
  }

  /**
   * Whether both pods have one controller, which would create the other again at once.
   * @param {KubernetesObject} other
   */
  isSibling(other) {
    const controller = controllerOf(this.pod);
    return controller !== undefined && controllerOf(other)?.uid === controller.uid;
  }

  /**
   * Returns what is made once per question.
   * @template T
   * @param {string} key
   * @param {() => T} make
   * @returns {T}
   */
  once(key, make) {
    if (!this.#made.has(key)) this.#made.set(key, make());
    return this.#made.get(key);
  }

  /**
   * Returns the pods on a node.
   * @param {string} node
   * @returns {KubernetesObject[]}
   */
  podsOn(node) {
    return this.once(`podsOn ${node}`, () => {
      const { pods } = this.scheduler.inspect({ node });
      return pods.flatMap((pod) => this.get('Pod', pod) ?? []);
    });
  }

  /**
   * Returns the evaluation of the pod with some edits: the nearest nodes with every refusal and its
   * culprits; without edits also whether the pod could fit.
   * @param {readonly Edit[]} edits
   * @returns {Promise<Evaluation>}
   */
  async evaluate(edits) {
    const pod = editedPod(this.pod, edits);
    const isPresent = edits.length === 0;
    // The filters of a gated pod only run for `allPlugins`.
    const allPlugins = itemsIn(pod.spec.schedulingGates).length > 0;
    const more = { allPlugins, classify: isPresent, preemption: isPresent, signal: this.#signal };
    const cluster = this.#clusterWith(edits);
    const ask = (/** @type {EvaluateOptions} */ options) =>
      cluster.evaluateAsync(pod, { ...WITH_CULPRITS, ...more, ...options });
    const short = await ask({ detail: 'summary' });
    // The summary knows nothing of nodes that no filter looked at.
    const isWhole = short.node !== null || coversAllNodes(short);
    const evaluation = isWhole ? short : await ask({ everyNode: true });
    this.#obstacles.push(new Obstacles(edits, evaluation));
    return evaluation;
  }

  /**
   * Returns the node that the pod gets with some edits: by an evaluation, or by cycles if the pod
   * evicts others. The engine is not asked if an earlier evaluation shows that there is none.
   * @param {readonly Edit[]} edits
   * @returns {Promise<Trial>}
   */
  async try(edits) {
    const key = setKey(edits);
    const known = this.#trials.get(key);
    if (known) return known;
    this.#signal?.throwIfAborted();
    const trial = this.excludes(edits) ? NOWHERE : await this.#ask(edits);
    this.#trials.set(key, trial);
    return trial;
  }

  /**
   * Whether an earlier evaluation shows that the pod gets no node with these edits.
   * @param {readonly Edit[]} edits
   */
  excludes(edits) {
    return this.#obstacles.some((obstacles) => obstacles.remainWith(edits));
  }

  /** @param {readonly Edit[]} edits */
  #ask(edits) {
    return edits.some(({ preempts }) => preempts) ? this.run(edits) : this.#evaluateOnly(edits);
  }

  /** @param {readonly Edit[]} edits @returns {Promise<Trial>} */
  async #evaluateOnly(edits) {
    const options = { ...ONLY_THE_NODE, signal: this.#signal };
    const pod = editedPod(this.pod, edits);
    const { node } = await this.#clusterWith(edits).evaluateAsync(pod, options);
    return { node, evicted: [], isRun: false };
  }

  /**
   * Returns the cluster with what edits change besides the pod. Sets often differ in the pod alone,
   * so their forks are kept.
   * @param {readonly Edit[]} edits
   * @returns {Scheduler}
   */
  #clusterWith(edits) {
    const own = edits.filter(({ node, creates, removes }) => node || creates || removes);
    if (own.length === 0) return this.scheduler;
    const key = setKey(own);
    const fork = this.#forks.get(key) ?? this.scheduler.fork();
    if (this.#forks.delete(key)) {
      this.#forks.set(key, fork);
      return fork;
    }
    this.#forks.set(key, fork);
    fork.apply(clusterChanges(own));
    // The simulated controllers free what removed pods had, and serve new claims.
    fork.run({ maxCycles: 0 });
    const [[oldest, unused]] = this.#forks;
    if (this.#forks.size > FORKS_MAX && this.#forks.delete(oldest)) unused.dispose();
    return fork;
  }

  /** Disposes of the forks. */
  dispose() {
    for (const fork of this.#forks.values()) fork.dispose();
    this.#forks.clear();
  }

  /**
   * Schedules the pod with some edits on a fork.
   * @param {readonly Edit[]} edits
   * @returns {Promise<Trial>}
   */
  run(edits) {
    const pod = editedPod(this.pod, edits);
    const cycles = edits.some(({ preempts }) => preempts) ? CYCLES : 1;
    const isInCluster = this.get('Pod', keyOf(pod)) !== undefined;
    return onFork(this.scheduler, async (fork) => {
      // The changed pod is a new one, as after `kubectl replace --force`.
      if (isInCluster) fork.remove(this.pod);
      // What earlier changes caused ends here, such as the decision that the old pod is gated.
      fork.run({ maxCycles: 0 });
      fork.apply([...clusterChanges(edits), withoutOwnClaims(pod, fork)]);
      // The simulated controllers create its claims.
      if (hasOwnClaims(pod)) fork.run({ maxCycles: 0 });
      /** @type {string[]} */
      const evicted = [];
      for (let cycle = 0; cycle < cycles; cycle++) {
        const decision = await fork.scheduleOne(keyOf(pod));
        if (decision.node) return { node: decision.node, evicted, isRun: true };
        const victims = decision.preemption?.victims ?? [];
        const isAmongEquals = victims.some((victim) => this.#isSiblingKey(victim));
        if (victims.length === 0 || isAmongEquals) break;
        for (const victim of victims) evicted.push(victim);
      }
      return { node: null, evicted, isRun: true };
    });
  }

  /** @param {string} key `namespace/name` of a pod */
  #isSiblingKey(key) {
    const pod = this.get('Pod', key);
    return pod !== undefined && this.isSibling(pod);
  }
}

/**
 * Calls `use` with a question about a pod, in a cluster that has the pod's own claims.
 * @template T
 * @param {Scheduler} scheduler one that keeps objects
 * @param {KubernetesObject | string} pod the pod, or its `namespace/name`
 * @param {{ signal?: AbortSignal, use: (question: Question) => Promise<T> }} options
 * @returns {Promise<T>}
 * @throws {InputError} if there is no such pod, or it is invalid
 */
export function withQuestion(scheduler, pod, { signal, use }) {
  return onceClaimsExist(scheduler, pod, async (cluster, asked) => {
    const question = new Question(cluster, askedPod(cluster, asked), { signal });
    try {
      return await use(question);
    } finally {
      question.dispose();
    }
  });
}

/**
 * A set of edits, whatever their order.
 * @param {readonly Edit[]} edits
 */
export function setKey(edits) {
  return edits
    .map(({ key }) => key)
    .sort()
    .join('\n');
}

/**
 * Returns the pod that a question is about.
 * @param {Scheduler} scheduler
 * @param {KubernetesObject | string} pod the pod, or its `namespace/name`
 * @returns {KubernetesObject}
 * @throws {InputError} if there is no such pod
 */
export function askedPod(scheduler, pod) {
  if (typeof pod !== 'string') return pod.metadata?.uid ? pod : withDefaults(pod);
  const found = scheduler.get('Pod', pod);
  if (found) return found;
  const [namespace, name] = pod.includes('/') ? pod.split('/') : ['default', pod];
  const detail = 'there is no such pod in the cluster';
  const code = 'FieldValueInvalid';
  throw new InputError({ code, kind: 'Pod', namespace, name, field: 'metadata.name', detail });
}
