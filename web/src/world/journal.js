/**
 * Worlds with a past: all that was done is kept, so that any step can be gone back to by doing it
 * again, and another future can begin there.
 */
import { Course } from './course.js';

/** @import { Action, BeforeTime, Said, WorldOptions } from './world.js' */

/**
 * Something that was done, and what came of it. `hash` is that of all decisions so far.
 * @typedef {object} Entry
 * @property {Action} action
 * @property {number} at when it was done, in the world's time: milliseconds since the epoch
 * @property {Said[]} said
 * @property {unknown[]} errors
 * @property {string} hash
 */

const PLUGINS_DIFFER =
  'A plugin answers differently than before: it uses Math.random, the date, or state kept from ' +
  'calls about the past.';

/** Doing the same again led to something else. */
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

  /** As it is at `position`. */
  get world() {
    return this.#present.world;
  }

  /** How many entries are behind the world. */
  get position() {
    return this.#present.position;
  }

  /** All of them, also those that were gone back from. @returns {readonly Entry[]} */
  get entries() {
    return this.#entries;
  }

  /** As far as it has come of what is being done. */
  get unfinished() {
    return this.#present.unfinished;
  }

  /**
   * Does something. What was gone back from is forgotten here: another future begins.
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
   * Stands behind that many entries. Until a world has come to there, all is as it was; only who
   * goes forward is on the way meanwhile.
   * @param {number} position
   * @param {{ signal?: AbortSignal, onPosition?: (position: number) => void }} [options] `signal`
   *   gives it up; `onPosition` gets how far it has come
   * @returns {Promise<void>}
   * @throws {RangeError}
   * @throws {DivergedError} when plugins are not repeatable: then the other future has begun
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

  /** Ends it. */
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
