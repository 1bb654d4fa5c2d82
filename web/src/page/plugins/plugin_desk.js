/** The plugin that the user writes: its text, and the result of running it. */
import { signal } from '@preact/signals';

import { syntaxErrorIn } from './javascript_syntax.js';

/**
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

/** The text runs this many milliseconds after the last edit. */
const PAUSE = 600;

export class PluginDesk {
  #session;
  #parse;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  text = signal('');
  /** Whether the text runs after each edit. */
  isLive = signal(true);
  /** The error because of which the text does not run. */
  problem = signal(/** @type {PlainError | null} */ (null));

  /**
   * @param {Session} session
   * @param {typeof syntaxErrorIn} [parse]
   */
  constructor(session, parse = syntaxErrorIn) {
    this.#session = session;
    this.#parse = parse;
  }

  /** Why plugins may not run here; empty if they may; null while unknown. */
  reasonAgainst = signal(/** @type {string | null} */ (null));

  /** Starts with the running plugin, unless the user has written one already. */
  async begin() {
    this.reasonAgainst.value = await this.#session.query((one) => one.reasonAgainstPlugins());
    if (this.text.value !== '' || this.#session.plugins.value.length === 0) return;
    await this.#session.ask(async (playground) => {
      const [module] = await playground.pluginModules();
      if (module) this.text.value = module.source;
    });
  }

  /** Takes an edit. @param {string} text */
  write(text) {
    if (text === this.text.value) return;
    this.text.value = text;
    clearTimeout(this.#timer);
    if (this.isLive.value) this.#timer = setTimeout(() => this.run(), PAUSE);
  }

  /** Replaces the scheduler with one that runs the text. If the text fails, nothing changes. */
  run() {
    clearTimeout(this.#timer);
    const source = this.text.value;
    return this.#use(async (modules) => [{ source }, ...modules.slice(1)], source);
  }

  /** Replaces the scheduler with one without plugins. */
  stop() {
    clearTimeout(this.#timer);
    return this.#use(async () => [], '');
  }

  /**
   * Ends a worker in which a plugin does not return. A new worker repeats the actions before the
   * plugin.
   */
  async restart() {
    const session = this.#session;
    const [opened, ...others] = (await session.connection?.restart()) ?? [];
    if (!opened) return;
    const first = { ...opened, args: [opened.args[0], { plugins: 'leave' }] };
    for (const { name, args } of [first, ...others])
      await session.ask(async (playground) => {
        const answer = await /** @type {any} */ (playground)[name](...args);
        const whole = answer.opened ?? answer;
        if (whole.notes) return session.showOpened(whole, session.source.value);
        for (const update of [answer.updates ?? answer.update ?? answer].flat())
          await session.show(update);
      });
    const message = 'A plugin did not answer. All earlier actions were repeated without it.';
    this.problem.value = { name: 'WorkerEnded', message };
  }

  /**
   * @param {(present: { source: string }[]) => Promise<{ source: string }[]>} choose
   * @param {string} source
   */
  #use(choose, source) {
    const session = this.#session;
    return session.ask(async (playground) => {
      try {
        const modules = await choose(await playground.pluginModules());
        await session.show(await playground.usePlugins(modules));
        this.problem.value = null;
      } catch (fault) {
        this.problem.value = await this.#withLine(/** @type {PlainError} */ (fault), source);
      }
    });
  }

  /**
   * `import()` does not report the position of a syntax error.
   * @param {PlainError} problem
   * @param {string} source
   * @returns {Promise<PlainError>}
   */
  async #withLine(problem, source) {
    if (problem.line !== undefined || !problem.message.startsWith('SyntaxError')) return problem;
    return { ...problem, ...(await this.#parse(source)) };
  }
}
