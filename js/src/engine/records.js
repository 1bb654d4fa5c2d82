import { answerFields } from './calls.js';
import { microTime } from '../io/clock.js';
import { wellFormedJson } from '../kubernetes/values.js';

/**
 * @import { Answered } from './answers.js'
 * @import { CallRecord, CompletionRecord } from './record_types.js'
 * @import { Call, EngineRecord, Turn } from './types.js'
 */

/** The number of records that wait for a reader before the oldest are dropped. */
const BUFFER = 10_000;

/**
 * Returns the output of a turn.
 * @param {Turn} turn
 * @returns {EngineRecord[]} its records, then its calls, without those to plugins, which stay on
 *   this side
 */
export function recordsOf({ records, calls }) {
  return [...records, ...calls.filter(({ kind }) => kind !== 'plugin').map(callRecord)];
}

/**
 * Returns a call as plain data.
 * @param {Call} call
 * @returns {CallRecord}
 */
function callRecord({ id, kind: callKind, deadline, body, ...call }) {
  const { key: _, ...others } = /** @type {typeof call & { key?: string }} */ (call);
  return {
    kind: 'Call',
    id,
    callKind,
    ...others,
    deadline: deadline === null ? null : microTime(deadline),
    body: new TextDecoder().decode(body),
  };
}

/**
 * Returns answers as the engine reads them.
 * @param {Answered[]} answers
 */
export function completionLines(answers) {
  let lines = '';
  for (const { call, answer } of answers)
    lines += `{"type":"COMPLETION","call":${call.id},${membersOf(answerFields(answer))}}\n`;
  return lines;
}

/**
 * Written out: to put the whole into an object first takes twice the time.
 * @param {ReturnType<typeof answerFields>} fields
 */
function membersOf(fields) {
  return 'error' in fields
    ? `"error":${JSON.stringify(fields.error)},"message":${wellFormedJson(fields.message ?? '')}`
    : `"status":${fields.status},"body":${JSON.stringify(fields.body)}`;
}

/**
 * Returns answers as plain data. Calls to plugins are internal, so their answers have no records.
 * @param {Answered[]} answers
 * @returns {CompletionRecord[]}
 */
export function completionRecords(answers) {
  return answers
    .filter(({ call }) => call.kind !== 'plugin')
    .map(({ call, answer }) => ({ kind: 'Completion', call: call.id, ...answerFields(answer) }));
}

/** RecordStreams holds all readers of a scheduler's records. */
export class RecordStreams {
  /** @type {Set<RecordStream>} */
  #streams = new Set();
  /** The records since the start, if these are the streams of a transaction. */
  #kept = /** @type {(() => EngineRecord[])[]} */ ([]);
  #outer;

  /** @param {RecordStreams} [outer] the streams that receive the records of a transaction */
  constructor(outer) {
    this.#outer = outer;
  }

  /** Whether anybody reads, or may read later. @type {boolean} */
  get areRead() {
    return this.#streams.size > 0 || this.#outer?.areRead === true;
  }

  /** @param {{ kinds?: readonly string[], signal?: AbortSignal }} options */
  open({ kinds, signal }) {
    const onEnd = (/** @type {RecordStream} */ ended) => this.#streams.delete(ended);
    const stream = new RecordStream({ kinds, signal, onEnd });
    if (!signal?.aborted) this.#streams.add(stream);
    return stream;
  }

  /** @param {() => EngineRecord[]} records called only if a stream is open */
  publish(records) {
    if (this.#outer?.areRead) this.#kept.push(records);
    if (this.#streams.size === 0) return;
    const added = records();
    for (const stream of this.#streams) stream.push(added);
  }

  /** Hands the records of a committed transaction to the outer streams. */
  commit() {
    for (const records of this.#kept.splice(0)) this.#outer?.publish(records);
  }

  end() {
    for (const stream of this.#streams) stream.end();
  }
}

/**
 * RecordStream is one reader's view of a scheduler's records, from the moment it was opened. Its
 * buffer is bounded: a `RecordsDropped` record counts the records that a slow reader missed.
 * @implements {AsyncIterableIterator<EngineRecord>}
 */
class RecordStream {
  /** @type {EngineRecord[]} */
  #buffer = [];
  #dropped = 0;
  #ended = false;
  #kinds;
  #signal;
  #onEnd;
  #onAbort = () => this.end();
  /** One per waiting call of `next`; there may be several. @type {(() => void)[]} */
  #wakes = [];

  /**
   * @param {{ kinds?: readonly string[], signal?: AbortSignal, onEnd: (stream: RecordStream) =>
   *   void }} options
   */
  constructor({ kinds, signal, onEnd }) {
    this.#kinds = kinds && new Set(kinds);
    this.#onEnd = onEnd;
    this.#signal = signal;
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.end();
  }

  /** @param {EngineRecord[]} records */
  push(records) {
    for (const record of records) {
      if (this.#kinds && !this.#kinds.has(record.kind)) continue;
      this.#buffer.push(record);
    }
    const surplus = this.#buffer.length - BUFFER;
    if (surplus > 0) {
      this.#buffer.splice(0, surplus);
      this.#dropped += surplus;
    }
    this.#wakeAll();
  }

  /** Ends the stream after its buffered records. */
  end() {
    if (this.#ended) return;
    this.#ended = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#onEnd(this);
    this.#wakeAll();
  }

  /** @returns {Promise<IteratorResult<EngineRecord, undefined>>} */
  async next() {
    while (!this.#dropped && this.#buffer.length === 0 && !this.#ended) {
      await /** @type {Promise<void>} */ (
        new Promise((resolve) => {
          this.#wakes.push(resolve);
        })
      );
    }
    if (this.#dropped) {
      /** @type {EngineRecord} */
      const value = { kind: 'RecordsDropped', count: this.#dropped };
      this.#dropped = 0;
      return { done: false, value };
    }
    const value = this.#buffer.shift();
    return value ? { done: false, value } : { done: true, value: undefined };
  }

  /** @returns {Promise<IteratorResult<EngineRecord, undefined>>} */
  async return() {
    this.#buffer = [];
    this.#dropped = 0;
    this.end();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  #wakeAll() {
    for (const wake of this.#wakes.splice(0)) wake();
  }
}
