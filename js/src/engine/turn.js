import { hashWords } from '../kubernetes/hash.js';

/** @import { Output } from './boundary.js' */
/** @import { EngineRecord, Turn } from './types.js' */

/**
 * The number of pods that were attempted. Pods that were held back before the queue do not count.
 * @param {EngineRecord[]} records
 */
export function attemptsIn(records) {
  return records.filter((record) => record.kind === 'Decision' && record.result !== 'gated').length;
}

/** The records of a turn: their lines, until they are read. */
const RECORDS = Symbol('records');

/**
 * One getter for all turns. As part of a literal, each turn would have a getter of its own, and
 * with it a hidden class, which holds the turn's text and calls until a full garbage collection.
 */
const LAZY_RECORDS = {
  configurable: true,
  enumerable: true,
  /** @this {{ [RECORDS]: string | EngineRecord[] }} */
  get() {
    const records = this[RECORDS];
    if (typeof records !== 'string') return records;
    return (this[RECORDS] = parsedLines(records));
  },
};

/**
 * Parses the output of the engine's `run`: the last line now, the records when they are read.
 * @param {Output} output
 * @returns {Turn}
 */
export function readTurn({ calls, text }) {
  const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
  const end = JSON.parse(text.slice(lastLine));
  const { idle, waiting, busy = waiting } = end;
  const nextDeadline = end.nextDeadline === null ? null : end.nextDeadline / 1000;
  /** @type {any} */
  const turn = Object.defineProperty({}, 'records', LAZY_RECORDS);
  Object.defineProperty(turn, RECORDS, { value: text.slice(0, lastLine), writable: true });
  return Object.assign(turn, { calls, nextDeadline, idle, waiting, busy });
}

/**
 * Parses lines all at once: one by one takes longer. JSON has no line feed inside a line.
 * @param {string} lines each with its line feed
 * @returns {any[]}
 */
function parsedLines(lines) {
  return JSON.parse(`[${lines.slice(0, -1).replaceAll('\n', ',')}]`);
}

/**
 * Returns a digest of the whole output of a turn, including calls and their bodies.
 * @param {Output} output
 */
export function digestOfOutput({ calls, text }) {
  const decoder = new TextDecoder();
  const asked = calls.map(
    (call) => `${JSON.stringify({ ...call, body: undefined })}\n${decoder.decode(call.body)}\n`,
  );
  const words = hashWords(asked.join('') + text).slice(0, 2);
  return words.map((word) => word.toString(16).padStart(8, '0')).join('');
}
