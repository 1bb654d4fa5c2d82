/** A question about one pod: reads its cluster, and lets the engine try edits. */
import { keyOf } from '../../kubernetes/keys.js';
import { InputError } from '../../kubernetes/errors.js';
import { withDefaults } from '../../kubernetes/defaults.js';
import { controllerOf } from '../../kubernetes/owners.js';
import { itemsIn } from '../../kubernetes/values.js';
import { clusterChanges, editedPod } from './edit.js';

/**
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { Evaluation } from '../../engine/types.js'
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

/** The options of evaluations that edits are made from. */
const WITH_CULPRITS = Object.freeze({ everyNode: true, culprits: true });

/** Reads what edits are made of, and tries them. */
export class Question {
  /** @type {Map<string, KubernetesObject | undefined>} */
  #objects = new Map();
  /** @type {Map<string, Trial>} */
  #trials = new Map();
  /** @type {Map<string, any>} */
  #made = new Map();
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

  /** The number of edits and sets of edits that the engine has tried. */
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
  evaluate(edits) {
    const pod = editedPod(this.pod, edits);
    const changes = clusterChanges(edits);
    const isPresent = edits.length === 0;
    // The filters of a gated pod only run for `allPlugins`.
    const allPlugins = itemsIn(pod.spec.schedulingGates).length > 0;
    const more = { allPlugins, classify: isPresent, preemption: isPresent, signal: this.#signal };
    const options = { ...WITH_CULPRITS, ...more };
    if (changes.length === 0) return this.scheduler.evaluateAsync(pod, options);
    return this.scheduler.transaction((fork) => {
      fork.apply(changes);
      return fork.evaluateAsync(pod, options);
    });
  }

  /**
   * Returns the node that the pod gets with some edits, by an evaluation if they change the pod
   * alone, else by a cycle on a fork.
   * @param {readonly Edit[]} edits
   * @returns {Promise<Trial>}
   */
  async try(edits) {
    const key = setKey(edits);
    const known = this.#trials.get(key);
    if (known) return known;
    this.#signal?.throwIfAborted();
    const isOfPod = clusterChanges(edits).length === 0 && !edits.some(({ preempts }) => preempts);
    const trial = isOfPod ? await this.#evaluateOnly(edits) : await this.run(edits);
    this.#trials.set(key, trial);
    return trial;
  }

  /** @param {readonly Edit[]} edits @returns {Promise<Trial>} */
  async #evaluateOnly(edits) {
    const pod = editedPod(this.pod, edits);
    const options = /** @type {const} */ ({ detail: 'summary', preemption: false });
    const { node } = await this.scheduler.evaluateAsync(pod, { ...options, signal: this.#signal });
    return { node, evicted: [], isRun: false };
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
    return this.scheduler.transaction(async (fork) => {
      // The changed pod is a new one, as after `kubectl replace --force`.
      if (isInCluster) fork.remove(this.pod);
      // What earlier changes caused ends here, such as the decision that the old pod is gated.
      fork.run({ maxCycles: 0 });
      fork.apply([...clusterChanges(edits), pod]);
      /** @type {string[]} */
      const evicted = [];
      for (let cycle = 0; cycle < cycles; cycle++) {
        const decision = await fork.scheduleOne(keyOf(pod));
        if (decision.node) return { node: decision.node, evicted, isRun: true };
        const victims = decision.preemption?.victims ?? [];
        const isAmongEquals = victims.some((victim) => this.#isSiblingKey(victim));
        if (victims.length === 0 || isAmongEquals) break;
        evicted.push(...victims);
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
