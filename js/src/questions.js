/** Questions that extenders have a part in. */
import { WaitError } from './errors.js';

/**
 * @import { AnyCall } from './calls.js'
 * @import { Answer } from './types.js'
 */

/** How often a question is asked anew while the cluster changes under the extenders' answers. */
const ROUNDS = 100;

/**
 * Asks, with the extenders' answers, until none is missing.
 * @param {(known: Map<string, Answer>) => { calls: AnyCall[], text: string }} ask
 * @param {(call: AnyCall) => Answer | Promise<Answer>} perform
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} JSON
 * @throws {WaitError} when the cluster changes faster than an extender answers
 */
export async function answered(ask, perform, signal) {
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
