/** Requests that others perform: what becomes of them is an answer, whatever they do. */
import { after } from '../runtimes/system_clock.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';

/** @import { Answer, Call } from './types.js' */

const FAULTS = ['timeout', 'network', 'aborted'];

/**
 * The answer to a call, before its time is up. Never rejected.
 * @param {Call} call
 * @param {AbortController} end of this call alone: who aborts it has the call end as `aborted`. It
 *   is aborted with the call's time, and with an error: what is left under way is of no use then
 * @param {(signal: AbortSignal) => unknown} perform begins it, and gives the answer or a promise
 * @returns {Promise<Answer>} `network` where it is rejected, or none of an answer's shape
 */
export async function answerInTime({ timeoutMs }, end, perform) {
  const { signal } = end;
  let isOverdue = false;
  const overdue = () => {
    isOverdue = true;
    end.abort(new Error('no answer in time'));
  };
  // Nothing is aborted where all goes well: that is dear in some runtimes.
  const forget = timeoutMs === undefined ? () => {} : after(timeoutMs, overdue);
  try {
    const answer = checkedAnswer(await unless(signal, () => perform(signal)));
    if (answer.error !== undefined) end.abort(new Error(answer.message));
    return answer;
  } catch (cause) {
    const message = messageOf(cause);
    if (isOverdue) return { error: 'timeout', message };
    if (signal.aborted) return { error: 'aborted', message };
    end.abort(cause);
    return { error: 'network', message };
  } finally {
    forget();
  }
}

/** CallsUnderWay ends the calls of one performer together. */
export class CallsUnderWay {
  /** @type {Map<Promise<Answer>, AbortController>} */
  #ends = new Map();
  #isEnded = false;

  /** How many there are. */
  get size() {
    return this.#ends.size;
  }

  /**
   * @param {(end: AbortController) => Promise<Answer>} begin what it gives is never rejected
   * @returns {Promise<Answer>}
   */
  make(begin) {
    const end = new AbortController();
    if (this.#isEnded) end.abort();
    const made = begin(end).finally(() => this.#ends.delete(made));
    this.#ends.set(made, end);
    return made;
  }

  /**
   * Ends all of them, and those that are made from now on.
   * @param {unknown} [reason]
   * @returns {Promise<unknown>} resolved when they have answers
   */
  end(reason) {
    this.#isEnded = true;
    const made = Promise.all(this.#ends.keys());
    for (const end of this.#ends.values()) end.abort(reason);
    return made;
  }
}

/**
 * `fetch` says little itself; the reason is in its cause.
 * @param {unknown} error
 */
export function messageOf(error) {
  const { cause } = error instanceof Error ? error : {};
  return wordsOf(cause instanceof Error && cause.message ? cause : error);
}

/**
 * @param {unknown} answer
 * @returns {Answer}
 */
function checkedAnswer(answer) {
  if (isRecord(answer)) {
    const { status, body = '', error, message = '' } = answer;
    if (error !== undefined && FAULTS.includes(error) && typeof message === 'string')
      return { error, message };
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    if (error === undefined && Number.isInteger(status) && isText) return { status, body };
  }
  throw new TypeError('what came back is no answer: { status, body } or { error, message }');
}

/**
 * What is made, unless the signal comes first: a promise that nobody can end from outside must not
 * hold up a cycle.
 * @template T
 * @param {AbortSignal} signal
 * @param {() => T | Promise<T>} make
 * @returns {Promise<T>}
 */
function unless(signal, make) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    Promise.resolve(make()).then(resolve, reject);
  });
}
