/** What the releases say about the pods of a cluster. */
import { ConfigurationError } from '../../kubernetes/errors.js';
import { withIndex } from './asked_pods.js';

/**
 * @import { InputError } from '../../kubernetes/errors.js'
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { SchedulerOptions } from '../../engine/types.js'
 * @import { UpgradeOptions } from '../upgrade.js'
 * @import { Lines } from './pod_text.js'
 * @import { Row } from './rows.js'
 */

/**
 * Where a pod would be. `node` is null for a pod that waits, which has a message; `preemption`:
 * for which node it would evict which pods; `notProved`: plugins that mattered, and of which no
 * recordings of the release exist.
 * @typedef {object} Answer
 * @property {string | null} node
 * @property {string} message
 * @property {{ node: string, victims: string[] }} [preemption]
 * @property {string[]} [notProved]
 */

/**
 * Asks schedulers that are built for one list of questions each. The first one lives until
 * `dispose`: it reads the cluster, and the others are given what it has read.
 */
export class Releases {
  #lines;
  #options;
  /** @type {Scheduler | undefined} */
  #first;
  /** @type {Set<number>} */
  #reported = new Set();

  /**
   * @param {Lines} lines the cluster
   * @param {UpgradeOptions & { from: string, to: string, onError: (error: InputError) => void,
   *   isReadable: (pod: string) => boolean }} options
   */
  constructor(lines, options) {
    this.#lines = lines;
    this.#options = options;
  }

  dispose() {
    this.#first?.dispose();
  }

  /** @param {string[]} pods `namespace/name` */
  before(pods) {
    return this.#answers({ kubernetesVersion: this.#options.from }, pods);
  }

  /** @param {string[]} pods */
  after(pods) {
    return this.#answers({ kubernetesVersion: this.#options.to }, pods);
  }

  /**
   * Returns the pods whose answer is the wanted one, of the new release with rows as in the old one
   * (`back`), or of the old one with rows as in the new one (`forth`). Rows that cannot be switched
   * together change nothing.
   * @param {Row[]} rows
   * @param {'back' | 'forth'} direction
   * @param {string[]} pods
   * @param {(pod: string, answer: Answer) => boolean} isWanted
   * @returns {Promise<Set<string>>}
   */
  async agreeing(rows, direction, pods, isWanted) {
    const { from, to } = this.#options;
    const switches = rows.map((row) => row[direction]);
    const behaviour = Object.assign({}, ...switches.map((one) => one?.behaviour));
    const featureGates = Object.assign({}, ...switches.map((one) => one?.featureGates));
    const kubernetesVersion = direction === 'back' ? to : from;
    try {
      const answers = await this.#answers({ kubernetesVersion, behaviour, featureGates }, pods);
      return new Set([...answers].filter(([pod, one]) => isWanted(pod, one)).map(([pod]) => pod));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return new Set();
    }
  }

  /**
   * Reports each object once. Objects of kinds that the engine does not read are left out, as
   * `Scheduler.apply` reports them.
   * @param {InputError} error
   * @param {number} index
   */
  #report(error, index) {
    if (error.code === 'UnknownKind' || this.#reported.has(index)) return;
    this.#reported.add(index);
    this.#options.onError(withIndex(error, index));
  }

  /**
   * @param {SchedulerOptions} release
   * @param {string[]} pods
   * @returns {Promise<Map<string, Answer>>}
   */
  async #answers(release, pods) {
    const { engine, schedulerOptions, isReadable, signal, progress = () => {} } = this.#options;
    const keepBatches = !this.#first && !schedulerOptions?.log;
    const scheduler = engine.createScheduler({
      ...schedulerOptions,
      // Draws, as releases until v1.34 make them among equal totals, are no difference.
      tieBreak: schedulerOptions?.tieBreak ?? 'heap',
      ...release,
      featureGates: { ...schedulerOptions?.featureGates, ...release.featureGates },
      keepObjects: false,
      keepBatches,
    });
    if (keepBatches) this.#first = scheduler;
    try {
      this.#give(scheduler);
      // The simulated controllers create the claims of pods.
      scheduler.run({ maxCycles: 0 });
      /** @type {Map<string, Answer>} */
      const answers = new Map();
      for (const pod of pods.filter(isReadable)) {
        signal?.throwIfAborted();
        const evaluation = await scheduler.evaluateAsync(pod, { detail: 'summary', signal });
        answers.set(pod, answerOf(evaluation));
        progress('asking', answers.size, pods.length);
      }
      return answers;
    } finally {
      if (scheduler !== this.#first) scheduler.dispose();
    }
  }

  /** @param {Scheduler} scheduler */
  #give(scheduler) {
    const { signal, progress = () => {} } = this.#options;
    if (this.#first && scheduler !== this.#first) {
      // What these objects are refused for has been reported.
      scheduler.apply(this.#first, { onError: () => {} });
      return;
    }
    for (const { bytes, done, indexOf } of this.#lines.pieces()) {
      signal?.throwIfAborted();
      progress('reading', done, this.#lines.length);
      const onError = (/** @type {InputError} */ error) =>
        this.#report(error, indexOf(error.index ?? -1));
      scheduler.apply(bytes, { format: 'lines', onError });
    }
  }
}

/**
 * @param {import('../../engine/types.js').Evaluation} evaluation
 * @returns {Answer}
 */
function answerOf({ node, message = '', preemption, notProved }) {
  const proof = notProved && { notProved };
  if (!preemption?.nominatedNode) return { node, message, ...proof };
  const { nominatedNode, victims = [] } = preemption;
  return { node, message, preemption: { node: nominatedNode, victims }, ...proof };
}
