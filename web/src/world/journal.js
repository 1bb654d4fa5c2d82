/**
 * A world with its history. All actions are kept: going back repeats them in a new world, and a new
 * action after that begins another future.
 */
import { Course } from './course.js';

/** @import { Action, BeforeTime, Said, WorldOptions } from './world.js' */

/**
 * An action and its results. `hash` covers all decisions so far.
 * @typedef {object} Entry
 * @property {Action} action
 * @property {number} at the world's time of the action, in milliseconds since the epoch
 * @property {Said[]} said
 * @property {unknown[]} errors
 * @property {string} hash
 */

const PLUGINS_DIFFER =
  'A plugin answers differently than before: it uses Math.random, the date, or state kept from ' +
  'calls about the past.';

/** A repeated action gave different decisions. */
export class DivergedError extends Error {
  /** @override */
  name = 'DivergedError';

  /** @param {number} position @param {boolean} hasPlugins */
  constructor(position, hasPlugins) {
    super(
      `Step ${position} does not repeat: going back gives other decisions. ` +
        `${hasPlugins ? PLUGINS_DIFFER : 'This is a bug of this page.'} ` +
        'All later steps are dropped.',
    );
    this.position = position;
  }
}

export class Journal {
  #options;
  #present;
  /** @type {Entry[]} */
  #entries = [];

  /**
   * @param {Omit<WorldOptions, 'onSaid'>} options
   * @returns {Promise<Journal>}
   * @throws {import('../../../js/src/index.js').ConfigurationError}
   */
  static async begin(options) {
    return new Journal(options, await Course.begin(options));
  }

  /**
   * Use `begin`.
   * @param {Omit<WorldOptions, 'onSaid'>} options
   * @param {Course} present
   */
  constructor(options, present) {
    this.#options = options;
    this.#present = present;
  }

  /** The world at `position`. */
  get world() {
    return this.#present.world;
  }

  /** The number of entries that have been done in the world. */
  get position() {
    return this.#present.position;
  }

  /** All entries, including those after `position`. @returns {readonly Entry[]} */
  get entries() {
    return this.#entries;
  }

  /** The action in progress, with its results so far. */
  get unfinished() {
    return this.#present.unfinished;
  }

  /**
   * Does an action. Entries after `position` are dropped, because another future begins.
   * @param {Action} action
   * @param {BeforeTime} [beforeTime]
   * @returns {Promise<Entry>}
   */
  async do(action, beforeTime) {
    this.#entries.length = this.position;
    const entry = await this.#present.do(action, beforeTime);
    this.#entries.push(entry);
    return entry;
  }

  /**
   * Moves to the position after that many entries. Going back happens in a new world, so the
   * present one stays as it is until the new one has arrived; going forward changes the present one
   * step by step.
   * @param {number} position
   * @param {{ signal?: AbortSignal, onPosition?: (position: number) => void }} [options] `signal`
   *   cancels; `onPosition` gets each position on the way
   * @returns {Promise<void>}
   * @throws {RangeError}
   * @throws {DivergedError} if the decisions differ, as with plugins that are not repeatable: the
   *   other future has begun
   */
  async goTo(position, { signal, onPosition } = {}) {
    if (!Number.isInteger(position) || position < 0 || position > this.#entries.length)
      throw new RangeError(`there is no position ${position}`);
    const isForward = position >= this.position;
    const course = isForward ? this.#present : await Course.begin(this.#options);
    let isSame = true;
    while (isSame && course.position < position && !signal?.aborted) {
      const { action, hash } = this.#entries[course.position];
      const again = await course.do(action);
      isSame = again.hash === hash;
      if (!isSame) this.#entries.splice(course.position - 1, Infinity, again);
      onPosition?.(course.position);
    }
    if (signal?.aborted && isSame) return isForward ? undefined : course.dispose();
    if (!isForward) await this.#become(course);
    if (!isSame) throw new DivergedError(this.position, this.world.plugins.length > 0);
  }

  /** Disposes of the world. */
  dispose() {
    return this.#present.dispose();
  }

  /** @param {Course} course */
  async #become(course) {
    const past = this.#present;
    this.#present = course;
    await past.dispose();
  }
}
