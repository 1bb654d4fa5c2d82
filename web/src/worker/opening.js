/**
 * An open scenario: its world, the actions done in it, and the state that the page has received.
 */
import { ClusterModel } from '../model/cluster_model.js';
import { chaptersOf } from '../scenario/play.js';
import { DivergedError } from '../world/journal.js';
import { Futures } from './futures.js';
import { HaltingWork } from './halting_work.js';
import { rowsOf } from './timeline.js';

/**
 * @import { Decision } from '../../../js/src/index.js'
 * @import { Move } from '../scenario/moves.js'
 * @import { Changes } from '../model/cluster_model.js'
 * @import { Scenario, ScenarioStep } from '../scenario/scenario.js'
 * @import { Entry, Journal } from '../world/journal.js'
 * @import { PluginModule } from '../world/plugin_modules.js'
 * @import { Action, BeforeTime, RunningPlugin, World } from '../world/world.js'
 * @import { Comparison, OtherUpdate } from './comparison.js'
 * @import { LeftFuture } from './futures.js'
 * @import { TimelineRow } from './timeline.js'
 */

/**
 * The changes since the last update. Times are milliseconds since the epoch.
 * @typedef {object} Update
 * @property {Changes} cluster
 * @property {number} now
 * @property {number | null} nextDeadline when the next event is due
 * @property {number | null} expected when the next event is due that a user would wait for
 * @property {number | null} passing in the middle of a chapter: the time at which the clock's next
 *   advance ends. The part of the entry that has happened so far counts as the next position
 * @property {boolean} isIdle whether there is nothing to decide now
 * @property {number} position in the journal
 * @property {number} length of the journal
 * @property {number} chapter the next chapter of the scenario
 * @property {boolean} isHeld whether a chapter with a limited number of cycles has just ended: the
 *   scenario goes on, or ends, with pods left to decide
 * @property {number} rowsFrom the index of the first of `rows`; the page drops its rows from there
 *   on
 * @property {TimelineRow[]} rows
 * @property {string} hash of all decisions
 * @property {readonly LeftFuture[]} futures futures that can be returned to, the latest first
 * @property {string[]} [errors] the errors of what was refused; undefined if the page did not ask
 *   for them
 * @property {string} [kubernetesVersion] the release that decides; default: the newest
 * @property {readonly RunningPlugin[]} plugins the user's plugins that are running
 * @property {OtherUpdate} [other] while comparing: the changes in the world with the other
 *   configuration. `isIdle` and the deadlines then cover both worlds
 */

/**
 * An action of the journal, and the position in the scenario after it: the next action and its
 * chapter. `isOwn`: the action was not part of the scenario. `isIdle`: nothing was left to decide
 * after it.
 * @typedef {{ action: Action, isOwn: boolean, chapter: number, next: number, isIdle: boolean }}
 *   Passed
 */

/**
 * The position of an attempt in the log of a scheduler with these plugins, and its decision.
 * @typedef {{ log: readonly string[], line: number, plugins?: PluginModule[], decision: Decision }}
 *   Attempt
 */

/** Actions that the other world repeats between two reports of progress. */
const CAUGHT_UP_AT_ONCE = 200;

export class Opening {
  #scenario;
  #chapters;
  #journal;
  #model;
  /** One for each entry. @type {Passed[]} */
  #passed = [];
  /** The number of the timeline's rows up to each position, from 0 on. */
  #rowCounts = [0];
  /** The number of rows that the page has. */
  #told = 0;
  /** @type {TimelineRow[]} */
  #rows = [];
  /** @type {Attempt[]} */
  #attempts = [];
  #futures = new Futures();
  /** @type {Comparison | undefined} */
  #comparison;
  /** A chapter that halts before the clock moves on. @type {HaltingWork<unknown[]> | undefined} */
  #halting;
  /**
   * A move to another position that is under way.
   * @type {{ stop: AbortController, at: number } | undefined}
   */
  #going;

  /**
   * @param {Scenario} scenario
   * @param {Journal} journal
   */
  constructor(scenario, journal) {
    this.#scenario = scenario;
    this.#chapters = chaptersOf(scenario);
    this.#journal = journal;
    this.#model = new ClusterModel(journal.world.server.store);
  }

  get world() {
    return this.#journal.world;
  }

  get comparison() {
    return this.#comparison;
  }

  get #worlds() {
    return this.#comparison ? [this.world, this.#comparison.world] : [this.world];
  }

  /** @param {number} number */
  attempt(number) {
    return this.#attempts[number];
  }

  /** The timeline's rows up to the present position. */
  get rowsUntilNow() {
    return this.#rows.slice(0, this.#rowCounts[this.#journal.position]);
  }

  get scenario() {
    return this.#scenario;
  }

  /** @returns {readonly ScenarioStep[]} */
  get chapters() {
    return this.#chapters;
  }

  /** All actions, including those after the present position. @returns {readonly Passed[]} */
  get passed() {
    return this.#passed;
  }

  /** @returns {readonly Entry[]} the entries up to the present position */
  get past() {
    return this.#journal.entries.slice(0, this.#journal.position);
  }

  /**
   * Plays the rest of the current chapter, or else the next chapter.
   * @param {boolean} [halts] before each advance of the clock, until `goOn`
   */
  async next(halts = false) {
    if (this.#halting) return this.#update(await this.#finish());
    this.#halting = new HaltingWork((halt) => this.#goOn(Infinity, halts ? halt : undefined));
    return this.goOn();
  }

  /** Continues the chapter that halts. */
  async goOn() {
    const halting = this.#halting;
    if (!halting) return this.#update([]);
    this.#halting = undefined;
    const done = await halting.goOn();
    if ('result' in done) return this.#update(done.result);
    this.#halting = halting;
    return this.#partOf(done.at);
  }

  /** @param {Action} action */
  async do(action) {
    const before = await this.#finish();
    return this.#update([...before, ...(await this.#make(action))]);
  }

  /** @param {number} most */
  async steps(most) {
    const errors = await this.#finish();
    const isIdle = () => this.#worlds.every((world) => world.isIdle);
    let count = (await this.#comparison?.follow(this.#journal, most)) ?? 0;
    for (; count < most && !isIdle(); count += 1) await this.#make({ do: 'step' });
    return this.#update(errors);
  }

  /**
   * From now on every action is repeated in another world.
   * @param {Comparison} [comparison] absent: ends the comparison
   */
  async compare(comparison) {
    await this.#finish();
    const last = this.#comparison;
    this.#comparison = comparison;
    await last?.dispose();
    return this.catchUp();
  }

  /** Repeats some of the outstanding actions in the other world. */
  async catchUp() {
    const errors = await this.#finish();
    await this.#comparison?.follow(this.#journal, CAUGHT_UP_AT_ONCE);
    return this.#update(errors);
  }

  /** @param {readonly Move[]} moves */
  async make(moves) {
    const errors = await this.#finish();
    for (const move of moves) {
      if (typeof move === 'number')
        for (let count = 0; count < move; count += 1) await this.#make({ do: 'step' });
      else if (move === 'next') errors.push(...(await this.#goOn(Infinity)));
      else errors.push(...(await ('next' in move ? this.#goOn(move.next) : this.#make(move))));
    }
    return this.#update(errors);
  }

  /**
   * The position that a move under way has reached; null if there is no move.
   * @param {{ stop?: boolean }} [wish] `stop`: cancel the move
   */
  going({ stop = false } = {}) {
    if (stop) this.#going?.stop.abort();
    return this.#going?.at ?? null;
  }

  /**
   * Moves to the end of a future that was left. The present future is left for it.
   * @param {number} id
   */
  async returnTo(id) {
    const future = this.#futures.take(id, this.#passed);
    if (!future) return this.#update(await this.#finish());
    const { errors = [] } = await this.goTo(future.common);
    /** @type {unknown[]} */
    const refused = [...errors];
    for (const { action, ...place } of future.rest)
      refused.push(...(await this.#make(action, place)));
    if (future.hash !== this.#hash)
      refused.push(new DivergedError(this.#journal.position, this.world.plugins.length > 0));
    return this.#update(refused);
  }

  /** @param {number} position */
  async goTo(position) {
    const errors = await this.#finish();
    const { world } = this.#journal;
    const going = { stop: new AbortController(), at: 0 };
    this.#going = going;
    const onPosition = (/** @type {number} */ at) => void (going.at = at);
    const done = this.#journal.goTo(position, { signal: going.stop.signal, onPosition });
    await done
      .finally(() => void (this.#going = undefined))
      .catch((error) => {
        if (!(error instanceof DivergedError)) throw error;
        errors.push(error);
        this.#passed.length = error.position;
        this.#forgetFrom(error.position - 1);
        this.#write(this.#journal.entries[error.position - 1]);
      });
    if (this.#journal.world !== world) this.#renewModel();
    await this.#comparison?.follow(this.#journal, CAUGHT_UP_AT_ONCE);
    return this.#update(errors);
  }

  /** A full update, for a page that has shown another cluster. */
  async whole() {
    const errors = await this.#finish();
    this.#renewModel();
    this.#comparison?.renewModel();
    this.#told = 0;
    return this.#update(errors);
  }

  async dispose() {
    this.#model.dispose();
    await this.#comparison?.dispose();
    await this.#journal.dispose();
  }

  #renewModel() {
    this.#model.dispose();
    this.#model = new ClusterModel(this.#journal.world.server.store);
  }

  /** The present position in the scenario. */
  get #place() {
    const { chapter = 0, next = 0 } = this.#passed[this.#journal.position - 1] ?? {};
    return { chapter, next };
  }

  /** Of all decisions. */
  get #hash() {
    const { position, entries } = this.#journal;
    return position > 0 ? entries[position - 1].hash : '';
  }

  get #isHeld() {
    const last = this.#passed[this.#journal.position - 1];
    if (!last || last.isOwn || last.next > 0) return false;
    return this.#chapters[last.chapter - 1].cycles !== undefined;
  }

  /**
   * The rest of the current chapter, or else the next chapter.
   * @param {number} most actions
   * @param {BeforeTime} [beforeTime]
   */
  async #goOn(most, beforeTime) {
    const { chapter, next: from } = this.#place;
    const actions = this.#chapters[chapter]?.actions ?? [];
    /** @type {unknown[]} */
    const errors = [];
    for (let at = from; at < Math.min(actions.length, from + most); at += 1) {
      const isLast = at + 1 === actions.length;
      const place = isLast ? { chapter: chapter + 1, next: 0 } : { chapter, next: at + 1 };
      errors.push(...(await this.#make(actions[at], { isOwn: false, ...place }, beforeTime)));
    }
    return errors;
  }

  /** Plays the chapter that halts to its end. */
  async #finish() {
    const halting = this.#halting;
    this.#halting = undefined;
    return (await halting?.finish()) ?? [];
  }

  /**
   * @param {Action} action
   * @param {Pick<Passed, 'isOwn' | 'chapter' | 'next'>} [place] behind it; default: as before
   * @param {BeforeTime} [beforeTime]
   */
  async #make(action, place = { isOwn: true, ...this.#place }, beforeTime) {
    const { position, entries } = this.#journal;
    // Without a step there is no future to return to: opening the link again gives the same.
    if (position > 0 && position < this.#passed.length)
      this.#futures.leave(this.#passed, position, entries[this.#passed.length - 1].hash);
    this.#passed.length = position;
    this.#forgetFrom(position);
    const entry = await this.#journal.do(action, beforeTime);
    this.#passed.push({ action, ...place, isIdle: this.world.isIdle });
    // `#partOf` may already have sent rows of this entry.
    this.#forgetFrom(position);
    this.#write(entry);
    await this.#comparison?.follow(this.#journal);
    return entry.errors;
  }

  /**
   * Drops the rows after a position, because another future begins there.
   * @param {number} position
   */
  #forgetFrom(position) {
    this.#rowCounts.length = position + 1;
    this.#rows.length = this.#rowCounts[position];
    this.#told = Math.min(this.#told, this.#rows.length);
  }

  /** @param {Entry} entry the entry that was just made */
  #write(entry) {
    this.#rows.push(...this.#rowsOf(entry, this.#journal.position));
    this.#rowCounts.push(this.#rows.length);
  }

  /** @param {Entry} entry @param {number} position */
  #rowsOf(entry, position) {
    const { log, settings } = this.world;
    const { plugins } = settings;
    return rowsOf(
      entry,
      position,
      (line, decision) => this.#attempts.push({ log, line, plugins, decision }) - 1,
    );
  }

  /**
   * An update that shows the action in progress as if it were done.
   * @param {number} passing
   * @returns {Update}
   */
  #partOf(passing) {
    const { position, unfinished } = this.#journal;
    if (!unfinished) return this.#update([]);
    this.#forgetFrom(position);
    this.#rows.push(...this.#rowsOf(unfinished, position + 1));
    const update = this.#update([]);
    const { hash } = unfinished;
    return { ...update, position: position + 1, length: position + 1, hash, passing };
  }

  /**
   * @param {unknown[]} errors
   * @returns {Update}
   */
  #update(errors) {
    const { position, entries, world } = this.#journal;
    const { chapter } = this.#place;
    const rowsFrom = this.#told;
    this.#told = this.#rows.length;
    const other = this.#comparison?.update();
    const isIdle = this.#worlds.every((one) => one.isIdle) && !other?.behind;
    return {
      cluster: this.#model.take(),
      now: world.now,
      nextDeadline: this.#first(({ nextDeadline }) => nextDeadline),
      expected: isIdle ? this.#first(({ expectedDeadline }) => expectedDeadline) : null,
      passing: null,
      isIdle,
      position,
      length: entries.length,
      chapter,
      isHeld: this.#isHeld,
      rowsFrom,
      rows: this.#rows.slice(rowsFrom),
      hash: this.#hash,
      futures: this.#futures.told,
      kubernetesVersion: world.settings.kubernetesVersion,
      plugins: world.plugins,
      errors: errors.map((error) => (error instanceof Error ? error.message : String(error))),
      ...(other && { other }),
    };
  }

  /**
   * @param {(world: World) => number | null} timeOf
   * @returns {number | null} the earliest of all worlds
   */
  #first(timeOf) {
    const first = Math.min(...this.#worlds.map((world) => timeOf(world) ?? Infinity));
    return first === Infinity ? null : first;
  }
}
