/**
 * Hands decisions to the calls that wait for them. A cycle that waits for an answer ends in a later
 * turn, which another caller may run: its decision reaches the first caller through this class.
 */
import { InputError, inputErrorFromEngine } from '../kubernetes/errors.js';
import { attemptsIn } from './turn.js';

/**
 * @import { InputErrorRecord } from './record_types.js'
 * @import { Decision, EngineRecord, Turn } from './types.js'
 */

/** All decisions of a period. @typedef {{ decisions: Decision[], attempts: number }} Gathered */

/**
 * The outcome of a command to schedule a pod: its decision, or the error that rejected it.
 * @typedef {{ pod: string, outcome: Decision | InputError | undefined }} Expected
 */

/** The fields that the engine may reject when it executes a command. */
const COMMAND_FIELDS = ['pod', 'spec.schedulerName'];

/** AwaitedDecisions distributes the decisions of one scheduler's turns. */
export class AwaitedDecisions {
  /** @type {Set<Gathered>} */
  #gathered = new Set();
  /** In the order of the commands: the engine executes them in that order. @type {Set<Expected>} */
  #expected = new Set();
  /** Whether a cycle waited for an answer when the last turn ended. */
  isCycleWaiting = false;

  /**
   * Collects all decisions from now on, until `end`.
   * @returns {Gathered}
   */
  gather() {
    const gathered = { decisions: [], attempts: 0 };
    this.#gathered.add(gathered);
    return gathered;
  }

  /**
   * Waits for the outcome of the command that was just given.
   * @param {string} pod `namespace/name`
   * @returns {Expected}
   */
  expect(pod) {
    const expected = { pod, outcome: undefined };
    this.#expected.add(expected);
    return expected;
  }

  /** @param {Gathered | Expected} one a waiter that needs no further decisions */
  end(one) {
    this.#gathered.delete(/** @type {Gathered} */ (one));
    this.#expected.delete(/** @type {Expected} */ (one));
  }

  /** @param {Turn} turn called with each turn of the scheduler */
  publish(turn) {
    this.isCycleWaiting = turn.waiting;
    if (this.#gathered.size + this.#expected.size === 0) return;
    const { records } = turn;
    for (const gathered of this.#gathered) {
      for (const record of records) if (isDecision(record)) gathered.decisions.push(record);
      gathered.attempts += attemptsIn(records);
    }
    if (this.#expected.size === 0) return;
    for (const record of records) {
      const refusal = refusalIn(record);
      if (isDecision(record)) this.#fulfil(record.pod, record);
      else if (refusal) this.#fulfil(`${refusal.namespace}/${refusal.objectName}`, refusal);
    }
  }

  /**
   * Gives the outcome to the oldest command for the pod: each decision answers one command.
   * @param {string} pod
   * @param {Decision | InputError} outcome
   */
  #fulfil(pod, outcome) {
    for (const expected of this.#expected) {
      if (expected.pod !== pod) continue;
      expected.outcome = outcome;
      this.#expected.delete(expected);
      return;
    }
  }
}

/**
 * @param {EngineRecord} record
 * @returns {record is Decision}
 */
export function isDecision(record) {
  return record.kind === 'Decision';
}

/**
 * Returns the decision that was waited for.
 * @param {Expected} expected
 * @returns {Decision}
 * @throws {InputError} if the command was rejected, or the pod is not waiting in the queue
 */
export function decisionOf({ pod, outcome }) {
  if (outcome instanceof InputError) throw outcome;
  if (outcome) return outcome;
  throw new InputError({
    code: 'FieldValueInvalid',
    field: 'pod',
    value: pod,
    detail: `pod ${pod} is not waiting to be scheduled`,
  });
}

/**
 * A command that arrives while a cycle waits is checked once the cycle has ended. Its rejection is
 * then a record instead of an exception.
 * @param {EngineRecord} record
 */
function refusalIn(record) {
  if (record.kind !== 'InputError') return undefined;
  const { error } = /** @type {InputErrorRecord} */ (record);
  return COMMAND_FIELDS.includes(error.field ?? '') ? inputErrorFromEngine(error) : undefined;
}
