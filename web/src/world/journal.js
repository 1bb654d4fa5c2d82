/**
 * Worlds with a past: all that was done is kept, so that any step can be gone back to by doing it
 * again, and another future can begin there.
 */
import { World } from './world.js';

/**
 * @import { Decision } from '../../../js/src/types.js'
 * @import { Action, Said, WorldOptions } from './world.js'
 */

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
  'A plugin answers otherwise than before: it uses Math.random, the date, or what it kept of ' +
  'questions asked about the past.';

/** Doing the same again led to something else. */
export class DivergedError extends Error {
  /** @override */
  name = 'DivergedError';

  /** @param {number} position @param {boolean} hasPlugins */
  constructor(position, hasPlugins) {
    super(
      `Step ${position} does not repeat: going back leads to other decisions. ` +
        `${hasPlugins ? PLUGINS_DIFFER : 'This is a fault of this page.'} ` +
        'What came after it is forgotten.',
    );
    this.position = position;
  }
}

export class Journal {
  #options;
  /** @type {World | undefined} */
  #world;
  /** @type {Entry[]} */
  #entries = [];
  #position = 0;
  /** Of the entry that is being made. @type {Said[]} */
  #saying = [];
  #hash = '';

  /**
   * @param {Omit<WorldOptions, 'onSaid'>} options
   * @returns {Promise<Journal>}
   * @throws {import('../../../js/src/errors.js').ConfigurationError}
   */
  static async begin(options) {
    const journal = new Journal(options);
    await journal.#open();
    return journal;
  }

  /** Use `begin`. @param {Omit<WorldOptions, 'onSaid'>} options */
  constructor(options) {
    this.#options = options;
  }

  /** As it is at `position`. */
  get world() {
    if (!this.#world) throw new Error('the journal has no world');
    return this.#world;
  }

  /** How many entries are behind the world. */
  get position() {
    return this.#position;
  }

  /** All of them, also those that were gone back from. @returns {readonly Entry[]} */
  get entries() {
    return this.#entries;
  }

  /**
   * Does something. What was gone back from is forgotten: another future begins.
   * @param {Action} action
   * @returns {Promise<Entry>}
   */
  async do(action) {
    this.#entries.length = this.#position;
    const entry = await this.#make(action);
    this.#entries.push(entry);
    return entry;
  }

  /**
   * Stands behind that many entries.
   * @param {number} position
   * @returns {Promise<void>}
   * @throws {RangeError}
   * @throws {DivergedError} when plugins are not repeatable: then the other future has begun
   */
  async goTo(position) {
    if (!Number.isInteger(position) || position < 0 || position > this.#entries.length)
      throw new RangeError(`there is no position ${position}`);
    if (position < this.#position) await this.#open();
    while (this.#position < position) {
      const { action, hash } = this.#entries[this.#position];
      const again = await this.#make(action);
      if (again.hash !== hash) {
        this.#entries.splice(this.#position - 1, Infinity, again);
        throw new DivergedError(this.#position, this.world.plugins.length > 0);
      }
    }
  }

  /** Ends it. */
  async dispose() {
    await this.#world?.dispose();
    this.#world = undefined;
  }

  async #open() {
    await this.dispose();
    this.#position = 0;
    this.#hash = '';
    const onSaid = (/** @type {Said} */ said) => this.#heard(said);
    this.#world = await World.open({ ...this.#options, onSaid });
    this.#saying = [];
  }

  /** @param {Action} action */
  async #make(action) {
    this.#saying = [];
    const at = this.world.now;
    const { errors } = await this.world.do(action);
    this.#position += 1;
    return { action, at, said: this.#saying, errors, hash: this.#hash };
  }

  /** @param {Said} said */
  #heard(said) {
    this.#saying.push(said);
    const { hash } = /** @type {Partial<Decision>} */ (said.record);
    this.#hash = hash ?? this.#hash;
  }
}
