/** Evaluates pods, including evaluations that need extenders' answers. */
import { encodeObject } from './batch.js';
import { answerFields } from './calls.js';
import { CallsUnderWay } from './calls_in_time.js';
import { WaitError } from '../kubernetes/errors.js';
import { checkedQuestion } from './options.js';
import { wellFormedJson } from '../kubernetes/values.js';

/**
 * @import { AnyCall } from './calls.js'
 * @import { Completer } from './completer.js'
 * @import { InputError } from '../kubernetes/errors.js'
 * @import { KubernetesObject } from '../kubernetes/types.js'
 * @import { Answer, EvaluateOptions } from './types.js'
 * @import { CallEnd } from '../io/call_end.js'
 */

/**
 * Asks the engine, with the answers known so far by the key of their call.
 * @typedef {(known: Map<string, Answer>) => { calls: AnyCall[], text: string }} Ask
 */

/**
 * The maximum number of rounds of one evaluation while the cluster changes between its extenders'
 * answers.
 */
const ROUNDS = 100;

/**
 * Returns the question about a pod in the engine's form.
 * @param {KubernetesObject | string} pod
 * @param {EvaluateOptions} options
 * @param {Map<string, Answer>} known by the key of the call
 * @param {Completer} completer
 * @returns {string[]}
 * @throws {InputError}
 */
export function questionParts(pod, options, known, completer) {
  const isNamed = typeof pod === 'string';
  const answers = [...known].map(([key, answer]) => ({ key, ...answerFields(answer) }));
  const question = { ...checkedQuestion(options), ...(isNamed && { pod }), answers };
  const body = isNamed ? '' : encodeObject(pod, (object) => completer.completePod(object));
  return [wellFormedJson(question), '\n', body];
}

/**
 * Asks the engine, and the extenders that answer at once, until no answer is missing.
 * @param {Ask} ask
 * @param {(call: AnyCall) => Answer | undefined} perform returns undefined if its answer has to be
 *   awaited
 * @returns {string} JSON
 * @throws {WaitError} if an extender has to be awaited
 */
export function answeredNow(ask, perform) {
  /** @type {Map<string, Answer>} */
  const answers = new Map();
  for (;;) {
    const { calls, text } = ask(answers);
    if (calls.length === 0) return text;
    for (const call of calls) {
      const answer = perform(call);
      if (!answer) throw new WaitError(call.url ?? '');
      answers.set(/** @type {string} */ (call.key), answer);
    }
  }
}

/**
 * The same, but awaits the extenders.
 * @param {Ask} ask
 * @param {(call: AnyCall, end: CallEnd) => Promise<Answer>} perform `end` belongs to this
 *   call
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} JSON
 * @throws {WaitError} if the cluster changes faster than an extender answers
 */
export async function answered(ask, perform, signal) {
  const underWay = new CallsUnderWay();
  const stop = () => void underWay.end(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    return await answeredInRounds(
      ask,
      (call) => underWay.make((end) => perform(call, end)),
      signal,
    );
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/**
 * @param {Ask} ask
 * @param {(call: AnyCall) => Answer | Promise<Answer>} perform
 * @param {AbortSignal} [signal]
 */
async function answeredInRounds(ask, perform, signal) {
  /** @type {Map<string, Answer>} */
  const answers = new Map();
  let url = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    signal?.throwIfAborted();
    const { calls, text } = ask(answers);
    if (calls.length === 0) return text;
    ({ url = '' } = calls[0]);
    const made = calls.map(async (call) => {
      answers.set(/** @type {string} */ (call.key), await perform(call));
    });
    await Promise.all(made);
  }
  throw new WaitError(url, `the cluster changes faster than the extender at ${url} answers`);
}
