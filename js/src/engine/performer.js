/** Performs the calls of turns: those to extenders, and while the scheduler is started all. */
import { Answers } from './answers.js';
import { CallsUnderWay } from './calls_in_time.js';
import { StowageError } from '../kubernetes/errors.js';
import { Pump } from './pump.js';

/**
 * @import { Answered } from './answers.js'
 * @import { Turn } from './types.js'
 * @import { Extenders } from '../plugins/extenders.js'
 */

export class Performer {
  #extenders;
  /** Calls to extenders, except while the scheduler is started. */
  #calls = new CallsUnderWay();
  /** @type {Pump | undefined} */
  #pump;
  answers;

  /**
   * @param {Extenders} extenders
   * @param {(answers: Answered[]) => void} complete hands answers to the engine
   */
  constructor(extenders, complete) {
    this.#extenders = extenders;
    this.answers = new Answers(complete);
  }

  get isStarted() {
    return this.#pump !== undefined;
  }

  /**
   * Performs the calls of a turn. Their answers are handed in with the first turn after they have
   * arrived.
   * @param {Turn} turn
   */
  perform(turn) {
    const calls = this.#pump?.calls ?? this.#calls;
    for (const call of turn.calls) {
      const answer =
        call.kind === 'api'
          ? this.#pump?.perform(call)
          : calls.make((end) => this.#extenders.perform(call, end));
      if (answer) this.answers.await(call, answer);
    }
    this.answers.check();
  }

  /** What a loop of turns needs of it. */
  get parts() {
    const performCalls = (/** @type {Turn} */ turn) => this.perform(turn);
    return { performCalls, answers: this.answers };
  }

  /**
   * Runs a pump until it ends.
   * @param {Omit<ConstructorParameters<typeof Pump>[0], 'performCalls' | 'answers'>} settings
   * @param {Parameters<Pump['run']>[0]} signals
   * @throws {StowageError} `Started`
   */
  async start(settings, signals) {
    if (this.#pump) throw new StowageError('Started', 'this scheduler is started already');
    this.#pump = new Pump({ ...settings, ...this.parts });
    try {
      await this.#pump.run(signals);
    } finally {
      this.#pump = undefined;
      this.answers.handInWaiting();
    }
  }

  /** Ends all calls to extenders. @param {unknown} reason */
  end(reason) {
    this.#calls.end(reason);
    this.answers.changes.notify();
  }
}
