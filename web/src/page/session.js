/** The page's state and operations: signals that the views read, and the worker behind them. */
import { batch, computed, signal } from '@preact/signals';

import { releaseOf } from '../../../js/src/kubernetes.js';
import { emptyCluster, withChanges } from './cluster/cluster_state.js';
import { Comparing, keepUp } from './compare/comparing.js';
import { placingAttempt } from './decision/placing_attempt.js';
import { Playback } from './playback.js';
import { PluginDesk } from './plugins/plugin_desk.js';
import { Prospect } from './whatif/prospect.js';

/**
 * @import { AttemptEvaluation } from '../worker/attempt_evaluation.js'
 * @import { PlainError } from '../worker/plain_errors.js'
 * @import { LeftFuture } from '../worker/futures.js'
 * @import { DevicesAnswer } from '../worker/inquiry.js'
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
 * A Playground in the worker: the same methods, each returns a promise.
 * @typedef {{ [Name in keyof Playground]: Playground[Name] extends (...args: infer Args) => infer
 *   Result ? (...args: Args) => Promise<Awaited<Result>> : never }} RemotePlayground
 */

/**
 * An error for the user, with its place in the text.
 * @typedef {PlainError & { source?: string }} Fault
 */

/** A pod, `namespace/name`, and one of the attempts at it; without an attempt, the present. */
/** @typedef {{ pod: string, attempt?: number }} Selected */

/**
 * The user's choice. `isPlacing`: if the pod is on a node, show the attempt that placed it.
 * @typedef {{ pod: string, attempt?: number, isPlacing: boolean }} Choice
 */

/** Position 0 is an empty world, which is no state of a scenario. */
export const FIRST_POSITION = 1;

/** The number of pods of each queue that are shown at first, and that each click adds. */
export const QUEUED = 50;

/** The interval at which a move to another position is observed: milliseconds. */
const GOING_INTERVAL = 200;

/** A decision that takes longer to read hides the previous one: milliseconds. */
const READING_SHOWN = 300;

/** Following each decision stops when one takes longer than this to read: milliseconds. */
const FOLLOWING_MAX = 1000;

export class Session {
  /** @type {RemotePlayground} */
  #playground;
  /** The last request: requests run one after the other. @type {Promise<unknown>} */
  #last = Promise.resolve();
  /** @type {Choice | null} */
  #choice = null;
  /** Steps to make after the present move. @type {{ by: number } | null} */
  #steps = null;

  /** The name under which the scenario was opened. */
  source = signal('');
  /** The number of times that something was opened. */
  opened = signal(0);
  title = signal('');
  text = signal('');
  /** A note for each chapter of the scenario. */
  notes = signal(/** @type {string[]} */ ([]));
  /** The next chapter. */
  chapter = signal(0);
  cluster = signal(emptyCluster());
  now = signal(0);
  nextDeadline = signal(/** @type {number | null} */ (null));
  /** When the next event is due that a user would wait for. */
  expected = signal(/** @type {number | null} */ (null));
  /** In the middle of a chapter: the time at which the clock's next advance ends. */
  passing = signal(/** @type {number | null} */ (null));
  isIdle = signal(true);
  /** Whether a chapter with a limited number of cycles has just ended, with pods left to decide. */
  isHeld = signal(false);
  position = signal(0);
  length = signal(0);
  rows = signal(/** @type {TimelineRow[]} */ ([]));
  hash = signal('');
  /** Futures that another one replaced, the latest first. */
  futures = signal(/** @type {readonly LeftFuture[]} */ ([]));
  fault = signal(/** @type {Fault | null} */ (null));
  isBusy = signal(false);
  /** A move to another position under way: how far it is, and its target. */
  going = signal(/** @type {{ at: number, to: number } | null} */ (null));
  /** The pod and the attempt that are shown. */
  selectedPod = signal(/** @type {Selected | null} */ (null));
  /** Whether the latest decision is shown. */
  isFollowing = signal(true);
  selectedNode = signal(/** @type {string | null} */ (null));
  evaluation = signal(/** @type {AttemptEvaluation | null} */ (null));
  /** Why the selected pod cannot be evaluated. */
  unreadable = signal('');
  /** The decision that takes long to read. */
  reading = signal(/** @type {Selected | null} */ (null));
  inspection = signal(/** @type {QueueSummary | null} */ (null));
  /** The number of pods of each queue that are shown. */
  queued = signal(QUEUED);
  /** The release that decides. */
  release = signal(releaseOf());
  /** The user's plugins that are running. */
  plugins = signal(/** @type {readonly RunningPlugin[]} */ ([]));

  /** The world with the other configuration. */
  comparing = new Comparing();
  prospect = new Prospect();
  /** The live cluster that is followed; null while the scenario is shown. */
  live = signal(/** @type {LiveView | null} */ (null));
  /** The meaning of the pods' colours. */
  hueBy = signal(/** @type {HueBy} */ ('workload'));
  /** The id of the open side panel. */
  panel = signal('story');

  /** Awaited before anything else is opened. */
  beforeOpening = async () => {};

  isAtEnd = computed(() => this.chapter.value >= this.notes.value.length);

  /**
   * @param {RemotePlayground} playground
   * @param {Connection} [connection] allows another worker to be started
   * @param {Timer} [timer] for playback
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
   * @param {{ plugins?: 'leave' }} [options] `leave` leaves out the scenario's JavaScript;
   *   otherwise the user is asked
   * @returns {Promise<boolean>} whether it was opened
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
   * Shows what was opened.
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
   * Plays the next part of the scenario.
   * @param {boolean} [halts] before each advance of the clock
   */
  next(halts) {
    // The rest of a chapter that has begun counts as the next part.
    const keepsTime = this.passing.value !== null;
    return this.ask((playground) => playground.next(halts), { keepsTime });
  }

  /** Plays the rest of a chapter up to the next advance of the clock. */
  goOn() {
    return this.ask((playground) => playground.goOn(), { keepsTime: true });
  }

  /** Runs one scheduling cycle. */
  step() {
    return this.do({ do: 'step' });
  }

  /** Runs cycles until there is nothing to decide. @param {number} most */
  steps(most) {
    return this.ask((playground) => playground.steps(most));
  }

  /** Advances the clock to the next event. */
  wait() {
    if (this.passing.value !== null) return this.goOn();
    const to = this.nextDeadline.value;
    return to === null ? Promise.resolve() : this.do({ do: 'advance', to });
  }

  /** Advances the world's clock to the time that is shown. @param {number} to */
  advance(to) {
    return this.ask((playground) => playground.do({ do: 'advance', to }), { keepsTime: true });
  }

  /** @param {Action[]} actions each a step; the errors of all are shown */
  do(...actions) {
    return this.ask(async (playground) => {
      /** @type {string[]} */
      const all = [];
      for (const action of actions) {
        const { errors = [], ...update } = await playground.do(action);
        all.push(...errors);
        await this.show({ ...update, errors: all });
      }
    });
  }

  /** @param {number} position */
  goTo(position) {
    return this.#go(() => position);
  }

  /** @param {() => number} placeOf returns the target, after all earlier requests */
  #go(placeOf) {
    void this.playback.pause();
    return this.ask(async (playground) => {
      const position = placeOf();
      if (position === this.position.value) return;
      let isThere = false;
      const watch = setInterval(async () => {
        // A worker that was replaced does not report the end.
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

  /** Goes one step back, if there is one. */
  back() {
    return this.#goBy(-1);
  }

  /** Goes one step forward to a step that was made before, if there is one. */
  forward() {
    return this.#goBy(1);
  }

  /**
   * Fast clicks ask for more steps while a move is under way: these are made together.
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

  /** Shows more pods of each queue. */
  showMoreQueued() {
    this.queued.value += QUEUED;
    return this.look();
  }

  /**
   * Reads the selected decision again.
   * @param {{ keepsTime?: boolean }} [options] false: first advance the world to the time that is
   *   shown
   */
  look({ keepsTime = true } = {}) {
    return this.ask(() => this.#look(), { keepsTime });
  }

  /** Follows the latest decision, or stays at the present one. @param {boolean} isOn */
  follow(isOn) {
    this.isFollowing.value = isOn;
    this.#choice = null;
    return this.look();
  }

  /**
   * Selects a pod. For a pod on a node, the attempt that placed it is shown; otherwise the next
   * cycle's decision.
   * @param {string} pod
   * @param {number} [attempt] to show this one, wherever the pod is later
   */
  selectPod(pod, attempt) {
    return this.#choose({ pod, attempt, isPlacing: attempt === undefined });
  }

  /**
   * Evaluates a pod now, or as it was at an attempt.
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

  /** The notes on a score that is shown. @param {{ plugin: string, node: string }} score */
  async explainScore(score) {
    const { pod, attempt } = this.#looked;
    return this.#playground.explainScore(pod, attempt, score);
  }

  /** How preemption picks a node in the decision that is shown. */
  async explainPick() {
    const { pod, attempt } = this.#looked;
    return this.#playground.explainPick(pod, attempt);
  }

  /** The devices for the claims. @returns {Promise<DevicesAnswer | null>} */
  explainDevices = async () =>
    this.#playground.explainDevices(this.#looked.pod, this.#looked.attempt);

  /**
   * Asks a question that changes nothing, at once. Errors reject the promise.
   * @template T
   * @param {(playground: RemotePlayground) => Promise<T>} question
   */
  query(question) {
    return question(this.#playground);
  }

  /**
   * Shows an update.
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
      this.release.value = releaseOf(update.kubernetesVersion);
      this.plugins.value = update.plugins;
      this.rows.value = this.rows.value.slice(0, update.rowsFrom).concat(update.rows);
      if (update.errors)
        this.fault.value =
          update.errors.length > 0 ? { name: 'ApiError', message: update.errors.join('\n') } : null;
    });
    return this.#look();
  }

  /**
   * Sends a request to the playground after all earlier requests. Errors are shown on the page.
   * @param {(playground: RemotePlayground) => Promise<Update | void>} work an update is shown
   * @param {{ source?: string, keepsTime?: boolean }} [options] `source`: the name of the text that
   *   the request is about; `keepsTime`: the request may run while time passes; for others the
   *   world is first advanced to the time that is shown
   * @returns {Promise<void>}
   */
  ask(work, { source, keepsTime = false } = {}) {
    this.#steps = null;
    const done = this.#last.then(async () => {
      this.isBusy.value = true;
      try {
        if (!keepsTime) await this.playback.settle(this.#playground);
        const update = await work(this.#playground);
        if (update) await this.show(update);
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
    // The pod may have been deleted, which is no error.
    const { pods } = this.cluster.value;
    const isThere = selected && (selected.attempt !== undefined || pods.has(selected.pod));
    const question = isThere && this.#playground.evaluate(selected.pod, selected.attempt);
    let unreadable = '';
    const evaluation = await Promise.resolve(question || null)
      .catch(({ message }) => {
        unreadable = message;
        return null;
      })
      .finally(done);
    if (isLatest && performance.now() - start > FOLLOWING_MAX) this.isFollowing.value = false;
    await this.comparing.look(this.#playground, selected, this.rows.value);
    batch(() => {
      this.inspection.value = inspection;
      this.evaluation.value = evaluation;
      this.unreadable.value = unreadable;
    });
  }

  /**
   * The last decision, otherwise the pod that is decided next.
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
}
