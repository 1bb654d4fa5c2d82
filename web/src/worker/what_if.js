/** Questions about the future of the world. What answers them is loaded with the first one. */

/**
 * @import { Domain, Findings } from '../whatif/failures.js'
 * @import { TriedChange } from '../whatif/changes.js'
 * @import { KubectlChange } from '../../../js/src/whatif.js'
 * @import { DrainPlan } from '../whatif/drains.js'
 * @import { Fixes } from '../whatif/fixes.js'
 * @import { Outlook } from '../whatif/outlook.js'
 * @import { PodGroupReport } from '../whatif/pod_groups.js'
 * @import { Loaded } from '../whatif/present.js'
 * @import { Questions } from '../whatif/questions.js'
 * @import { Action, World } from '../world/world.js'
 */

export class WhatIf {
  #world;
  /** @type {Promise<Questions> | undefined} */
  #questions;

  /** @param {() => World} world returns the open world */
  constructor(world) {
    this.#world = world;
  }

  /**
   * What would follow from changes. Nothing changes.
   * @param {TriedChange[]} changes
   * @param {(loaded: Loaded) => unknown} [onLoaded] gets the number of objects read, the first time
   * @returns {Promise<Outlook>} rejects with an AbortError if a later call replaces this one
   */
  async lookAhead(changes, onLoaded) {
    return (await this.#loaded()).lookAhead(changes, onLoaded);
  }

  /**
   * How draining nodes would go.
   * @param {string[]} nodes
   * @returns {Promise<DrainPlan>} rejects with an AbortError after another `lookAhead`
   */
  async planDrain(nodes) {
    return (await this.#loaded()).planDrain(nodes);
  }

  /**
   * The actions that make changes in the world.
   * @param {TriedChange[]} changes
   * @returns {Promise<Action[]>}
   */
  async actionsFor(changes) {
    return (await this.#loaded()).actionsFor(changes);
  }

  /**
   * Tries the loss of every node, or of every zone, each by itself.
   * @param {Domain} domain
   * @param {(found: Findings) => unknown} onFound gets the findings since its last call
   * @param {(loaded: Loaded) => unknown} [onLoaded]
   * @returns {Promise<void>} rejects with an AbortError after `stopSweep`, and if the world changes
   */
  async sweep(domain, onFound, onLoaded) {
    await (await this.#loaded()).sweep(domain, onFound, onLoaded);
  }

  /**
   * Ways to give a pending pod a node, each tried.
   * @param {string} pod `namespace/name`
   * @param {(loaded: Loaded) => unknown} [onLoaded]
   * @returns {Promise<Fixes>} rejects with an AbortError if a later call replaces this one
   */
  async fix(pod, onLoaded) {
    return (await this.#loaded()).fix(pod, onLoaded);
  }

  /**
   * A pod group, and why it cannot start.
   * @param {string} podGroup `namespace/name`; if there is none of that name, one that waits
   * @param {(loaded: Loaded) => unknown} [onLoaded]
   * @returns {Promise<PodGroupReport>} rejects with an AbortError if a later call of this or of
   *   `fix` replaces this one
   */
  async podGroup(podGroup, onLoaded) {
    return (await this.#loaded()).podGroup(podGroup, onLoaded);
  }

  /**
   * The actions that make the changes of such a way.
   * @param {KubectlChange[]} changes
   * @returns {Promise<Action[]>}
   */
  async actionsOfWay(changes) {
    return (await this.#loaded()).actionsOfWay(changes);
  }

  /** Cancels the sweep under way. */
  async stopSweep() {
    (await this.#questions?.catch(() => undefined))?.stopSweep();
  }

  async dispose() {
    const questions = await this.#questions?.catch(() => undefined);
    this.#questions = undefined;
    await questions?.dispose();
  }

  /** A failure is forgotten: the next question loads again. */
  async #loaded() {
    this.#questions ??= import('../whatif/questions.js').then(
      ({ Questions }) => new Questions(this.#world),
    );
    const loading = this.#questions;
    try {
      return await loading;
    } catch (error) {
      if (this.#questions === loading) this.#questions = undefined;
      throw error;
    }
  }
}
