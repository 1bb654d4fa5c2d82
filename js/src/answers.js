/** Answers of calls that are performed on this side, on their way into the engine. */
import { BatchError } from './errors.js';
import { News } from './news.js';

/** @import { Answer, Call } from './types.js' */

/** The call that is answered. @typedef {Pick<Call, 'id' | 'kind'>} Answered */

export class Answers {
  /** @type {Set<Promise<void>>} */
  #underWay = new Set();
  #complete;
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
   * An answer that the engine cannot take, such as one beyond all limits, is an answer too.
   * @param {Answered} call
   * @param {Answer} answer
   */
  handIn(call, answer) {
    try {
      this.#complete(call, answer);
    } catch (cause) {
      // Whatever else it is, the next turn meets it as well.
      if (!(cause instanceof BatchError)) return;
      this.#complete(call, { error: 'aborted', message: cause.message });
    }
  }
}
