/**
 * Questions about pods, now or at their attempts. The latest one is kept, because more questions
 * about it may follow.
 */
import { Attempts } from '../world/attempts.js';
import { Inquiry } from './inquiry.js';

/**
 * @import { Decision, Engine } from '../../../js/src/index.js'
 * @import { Moment } from '../world/attempts.js'
 * @import { PluginModules } from '../world/plugin_modules.js'
 * @import { Attempt } from './opening.js'
 */

export class Inquiries {
  #attempts;
  /** @type {Inquiry | undefined} */
  #latest;

  /**
   * @param {Engine} engine
   * @param {PluginModules} [modules] loads the schedulers' plugins
   */
  constructor(engine, modules) {
    this.#attempts = new Attempts(engine, modules);
  }

  /**
   * @param {string} pod `namespace/name`
   * @param {Moment} moment
   * @param {Decision} [decision] the decision of the attempt
   */
  at(pod, moment, decision) {
    if (!this.#latest?.isAbout(moment, pod)) this.#latest = new Inquiry(moment, pod, decision);
    return this.#latest;
  }

  /**
   * @param {string} pod `namespace/name`
   * @param {Attempt} attempt
   */
  async before(pod, attempt) {
    return this.at(pod, await this.#attempts.moment(attempt), attempt.decision);
  }

  dispose() {
    this.#attempts.dispose();
    this.#latest = undefined;
  }
}
