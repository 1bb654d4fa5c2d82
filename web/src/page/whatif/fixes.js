/** The panel's state of ways to give a pending pod a node. */
import { batch, effect, signal } from '@preact/signals';
import { proxy } from 'comlink';

/**
 * @import { Fixes, Way } from '../../whatif/fixes.js'
 * @import { Loaded } from '../../whatif/present.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

export class FixDesk {
  #session;
  #onLoaded;
  /** The number of the latest question. */
  #latest = 0;

  /** `namespace/name`; empty: none. */
  pod = signal('');
  fixes = signal(/** @type {Fixes | null} */ (null));
  isAsking = signal(false);
  fault = signal(/** @type {PlainError | null} */ (null));

  /**
   * @param {Session} session
   * @param {(loaded: Loaded) => void} onLoaded
   */
  constructor(session, onLoaded) {
    this.#session = session;
    this.#onLoaded = onLoaded;
  }

  /**
   * Asks about the chosen pod, and again whenever the cluster changes.
   * @returns {() => void} ends it
   */
  enter() {
    const { cluster, isBusy, playback } = this.#session;
    /** @type {unknown[]} */
    let asked = [];
    return effect(() => {
      const [pod, present] = [this.pod.value, cluster.value];
      if (isBusy.value || playback.isPlaying.value) return;
      if (asked[0] === pod && asked[1] === present) return;
      asked = [pod, present];
      void this.#ask(pod);
    });
  }

  /** Makes the changes of a way, each as a step that can be undone. @param {Way} way */
  async make({ changes }) {
    try {
      const actions = await this.#session.query((playground) => playground.actionsOfWay(changes));
      for (const action of actions) await this.#session.do(action);
    } catch (error) {
      this.fault.value = /** @type {PlainError} */ (error);
    }
  }

  forget() {
    this.pod.value = '';
    void this.#ask('');
  }

  /** @param {string} pod empty: none */
  async #ask(pod) {
    const question = (this.#latest += 1);
    if (this.fixes.value?.pod !== pod) this.#show(null);
    if (pod === '' || !this.#session.cluster.peek().pods.has(pod)) return this.#show(null);
    this.isAsking.value = true;
    const onLoaded = proxy((/** @type {Loaded} */ loaded) => this.#onLoaded(loaded));
    try {
      const fixes = await this.#session.query((playground) => playground.fix(pod, onLoaded));
      if (this.#latest === question) this.#show(fixes);
    } catch (error) {
      const fault = /** @type {PlainError} */ (error);
      // The cluster has changed meanwhile, and another question follows.
      if (this.#latest === question && fault.name !== 'AbortError') this.#show(null, fault);
    }
    return undefined;
  }

  /**
   * @param {Fixes | null} fixes
   * @param {PlainError | null} [fault]
   */
  #show(fixes, fault = null) {
    batch(() => {
      this.fixes.value = fixes;
      this.fault.value = fault;
      this.isAsking.value = false;
    });
  }
}
