/** What the page knows and can do: signals that the views read, and the worker behind them. */
import { batch, computed, signal } from '@preact/signals';

import { emptyCluster, withChanges } from './cluster/cluster_state.js';
import { Comparing, keepUp } from './compare/comparing.js';
import { PluginDesk } from './plugins/plugin_desk.js';

/**
 * @import { Evaluation } from '../../../js/src/types.js'
 * @import { PlainError } from '../worker/plain_errors.js'
 * @import { Update } from '../worker/opening.js'
 * @import { Opened, Playground } from '../worker/playground.js'
 * @import { LiveView } from './live/live_view.js'
 * @import { TimelineRow } from '../worker/timeline.js'
 * @import { Action, RunningPlugin } from '../world/world.js'
 * @import { Connection } from './connection.js'
 * @import { QueueSummary } from '../worker/queue_summary.js'
 * @import { HueBy } from './cluster/hues.js'
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

/** How many pods of each queue are shown at first, and how many more each time. */
export const QUEUED = 50;

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
  /** Whether a chapter has just ended before everything is decided, as the scenario wants it. */
  isHeld = signal(false);
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
  inspection = signal(/** @type {QueueSummary | null} */ (null));
  /** Of each queue, that are shown. */
  queued = signal(QUEUED);
  /** Of a person, that are at work. */
  plugins = signal(/** @type {readonly RunningPlugin[]} */ ([]));

  /** The world with another configuration, if there is one. */
  comparing = new Comparing();

  /** The live cluster that is followed in place of what is open. */
  live = signal(/** @type {LiveView | null} */ (null));

  /** What the colours of pods stand for. */
  hueBy = signal(/** @type {HueBy} */ ('workload'));
  /** Which of the panels beside the cluster is open, by its id. */
  panel = signal('story');

  isAtEnd = computed(() => this.chapter.value >= this.notes.value.length);
  canPlay = computed(() => !this.isIdle.value && (!this.isHeld.value || this.isAtEnd.value));

  /**
   * @param {RemotePlayground} playground
   * @param {Connection} [connection] to it, that can be begun anew
   */
  constructor(playground, connection) {
    this.#playground = playground;
    this.connection = connection;
    this.pluginDesk = new PluginDesk(this);
    keepUp(this);
  }

  /**
   * @param {string} text of a scenario
   * @param {string} source its name
   * @param {{ plugins?: 'leave' }} [options] leaves out JavaScript that it brings; else a person is
   *   asked
   * @returns {Promise<boolean>} whether it could be opened
   */
  async open(text, source, options) {
    let isOpen = false;
    await this.ask(async (playground) => {
      this.isPlaying.value = false;
      await this.showOpened(await playground.open(text, options), source);
      isOpen = true;
    }, source);
    return isOpen;
  }

  /**
   * Takes over what was opened.
   * @param {Opened} opened
   * @param {string} source its name
   */
  showOpened({ title, text, notes, update }, source) {
    return batch(() => {
      this.live.value = null;
      this.source.value = source;
      this.title.value = title;
      this.text.value = text;
      this.notes.value = notes;
      this.rows.value = [];
      this.cluster.value = emptyCluster();
      this.queued.value = QUEUED;
      this.selectedPod.value = null;
      this.selectedNode.value = null;
      this.evaluation.value = null;
      return this.show(update);
    });
  }

  /** What the scenario has next. */
  next() {
    return this.ask(async (playground) => this.show(await playground.next()));
  }

  /** One cycle of the scheduler. */
  step() {
    return this.do({ do: 'step' });
  }

  /** Cycles until there is nothing to decide. @param {number} most */
  steps(most) {
    return this.ask(async (playground) => this.show(await playground.steps(most)));
  }

  /** To when something happens by itself. */
  jump() {
    const to = this.nextDeadline.value;
    return to === null ? Promise.resolve() : this.do({ do: 'advance', to });
  }

  /** @param {Action} action */
  do(action) {
    return this.ask(async (playground) => this.show(await playground.do(action)));
  }

  /** @param {number} position */
  goTo(position) {
    this.isPlaying.value = false;
    return this.ask(async (playground) => this.show(await playground.goTo(position)));
  }

  /** A step back, if there is one. */
  back() {
    return this.goTo(Math.max(0, this.position.value - 1));
  }

  /** A step that was gone back from, if there is one. */
  forward() {
    return this.goTo(Math.min(this.length.value, this.position.value + 1));
  }

  /** More pods of each queue. */
  showMoreQueued() {
    this.queued.value += QUEUED;
    return this.ask(() => this.#look());
  }

  /** Steps until there is nothing to decide, or somebody pauses. */
  async play() {
    this.isPlaying.value = true;
    while (this.isPlaying.value && this.canPlay.value) {
      const { value: speed } = this.speed;
      if (speed === Infinity) {
        await this.steps(UNSEEN_STEPS);
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
    return this.ask(() => this.#look());
  }

  /** @param {string | null} node */
  selectNode(node) {
    this.selectedNode.value = node;
  }

  /**
   * How a score of the decision that is looked at comes about.
   * @param {{ plugin: string, node: string }} score
   */
  async explainScore(score) {
    const { pod, attempt } = this.#looked;
    return this.#playground.explainScore(pod, attempt, score);
  }

  /** How preemption picks a node in the decision that is looked at. */
  async explainPick() {
    const { pod, attempt } = this.#looked;
    return this.#playground.explainPick(pod, attempt);
  }

  /** The scheduler's log. */
  log() {
    return this.#playground.log();
  }

  /**
   * Asks something that changes nothing, at once. What goes wrong is for who asks.
   * @template T
   * @param {(playground: RemotePlayground) => Promise<T>} question
   */
  query(question) {
    return question(this.#playground);
  }

  /** @param {import('../world/cluster_writes.js').ObjectReference} reference */
  object(reference) {
    return this.#playground.object(reference);
  }

  /**
   * Takes over what is new.
   * @param {Update} update
   */
  show(update) {
    batch(() => {
      this.cluster.value = withChanges(this.cluster.value, update.cluster);
      this.comparing.show(update.other);
      this.now.value = update.now;
      this.nextDeadline.value = update.nextDeadline;
      this.isIdle.value = update.isIdle;
      this.isHeld.value = update.isHeld;
      this.position.value = update.position;
      this.length.value = update.length;
      this.chapter.value = update.chapter;
      this.hash.value = update.hash;
      this.plugins.value = update.plugins;
      this.rows.value = this.rows.value.slice(0, update.rowsFrom).concat(update.rows);
      if (update.errors)
        this.fault.value =
          update.errors.length > 0 ? { name: 'ApiError', message: update.errors.join('\n') } : null;
    });
    return this.#look();
  }

  /**
   * Asks the playground for something, after all that was asked before. What goes wrong is shown.
   * @param {(playground: RemotePlayground) => Promise<void>} work
   * @param {string} [source] of the text that it is about
   * @returns {Promise<void>}
   */
  ask(work, source) {
    const done = this.#last.then(async () => {
      this.isBusy.value = true;
      try {
        await work(this.#playground);
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

  async #look() {
    const selected = this.selectedPod.value;
    const inspection = await this.#playground.inspect(this.queued.value);
    // It may be gone by now, which is no fault.
    const isThere = selected && (selected.attempt !== undefined || this.#isThere(selected.pod));
    const evaluation = isThere
      ? await this.#playground.evaluate(selected.pod, selected.attempt)
      : null;
    await this.comparing.look(this.#playground, selected, this.rows.value);
    batch(() => {
      this.inspection.value = inspection;
      this.evaluation.value = evaluation;
    });
  }

  get #looked() {
    const selected = this.selectedPod.value;
    if (!selected) throw new Error('no pod is looked at');
    return selected;
  }

  /** @param {string} pod */
  #isThere(pod) {
    return this.cluster.value.pods.has(pod);
  }
}
