/** Queues the answers of calls that this side performs until the engine has them. */
import { BatchError, DisposedError, EngineError } from '../kubernetes/errors.js';
import { ChangeSignal } from '../io/change_signal.js';

/** @import { Answer, Call } from './types.js' */

/**
 * An answer, and the call that it belongs to.
 * @typedef {{ call: { id: number, kind?: Call['kind'] }, answer: Answer }} Answered
 */

export class Answers {
  /** The number of awaited answers. */
  #awaited = 0;
  #complete;
  /** Answers that the engine does not have yet: new ones, and those that a failure held back. */
  #waiting = /** @type {Answered[]} */ ([]);
  /** The first failure since the last `check`. @type {{ cause: unknown } | undefined} */
  #failure;
  /** Notified with each awaited answer. */
  changes = new ChangeSignal();

  /**
   * @param {(answers: Answered[]) => void} complete the scheduler's; hands answers to the engine
   */
  constructor(complete) {
    this.#complete = complete;
  }

  /** The number of calls whose answers the engine does not have. */
  get size() {
    return this.#awaited + this.#waiting.length;
  }

  /**
   * Hands the answer to the engine once it has arrived, with the others that arrive before the next
   * turn: one by one they cost several times as much.
   * @param {Answered['call']} call
   * @param {Promise<Answer>} promise never rejects
   */
  await(call, promise) {
    this.#awaited += 1;
    void promise.then((answer) => {
      this.#awaited -= 1;
      this.#waiting.push({ call, answer });
      this.changes.notify();
    });
  }

  /**
   * Hands answers to the engine. Never throws: if the engine ended, its next turn throws; every
   * other failure keeps the answers for a retry, and `check` throws it.
   * @param {Answered[]} answers
   */
  handIn(answers) {
    try {
      this.#giveOver(answers);
    } catch (cause) {
      // The scheduler or the engine has ended: its next turn reports that.
      if (cause instanceof DisposedError || cause instanceof EngineError) return;
      this.#waiting = this.#waiting.concat(answers);
      this.#failure ??= { cause };
    }
  }

  /** Hands in the answers that have arrived. */
  handInWaiting() {
    if (this.#waiting.length > 0) this.handIn(this.#waiting.splice(0));
  }

  /**
   * Hands in what has arrived, unless a failure is pending, for example of a log that could not be
   * written. Throws each failure once.
   * @throws {unknown}
   */
  check() {
    if (!this.#failure) this.handInWaiting();
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.cause;
  }

  /**
   * Completes the calls. If the engine rejects an answer, for example as too large, its call alone
   * completes as `aborted`, so that the cycle still goes on.
   * @param {Answered[]} answers
   */
  #giveOver(answers) {
    try {
      this.#complete(answers);
    } catch (cause) {
      if (!(cause instanceof BatchError)) throw cause;
      const [{ call }, ...more] = answers;
      // The engine ignores the answers that it has already.
      if (more.length > 0) for (const one of answers) this.#giveOver([one]);
      else this.#complete([{ call, answer: { error: 'aborted', message: cause.message } }]);
    }
  }
}
