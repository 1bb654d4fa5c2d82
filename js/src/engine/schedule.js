/** Runs the turns of `schedule` and `scheduleOne`. */
import { decisionOf, isDecision } from './awaited_decisions.js';
import { cyclesOf, endOf } from './options.js';
import { pause } from '../runtimes/pause.js';

/**
 * @import { Answers } from './answers.js'
 * @import { AwaitedDecisions } from './awaited_decisions.js'
 * @import { Clock, Decision, Turn } from './types.js'
 */

/**
 * `step` runs one turn, `performCalls` begins its calls.
 * @typedef {{ step: (maxCycles: number) => Turn, performCalls: (turn: Turn) => void, answers:
 *   Answers, clock: Clock, decisions: AwaitedDecisions }} Turns
 */

/** The default number of cycles of a turn, and the number after which `schedule` yields. */
export const CYCLES_PER_TURN = 256;

/**
 * Runs turns until nothing more happens by itself (Scheduler.schedule).
 * @param {Turns} turns
 * @param {{ until?: Date | number, maxAttempts?: number, signal?: AbortSignal }} options
 * @returns {Promise<Decision[]>}
 */
export async function scheduleUntil(turns, { until, maxAttempts = Infinity, signal }) {
  const { step, performCalls, answers, clock, decisions } = turns;
  const end = until === undefined ? -Infinity : endOf(until);
  const most = cyclesOf(maxAttempts, 'maxAttempts');
  const made = decisions.gather();
  try {
    while (made.attempts < most) {
      signal?.throwIfAborted();
      // A waiting cycle will decide as well, beside the cycles that this turn begins.
      const waiting = decisions.isCycleWaiting ? 1 : 0;
      const left = most - made.attempts - waiting;
      const turn = step(Math.min(CYCLES_PER_TURN, left));
      performCalls(turn);
      if (turn.idle || left <= 0) {
        if (turn.busy && answers.size > 0) {
          await answers.changes.next(signal);
          continue;
        }
        const { nextDeadline } = turn;
        if (nextDeadline === null || nextDeadline > end) break;
        await answers.changes.sleep(clock, nextDeadline, signal);
      }
      // Between turns other tasks run: a clock that jumps lets none run.
      await pause();
    }
    return made.decisions;
  } finally {
    decisions.end(made);
  }
}

/**
 * Runs the cycle of a pod that a SCHEDULE_ONE command names (Scheduler.scheduleOne).
 * @param {Turns} turns
 * @param {string} pod `namespace/name`
 * @returns {Promise<Decision>}
 */
export async function scheduleCommanded({ step, performCalls, answers, decisions }, pod) {
  const awaited = decisions.expect(pod);
  try {
    while (!awaited.outcome) {
      // The engine executes commands first, in their order, so this one cycle is the command's.
      const turn = step(decisions.isCycleWaiting ? 0 : 1);
      performCalls(turn);
      if (awaited.outcome) break;
      if (turn.waiting && answers.size > 0) await answers.changes.next();
      else if (turn.waiting || !turn.records.some(isDecision)) break;
    }
    return decisionOf(awaited);
  } finally {
    decisions.end(awaited);
  }
}
