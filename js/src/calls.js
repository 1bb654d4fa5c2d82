/**
 * Requests that the engine wants made, as they stand in its output: before everything else, each a
 * line of JSON with the bytes of its body behind it.
 */

/** @import { Answer, Call } from './types.js' */

/**
 * A call of a turn or of a question; those of a question go to extenders, by a key and a URL.
 * @typedef {Call & { key: string, url: string }} AnyCall
 */

const START = new TextEncoder().encode('{"kind":"Call"');
const LINE_END = 10;
const OPTIONAL = ['target', 'url', 'path', 'timeoutMs', 'key'];

/**
 * Cuts the calls off the front of an output.
 * @param {Uint8Array} bytes
 * @param {{ decode(bytes: Uint8Array): string }} decoder
 * @returns {{ calls: AnyCall[], rest: Uint8Array }} bodies are views of `bytes`
 */
export function takeCalls(bytes, decoder) {
  const calls = [];
  let rest = bytes;
  while (beginsCall(rest)) {
    const end = rest.indexOf(LINE_END);
    const header = JSON.parse(decoder.decode(rest.subarray(0, end)));
    const bodyEnd = end + 1 + header.bodyBytes;
    calls.push(callOf(header, rest.slice(end + 1, bodyEnd)));
    rest = rest.subarray(bodyEnd);
  }
  return { calls, rest };
}

/** @param {Uint8Array} bytes */
function beginsCall(bytes) {
  for (let index = 0; index < START.length; index += 1) {
    if (bytes[index] !== START[index]) return false;
  }
  return true;
}

/**
 * Member by member: a rest pattern costs more than all else that is done for a call.
 * @param {any} header
 * @param {Uint8Array} body
 */
function callOf(header, body) {
  const { id, callKind, pod, verb, method, contentType, deadline } = header;
  /** @type {any} */
  const call = { id, kind: callKind, pod, verb, method, contentType, deadline: null, body };
  if (deadline !== undefined) call.deadline = deadline / 1000;
  for (const name of OPTIONAL) {
    if (header[name] !== undefined) call[name] = header[name];
  }
  return call;
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
