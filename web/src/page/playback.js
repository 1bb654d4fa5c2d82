/**
 * Plays the open scenario: cycles, then the next chapter, and so on. After the last chapter time
 * passes until nothing is due.
 */
import { computed, signal } from '@preact/signals';

/**
 * @import { Update } from '../worker/opening.js'
 * @import { RemotePlayground, Session } from './session.js'
 */

/**
 * The speeds: cycles per second, and seconds of the cluster's time per second.
 * @typedef {{ name: string, cycles: number, time: number }} Speed
 */

/** @type {readonly Speed[]} */
export const SPEEDS = [
  { name: '1×', cycles: 1, time: 1 },
  { name: '10×', cycles: 4, time: 10 },
  { name: '60×', cycles: 20, time: 60 },
  { name: 'as fast as possible', cycles: Infinity, time: Infinity },
];

/** Cycles per request at the highest speed, at which they are not shown one by one. */
const UNSEEN_CYCLES = 100;

/** The interval between two times that are shown: milliseconds. */
const FRAME = 100;

/** The time to read a note, in milliseconds: for each word, and at least. */
const READING = { word: 250, least: 1000 };

/** Play stops if the next event is further away than this: milliseconds. */
const FAR = 300_000;

/**
 * Unschedulable pods may be retried for ever: Play stops after this many deadlines, and this time
 * in milliseconds, that brought only retries.
 */
const IN_VAIN = { deadlines: 10, time: 60_000 };

/** @typedef {{ now(): number, sleep(ms: number, signal: AbortSignal): Promise<void> }} Timer */

/** `sleep` also resolves when its signal aborts. @type {Timer} */
const TIMER = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const wake = () => {
        clearTimeout(waiting);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const waiting = setTimeout(wake, ms);
      signal.addEventListener('abort', wake);
    }),
};

export class Playback {
  #session;
  #timer;
  /** The time that is shown while time passes; null: the world's. */
  #shown = signal(/** @type {number | null} */ (null));
  #stop = new AbortController();
  /** @type {Promise<void>} */
  #playing = Promise.resolve();
  /** The number of deadlines since the last event in the cluster, and that event's time. */
  #inVain = { deadlines: 0, since: '' };
  /** Whether to continue after the scenario has ended with pods left to decide. */
  #isBeyond = false;

  isPlaying = signal(false);
  speed = signal(SPEEDS[1]);

  /**
   * @param {Session} session
   * @param {Timer} [timer]
   */
  constructor(session, timer = TIMER) {
    this.#session = session;
    this.#timer = timer;
    /** The time to show: milliseconds since the epoch. */
    this.time = computed(() => this.#shown.value ?? session.now.value);
    /** Whether there is anything to play. */
    this.canPlay = computed(
      () =>
        !session.isIdle.value ||
        !session.isAtEnd.value ||
        session.passing.value !== null ||
        this.#isExpecting,
    );
  }

  /** Whether cycles run too fast to show each. */
  get isUnseen() {
    return this.isPlaying.value && this.speed.value.cycles === Infinity;
  }

  /** @returns {Promise<void>} resolves when nothing is left, or the user pauses */
  play() {
    if (!this.isPlaying.value) this.#playing = this.#play();
    return this.#playing;
  }

  /** Advances the cluster to the time that is shown. @returns {Promise<void>} when it is */
  pause() {
    this.isPlaying.value = false;
    this.#stop.abort();
    return this.#playing;
  }

  /**
   * Brings the world to the time that is shown, before a request changes it. A chapter that has
   * begun is played to its end first.
   * @param {RemotePlayground} playground
   */
  async settle(playground) {
    const { passing, now } = this.#session;
    const to = Math.floor(this.time.value);
    this.#shown.value = null;
    if (passing.value !== null) await this.#session.show(await playground.next());
    else if (to > now.value) await this.#session.show(await playground.do({ do: 'advance', to }));
  }

  /** Drops the time that is shown, because another world is opened. */
  forget() {
    this.#shown.value = null;
  }

  /** @param {Update} update that is about to be shown */
  take({ now, position, passing }) {
    const { now: last, position: lastPosition, passing: lastPassing } = this.#session;
    const isSame =
      now === last.value && position === lastPosition.value && passing === lastPassing.value;
    if (!isSame) this.#shown.value = null;
  }

  async #play() {
    const { isHeld, isAtEnd, passing } = this.#session;
    this.isPlaying.value = true;
    this.#isBeyond = isHeld.value && isAtEnd.value;
    this.#stop = new AbortController();
    this.#inVain = { deadlines: 0, since: '' };
    for (let isFirst = true; this.isPlaying.value; isFirst = false)
      if (!(await this.#goOn(isFirst))) break;
    this.isPlaying.value = false;
    await this.#session.look({ keepsTime: passing.value !== null });
  }

  /**
   * @param {boolean} isFirst the first part starts without a pause
   * @returns {Promise<boolean>} whether there may be more
   */
  async #goOn(isFirst) {
    const session = this.#session;
    const { passing, expected, isAtEnd } = session;
    const isHeld = session.isHeld.value && !this.#isBeyond;
    const { value: until } = passing;
    if (until !== null) return this.#pass(until, () => session.goOn());
    if (!session.isIdle.value && !isHeld) return this.#decide(isFirst);
    if (!isAtEnd.value) return this.#begin(isFirst);
    const { value: to } = expected;
    if (isHeld || to === null || !this.#isExpecting || this.#isInVain()) return false;
    return this.#pass(to, () => session.advance(to));
  }

  /** @param {boolean} isFirst */
  async #decide(isFirst) {
    const { cycles } = this.speed.value;
    if (!isFirst && !(await this.#rest(1000 / cycles))) return true;
    await (cycles === Infinity ? this.#session.steps(UNSEEN_CYCLES) : this.#session.step());
    return true;
  }

  /** Plays the next chapter. @param {boolean} isFirst */
  async #begin(isFirst) {
    const session = this.#session;
    const isSeen = this.speed.value.time !== Infinity;
    const words = session.notes.value[session.chapter.value].split(/\s+/).length;
    const reading = isSeen ? Math.max(READING.least, words * READING.word) : 0;
    if (!isFirst && !(await this.#rest(reading))) return true;
    await session.next(isSeen);
    // Play stops so that the user can read the error.
    return session.fault.value === null;
  }

  /**
   * Shows time passing.
   * @param {number} to
   * @param {() => Promise<void>} arrive
   */
  async #pass(to, arrive) {
    this.#shown.value = this.time.value;
    for (let last = this.#timer.now(); this.speed.value.time !== Infinity;) {
      const { value: shown } = this.#shown;
      if (shown === null) return true;
      if (shown >= to) break;
      if (!(await this.#rest(FRAME))) return true;
      const now = this.#timer.now();
      this.#shown.value = Math.min(to, shown + (now - last) * this.speed.value.time);
      last = now;
    }
    await arrive();
    return true;
  }

  /**
   * @param {number} ms
   * @returns {Promise<boolean>} whether play goes on and no other request changed the state
   *   meanwhile
   */
  async #rest(ms) {
    const { now, position, chapter, passing } = this.#session;
    const state = () => [now, position, chapter, passing].map(({ value }) => value).join();
    const before = state();
    if (ms > 0) await this.#timer.sleep(ms, this.#stop.signal);
    return this.isPlaying.value && state() === before;
  }

  get #isExpecting() {
    const { expected, now } = this.#session;
    return expected.value !== null && expected.value - now.value <= FAR;
  }

  /** Whether the last deadlines brought only retries of pods. */
  #isInVain() {
    const { rows, now } = this.#session;
    const last = rows.value.findLast(({ kind }) => HAPPENINGS.has(kind))?.at ?? '';
    const isOther = last !== this.#inVain.since;
    this.#inVain = { since: last, deadlines: isOther ? 0 : this.#inVain.deadlines + 1 };
    const { deadlines } = this.#inVain;
    return deadlines > IN_VAIN.deadlines && now.value - Date.parse(last) > IN_VAIN.time;
  }
}

/** @type {ReadonlySet<string>} */
const HAPPENINGS = new Set(['Action', 'Event', 'BindingResult']);
