/** Runs plugins between the calls of the engine: a turn's calls to them, and their own requests. */
import { EngineError } from '../kubernetes/errors.js';
import { isTooLate } from './handle.js';
import { PluginHost } from './host.js';

/**
 * @import { Answers } from '../engine/answers.js'
 * @import { LoggableDoor } from '../engine/log.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { Command } from './handle.js'
 * @import { SchedulerOptions, Turn } from '../engine/types.js'
 */

/**
 * The maximum number of times that a turn continues with synchronous answers or requests of
 * plugins.
 */
const ROUNDS = 100;

export class PluginTurns {
  /** Undefined while the plugins are created. @type {PluginHost | undefined} */
  #host;
  #parts;
  /** Requests that wait until the engine has returned. @type {Command[]} */
  #commands = [];
  #isInTurn = false;

  /**
   * @param {SchedulerOptions} options
   * @param {{ boundary: LoggableDoor, answers: Answers, inspect: (query: object) => any, apply:
   *   (line: string, options: { onError: (error: InputError) => void }) => unknown }} parts
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

  /** The engine is created with the host's declarations. */
  get host() {
    return /** @type {PluginHost} */ (this.#host);
  }

  /** Time stands still until the turn is over, including the plugins' work at its end. */
  get isInTurn() {
    return this.#isInTurn;
  }

  /**
   * Runs one turn, including all calls that plugins answer synchronously. Other answers are handed
   * in with the first turn after they have arrived.
   * @param {number} maxCycles
   * @param {(maxCycles: number) => Turn} step
   * @returns {Turn} the turn with the calls that are not to plugins
   */
  run(maxCycles, step) {
    const { boundary, answers } = this.#parts;
    // Inside a call the engine itself refuses the turn.
    if (boundary.isBusy) return step(maxCycles);
    if (this.#isInTurn) throw new EngineError('run was called from inside a turn of its scheduler');
    answers.check();
    this.giveCommands();
    this.#isInTurn = true;
    try {
      const turn = step(maxCycles);
      for (let round = 0; this.#perform(turn); round += 1) {
        // A plugin makes a new request in each round: yield to other tasks first.
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

  /**
   * Carries out the plugins' requests, unless the engine is inside a call. Returns whether there
   * were any.
   */
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
   * Removes the plugins' calls from a turn and performs them. Returns whether the turn can
   * continue.
   * @param {Turn} turn
   */
  #perform(turn) {
    const { answers } = this.#parts;
    const own = turn.calls.filter(({ kind }) => kind === 'plugin');
    if (own.length === 0) return this.giveCommands();
    turn.calls = turn.calls.filter(({ kind }) => kind !== 'plugin');
    let isAnswered = false;
    for (const { call, answer } of this.host.perform(own)) {
      if (answer instanceof Promise) {
        answers.await(call, answer);
      } else {
        answers.handIn([{ call, answer }]);
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
