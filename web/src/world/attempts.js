/** Past attempts, asked about again: the log is replayed up to each. */

/**
 * @import { Engine } from '../../../js/src/engine.js'
 * @import { Scheduler } from '../../../js/src/scheduler.js'
 * @import { Evaluation } from '../../../js/src/types.js'
 */

export class Attempts {
  #engine;
  /** The one that was asked about last. @type {{ log: object, line: number, scheduler: Scheduler }
   *   | undefined} */
  #latest;

  /** @param {Engine} engine */
  constructor(engine) {
    this.#engine = engine;
  }

  /**
   * What the scheduler saw and said when it tried a pod.
   * @param {readonly string[]} log of the scheduler; the same array as long as it grows
   * @param {number} line how many of its lines were there before the attempt
   * @param {string} pod `namespace/name`
   * @returns {Promise<Evaluation>} with every refusal, as a table over all nodes
   * @throws {import('../../../js/src/errors.js').InputError} when the pod was not there
   */
  async evaluate(log, line, pod) {
    const scheduler = await this.#standingAt(log, line);
    return scheduler.evaluate(pod, { detail: 'table', allPlugins: true, everyNode: true });
  }

  dispose() {
    this.#latest?.scheduler.dispose();
    this.#latest = undefined;
  }

  /**
   * @param {readonly string[]} log
   * @param {number} line
   */
  async #standingAt(log, line) {
    if (this.#latest?.log === log && this.#latest.line === line) return this.#latest.scheduler;
    this.dispose();
    const scheduler = await this.#engine.replay(log.slice(0, line));
    this.#latest = { log, line, scheduler };
    return scheduler;
  }
}
