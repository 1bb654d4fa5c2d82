/** Questions about one pod at one moment: its evaluation, its scores, and its devices. */
import { InputError, unservedRequests } from '../../../js/src/index.js';
import { attemptEvaluation } from './attempt_evaluation.js';

/**
 * The refusals of DynamicResources, and a sentence about each request that no node can serve.
 * @typedef {{ culprits: Culprit[], unserved: string[] }} DevicesAnswer
 */

/**
 * @import { Culprit, Decision, Evaluation, PickNotes, ScoreNotes } from '../../../js/src/index.js'
 * @import { Moment } from '../world/attempts.js'
 * @import { AttemptEvaluation } from './attempt_evaluation.js'
 */

export class Inquiry {
  #moment;
  #name;
  #decision;
  /** @type {AttemptEvaluation | undefined} */
  #evaluation;

  /**
   * @param {Moment} moment
   * @param {string} name of the pod, `namespace/name`
   * @param {Decision} [decision] the decision of an attempt; absent: the scheduler evaluates the
   *   pod
   */
  constructor(moment, name, decision) {
    this.#moment = moment;
    this.#name = name;
    this.#decision = decision;
  }

  /**
   * Whether it is about this pod at this moment.
   * @param {Moment} moment
   * @param {string} name
   */
  isAbout({ log, line, scheduler }, name) {
    const own = this.#moment;
    const isThen = own.log === log && own.line === line && own.scheduler === scheduler;
    return isThen && this.#name === name;
  }

  /**
   * The evaluation of the pod, or of an attempt at it, as a table over all nodes. It includes the
   * verdicts of plugins that the cycle skipped.
   * @returns {AttemptEvaluation}
   * @throws {InputError} if there is no such pod and no attempt is given
   */
  get evaluation() {
    const decision = this.#decision;
    this.#evaluation ??= decision ? attemptEvaluation(decision, this.#askAgain()) : this.#ask();
    return this.#evaluation;
  }

  /** @returns {Evaluation} */
  #ask() {
    return this.#moment.scheduler.evaluate(this.#name, { detail: 'table', allPlugins: true });
  }

  /** @returns {Evaluation | null} null if the pod no longer exists and the attempt skipped it */
  #askAgain() {
    try {
      return this.#ask();
    } catch (error) {
      if (error instanceof InputError) return null;
      throw error;
    }
  }

  /**
   * The engine's notes on one score.
   * @param {string} plugin
   * @param {string} node
   * @returns {ScoreNotes | null} null if the plugin did not score the node
   */
  explainScore(plugin, node) {
    if (!this.evaluation.scores?.[plugin]) return null;
    return this.#notes({ plugin, node }).scoreNotes?.[0] ?? null;
  }

  /**
   * The engine's notes on how preemption picks one of its candidates.
   * @returns {PickNotes | null} null if it picks none, or picked another one then
   */
  explainPick() {
    const nominated = this.evaluation.preemption?.nominatedNode;
    if (!nominated) return null;
    const { preemption, pickNotes } = this.#notes({});
    return preemption?.nominatedNode === nominated ? (pickNotes ?? null) : null;
  }

  /**
   * Why nodes do not have the devices for the pod's claims.
   * @returns {DevicesAnswer}
   */
  explainDevices() {
    const options = /** @type {const} */ ({ culprits: true, everyNode: true, preemption: false });
    const evaluation = this.#moment.scheduler.evaluate(this.#name, options);
    const { culprits = [] } = evaluation;
    return {
      culprits: culprits.filter(({ plugin }) => plugin === 'DynamicResources'),
      unserved: unservedRequests(evaluation),
    };
  }

  /** @param {{ plugin?: string, node?: string }} scoreNotes */
  #notes(scoreNotes) {
    return this.#moment.scheduler.evaluate(this.#name, { allPlugins: true, scoreNotes });
  }
}
