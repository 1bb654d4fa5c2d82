/**
 * The page in somebody's page: it does what is asked by messages, and tells what happened.
 * Counterpart: component/stowage_playground.js.
 */
import { effect } from '@preact/signals';

import { openHash } from './sharing.js';

/** @import { Session } from '../session.js' */

/** Cycles at once where nobody wants to see each. */
const UNSEEN_STEPS = 200;

/**
 * The origin of who embeds this page and speaks with it, as the address says; null: nobody.
 * `'null'`: an origin without a name.
 * @returns {string | null}
 */
export function embedderOf() {
  const embedder = new URLSearchParams(location.search).get('embed');
  return parent === window ? null : embedder || null;
}

/** Whether the page is to show no more than what belongs to the scenario. */
export function isEmbedded() {
  return new URLSearchParams(location.search).has('embed');
}

export class Embedding {
  #session;
  #embedder;
  /** One wish after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** What was told last. */
  #told = '';

  /**
   * @param {Session} session
   * @param {string} embedder an origin: nobody else is heard or told
   */
  constructor(session, embedder) {
    this.#session = session;
    this.#embedder = embedder;
  }

  /** From now on it is heard what is asked, and told what changes. */
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

  /** @param {any} wish what a page asks for, which may be anything */
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
   * Plays without pauses, until it is enough or nothing is left.
   * @param {() => boolean} isEnough of chapters
   * @param {number} [position] not beyond this one in a chapter
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
