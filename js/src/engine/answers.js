/** Queues the answers of calls that this side performs until the engine has them. */
import { BatchError, DisposedError, EngineError } from '../kubernetes/errors.js';
import { ChangeSignal } from '../io/change_signal.js';

/** @import { Answer, Call } from './types.js' */

/** The call that an answer belongs to. @typedef {Pick<Call, 'id' | 'kind'>} Answered */

export class Answers {
  /** @type {Set<Promise<void>>} */
  #underWay = new Set();
  #complete;
  /** @type {{ call: Answered, answer: Answer }[]} */
  #left = [];
  /** The first failure since the last `check`. @type {{ cause: unknown } | undefined} */
  #failure;
  /** Notified with each awaited answer. */
  changes = new ChangeSignal();

  /**
   * @param {(call: Answered, answer: Answer) => void} complete the scheduler's; hands one answer to
   *   the engine
   */
  constructor(complete) {
    this.#complete = complete;
  }

  /** The number of calls without an answer yet. */
  get size() {
    return this.#underWay.size;
  }

  /**
   * Hands the answer to the engine once it arrives.
   * @param {Answered} call
   * @param {Promise<Answer>} promise never rejects
   */
  await(call, promise) {
    const answered = promise.then((answer) => {
      this.#underWay.delete(answered);
      this.handIn(call, answer);
      this.changes.notify();
    });
    this.#underWay.add(answered);
  }

  /**
   * Hands one answer to the engine. Never throws: if the engine ended, its next turn throws; every
   * other failure keeps the answer for a retry, and `check` throws it.
   * @param {Answered} call
   * @param {Answer} answer
   */
  handIn(call, answer) {
    try {
      this.#giveOver(call, answer);
    } catch (cause) {
      // The scheduler or the engine has ended: its next turn reports that.
      if (cause instanceof DisposedError || cause instanceof EngineError) return;
      this.#left.push({ call, answer });
      this.#failure ??= { cause };
    }
  }

  /**
   * Throws the pending failure once (for example a log that could not be written). Without one,
   * retries the answers that a failure held back.
   * @throws {unknown}
   */
  check() {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.cause;
    for (const { call, answer } of this.#left.splice(0)) this.handIn(call, answer);
  }

  /**
   * Completes the call. If the engine rejects the answer, for example as too large, the call
   * completes as `aborted`, so that the cycle still goes on.
   * @param {Answered} call
   * @param {Answer} answer
   */
  #giveOver(call, answer) {
    try {
      this.#complete(call, answer);
    } catch (cause) {
      if (!(cause instanceof BatchError)) throw cause;
      this.#complete(call, { error: 'aborted', message: cause.message });
    }
  }
}
