/**
 * Reads the requests that the engine wants made. They come first in its output: a line of JSON with
 * all of them, followed by the bytes of their bodies.
 */

/** @import { Answer, Call } from './types.js' */

/**
 * How a call begins. Calls of a turn and of an evaluation look alike; those of an evaluation go to
 * extenders only, and have a key and a URL.
 * @typedef {Call & { key: string, url: string }} AnyCall
 */

/**
 * Successive calls that are alike: what they share, and of each its id, pod, URL, the size of its
 * body and, in an evaluation, its key.
 * @typedef {object} Group
 * @property {string} callKind
 * @property {string} [target]
 * @property {string} verb
 * @property {string} [method]
 * @property {string} [contentType]
 * @property {number} [timeoutMs]
 * @property {number} [deadline] microseconds
 * @property {[number, string, string, number, string?][]} calls
 */

const START = new TextEncoder().encode('{"kind":"Calls"');
const LINE_END = 10;
const DECODER = new TextDecoder();

/**
 * Cuts the calls off the front of an output. Their line is parsed at once, and their bodies are
 * copied at once: one by one, that takes more time than everything else here.
 * @param {Uint8Array} bytes
 * @param {{ decode(bytes: Uint8Array): string }} decoder
 * @returns {{ calls: AnyCall[], text: string }} bodies are views of one copy; `text` is the output
 *   after the calls
 */
export function takeCalls(bytes, decoder) {
  if (!beginsCalls(bytes)) return { calls: [], text: decoder.decode(bytes) };
  const begin = bytes.indexOf(LINE_END) + 1;
  const { groups, bodyBytes } = JSON.parse(decoder.decode(bytes.subarray(0, begin)));
  const end = begin + bodyBytes;
  const bodies = new Uint8Array(bytes.subarray(begin, end));
  const calls = callsOf(groups, bodies.buffer);
  return { calls, text: decoder.decode(bytes.subarray(end)) };
}

/** @param {Uint8Array} bytes */
function beginsCalls(bytes) {
  for (let index = 0; index < START.length; index += 1) {
    if (bytes[index] !== START[index]) return false;
  }
  return true;
}

/**
 * Written out member by member: a rest pattern or a loop over names costs more than everything else
 * that this code does for a call.
 * @param {Group[]} groups
 * @param {ArrayBufferLike} bodies of all calls, one after the other
 * @returns {AnyCall[]}
 */
function callsOf(groups, bodies) {
  const made = [];
  let at = 0;
  for (const { callKind: kind, target, verb, method, contentType, ...group } of groups) {
    const deadline = group.deadline === undefined ? null : group.deadline / 1000;
    const { timeoutMs, calls } = group;
    for (const [id, pod, url, size, key] of calls) {
      const body = new Uint8Array(bodies, at, size);
      at += size;
      /** @type {any} */
      const call = { id, kind, pod, verb, method, contentType, deadline, body };
      if (target !== undefined) call.target = target;
      if (method !== undefined) call[kind === 'api' ? 'path' : 'url'] = url;
      if (timeoutMs !== undefined) call.timeoutMs = timeoutMs;
      if (key !== undefined) call.key = key;
      made.push(call);
    }
  }
  return made;
}

/**
 * Returns the answer to a call in the form that the engine reads.
 * @param {Answer} answer
 * @returns {{ status: number, body: string } | { error: string, message: string }}
 */
export function answerFields(answer) {
  if (answer.error !== undefined) return { error: answer.error, message: answer.message };
  const { body = '' } = answer;
  const text = typeof body === 'string' ? body : DECODER.decode(body);
  return { status: answer.status, body: text };
}
