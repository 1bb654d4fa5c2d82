/** The pump keeps a scheduler running: turns, calls, and sleep in between. */
import { answerInTime, CallsUnderWay } from './calls_in_time.js';
import { TAKES_END } from '../io/call_end.js';
import { pause } from '../runtimes/pause.js';
import { systemClock } from '../runtimes/system_clock.js';

/**
 * @import { Answers } from './answers.js'
 * @import { Answer, Call, Clock, Turn } from './types.js'
 */

/** @typedef {(call: Call, signal: AbortSignal) => Promise<Answer> | Answer} Perform */

/** The number of cycles of the first turn, and the maximum. */
const FIRST_CYCLES = 16;
const MOST_CYCLES = 256;

export class Pump {
  #parts;
  #cycles = FIRST_CYCLES;
  /** The calls in progress; they end with the pump. */
  calls = new CallsUnderWay();
  /** Aborted when no new decision may be made. */
  #stop = new AbortController();
  /** Aborted when the pump waits for nothing more. */
  #end = new AbortController();
  /** The signal's count when the engine last had every change. */
  #seen = -1;

  /**
   * @param {{ step: (maxCycles: number) => Turn, perform: Perform, performCalls: (turn: Turn) =>
   *   void, answers: Answers, clock: Clock, budgetMs: number, until: number, gracePeriod: number
   *   }} parts `step` runs one turn, `performCalls` begins its calls
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Runs until a signal aborts or the time is up. After `stop`, calls in progress have the grace
   * period. Calls that remain after it, and all calls after `end`, are answered as `aborted`, and
   * the engine gets these answers.
   * @param {{ stop?: AbortSignal, end: AbortSignal }} signals
   * @returns {Promise<void>}
   */
  async run({ stop, end }) {
    const listening = new AbortController();
    for (const [signal, own] of /** @type {const} */ ([
      [stop, [this.#stop]],
      [end, [this.#stop, this.#end]],
    ])) {
      const pass = () => own.forEach((each) => each.abort(signal?.reason));
      signal?.addEventListener('abort', pass, { signal: listening.signal });
      if (signal?.aborted) pass();
    }
    try {
      await this.#untilStopped(() => this.#turns());
      if (this.#stop.signal.aborted) await this.#untilStopped(() => this.#finish());
    } finally {
      listening.abort();
      const { reason } = this.#stop.signal;
      this.#end.abort(reason);
      await this.calls.end(reason);
    }
  }

  /**
   * Performs one call.
   * @param {Call} call
   * @returns {Promise<Answer>} never rejects
   */
  perform(call) {
    const { perform } = this.#parts;
    const takesEnd = TAKES_END in perform;
    return this.calls.make((end) =>
      answerInTime(call, end, () =>
        perform(call, takesEnd ? /** @type {any} */ (end) : end.signal),
      ),
    );
  }

  /**
   * Waits, and treats an abort of one of the signals as a normal end.
   * @param {() => Promise<void>} wait
   */
  async #untilStopped(wait) {
    try {
      await wait();
    } catch (cause) {
      const signals = [this.#stop.signal, this.#end.signal];
      if (!signals.some(({ aborted, reason }) => aborted && cause === reason)) throw cause;
    }
  }

  /** Waits for the calls in progress without making decisions. */
  async #finish() {
    const { step, performCalls, answers, clock, gracePeriod } = this.#parts;
    const { changes } = answers;
    const { signal } = this.#end;
    const until = clock.now() + gracePeriod;
    while (gracePeriod > 0 && this.calls.size > 0 && clock.now() < until) {
      if (changes.count === this.#seen)
        await (clock.isVirtual ? changes.next(signal) : changes.sleep(clock, until, signal));
      if (signal.aborted) return;
      const turn = step(0);
      this.#seen = changes.count;
      performCalls(turn);
    }
  }

  async #turns() {
    while (!this.#stop.signal.aborted) {
      const turn = this.#slice();
      if (!turn.idle) await pause();
      else if (this.#isOver(turn)) return;
      else await this.#sleep(turn);
    }
  }

  /** Runs turns until the budget is used up, at least one. */
  #slice() {
    const { step, performCalls, answers, budgetMs } = this.#parts;
    const { now } = systemClock();
    for (let start = now(), spent = 0; ;) {
      const turn = step(this.#cycles);
      this.#seen = answers.changes.count;
      performCalls(turn);
      const took = now() - start - spent;
      spent += took;
      if (took > budgetMs) this.#cycles = Math.max(1, this.#cycles >> 1);
      else if (took * 4 < budgetMs) this.#cycles = Math.min(MOST_CYCLES, this.#cycles * 2);
      if (turn.idle || spent >= budgetMs || this.#stop.signal.aborted) return turn;
    }
  }

  /** @param {Turn} turn one that left nothing to do now */
  #isOver({ nextDeadline }) {
    const { answers, clock, until } = this.#parts;
    if (answers.changes.count !== this.#seen) return false;
    if (!clock.isVirtual) return clock.now() >= until;
    return until !== Infinity && answers.size === 0 && (nextDeadline ?? Infinity) > until;
  }

  /**
   * Sleeps until the next deadline or change.
   * @param {Turn} turn
   */
  async #sleep({ nextDeadline }) {
    const { answers, clock, until } = this.#parts;
    const { changes } = answers;
    const { signal } = this.#stop;
    if (changes.count !== this.#seen) return;
    // Virtual time stands still while a call waits for its answer.
    const isWaiting = answers.size > 0 && clock.isVirtual;
    if (isWaiting || nextDeadline === null) {
      await (until === Infinity || clock.isVirtual
        ? changes.next(signal)
        : changes.sleep(clock, until, signal));
    } else if (clock.isVirtual) {
      await clock.sleep(nextDeadline, signal);
    } else {
      await changes.sleep(clock, Math.min(nextDeadline, until), signal);
    }
    // Changes of the same moment share one turn.
    await pause();
  }
}
