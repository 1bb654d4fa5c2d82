/**
 * Inspects the first bytes of watch lines before a sink reads them. Sources: metav1.WatchEvent of
 * apimachinery, v1.36; KEP-3157.
 */
import { isRecord } from '../kubernetes/values.js';

const LINE_FEED = 10;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** The start of an API server's line; the next character distinguishes the types. */
const HEAD = [...'{"type":"'].map((character) => character.charCodeAt(0));
/** ADDED, MODIFIED, DELETED: lines that hold an object. */
const CHANGES = new Set([...'AMD'].map((letter) => letter.charCodeAt(0)));

/**
 * Finds the end of the initial objects: the bookmark with the annotation.
 * @param {Uint8Array} lines whole lines
 * @returns {number} the position after the bookmark's line; -1 if the lines do not contain it
 */
export function endOfInitialEvents(lines) {
  for (let begin = 0; begin < lines.length;) {
    const feed = lines.indexOf(LINE_FEED, begin);
    const end = feed < 0 ? lines.length : feed + 1;
    if (!isChange(lines, begin) && isInitialEventsEnd(lines.subarray(begin, end))) return end;
    begin = end;
  }
  return -1;
}

/**
 * Whether a watch starts with an event, as far as its first bytes show. Otherwise the response is a
 * list or another object.
 * @param {Uint8Array} lines whole lines
 */
export function beginsWithEvent(lines) {
  if (isChange(lines, 0)) return true;
  const feed = lines.indexOf(LINE_FEED);
  const first = parsed(textOf(feed < 0 ? lines : lines.subarray(0, feed)));
  return !isRecord(first) || typeof first.type === 'string';
}

/**
 * Yields pieces of whole lines, each of about that size at most; a line is never cut.
 * @param {Uint8Array} lines
 * @param {number} size bytes
 * @returns {Generator<Uint8Array>}
 */
export function* linePieces(lines, size) {
  let begin = 0;
  while (lines.length - begin > size) {
    const last = lines.lastIndexOf(LINE_FEED, begin + size - 1);
    const feed = last >= begin ? last : lines.indexOf(LINE_FEED, begin + size);
    if (feed < 0) break;
    yield lines.subarray(begin, feed + 1);
    begin = feed + 1;
  }
  if (begin < lines.length) yield lines.subarray(begin);
}

/**
 * Parses the event in the last line, for sinks that do not report it.
 * @param {Uint8Array} lines whole lines
 * @returns {any} undefined if it is not JSON
 */
export function lastEvent(lines) {
  const end = lines.at(-1) === LINE_FEED ? lines.length - 1 : lines.length;
  const begin = end === 0 ? 0 : lines.lastIndexOf(LINE_FEED, end - 1) + 1;
  return parsed(textOf(lines.subarray(begin, end)));
}

/**
 * @param {Uint8Array} lines
 * @param {number} begin
 */
function isChange(lines, begin) {
  if (!CHANGES.has(lines[begin + HEAD.length])) return false;
  return HEAD.every((byte, index) => lines[begin + index] === byte);
}

/** @param {Uint8Array} line */
function isInitialEventsEnd(line) {
  const text = textOf(line);
  // The search string has no slash, so an escaped slash before it does not matter.
  if (!text.includes('initial-events-end')) return false;
  const event = parsed(text);
  const mark = event?.object?.metadata?.annotations?.[INITIAL_EVENTS_END];
  return event?.type === 'BOOKMARK' && mark === 'true';
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  return new TextDecoder().decode(bytes);
}
