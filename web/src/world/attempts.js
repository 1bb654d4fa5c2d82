/** Past attempts, asked about again: the log is replayed up to each. */
import { PluginModules } from './plugin_modules.js';

/**
 * @import { Engine, Scheduler } from '../../../js/src/index.js'
 * @import { PluginModule } from './plugin_modules.js'
 */

/**
 * A scheduler as it stood when its log had so many lines.
 * @typedef {object} Moment
 * @property {Scheduler} scheduler
 * @property {readonly string[]} log the same array as long as it grows; it begins with its header
 * @property {number} line
 */

export class Attempts {
  #engine;
  #modules;
  /** The one that was asked about last. @type {Moment | undefined} */
  #latest;

  /**
   * @param {Engine} engine
   * @param {PluginModules} [modules] loads the plugins of schedulers
   */
  constructor(engine, modules = new PluginModules()) {
    this.#engine = engine;
    this.#modules = modules;
  }

  /**
   * How things stood before an attempt. It is good until the next one is asked for.
   * @param {{ log: readonly string[], line: number, plugins?: PluginModule[] }} before the
   *   scheduler's log, the same array as long as it grows, how many of its lines were there before
   *   the attempt, and the plugins that the scheduler has
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
