/** The panel's state of a sweep: which failures were tried, and what they would leave pending. */
import { signal } from '@preact/signals';
import { proxy } from 'comlink';

/**
 * @import { Failure, Finding } from '../../whatif/failures.js'
 * @import { Loaded } from '../../whatif/present.js'
 * @import { PlainError } from '../../worker/plain_errors.js'
 * @import { Session } from '../session.js'
 */

/** @typedef {'nodes' | 'zones'} Domain */

export class Failures {
  #session;
  #onLoaded;
  /** The number of the latest sweep. */
  #latest = 0;

  /** What fails at once. */
  domain = signal(/** @type {Domain} */ ('nodes'));
  total = signal(0);
  /** In the order in which they were tried. */
  found = signal(/** @type {readonly Finding[]} */ ([]));
  isRunning = signal(false);
  /** The position in the journal at which the sweep was begun. */
  position = signal(0);
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
    const failures = failuresOf(this.#session, domain);
    const nodes = new Map(failures.map((one) => [one.name, one.nodes]));
    this.domain.value = domain;
    this.total.value = failures.length;
    this.found.value = [];
    this.map.value = new Map();
    this.fault.value = null;
    this.position.value = this.#session.position.value;
    this.isRunning.value = true;
    const onFound = proxy((/** @type {Finding[]} */ found) => {
      if (this.#latest !== sweep) return;
      const map = new Map(this.map.value);
      for (const { name, pending } of found)
        for (const node of nodes.get(name) ?? []) map.set(node, pending);
      this.found.value = [...this.found.value, ...found];
      this.map.value = map;
    });
    const onLoaded = proxy((/** @type {Loaded} */ loaded) => this.#onLoaded(loaded));
    try {
      await this.#session.query((playground) => playground.sweep(failures, onFound, onLoaded));
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
    this.isRunning.value = false;
    this.found.value = [];
    this.total.value = 0;
    this.map.value = null;
    this.fault.value = null;
  }
}

/**
 * @param {Session} session
 * @param {Domain} domain
 * @returns {Failure[]}
 */
function failuresOf({ cluster }, domain) {
  const nodes = [...cluster.value.nodes.values()];
  if (domain === 'nodes') return nodes.map(({ name }) => ({ name, nodes: [name] }));
  /** @type {Map<string, string[]>} */
  const zones = new Map();
  for (const { zone, name } of nodes) {
    if (zone === '') continue;
    const own = zones.get(zone);
    if (own) own.push(name);
    else zones.set(zone, [name]);
  }
  return [...zones].map(([name, own]) => ({ name, nodes: own }));
}
