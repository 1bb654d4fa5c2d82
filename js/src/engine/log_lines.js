/** Reads a log, line by line. */
import { ReplayError } from '../kubernetes/errors.js';
import { isRecord } from '../kubernetes/values.js';

/**
 * A log: its text or bytes, whole or in pieces that may end anywhere.
 * @typedef {string | Uint8Array | Iterable<string | Uint8Array> |
 *   AsyncIterable<string | Uint8Array>} LogSource
 */

/**
 * A line of a log, and its number from 1. An unreadable line has a `fault` and no fields.
 * @typedef {{ line: number, entry: any, fault?: unknown }} LogLine
 */

/**
 * The number of bytes that become text at once: a whole log may exceed a string's maximum length.
 */
const PIECE_BYTES = 1 << 20;

/** LogLines yields the lines of a log, with one line of lookahead. */
export class LogLines {
  #lines;
  #line = 0;
  /** @type {LogLine | null | undefined} */
  #next;

  /** @param {LogSource} source */
  constructor(source) {
    this.#lines = linesOf(source);
  }

  /**
   * Returns the next line without consuming it. An unreadable line is not an error yet: `next`
   * throws when it consumes the line, so everything before it can be replayed.
   * @returns {Promise<LogLine | null>} null at the end
   */
  async peek() {
    if (this.#next === undefined) this.#next = await this.#read();
    return this.#next;
  }

  /**
   * @returns {Promise<LogLine | null>} the next line, consumed
   * @throws {ReplayError} if it cannot be read; also the source's own errors
   */
  async take() {
    const next = await this.peek();
    if (next?.fault) throw next.fault;
    this.#next = undefined;
    return next;
  }

  /** Releases the source's resources. */
  async close() {
    await this.#lines.return();
  }

  /** @returns {Promise<LogLine | null>} */
  async #read() {
    this.#line += 1;
    const line = this.#line;
    try {
      const { value, done } = await this.#lines.next();
      return done ? null : { line, entry: entryOf(value, line) };
    } catch (fault) {
      return { line, entry: {}, fault };
    }
  }
}

/**
 * @param {{ text: string, isEnded: boolean }} read
 * @param {number} line
 */
function entryOf({ text, isEnded }, line) {
  const entry = parsed(text);
  if (isRecord(entry)) return entry;
  if (!isEnded)
    throw new ReplayError({ code: 'LogTruncated', line, detail: 'the line is cut off' });
  throw new ReplayError({ code: 'LogMalformed', line, detail: 'this is not a line of a log' });
}

/**
 * @param {LogSource} source
 * @returns {AsyncGenerator<{ text: string, isEnded: boolean }, void>}
 */
async function* linesOf(source) {
  const isWhole = typeof source === 'string' || source instanceof Uint8Array;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of isWhole ? [source] : source) {
    for (const text of textsOf(piece, decoder)) {
      const lines = text.split('\n');
      lines[0] = rest + lines[0];
      rest = lines.pop() ?? '';
      for (const line of lines) yield { text: line, isEnded: true };
    }
  }
  rest += decoder.decode();
  if (rest !== '') yield { text: rest, isEnded: false };
}

/**
 * @param {string | Uint8Array} piece
 * @param {TextDecoder} decoder
 */
function* textsOf(piece, decoder) {
  if (typeof piece === 'string') {
    yield piece;
    return;
  }
  for (let at = 0; at < piece.length; at += PIECE_BYTES)
    yield decoder.decode(piece.subarray(at, at + PIECE_BYTES), { stream: true });
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
