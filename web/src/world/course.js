/** A world with its progress: actions are done in it once, in order. */
import { World } from './world.js';

/**
 * @import { Decision } from '../../../js/src/index.js'
 * @import { Action, BeforeTime, Said, WorldOptions } from './world.js'
 * @import { Entry } from './journal.js'
 */

export class Course {
  /** The number of actions done. */
  position = 0;
  /** Of all decisions. */
  #hash = '';
  /** @type {Said[]} */
  #saying = [];
  /** @type {World | undefined} */
  #world;
  /** The action in progress. @type {Pick<Entry, 'action' | 'at'> | undefined} */
  #doing;

  /**
   * @param {Omit<WorldOptions, 'onSaid'>} options
   * @returns {Promise<Course>} with no action done
   * @throws {import('../../../js/src/index.js').ConfigurationError}
   */
  static async begin(options) {
    const course = new Course();
    course.#world = await World.open({ ...options, onSaid: (said) => course.#heard(said) });
    return course;
  }

  get world() {
    if (!this.#world) throw new Error('the course has not begun');
    return this.#world;
  }

  /** The action in progress, with its results so far. @returns {Entry | undefined} */
  get unfinished() {
    if (!this.#doing) return undefined;
    return { ...this.#doing, said: this.#saying, errors: [], hash: this.#hash };
  }

  /**
   * @param {Action} action
   * @param {BeforeTime} [beforeTime]
   * @returns {Promise<Entry>}
   */
  async do(action, beforeTime) {
    this.#saying = [];
    const at = this.world.now;
    this.#doing = { action, at };
    const { errors } = await this.world.do(action, beforeTime);
    this.#doing = undefined;
    this.position += 1;
    return { action, at, said: this.#saying, errors, hash: this.#hash };
  }

  /** Disposes of the world. */
  dispose() {
    return this.world.dispose();
  }

  /** @param {Said} said */
  #heard(said) {
    this.#saying.push(said);
    const { hash } = /** @type {Partial<Decision>} */ (said.record);
    this.#hash = hash ?? this.#hash;
  }
}
