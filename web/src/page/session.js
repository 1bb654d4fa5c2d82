/** What the page knows and can do: signals that the views read, and the worker behind them. */
import { batch, computed, signal } from '@preact/signals';

import { emptyCluster, withChanges } from './cluster/cluster_state.js';
import { Comparing, keepUp } from './compare/comparing.js';
import { placingAttempt } from './decision/placing_attempt.js';
import { Playback } from './playback.js';
import { PluginDesk } from './plugins/plugin_desk.js';

/**
 * @import { AttemptEvaluation } from '../worker/attempt_evaluation.js'
 * @import { PlainError } from '../worker/plain_errors.js'
 * @import { LeftFuture } from '../worker/futures.js'
 * @import { Update } from '../worker/opening.js'
 * @import { Opened, Playground } from '../worker/playground.js'
 * @import { LiveView } from './live/live_view.js'
 * @import { TimelineRow } from '../worker/timeline.js'
 * @import { Action, RunningPlugin } from '../world/world.js'
 * @import { Connection } from './connection.js'
 * @import { Timer } from './playback.js'
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

/** A pod, `namespace/name`, and one of the attempts at it, if not now. */
/** @typedef {{ pod: string, attempt?: number }} Selected */

/**
 * What a person chose. `isPlacing`: of a pod that is on a node the attempt that placed it.
 * @typedef {{ pod: string, attempt?: number, isPlacing: boolean }} Choice
 */

/** Before it there is an empty world, which is no state of a scenario. */
export const FIRST_POSITION = 1;

/** How many pods of each queue are shown at first, and how many more each time. */
export const QUEUED = 50;

/** How often it is asked how far it is to another position: milliseconds. */
const GOING_INTERVAL = 200;

/** A decision that takes longer to be read is not shown as the one before meanwhile: ms. */
const READING_SHOWN = 300;

/** Each decision is looked at as long as that takes no longer than this: milliseconds. */
const FOLLOWING_MAX = 1000;

export class Session {
  /** @type {RemotePlayground} */
  #playground;
  /** One thing after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {Choice | null} */
  #choice = null;
  /** Steps that wait to be made, if nothing was asked for since. @type {{ by: number } | null} */
  #steps = null;

  /** What is open, by the name that it was opened under. */
  source = signal('');
  /** How often something was opened. */
  opened = signal(0);
  title = signal('');
  text = signal('');
  /** A note for each chapter of the scenario. */
  notes = signal(/** @type {string[]} */ ([]));
  /** Which comes next. */
  chapter = signal(0);
  cluster = signal(emptyCluster());
  now = signal(0);
  nextDeadline = signal(/** @type {number | null} */ (null));
  /** When something happens by itself that somebody waits for. */
  expected = signal(/** @type {number | null} */ (null));
  /** Until when time is to pass in the middle of a chapter. */
  passing = signal(/** @type {number | null} */ (null));
  isIdle = signal(true);
  /** Whether a chapter has just ended before everything is decided, as the scenario wants it. */
  isHeld = signal(false);
  position = signal(0);
  length = signal(0);
  rows = signal(/** @type {TimelineRow[]} */ ([]));
  hash = signal('');
  /** That another one took the place of, the last first. */
  futures = signal(/** @type {readonly LeftFuture[]} */ ([]));
  fault = signal(/** @type {Fault | null} */ (null));
  isBusy = signal(false);
  /** On the way to another position: how far it is, and where it goes. */
  going = signal(/** @type {{ at: number, to: number } | null} */ (null));
  /** What is looked at. */
  selectedPod = signal(/** @type {Selected | null} */ (null));
  /** Whether that is always the one that was decided last. */
  isFollowing = signal(true);
  selectedNode = signal(/** @type {string | null} */ (null));
  evaluation = signal(/** @type {AttemptEvaluation | null} */ (null));
  /** What takes long to be looked at. */
  reading = signal(/** @type {Selected | null} */ (null));
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

  /** Is waited for before something else takes the place of what is open. */
  beforeOpening = async () => {};

  isAtEnd = computed(() => this.chapter.value >= this.notes.value.length);

  /**
   * @param {RemotePlayground} playground
   * @param {Connection} [connection] to it, that can be begun anew
   * @param {Timer} [timer] by which is played
   */
  constructor(playground, connection, timer) {
    this.#playground = playground;
    this.connection = connection;
    this.playback = new Playback(this, timer);
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
    void this.playback.pause();
    const open = async (/** @type {RemotePlayground} */ playground) => {
      await this.beforeOpening();
      await this.showOpened(await playground.open(text, options), source);
      isOpen = true;
    };
    await this.ask(open, { source, keepsTime: true });
    return isOpen;
  }

  /**
   * Takes over what was opened.
   * @param {Opened} opened
   * @param {string} source its name
   */
  showOpened({ title, text, notes, update }, source) {
    return batch(() => {
      this.opened.value += 1;
      this.live.value = null;
      this.playback.forget();
      this.source.value = source;
      this.title.value = title;
      this.text.value = text;
      this.notes.value = notes;
      this.rows.value = [];
      this.cluster.value = emptyCluster();
      this.queued.value = QUEUED;
      this.#choice = null;
      this.selectedPod.value = null;
      this.isFollowing.value = true;
      this.selectedNode.value = null;
      this.evaluation.value = null;
      return this.show(update);
    });
  }

  /**
   * What the scenario has next.
   * @param {boolean} [halts] before time passes in it
   */
  next(halts) {
    const next = async (/** @type {RemotePlayground} */ playground) =>
      this.show(await playground.next(halts));
    // What is left of a chapter that has begun is what is next.
    return this.ask(next, { keepsTime: this.passing.value !== null });
  }

  /** What is left of a chapter, up to where time passes in it again. */
  goOn() {
    const goOn = async (/** @type {RemotePlayground} */ playground) =>
      this.show(await playground.goOn());
    return this.ask(goOn, { keepsTime: true });
  }

  /** One cycle of the scheduler. */
  step() {
    return this.do({ do: 'step' });
  }

  /** Cycles until there is nothing to decide. @param {number} most */
  steps(most) {
    return this.ask(async (playground) => this.show(await playground.steps(most)));
  }

  /** Until something happens by itself. */
  wait() {
    if (this.passing.value !== null) return this.goOn();
    const to = this.nextDeadline.value;
    return to === null ? Promise.resolve() : this.do({ do: 'advance', to });
  }

  /** The time that is shown is that of the world, too. @param {number} to */
  advance(to) {
    const advance = async (/** @type {RemotePlayground} */ playground) =>
      this.show(await playground.do({ do: 'advance', to }));
    return this.ask(advance, { keepsTime: true });
  }

  /** @param {Action} action */
  do(action) {
    return this.ask(async (playground) => this.show(await playground.do(action)));
  }

  /** @param {number} position */
  goTo(position) {
    return this.#go(() => position);
  }

  /** @param {() => number} placeOf is asked where to, when all that was asked before is done */
  #go(placeOf) {
    void this.playback.pause();
    return this.ask(async (playground) => {
      const position = placeOf();
      if (position === this.position.value) return;
      let isThere = false;
      const watch = setInterval(async () => {
        // A worker that is given up does not say it any more.
        const at = await Promise.resolve(playground.going()).catch(() => null);
        if (at !== null && !isThere) this.going.value = { at, to: position };
      }, GOING_INTERVAL);
      try {
        await this.show(await playground.goTo(position));
      } finally {
        isThere = true;
        clearInterval(watch);
        this.going.value = null;
      }
    });
  }

  /** Stays where one was. */
  stopGoing() {
    return this.query((playground) => playground.going({ stop: true }));
  }

  /** A step back, if there is one. */
  back() {
    return this.#goBy(-1);
  }

  /** A step that was gone back from, if there is one. */
  forward() {
    return this.#goBy(1);
  }

  /**
   * Whoever is quick asks for more steps while one is under way: those are made at once.
   * @param {number} by
   */
  #goBy(by) {
    if (this.#steps) {
      this.#steps.by += by;
      return this.#last;
    }
    const steps = { by };
    const done = this.#go(() => {
      if (this.#steps === steps) this.#steps = null;
      const first = Math.min(FIRST_POSITION, this.length.value);
      return Math.max(first, Math.min(this.length.value, this.position.value + steps.by));
    });
    this.#steps = steps;
    return done;
  }

  /** To a future that was left. @param {number} id */
  returnTo(id) {
    return this.ask(async (playground) => this.show(await playground.returnTo(id)));
  }

  /** More pods of each queue. */
  showMoreQueued() {
    this.queued.value += QUEUED;
    return this.look();
  }

  /**
   * Looks again at what is looked at.
   * @param {{ keepsTime?: boolean }} [options] false: at the time that is shown
   */
  look({ keepsTime = true } = {}) {
    return this.ask(() => this.#look(), { keepsTime });
  }

  /** Looks at each decision when it is made, or stays at one. @param {boolean} isOn */
  follow(isOn) {
    this.isFollowing.value = isOn;
    this.#choice = null;
    return this.look();
  }

  /**
   * Chooses a pod: while it is on a node the attempt that placed it is looked at, else what would
   * become of it now.
   * @param {string} pod
   * @param {number} [attempt] that is looked at, whatever becomes of the pod
   */
  selectPod(pod, attempt) {
    return this.#choose({ pod, attempt, isPlacing: attempt === undefined });
  }

  /**
   * Looks at a pod as the scheduler sees it now, or saw it when it tried it.
   * @param {string} pod
   * @param {number} [attempt]
   */
  lookAt(pod, attempt) {
    return this.#choose({ pod, attempt, isPlacing: false });
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
      this.playback.take(update);
      this.cluster.value = withChanges(this.cluster.value, update.cluster);
      this.comparing.show(update.other);
      this.now.value = update.now;
      this.nextDeadline.value = update.nextDeadline;
      this.expected.value = update.expected;
      this.passing.value = update.passing;
      this.isIdle.value = update.isIdle;
      this.isHeld.value = update.isHeld;
      this.position.value = update.position;
      this.length.value = update.length;
      this.chapter.value = update.chapter;
      this.hash.value = update.hash;
      this.futures.value = update.futures;
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
   * @param {{ source?: string, keepsTime?: boolean }} [options] `source` of the text that it is
   *   about; `keepsTime`: it can be done while time passes, all else is done at the time that is
   *   shown
   * @returns {Promise<void>}
   */
  ask(work, { source, keepsTime = false } = {}) {
    this.#steps = null;
    const done = this.#last.then(async () => {
      this.isBusy.value = true;
      try {
        if (!keepsTime) await this.playback.settle(this.#playground);
        await work(this.#playground);
      } catch (fault) {
        void this.playback.pause();
        this.fault.value = { .../** @type {PlainError} */ (fault), ...(source && { source }) };
      } finally {
        this.isBusy.value = false;
      }
    });
    this.#last = done;
    return done;
  }

  /** @param {Choice} choice */
  #choose(choice) {
    this.isFollowing.value = false;
    this.#choice = choice;
    this.selectedPod.value = this.#chosen(choice);
    return this.look();
  }

  /** @param {Choice} choice @returns {Selected} */
  #chosen({ pod, attempt, isPlacing }) {
    const chosen = isPlacing ? this.#attemptThatPlaced(pod) : attempt;
    return { pod, ...(chosen !== undefined && { attempt: chosen }) };
  }

  /** @param {string} pod */
  #attemptThatPlaced(pod) {
    if (this.live.value) return undefined;
    const { node = '' } = this.cluster.value.pods.get(pod) ?? {};
    return placingAttempt(this.rows.value, { pod, node, position: this.position.value });
  }

  async #look() {
    const inspection = await this.#playground.inspect(this.queued.value);
    if (this.#choice && !this.isFollowing.value)
      this.selectedPod.value = this.#chosen(this.#choice);
    const isLatest = this.isFollowing.value && !this.live.value && !this.playback.isUnseen;
    if (isLatest) this.selectedPod.value = this.#latest(inspection);
    const selected = this.selectedPod.value;
    const start = performance.now();
    const timer = setTimeout(() => (this.reading.value = selected), READING_SHOWN);
    const done = () => {
      clearTimeout(timer);
      this.reading.value = null;
    };
    // It may be gone by now, which is no fault.
    const isThere = selected && (selected.attempt !== undefined || this.#isThere(selected.pod));
    const question = isThere && this.#playground.evaluate(selected.pod, selected.attempt);
    const evaluation = await Promise.resolve(question || null).finally(done);
    if (isLatest && performance.now() - start > FOLLOWING_MAX) this.isFollowing.value = false;
    await this.comparing.look(this.#playground, selected, this.rows.value);
    batch(() => {
      this.inspection.value = inspection;
      this.evaluation.value = evaluation;
    });
  }

  /**
   * What was decided last, else what will be decided first.
   * @param {QueueSummary | null} inspection
   */
  #latest(inspection) {
    const { rows, position } = this;
    const { pod = '', attempt } =
      rows.value.findLast((row) => row.kind === 'Decision' && row.position <= position.value) ?? {};
    if (attempt !== undefined) return { pod, attempt };
    const next = inspection?.queues.active[0]?.pod;
    return next === undefined ? null : { pod: next };
  }

  get #looked() {
    const selected = this.selectedPod.value;
    if (!selected) throw new Error('no pod is selected');
    return selected;
  }

  /** @param {string} pod */
  #isThere(pod) {
    return this.cluster.value.pods.has(pod);
  }
}
