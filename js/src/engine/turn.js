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

/**
 * Parses the output of the engine's `run`.
 * @param {Output} output
 * @returns {Turn}
 */
export function readTurn({ calls, text }) {
  /** @type {EngineRecord[]} */
  const records = [];
  /** @type {{ nextDeadline: number | null, idle: boolean, waiting: boolean, busy?: boolean }} */
  let end = { nextDeadline: null, idle: true, waiting: false };
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const record = JSON.parse(line);
    if (record.kind === 'Turn') end = record;
    else records.push(record);
  }
  const { idle, waiting, busy = waiting } = end;
  const nextDeadline = end.nextDeadline === null ? null : end.nextDeadline / 1000;
  return { records, calls, nextDeadline, idle, waiting, busy };
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
