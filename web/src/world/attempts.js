/** Evaluates past attempts again: the log is replayed up to the attempt. */
import { PluginModules } from './plugin_modules.js';

/**
 * @import { Engine, Scheduler } from '../../../js/src/index.js'
 * @import { PluginModule } from './plugin_modules.js'
 */

/**
 * A scheduler in the state that it had after that many lines of its log.
 * @typedef {object} Moment
 * @property {Scheduler} scheduler
 * @property {readonly string[]} log the same array while it grows; begins with the header
 * @property {number} line
 */

export class Attempts {
  #engine;
  #modules;
  /** The moment of the previous question. @type {Moment | undefined} */
  #latest;

  /**
   * @param {Engine} engine
   * @param {PluginModules} [modules] loads the plugins of the schedulers
   */
  constructor(engine, modules = new PluginModules()) {
    this.#engine = engine;
    this.#modules = modules;
  }

  /**
   * The state before an attempt. It is valid until the next call.
   * @param {{ log: readonly string[], line: number, plugins?: PluginModule[] }} before the
   *   scheduler's log (the same array while it grows), the number of lines in it before the
   *   attempt, and the scheduler's plugins
   * @returns {Promise<Moment>}
   */
  async moment({ log, line, plugins: modules = [] }) {
    if (this.#latest?.log === log && this.#latest.line === line) return this.#latest;
    this.dispose();
    const before = log.slice(0, line);
    const plugins = await this.#modules.load(modules);
    const scheduler = await this.#engine.replay(before, { plugins });
    this.#latest = { scheduler, log, line };
    return this.#latest;
  }

  dispose() {
    this.#latest?.scheduler.dispose();
    this.#latest = undefined;
  }
}
