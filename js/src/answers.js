/** Answers of calls that are performed on this side, on their way into the engine. */
import { BatchError } from './errors.js';
import { News } from './news.js';

/** @import { Answer } from './types.js' */

export class Answers {
  /** @type {Set<Promise<void>>} */
  #underWay = new Set();
  #complete;
  /** Told with each answer that was waited for. */
  news = new News();

  /** @param {(callId: number, answer: Answer) => void} complete the scheduler's */
  constructor(complete) {
    this.#complete = complete;
  }

  /** How many are waited for. */
  get size() {
    return this.#underWay.size;
  }

  /**
   * Hands the answer in when it comes.
   * @param {number} callId
   * @param {Promise<Answer>} promise never rejected
   */
  await(callId, promise) {
    const answered = promise.then((answer) => {
      this.#underWay.delete(answered);
      this.handIn(callId, answer);
      this.news.tell();
    });
    this.#underWay.add(answered);
  }

  /**
   * An answer that the engine cannot take, such as one beyond all limits, is an answer too.
   * @param {number} callId
   * @param {Answer} answer
   */
  handIn(callId, answer) {
    try {
      this.#complete(callId, answer);
    } catch (cause) {
      // Whatever else it is, the next turn meets it as well.
      if (!(cause instanceof BatchError)) return;
      this.#complete(callId, { error: 'aborted', message: cause.message });
    }
  }
}
