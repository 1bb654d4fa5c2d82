/**
 * Requests that the engine wants made, as they stand in its output: before everything else, each a
 * line of JSON with the bytes of its body behind it.
 */

/** @import { Answer, Call } from './types.js' */

const START = new TextEncoder().encode('{"kind":"Call"');
const LINE_END = 10;

/**
 * Cuts the calls off the front of an output.
 * @param {Uint8Array} bytes
 * @param {TextDecoder} decoder
 * @returns {{ calls: (Call & { key: string })[], rest: Uint8Array }} bodies are copies; only the
 *   calls of a question have keys
 */
export function takeCalls(bytes, decoder) {
  const calls = [];
  let rest = bytes;
  while (START.every((byte, index) => rest[index] === byte)) {
    const end = rest.indexOf(LINE_END);
    const {
      kind: _,
      callKind,
      bodyBytes,
      deadline,
      ...call
    } = JSON.parse(decoder.decode(rest.subarray(0, end)));
    const body = rest.slice(end + 1, end + 1 + bodyBytes);
    const time = deadline === undefined ? null : deadline / 1000;
    calls.push({ ...call, kind: callKind, deadline: time, body });
    rest = rest.subarray(end + 1 + bodyBytes);
  }
  return { calls, rest };
}

/**
 * The answer to a call as the engine reads it.
 * @param {Answer} answer
 * @returns {{ status: number, body: string } | { error: string, message: string }}
 */
export function answerFields(answer) {
  if (answer.error !== undefined) return { error: answer.error, message: answer.message };
  const { body = '' } = answer;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return { status: answer.status, body: text };
}
