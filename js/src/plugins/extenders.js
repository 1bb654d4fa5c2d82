/**
 * Performs the requests that the engine makes to scheduler extenders, over HTTP or in this process.
 */
import { answerInTime, messageOf } from '../engine/calls_in_time.js';
import { ConfigurationError } from '../kubernetes/errors.js';
import { withoutLastSlashes } from '../io/url_text.js';
import { isPromise, wellFormedJson } from '../kubernetes/values.js';

/**
 * @import { Answer, Call } from '../engine/types.js'
 * @import { InProcessExtender } from './extender_types.js'
 * @import { CallEnd } from '../io/call_end.js'
 */

const VERBS = ['filter', 'prioritize', 'preempt', 'bind'];

/** Extenders performs the `extender` calls of one scheduler. */
export class Extenders {
  /** By URL prefix without trailing slashes. @type {Map<string, InProcessExtender>} */
  #inProcess = new Map();
  #fetch;

  /**
   * @param {{ extenders?: Record<string, InProcessExtender>, fetch?: typeof fetch }} options
   * @throws {ConfigurationError} if an in-process extender is not an object with functions
   */
  constructor({ extenders = {}, fetch }) {
    for (const [prefix, extender] of Object.entries(extenders)) {
      checkInProcess(prefix, extender);
      this.#inProcess.set(withoutLastSlashes(prefix), extender);
    }
    this.#fetch =
      fetch ??
      ((/** @type {string} */ url, /** @type {RequestInit} */ init) => globalThis.fetch(url, init));
  }

  /**
   * Returns the answer of an extender in this process, if it is synchronous.
   * @param {Call} call
   * @returns {Answer | undefined} undefined if it has to be awaited
   */
  performNow(call) {
    if (!this.#here(call)) return undefined;
    const answer = this.#ask(call);
    if (!(answer instanceof Promise)) return answer;
    // The answer comes too late for this caller, so its failure is ignored.
    answer.catch(() => {});
    return undefined;
  }

  /**
   * Performs a call. Never rejects: failures are answers, too.
   * @param {Call} call
   * @param {CallEnd} end belongs to this call
   * @returns {Promise<Answer>}
   */
  async perform(call, end) {
    return answerInTime(call, end, () =>
      this.#here(call) ? this.#ask(call) : this.#post(call, end.signal),
    );
  }

  /** Returns the extender of a call, if it is in this process. @param {Call} call */
  #here({ target = '' }) {
    return this.#inProcess.get(withoutLastSlashes(target));
  }

  /**
   * @param {Call} call
   * @returns {Answer | Promise<Answer>}
   */
  #ask(call) {
    const extender = this.#here(call);
    const method = /** @type {((args: unknown) => unknown) | undefined} */ (
      extender?.[/** @type {keyof InProcessExtender} */ (call.verb)]
    );
    if (!method) return { error: 'aborted', message: `the extender has no ${call.verb}` };
    const fail = (/** @type {unknown} */ cause) =>
      /** @type {Answer} */ ({ error: 'aborted', message: messageOf(cause) });
    const succeed = (/** @type {unknown} */ result) =>
      /** @type {Answer} */ ({ status: 200, body: wellFormedJson(result ?? null) });
    try {
      const result = method.call(extender, JSON.parse(new TextDecoder().decode(call.body)));
      return isPromise(result)
        ? Promise.resolve(result).then(succeed).catch(fail)
        : succeed(result);
    } catch (cause) {
      return fail(cause);
    }
  }

  /**
   * @param {Call} call
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async #post({ url = '', method, contentType, body }, signal) {
    const headers = { 'Content-Type': contentType };
    const response = await this.#fetch(url, {
      method,
      headers,
      body: /** @type {BodyInit} */ (body),
      signal,
    });
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  }
}

/**
 * @param {string} prefix
 * @param {unknown} extender
 */
function checkInProcess(prefix, extender) {
  const field = `extenders[${prefix}]`;
  const methods = extender && typeof extender === 'object' ? Object.entries(extender) : [];
  const known = methods.filter(([name]) => VERBS.includes(name));
  if (known.length > 0 && known.every(([, method]) => typeof method === 'function')) return;
  const detail = `Invalid value: must be an object with functions among ${VERBS.join(', ')}`;
  throw new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
}
