/** Runs the caller's functions for requests, and turns every outcome into an answer. */
import { after } from '../runtimes/system_clock.js';
import { isRecord, wordsOf } from '../kubernetes/values.js';
import { CallEnd } from '../io/call_end.js';
import { InProgress } from '../io/in_progress.js';

/** @import { Answer, Call } from './types.js' */

const FAULTS = ['timeout', 'network', 'aborted'];

/**
 * Returns the answer to a call, or `timeout` when its time is up. Never rejects.
 * @param {Call} call
 * @param {CallEnd} end belongs to this call alone. Its abort ends the call as `aborted`. At
 *   the call's timeout this function aborts it with an error, so that the request stops
 * @param {() => unknown} perform starts the request; returns the answer or a promise of it
 * @returns {Promise<Answer>} `network` if `perform` throws, rejects, or returns something else than
 *   an answer
 */
export async function answerInTime({ timeoutMs }, end, perform) {
  let isOverdue = false;
  const overdue = () => {
    isOverdue = true;
    end.abort(new Error('no answer in time'));
  };
  // On success the signal is not aborted: aborting is expensive in some runtimes.
  const forget = timeoutMs === undefined ? () => {} : after(timeoutMs, overdue);
  try {
    const answer = checkedAnswer(await unless(end, perform));
    if (answer.error !== undefined) end.abort(new Error(answer.message));
    return answer;
  } catch (cause) {
    const message = messageOf(cause);
    if (isOverdue) return { error: 'timeout', message };
    if (end.aborted) return { error: 'aborted', message };
    end.abort(cause);
    return { error: 'network', message };
  } finally {
    forget();
  }
}

/** CallsUnderWay can end all calls of one performer together. */
export class CallsUnderWay {
  /** @type {InProgress<{ end: CallEnd, made: Promise<Answer>, place: number }>} */
  #calls = new InProgress();
  #isEnded = false;

  /** The number of calls in progress. */
  get size() {
    return this.#calls.size;
  }

  /**
   * @param {(end: CallEnd) => Promise<Answer>} begin its promise never rejects
   * @returns {Promise<Answer>}
   */
  make(begin) {
    const end = new CallEnd();
    if (this.#isEnded) end.abort();
    const made = begin(end).then((answer) => {
      this.#calls.remove(call);
      return answer;
    });
    const call = { end, made, place: -1 };
    this.#calls.add(call);
    return made;
  }

  /**
   * Ends all calls, and each later one as soon as it starts.
   * @param {unknown} [reason]
   * @returns {Promise<unknown>} resolved when all of them have answers
   */
  end(reason) {
    this.#isEnded = true;
    const calls = this.#calls.all();
    for (const { end } of calls) end.abort(reason);
    return Promise.all(calls.map(({ made }) => made));
  }
}

/**
 * Prefers the error's cause: `fetch` puts the reason there.
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
  throw new TypeError('the result is no answer: expected { status, body } or { error, message }');
}

/**
 * Rejects with the end even while the promise is pending: one that cannot be cancelled must not
 * hold up a cycle.
 * @template T
 * @param {CallEnd} end
 * @param {() => T | Promise<T>} make
 * @returns {Promise<T>}
 */
function unless(end, make) {
  return new Promise((resolve, reject) => {
    if (end.aborted) {
      reject(end.reason);
      return;
    }
    end.addEventListener('abort', () => reject(end.reason));
    Promise.resolve(make()).then(resolve, reject);
  });
}
