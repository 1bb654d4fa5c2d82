/**
 * Decisions on their way to those who wait for them. A cycle that waits for an answer ends in the
 * turn of whoever comes next, so that somebody else's turn may make the decision.
 */
import { InputError, inputErrorFromEngine } from '../kubernetes/errors.js';
import { attemptsIn } from './turn.js';

/**
 * @import { InputErrorRecord } from './record_types.js'
 * @import { Decision, EngineRecord, Turn } from './types.js'
 */

/** All decisions of some time. @typedef {{ decisions: Decision[], attempts: number }} Gathered */

/**
 * What becomes of a command to schedule a pod: its decision, or why there is none.
 * @typedef {{ pod: string, outcome: Decision | InputError | undefined }} Expected
 */

/** What the engine may refuse when a command's turn comes: the pod, or that it is not its own. */
const COMMAND_FIELDS = ['pod', 'spec.schedulerName'];

/** AwaitedDecisions hands out what the turns of one scheduler decide. */
export class AwaitedDecisions {
  /** @type {Set<Gathered>} */
  #gathered = new Set();
  /** In the order of the commands, which is the engine's. @type {Set<Expected>} */
  #expected = new Set();
  /** Whether a cycle waited for an answer when the last turn ended. */
  isCycleWaiting = false;

  /**
   * Gathers all decisions from now on.
   * @returns {Gathered}
   */
  gather() {
    const gathered = { decisions: [], attempts: 0 };
    this.#gathered.add(gathered);
    return gathered;
  }

  /**
   * Looks out for what becomes of the command that was given just now.
   * @param {string} pod `namespace/name`
   * @returns {Expected}
   */
  expect(pod) {
    const expected = { pod, outcome: undefined };
    this.#expected.add(expected);
    return expected;
  }

  /** @param {Gathered | Expected} one whom nobody waits for any more */
  end(one) {
    this.#gathered.delete(/** @type {Gathered} */ (one));
    this.#expected.delete(/** @type {Expected} */ (one));
  }

  /** @param {Turn} turn each one of the scheduler */
  tell({ records, waiting }) {
    this.isCycleWaiting = waiting;
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
   * One decision is one command's, however many there are for the pod.
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
 * The decision that was waited for.
 * @param {Expected} expected
 * @returns {Decision}
 * @throws {InputError} when there is none
 */
export function decisionOf({ pod, outcome }) {
  if (outcome instanceof InputError) throw outcome;
  if (outcome) return outcome;
  throw new InputError({
    code: 'FieldValueInvalid',
    field: 'pod',
    value: pod,
    detail: `pod ${pod} does not wait to be scheduled`,
  });
}

/**
 * A command that came in while a cycle waited is looked at when that has ended.
 * @param {EngineRecord} record
 */
function refusalIn(record) {
  if (record.kind !== 'InputError') return undefined;
  const { error } = /** @type {InputErrorRecord} */ (record);
  return COMMAND_FIELDS.includes(error.field ?? '') ? inputErrorFromEngine(error) : undefined;
}
