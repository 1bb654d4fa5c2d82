/**
 * Reads the requests that the engine wants made. They come first in its output: each is a line of
 * JSON, followed by the bytes of its body.
 */

/** @import { Answer, Call } from './types.js' */

/**
 * How a call begins. Calls of a turn and of an evaluation look alike; those of an evaluation go to
 * extenders only, and have a key and a URL.
 * @typedef {Call & { key: string, url: string }} AnyCall
 */

const START = new TextEncoder().encode('{"kind":"Call"');
const LINE_END = 10;

/**
 * Cuts the calls off the front of an output.
 * @param {Uint8Array} bytes
 * @param {{ decode(bytes: Uint8Array): string }} decoder
 * @returns {{ calls: AnyCall[], text: string }} bodies are copies; `text` is the output after the
 *   calls
 */
export function takeCalls(bytes, decoder) {
  const lines = new Lines(bytes, decoder);
  const calls = [];
  let at = 0;
  while (beginsCall(bytes, at)) {
    const end = bytes.indexOf(LINE_END, at);
    const header = JSON.parse(lines.from(at, end));
    at = end + 1 + header.bodyBytes;
    calls.push(callOf(header, bytes.slice(end + 1, at)));
  }
  return { calls, text: lines.from(at, bytes.length) };
}

/** Text by byte offsets. ASCII text is decoded once as a whole. */
class Lines {
  #bytes;
  #decoder;
  #whole;

  /** @param {Uint8Array} bytes @param {{ decode(bytes: Uint8Array): string }} decoder */
  constructor(bytes, decoder) {
    this.#bytes = bytes;
    this.#decoder = decoder;
    this.#whole = decoder.decode(bytes);
  }

  /** @param {number} begin @param {number} end */
  from(begin, end) {
    return this.#whole.length === this.#bytes.length
      ? this.#whole.slice(begin, end)
      : this.#decoder.decode(this.#bytes.subarray(begin, end));
  }
}

/** @param {Uint8Array} bytes @param {number} at */
function beginsCall(bytes, at) {
  for (let index = 0; index < START.length; index += 1) {
    if (bytes[at + index] !== START[index]) return false;
  }
  return true;
}

/**
 * Written out member by member: a rest pattern or a loop over names costs more than everything else
 * that this code does for a call.
 * @param {any} header
 * @param {Uint8Array} body
 */
function callOf(header, body) {
  const { id, callKind, pod, verb, method, contentType, deadline } = header;
  const { target, url, path, timeoutMs, key } = header;
  /** @type {any} */
  const call = { id, kind: callKind, pod, verb, method, contentType, deadline: null, body };
  if (deadline !== undefined) call.deadline = deadline / 1000;
  if (target !== undefined) call.target = target;
  if (url !== undefined) call.url = url;
  if (path !== undefined) call.path = path;
  if (timeoutMs !== undefined) call.timeoutMs = timeoutMs;
  if (key !== undefined) call.key = key;
  return call;
}

/**
 * Returns the answer to a call in the form that the engine reads.
 * @param {Answer} answer
 * @returns {{ status: number, body: string } | { error: string, message: string }}
 */
export function answerFields(answer) {
  if (answer.error !== undefined) return { error: answer.error, message: answer.message };
  const { body = '' } = answer;
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  return { status: answer.status, body: text };
}
