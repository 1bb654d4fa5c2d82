/** Questions about pods in the world with the other configuration. */

/**
 * @import { PickNotes } from '../../../js/src/index.js'
 * @import { AttemptEvaluation } from './attempt_evaluation.js'
 * @import { Comparison } from './comparison.js'
 */

export class OtherQuestions {
  #comparison;

  /** @param {() => Comparison | undefined} comparison undefined: nothing is compared */
  constructor(comparison) {
    this.#comparison = comparison;
  }

  /**
   * As `evaluate`, in the other world.
   * @param {string} pod `namespace/name`
   * @param {number} [attempt] of a row of `otherRowsAbout`
   * @returns {Promise<AttemptEvaluation | null>} null if the pod or the attempt does not exist
   *   there
   */
  async evaluateOther(pod, attempt) {
    return (await this.#comparison()?.evaluate(pod, attempt)) ?? null;
  }

  /**
   * The attempts at a pod in the other world, and their bindings.
   * @param {string} pod `namespace/name`
   */
  otherRowsAbout(pod) {
    return this.#comparison()?.rowsAbout(pod) ?? [];
  }

  /** As `explainScore`, of `evaluateOther`. @param {{ plugin: string, node: string }} cell */
  explainOtherScore({ plugin, node }) {
    return this.#comparison()?.inquiry?.explainScore(plugin, node) ?? null;
  }

  /** As `explainPick`, for the last `evaluateOther`. @returns {PickNotes | null} */
  explainOtherPick() {
    return this.#comparison()?.inquiry?.explainPick() ?? null;
  }

  /** As `explainDevices`, for the last `evaluateOther`. */
  explainOtherDevices() {
    return this.#comparison()?.inquiry?.explainDevices() ?? null;
  }
}
