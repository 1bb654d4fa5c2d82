/**
 * Plugins between the calls of the engine: the calls that a turn makes to them, and what they ask
 * for themselves.
 */
import { EngineError } from '../kubernetes/errors.js';
import { isTooLate } from './handle.js';
import { PluginHost } from './host.js';

/**
 * @import { Answers } from '../engine/answers.js'
 * @import { Door } from '../engine/log.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { Command } from './handle.js'
 * @import { SchedulerOptions, Turn } from '../engine/types.js'
 */

/** How often a turn goes on with what plugins answered at once, or asked for. */
const ROUNDS = 100;

export class PluginTurns {
  /** Undefined while the plugins are made. @type {PluginHost | undefined} */
  #host;
  #parts;
  /** What is to be done when the engine has returned. @type {Command[]} */
  #commands = [];
  #isInTurn = false;

  /**
   * @param {SchedulerOptions} options
   * @param {{ boundary: Door, answers: Answers, inspect: (query: object) => any, apply: (line:
   *   string, options: { onError: (error: InputError) => void }) => unknown }} parts
   * @throws {import('../kubernetes/errors.js').ConfigurationError |
   *   import('../kubernetes/errors.js').PluginError}
   */
  constructor(options, parts) {
    this.#parts = parts;
    this.#host = new PluginHost(options, {
      inspect: (query) => (this.#host ? parts.inspect(query) : { waiting: [] }),
      command: (command) => this.#command(command),
    });
  }

  /** What the engine is created with. */
  get host() {
    return /** @type {PluginHost} */ (this.#host);
  }

  /** Time stands still until the turn is over, also for what plugins do at its end. */
  get isInTurn() {
    return this.#isInTurn;
  }

  /**
   * One turn, with all that plugins answer at once. Their other answers find their way in by
   * themselves.
   * @param {number} maxCycles
   * @param {(maxCycles: number) => Turn} step
   * @returns {Turn} whose calls are for others
   */
  run(maxCycles, step) {
    const { boundary, answers } = this.#parts;
    // From inside of a call the engine itself refuses.
    if (boundary.isBusy) return step(maxCycles);
    if (this.#isInTurn) throw new EngineError('run was called from inside a turn of its scheduler');
    answers.check();
    this.giveCommands();
    this.#isInTurn = true;
    try {
      const turn = step(maxCycles);
      for (let round = 0; this.#perform(turn); round += 1) {
        // Somebody asks for more, each time that he gets it: others are to have their turn too.
        if (round === ROUNDS) return { ...turn, idle: false };
        const { records, calls, ...end } = step(0);
        Object.assign(turn, end);
        for (const record of records) turn.records.push(record);
        for (const call of calls) turn.calls.push(call);
      }
      return turn;
    } finally {
      this.#isInTurn = false;
    }
  }

  /** Does what plugins asked for, unless the engine is at work. True: there was something. */
  giveCommands() {
    if (!this.#host || this.#parts.boundary.isBusy) return false;
    const commands = this.#commands.splice(0);
    if (commands.length === 0) return false;
    const { waiting } = this.#parts.inspect({ waiting: true });
    for (const command of commands) {
      if (isTooLate(command, waiting)) continue;
      const onError = (/** @type {InputError} */ error) =>
        this.host.report(command.plugin, 'its handle', error);
      this.#parts.apply(JSON.stringify(command.line), { onError });
    }
    return true;
  }

  /**
   * Takes the calls of plugins out of a turn and makes them. True: the turn can go on.
   * @param {Turn} turn
   */
  #perform(turn) {
    const { answers } = this.#parts;
    const own = turn.calls.filter(({ kind }) => kind === 'plugin');
    turn.calls = turn.calls.filter(({ kind }) => kind !== 'plugin');
    let isAnswered = false;
    for (const { call, answer } of this.host.perform(own)) {
      if (answer instanceof Promise) {
        answers.await(call, answer);
      } else {
        answers.handIn(call, answer);
        isAnswered = true;
      }
    }
    return this.giveCommands() || isAnswered;
  }

  /** @param {Command} command */
  #command(command) {
    this.#commands.push(command);
    this.giveCommands();
    this.#parts.answers.changes.notify();
  }
}
