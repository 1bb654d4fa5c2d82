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
  '{"kind":"Call","id":(\\d+),"callKind":"api","pod":"([^"\\\\]*)","verb":"(\\w+)",' +
    '"method":"(\\w+)","path":"([^"\\\\]*)","contentType":"([^"\\\\]*)"' +
    '(?:,"timeoutMs":(\\d+),"deadline":(\\d+))?,"bodyBytes":(\\d+)}\n',
  'y',
);

/**
 * @typedef {object} Found calls without their bodies
 * @property {AnyCall[]} calls
 * @property {number[]} begins of the calls' bodies: bytes
 * @property {number[]} sizes of the calls' bodies: bytes
 * @property {number} end of the last body
 */

/**
 * Cuts the calls off the front of an output. Bodies are copied all at once: one by one, that takes
 * more time than everything else here.
 * @param {Uint8Array} bytes
 * @param {{ decode(bytes: Uint8Array): string }} decoder
 * @returns {{ calls: AnyCall[], text: string }} bodies are views of one copy; `text` is the output
 *   after the calls
 */
export function takeCalls(bytes, decoder) {
  const whole = decoder.decode(bytes);
  if (!isCall(bytes, 0)) return { calls: [], text: whole };
  const isAscii = whole.length === bytes.length;
  const found = (isAscii && apiCalls(bytes, whole)) || callsByJson(bytes, decoder);
  const { calls, begins, sizes, end } = found;
  const copy = bytes.slice(0, end);
  for (const [index, call] of calls.entries())
    call.body = copy.subarray(begins[index], begins[index] + sizes[index]);
  return { calls, text: isAscii ? whole.slice(end) : decoder.decode(bytes.subarray(end)) };
}

/**
 * Reads calls to the API server as callsByJson does, in a quarter of its time.
 * @param {Uint8Array} bytes
 * @param {string} whole their text, which is ASCII
 * @returns {Found | undefined} undefined if a call looks different
 */
function apiCalls(bytes, whole) {
  /** @type {Found} */
  const found = { calls: [], begins: [], sizes: [], end: 0 };
  while (isCall(bytes, found.end)) {
    API_CALL.lastIndex = found.end;
    const parts = API_CALL.exec(whole);
    if (!parts) return undefined;
    found.calls.push(/** @type {any} */ (new ApiCall(parts)));
    add(found, API_CALL.lastIndex, Number(parts[9]));
  }
  return found;
}

/**
 * Constructs the call of a line. The object looks like that of a literal, but V8 makes the objects
 * of a literal old from the start once most of those that it watched have outlived a minor garbage
 * collection, and old calls keep their texts until a major one.
 * @this {any}
 * @param {RegExpExecArray} parts
 */
function ApiCall(parts) {
  const [, id, pod, verb, method, path, contentType, timeoutMs, deadline] = parts;
  this.id = Number(id);
  this.kind = 'api';
  this.pod = pod;
  this.verb = verb;
  this.method = method;
  this.contentType = contentType;
  this.deadline = deadline === undefined ? null : Number(deadline) / 1000;
  this.body = undefined;
  this.path = path;
  if (timeoutMs !== undefined) this.timeoutMs = Number(timeoutMs);
}
ApiCall.prototype = Object.prototype;

/**
 * Parses all lines at once: one by one takes longer.
 * @param {Uint8Array} bytes
 * @param {{ decode(bytes: Uint8Array): string }} decoder
 * @returns {Found}
 */
function callsByJson(bytes, decoder) {
  /** @type {Found} */
  const found = { calls: [], begins: [], sizes: [], end: 0 };
  const lines = [];
  while (isCall(bytes, found.end)) {
    const lineEnd = bytes.indexOf(LINE_END, found.end);
    const line = decoder.decode(bytes.subarray(found.end, lineEnd));
    lines.push(line);
    // The last member.
    add(found, lineEnd + 1, Number(line.slice(line.lastIndexOf(':') + 1, -1)));
  }
  found.calls = JSON.parse(`[${lines.join()}]`).map(callOf);
  return found;
}

/** @param {Found} found @param {number} begin of a body @param {number} size */
function add(found, begin, size) {
  found.begins.push(begin);
  found.sizes.push(size);
  found.end = begin + size;
}

/** @param {Uint8Array} bytes @param {number} at */
function isCall(bytes, at) {
  for (let index = 0; index < START.length; index += 1) {
    if (bytes[at + index] !== START[index]) return false;
  }
  return true;
}

/**
 * Written out member by member: a rest pattern or a loop over names costs more than everything else
 * that this code does for a call.
 * @param {any} header
 */
function callOf(header) {
  const { id, callKind, pod, verb, method, contentType, deadline } = header;
  const { target, url, path, timeoutMs, key } = header;
  /** @type {any} */
  const call = { id, kind: callKind, pod, verb, method, contentType, deadline: null };
  if (deadline !== undefined) call.deadline = deadline / 1000;
  call.body = undefined;
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
