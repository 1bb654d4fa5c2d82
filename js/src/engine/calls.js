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
const DECODER = new TextDecoder();

/** The line of a call to the API server, whose texts have no escapes. */
const API_CALL = new RegExp(
  '^{"kind":"Call","id":(\\d+),"callKind":"api","pod":"([^"\\\\]*)","verb":"(\\w+)",' +
    '"method":"(\\w+)","path":"([^"\\\\]*)","contentType":"([^"\\\\]*)"' +
    '(?:,"timeoutMs":(\\d+),"deadline":(\\d+))?,"bodyBytes":(\\d+)}$',
);

/**
 * Cuts the calls off the front of an output. JSON is parsed all at once, and bodies copied all at
 * once: one by one, that takes more time than everything else here.
 * @param {Uint8Array} bytes
 * @param {{ decode(bytes: Uint8Array): string }} decoder
 * @returns {{ calls: AnyCall[], text: string }} bodies are views of one copy; `text` is the output
 *   after the calls
 */
export function takeCalls(bytes, decoder) {
  const text = new TextByBytes(bytes, decoder);
  const lines = [];
  const bodies = [];
  let at = 0;
  while (beginsCall(bytes, at)) {
    const end = bytes.indexOf(LINE_END, at);
    const line = text.from(at, end);
    lines.push(line);
    bodies.push(end + 1);
    at = end + 1 + bodyBytesIn(line);
  }
  const rest = text.from(at, bytes.length);
  if (lines.length === 0) return { calls: [], text: rest };
  const copy = bytes.slice(0, at);
  const headers = apiHeaders(lines) ?? JSON.parse(`[${lines.join()}]`);
  const calls = bodies.map((begin, index) => {
    const header = headers[index];
    return callOf(header, copy.subarray(begin, begin + header.bodyBytes));
  });
  return { calls, text: rest };
}

/**
 * Reads the lines as JSON, in a quarter of its time.
 * @param {string[]} lines
 * @returns {object[] | undefined} undefined if one of them looks different
 */
function apiHeaders(lines) {
  const headers = [];
  for (const line of lines) {
    const parts = API_CALL.exec(line);
    if (!parts) return undefined;
    headers.push({
      id: Number(parts[1]),
      callKind: 'api',
      pod: parts[2],
      verb: parts[3],
      method: parts[4],
      path: parts[5],
      contentType: parts[6],
      timeoutMs: parts[7] === undefined ? undefined : Number(parts[7]),
      deadline: parts[8] === undefined ? undefined : Number(parts[8]),
      bodyBytes: Number(parts[9]),
    });
  }
  return headers;
}

/** The last member of a call's line. @param {string} line @returns {number} */
function bodyBytesIn(line) {
  return Number(line.slice(line.lastIndexOf(':') + 1, -1));
}

/** Text by byte offsets. ASCII text is decoded once as a whole. */
class TextByBytes {
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
  const text = typeof body === 'string' ? body : DECODER.decode(body);
  return { status: answer.status, body: text };
}
