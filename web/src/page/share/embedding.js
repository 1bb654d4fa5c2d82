/**
 * The embedded page's side of the messages: it does what the embedding page requests, and reports
 * changes. Counterpart: component/stowage_playground.js.
 */
import { effect } from '@preact/signals';

import { openHash } from './sharing.js';

/** @import { Session } from '../session.js' */

/** Cycles per request: they are not shown one by one. */
const UNSEEN_STEPS = 200;

/**
 * The origin of the embedding page that exchanges messages, from the page's address; null if there
 * is none. `'null'`: an opaque origin.
 * @returns {string | null}
 */
export function embedderOf() {
  const embedder = new URLSearchParams(location.search).get('embed');
  return parent === window ? null : embedder || null;
}

/** Whether the page shows only what belongs to the scenario. */
export function isEmbedded() {
  return new URLSearchParams(location.search).has('embed');
}

export class Embedding {
  #session;
  #embedder;
  /** Requests run one after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** The last state that was reported. */
  #told = '';

  /**
   * @param {Session} session
   * @param {string} embedder an origin: messages are taken from and sent to this one only
   */
  constructor(session, embedder) {
    this.#session = session;
    this.#embedder = embedder;
  }

  /** Listens to requests and reports changes from now on. */
  begin() {
    addEventListener('message', (message) => this.#hear(message));
    effect(() => {
      if (!this.#session.isBusy.value) this.#tellChange();
    });
    effect(() => {
      const fault = this.#session.fault.value;
      if (fault) this.#tell({ stowage: 'error', error: fault });
    });
    this.#tell({ stowage: 'ready' });
  }

  get #state() {
    const { position, hash, now, isIdle } = this.#session;
    const [at, time] = [position.value, now.value];
    return { position: at, hash: hash.value, now: time, isIdle: isIdle.value };
  }

  /** @param {MessageEvent} message */
  #hear({ source, origin, data }) {
    if (source !== parent || origin !== this.#embedder || data?.stowage !== 'ask') return;
    const { id } = data;
    void this.#session.playback.pause();
    this.#last = this.#last.then(async () => {
      this.#session.fault.value = null;
      await this.#do(data);
      const error = this.#session.fault.peek();
      this.#tell({ stowage: 'answer', id, state: this.#state, ...(error && { error }) });
    });
  }

  /** @param {any} wish a request of the embedding page, not validated */
  async #do({ wish, scenario, lesson, position, step }) {
    const session = this.#session;
    switch (wish) {
      case 'open': {
        if (typeof scenario === 'string') await session.open(scenario, 'scenario');
        else await openHash(session, typeof lesson === 'string' ? `#lesson=${lesson}` : '');
        return;
      }
      case 'next':
        return session.next();
      case 'play':
        return session.playback.play();
      case 'goTo':
        return this.#goTo(Number(position));
      case 'goToStep':
        return this.#playUntil(() => session.chapter.value > Number(step));
    }
  }

  /** @param {number} position */
  async #goTo(position) {
    const session = this.#session;
    if (position > session.length.value)
      await this.#playUntil(() => session.position.value >= position, position);
    if (session.position.value !== position) await session.goTo(position);
  }

  /**
   * Plays without pauses until `isEnough`, or until nothing is left.
   * @param {() => boolean} isEnough is asked between chapters
   * @param {number} [position] the end, if it is within a chapter
   */
  async #playUntil(isEnough, position = Infinity) {
    const session = this.#session;
    while (!session.fault.value) {
      if (!session.isIdle.value && !session.isHeld.value && session.position.value < position)
        await session.steps(Math.min(UNSEEN_STEPS, position - session.position.value));
      else if (isEnough() || session.isAtEnd.value) return;
      else await session.next();
    }
  }

  #tellChange() {
    const state = this.#state;
    const text = JSON.stringify(state);
    if (text === this.#told) return;
    this.#told = text;
    this.#tell({ stowage: 'change', state });
  }

  /** @param {object} message */
  #tell(message) {
    parent.postMessage(message, this.#embedder === 'null' ? '*' : this.#embedder);
  }
}
