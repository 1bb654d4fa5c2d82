/**
 * The page in somebody's page: it does what is asked by messages, and tells what happened.
 * Counterpart: component/stowage_playground.js.
 */
import { effect } from '@preact/signals';

import { openHash } from './sharing.js';

/** @import { Session } from '../session.js' */

/** Of a chapter that has been decided, until the next one: milliseconds. */
const PAUSE = 1000;
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
  /** What is played is played for the last who asked. */
  #asked = 0;
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
    this.#asked += 1;
    this.#session.pause();
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
        return this.#playThrough();
      case 'goTo':
        return this.#goTo(Number(position));
      case 'goToStep':
        return this.#playUntil(() => session.chapter.value > Number(step));
    }
  }

  /** As a person plays: each chapter is decided, then comes the next one. */
  async #playThrough() {
    const session = this.#session;
    const mine = this.#asked;
    while (mine === this.#asked && !session.fault.value) {
      if (!session.isHeld.value) await session.play();
      const isDecided = session.isIdle.value || session.isHeld.value;
      if (!isDecided || session.isAtEnd.value) return;
      if (session.speed.value !== Infinity)
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (mine === this.#asked) await session.next();
    }
  }

  /** @param {number} position */
  async #goTo(position) {
    const session = this.#session;
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
