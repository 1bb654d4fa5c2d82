/** Answers of calls that are performed on this side, on their way into the engine. */
import { BatchError, DisposedError, EngineError } from '../kubernetes/errors.js';
import { News } from '../io/news.js';

/** @import { Answer, Call } from './types.js' */

/** The call that is answered. @typedef {Pick<Call, 'id' | 'kind'>} Answered */

export class Answers {
  /** @type {Set<Promise<void>>} */
  #underWay = new Set();
  #complete;
  /** @type {{ call: Answered, answer: Answer }[]} */
  #left = [];
  /** Why, until it is told. @type {{ cause: unknown } | undefined} */
  #failure;
  /** Told with each answer that was waited for. */
  news = new News();

  /** @param {(call: Answered, answer: Answer) => void} complete the scheduler's */
  constructor(complete) {
    this.#complete = complete;
  }

  /** How many are waited for. */
  get size() {
    return this.#underWay.size;
  }

  /**
   * Hands the answer in when it comes.
   * @param {Answered} call
   * @param {Promise<Answer>} promise never rejected
   */
  await(call, promise) {
    const answered = promise.then((answer) => {
      this.#underWay.delete(answered);
      this.handIn(call, answer);
      this.news.tell();
    });
    this.#underWay.add(answered);
  }

  /**
   * Never throws: what stops an answer on its way stops the next turn as well, or `check` tells it.
   * @param {Answered} call
   * @param {Answer} answer
   */
  handIn(call, answer) {
    try {
      this.#giveOver(call, answer);
    } catch (cause) {
      // The end of the scheduler, or of the engine.
      if (cause instanceof DisposedError || cause instanceof EngineError) return;
      this.#left.push({ call, answer });
      this.#failure ??= { cause };
    }
  }

  /**
   * Tells, once, why an answer was left here, such as a log that could not be written. Whoever
   * comes next hands it in.
   * @throws {unknown}
   */
  check() {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure) throw failure.cause;
    for (const { call, answer } of this.#left.splice(0)) this.handIn(call, answer);
  }

  /**
   * An answer that the engine cannot take, such as one beyond all limits, is an answer too.
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
