/** The panel's state of a sweep: which failures were tried, and what they would leave pending. */
import { batch, computed, signal } from '@preact/signals';
import { proxy } from 'comlink';

/**
 * @import { FailureReport } from '../../../../js/src/whatif.js'
 * @import { Domain, Findings } from '../../whatif/failures.js'
 * @import { Loaded } from '../../whatif/present.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

export class Failures {
  #session;
  #onLoaded;
  /** The number of the latest sweep. */
  #latest = 0;

  /** What fails at once. */
  domain = signal(/** @type {Domain} */ ('nodes'));
  total = signal(0);
  tried = signal(0);
  /** Those that leave pods pending, in the order in which they were tried. */
  reports = signal(/** @type {readonly FailureReport[]} */ ([]));
  isRunning = signal(false);
  /** The cluster in which the sweep was begun. */
  #cluster = signal({});
  /** Whether the cluster has changed since; the journal's position may be the same. */
  isOld = computed(() => this.#cluster.value !== this.#session.cluster.value);
  fault = signal(/** @type {PlainError | null} */ (null));
  /** By node, the pods that its loss would leave pending; null before a sweep. */
  map = signal(/** @type {Map<string, number> | null} */ (null));

  /**
   * @param {Session} session
   * @param {(loaded: Loaded) => void} onLoaded
   */
  constructor(session, onLoaded) {
    this.#session = session;
    this.#onLoaded = onLoaded;
  }

  /** Tries every node, or every zone. @param {Domain} domain */
  async begin(domain) {
    const sweep = (this.#latest += 1);
    this.#reset();
    this.domain.value = domain;
    this.map.value = new Map();
    this.#cluster.value = this.#session.cluster.value;
    this.isRunning.value = true;
    const onFound = proxy((/** @type {Findings} */ found) => {
      if (this.#latest === sweep) batch(() => this.#take(found));
    });
    const onLoaded = proxy((/** @type {Loaded} */ loaded) => this.#onLoaded(loaded));
    try {
      await this.#session.query((playground) => playground.sweep(domain, onFound, onLoaded));
    } catch (error) {
      const fault = /** @type {PlainError} */ (error);
      if (this.#latest === sweep && fault.name !== 'AbortError') this.fault.value = fault;
    }
    if (this.#latest === sweep) this.isRunning.value = false;
  }

  /** Cancels the sweep; what it has found stays. */
  cancel() {
    return this.#session.query((playground) => playground.stopSweep());
  }

  forget() {
    this.#latest += 1;
    this.#reset();
  }

  #reset() {
    batch(() => {
      this.isRunning.value = false;
      this.total.value = 0;
      this.tried.value = 0;
      this.reports.value = [];
      this.map.value = null;
      this.fault.value = null;
    });
  }

  /** @param {Findings} found */
  #take({ tried, total, nodes, reports }) {
    this.tried.value = tried;
    this.total.value = total;
    this.reports.value = [...this.reports.value, ...reports];
    this.map.value = new Map([...(this.map.value ?? []), ...nodes]);
  }
}

/**
 * The name of a node or a zone without its kind: `node/a` → `a`.
 * @param {string} part
 */
export function nameOf(part) {
  return part.slice(part.indexOf('/') + 1);
}
