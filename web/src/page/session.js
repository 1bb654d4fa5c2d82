/** What the page knows and can do: signals that the views read, and the worker behind them. */
import { batch, computed, signal } from '@preact/signals';

import { emptyCluster, withChanges } from './cluster_state.js';

/**
 * @import { Evaluation } from '../../../js/src/types.js'
 * @import { Inspection } from '../../../js/src/record_types.js'
 * @import { PlainError } from '../worker/plain_errors.js'
 * @import { Playground, Update } from '../worker/playground.js'
 * @import { TimelineRow } from '../worker/timeline.js'
 * @import { Action } from '../world/world.js'
 */

/**
 * A Playground in the worker: the same methods, each a promise.
 * @typedef {{ [Name in keyof Playground]: Playground[Name] extends (...args: infer Args) => infer
 *   Result ? (...args: Args) => Promise<Awaited<Result>> : never }} RemotePlayground
 */

/**
 * Shown to the person: what went wrong, and where in the text.
 * @typedef {PlainError & { source?: string }} Fault
 */

/** How many cycles are played at once where nobody wants to see each. */
const UNSEEN_STEPS = 100;

export class Session {
  /** @type {RemotePlayground} */
  #playground;
  /** One thing after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** What is open, by the name that it was opened under. */
  source = signal('');
  title = signal('');
  text = signal('');
  /** A note for each chapter of the scenario. */
  notes = signal(/** @type {string[]} */ ([]));
  /** Which comes next. */
  chapter = signal(0);
  cluster = signal(emptyCluster());
  now = signal(0);
  nextDeadline = signal(/** @type {number | null} */ (null));
  isIdle = signal(true);
  position = signal(0);
  length = signal(0);
  rows = signal(/** @type {TimelineRow[]} */ ([]));
  hash = signal('');
  fault = signal(/** @type {Fault | null} */ (null));
  isBusy = signal(false);
  isPlaying = signal(false);
  /** How many cycles a second are played; Infinity: as many as there can be. */
  speed = signal(4);
  /** The pod that is looked at, `namespace/name`, and the attempt, if not now. */
  selectedPod = signal(/** @type {{ pod: string, attempt?: number } | null} */ (null));
  selectedNode = signal(/** @type {string | null} */ (null));
  evaluation = signal(/** @type {Evaluation | null} */ (null));
  inspection = signal(/** @type {Inspection | null} */ (null));

  isAtEnd = computed(() => this.chapter.value >= this.notes.value.length);

  /** @param {RemotePlayground} playground */
  constructor(playground) {
    this.#playground = playground;
  }

  /** @param {string} text of a scenario @param {string} source its name */
  open(text, source) {
    return this.#task(async () => {
      this.isPlaying.value = false;
      const { title, text: about, notes, update } = await this.#playground.open(text);
      batch(() => {
        this.source.value = source;
        this.title.value = title;
        this.text.value = about;
        this.notes.value = notes;
        this.rows.value = [];
        this.selectedPod.value = null;
        this.selectedNode.value = null;
        this.evaluation.value = null;
        this.#show(update);
      });
    }, source);
  }

  /** What the scenario has next. */
  next() {
    return this.#task(async () => this.#show(await this.#playground.next()));
  }

  /** One cycle of the scheduler. */
  step() {
    return this.do({ do: 'step' });
  }

  /** To when something happens by itself. */
  jump() {
    const to = this.nextDeadline.value;
    return to === null ? Promise.resolve() : this.do({ do: 'advance', to });
  }

  /** @param {Action} action */
  do(action) {
    return this.#task(async () => this.#show(await this.#playground.do(action)));
  }

  /** @param {number} position */
  goTo(position) {
    this.isPlaying.value = false;
    return this.#task(async () => this.#show(await this.#playground.goTo(position)));
  }

  /** Steps until there is nothing to decide, or somebody pauses. */
  async play() {
    this.isPlaying.value = true;
    while (this.isPlaying.value && !this.isIdle.value) {
      const { value: speed } = this.speed;
      if (speed === Infinity) {
        await this.#steps(UNSEEN_STEPS);
      } else {
        await this.step();
        await new Promise((resolve) => setTimeout(resolve, 1000 / speed));
      }
    }
    this.isPlaying.value = false;
  }

  pause() {
    this.isPlaying.value = false;
  }

  /**
   * Looks at a pod, as the scheduler sees it now or saw it when it tried it.
   * @param {string} pod
   * @param {number} [attempt]
   */
  selectPod(pod, attempt) {
    this.selectedPod.value = { pod, ...(attempt !== undefined && { attempt }) };
    return this.#task(() => this.#look());
  }

  /** @param {string | null} node */
  selectNode(node) {
    this.selectedNode.value = node;
  }

  /** The scheduler's log. */
  log() {
    return this.#playground.log();
  }

  /** @param {import('../world/cluster_writes.js').ObjectReference} reference */
  object(reference) {
    return this.#playground.object(reference);
  }

  /** @param {number} most */
  #steps(most) {
    return this.#task(async () => this.#show(await this.#playground.steps(most)));
  }

  async #look() {
    const selected = this.selectedPod.value;
    const inspection = await this.#playground.inspect();
    // It may be gone by now, which is no fault.
    const isThere = selected && (selected.attempt !== undefined || this.#isThere(selected.pod));
    const evaluation = isThere
      ? await this.#playground.evaluate(selected.pod, selected.attempt)
      : null;
    batch(() => {
      this.inspection.value = inspection;
      this.evaluation.value = evaluation;
    });
  }

  /** @param {string} pod */
  #isThere(pod) {
    return this.cluster.value.pods.has(pod);
  }

  /** @param {Update} update */
  #show(update) {
    batch(() => {
      this.cluster.value = withChanges(this.cluster.value, update.cluster);
      this.now.value = update.now;
      this.nextDeadline.value = update.nextDeadline;
      this.isIdle.value = update.isIdle;
      this.position.value = update.position;
      this.length.value = update.length;
      this.chapter.value = update.chapter;
      this.hash.value = update.hash;
      this.rows.value = [...this.rows.value.slice(0, update.rowsFrom), ...update.rows];
      this.fault.value =
        update.errors.length > 0 ? { name: 'ApiError', message: update.errors.join('\n') } : null;
    });
    return this.#look();
  }

  /**
   * @param {() => Promise<void>} work
   * @param {string} [source]
   * @returns {Promise<void>}
   */
  #task(work, source) {
    const done = this.#last.then(async () => {
      this.isBusy.value = true;
      try {
        await work();
      } catch (fault) {
        this.isPlaying.value = false;
        this.fault.value = { .../** @type {PlainError} */ (fault), ...(source && { source }) };
      } finally {
        this.isBusy.value = false;
      }
    });
    this.#last = done;
    return done;
  }
}
