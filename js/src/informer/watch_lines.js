/**
 * What must be known of the lines of a watch before a sink has read them, by their first bytes.
 * Sources: metav1.WatchEvent of apimachinery, v1.36; KEP-3157.
 */
import { isRecord } from '../kubernetes/values.js';

const LINE_FEED = 10;
const INITIAL_EVENTS_END = 'k8s.io/initial-events-end';

/** A line of an API server begins so; what follows tells the types apart. */
const HEAD = [...'{"type":"'].map((character) => character.charCodeAt(0));
/** ADDED, MODIFIED, DELETED: lines that hold an object. */
const CHANGES = new Set([...'AMD'].map((letter) => letter.charCodeAt(0)));

/**
 * Where the objects of the beginning end: the bookmark that is annotated so.
 * @param {Uint8Array} lines whole ones
 * @returns {number} behind the bookmark's line; -1: it is not among them
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
 * Whether a watch begins with an event, as far as can be seen; a list, or another object, is what
 * else was asked for.
 * @param {Uint8Array} lines whole ones
 */
export function beginsWithEvent(lines) {
  if (isChange(lines, 0)) return true;
  const feed = lines.indexOf(LINE_FEED);
  const first = parsed(textOf(feed < 0 ? lines : lines.subarray(0, feed)));
  return !isRecord(first) || typeof first.type === 'string';
}

/**
 * Pieces of whole lines, each of about that size at most; a line is never cut.
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
 * The event in the last line, for sinks that do not tell of it.
 * @param {Uint8Array} lines whole ones
 * @returns {any} undefined where it is no JSON
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
  // Escaped or not, the word after the slash is the same.
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
