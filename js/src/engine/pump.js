/** The pump keeps a scheduler going by itself: turns, calls, and sleep in between. */
import { answerInTime, CallsUnderWay } from './calls_in_time.js';
import { pause } from '../runtimes/pause.js';
import { systemClock } from '../runtimes/system_clock.js';

/**
 * @import { Answers } from './answers.js'
 * @import { Answer, Call, Clock, Turn } from './types.js'
 */

/** @typedef {(call: Call, signal: AbortSignal) => Promise<Answer> | Answer} Perform */

/** How many cycles a turn has at first, and at most. */
const FIRST_CYCLES = 16;
const MOST_CYCLES = 256;

export class Pump {
  #parts;
  #cycles = FIRST_CYCLES;
  /** They end with the pump. */
  calls = new CallsUnderWay();
  /** Nothing new is decided. */
  #stop = new AbortController();
  /** Nothing is waited for any more. */
  #end = new AbortController();
  /** How many news there were when the engine last had all of them. */
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
   * Goes on until one of the signals comes, or the time is up. After `stop` what is under way has
   * the grace period; whatever is left then, or is under way with `end`, is `aborted`, and the
   * engine knows it.
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
   * @returns {Promise<Answer>} never rejected
   */
  perform(call) {
    const { perform } = this.#parts;
    return this.calls.make((end) => answerInTime(call, end, (signal) => perform(call, signal)));
  }

  /**
   * A signal that comes while somebody waits is no failure.
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

  /** Lets what is under way come to its end, without deciding anything. */
  async #finish() {
    const { step, performCalls, answers, clock, gracePeriod } = this.#parts;
    const { news } = answers;
    const { signal } = this.#end;
    const until = clock.now() + gracePeriod;
    while (gracePeriod > 0 && this.calls.size > 0 && clock.now() < until) {
      if (news.count === this.#seen)
        await (clock.isVirtual ? news.next(signal) : news.sleep(clock, until, signal));
      if (signal.aborted) return;
      const turn = step(0);
      this.#seen = news.count;
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

  /** Turns for as long as the budget lasts, at least one. */
  #slice() {
    const { step, performCalls, answers, budgetMs } = this.#parts;
    const { now } = systemClock();
    for (let start = now(), spent = 0; ;) {
      const turn = step(this.#cycles);
      this.#seen = answers.news.count;
      performCalls(turn);
      const took = now() - start - spent;
      spent += took;
      if (took > budgetMs) this.#cycles = Math.max(1, this.#cycles >> 1);
      else if (took * 4 < budgetMs) this.#cycles = Math.min(MOST_CYCLES, this.#cycles * 2);
      if (turn.idle || spent >= budgetMs || this.#stop.signal.aborted) return turn;
    }
  }

  /** @param {Turn} turn that left nothing to be done now */
  #isOver({ nextDeadline }) {
    const { answers, clock, until } = this.#parts;
    if (answers.news.count !== this.#seen) return false;
    if (!clock.isVirtual) return clock.now() >= until;
    return until !== Infinity && answers.size === 0 && (nextDeadline ?? Infinity) > until;
  }

  /**
   * Until the next deadline, or until there is something new.
   * @param {Turn} turn
   */
  async #sleep({ nextDeadline }) {
    const { answers, clock, until } = this.#parts;
    const { news } = answers;
    const { signal } = this.#stop;
    if (news.count !== this.#seen) return;
    // Virtual time stands still while somebody answers.
    const isWaiting = answers.size > 0 && clock.isVirtual;
    if (isWaiting || nextDeadline === null) {
      await (until === Infinity || clock.isVirtual
        ? news.next(signal)
        : news.sleep(clock, until, signal));
    } else if (clock.isVirtual) {
      await clock.sleep(nextDeadline, signal);
    } else {
      await news.sleep(clock, Math.min(nextDeadline, until), signal);
    }
    // What comes at the same time gets one turn.
    await pause();
  }
}
