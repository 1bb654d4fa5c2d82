/** An answer that is asked for again whenever the cluster changes. */
import { batch, effect, signal } from '@preact/signals';
import { proxy } from 'comlink';

/**
 * @import { Loaded } from '../../whatif/present.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

/**
 * @template T
 * @typedef {(session: Session, about: string, onLoaded: (loaded: Loaded) => void) =>
 *   Promise<T> | null} Ask returns null if there is nothing to ask
 */

/** @template T */
export class Answers {
  #session;
  #ask;
  #onLoaded;
  /** The number of the latest question. */
  #latest = 0;

  /** What the question is about, `namespace/name`; empty: nothing. */
  about = signal('');
  answer = signal(/** @type {T | null} */ (null));
  isAsking = signal(false);
  fault = signal(/** @type {PlainError | null} */ (null));

  /**
   * @param {Session} session
   * @param {Ask<T>} ask
   * @param {(loaded: Loaded) => void} onLoaded
   */
  constructor(session, ask, onLoaded) {
    this.#session = session;
    this.#ask = ask;
    this.#onLoaded = onLoaded;
  }

  /**
   * Asks, and again whenever the cluster or `about` changes.
   * @returns {() => void} ends it
   */
  enter() {
    const { cluster, isBusy, playback } = this.#session;
    /** @type {unknown[]} */
    let asked = [];
    return effect(() => {
      const [about, present] = [this.about.value, cluster.value];
      if (isBusy.value || playback.isPlaying.value) return;
      if (asked[0] === about && asked[1] === present) return;
      if (asked[0] !== about) this.#show(null);
      asked = [about, present];
      void this.#put(about);
    });
  }

  forget() {
    this.#latest += 1;
    this.about.value = '';
    this.#show(null);
  }

  /** @param {string} about */
  async #put(about) {
    const question = (this.#latest += 1);
    const onLoaded = proxy((/** @type {Loaded} */ loaded) => this.#onLoaded(loaded));
    const asking = this.#ask(this.#session, about, onLoaded);
    if (!asking) return this.#show(null);
    this.isAsking.value = true;
    try {
      const answer = await asking;
      if (this.#latest === question) this.#show(answer);
    } catch (error) {
      const fault = /** @type {PlainError} */ (error);
      // The cluster has changed meanwhile, and another question follows.
      if (this.#latest === question && fault.name !== 'AbortError') this.#show(null, fault);
    }
    return undefined;
  }

  /**
   * @param {T | null} answer
   * @param {PlainError | null} [fault]
   */
  #show(answer, fault = null) {
    batch(() => {
      this.answer.value = answer;
      this.fault.value = fault;
      this.isAsking.value = false;
    });
  }
}
