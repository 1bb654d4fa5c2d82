/** A scenario that is open: its world, what was done in it, and what the page knows of it. */
import { ClusterModel } from '../model/cluster_model.js';
import { chaptersOf } from '../scenario/play.js';
import { DivergedError } from '../world/journal.js';
import { rowsOf } from './timeline.js';

/**
 * @import { Move } from '../scenario/moves.js'
 * @import { Changes } from '../model/cluster_model.js'
 * @import { Scenario, ScenarioStep } from '../scenario/scenario.js'
 * @import { Entry, Journal } from '../world/journal.js'
 * @import { PluginModule } from '../world/plugin_modules.js'
 * @import { Action, RunningPlugin } from '../world/world.js'
 * @import { Comparison, OtherUpdate } from './comparison.js'
 * @import { TimelineRow } from './timeline.js'
 */

/**
 * What is new since the last update. Times are milliseconds since the epoch.
 * @typedef {object} Update
 * @property {Changes} cluster
 * @property {number} now
 * @property {number | null} nextDeadline
 * @property {boolean} isIdle whether there is nothing to decide now
 * @property {number} position in the journal
 * @property {number} length of the journal
 * @property {number} chapter that comes next, of the scenario
 * @property {boolean} isHeld whether a chapter has just ended that counts its cycles: the scenario
 *   goes on, or ends, before everything is decided
 * @property {number} rowsFrom which row `rows` begin with: those behind it are no more
 * @property {TimelineRow[]} rows
 * @property {string} hash of all decisions
 * @property {string[]} [errors] what of it was refused; undefined: nobody asked for it
 * @property {readonly RunningPlugin[]} plugins of a person, that are at work
 * @property {OtherUpdate} [other] while it is compared: of the world with the other configuration.
 *   `isIdle` and `nextDeadline` are of both worlds then
 */

/**
 * An entry of the journal, and where one is behind it: which action of which chapter comes next.
 * `isOwn`: it was no part of the scenario. `isIdle`: nothing was to be decided then.
 * @typedef {{ action: Action, isOwn: boolean, chapter: number, next: number, isIdle: boolean }}
 *   Passed
 */

/**
 * Where an attempt stands in the log of a scheduler with these plugins.
 * @typedef {{ log: readonly string[], line: number, plugins?: PluginModule[] }} Attempt
 */

/** How many actions the other world catches up with before somebody is told how far it is. */
const CAUGHT_UP_AT_ONCE = 200;

export class Opening {
  #scenario;
  #chapters;
  #journal;
  #model;
  /** Of each entry. @type {Passed[]} */
  #passed = [];
  /** How many rows the timeline has up to each position, from 0 on. */
  #rowCounts = [0];
  /** Of the timeline, that the page has. */
  #told = 0;
  /** @type {TimelineRow[]} */
  #rows = [];
  /** @type {Attempt[]} */
  #attempts = [];
  /** @type {Comparison | undefined} */
  #comparison;

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

  /** What the timeline has up to here. */
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

  /** What was done, also what was gone back from. @returns {readonly Passed[]} */
  get passed() {
    return this.#passed;
  }

  /** @returns {readonly Entry[]} what happened up to here */
  get past() {
    return this.#journal.entries.slice(0, this.#journal.position);
  }

  async next() {
    return this.#update(await this.#goOn(Infinity));
  }

  /** @param {Action} action */
  async do(action) {
    return this.#update(await this.#make(action));
  }

  /** @param {number} most */
  async steps(most) {
    const isIdle = () => this.#worlds.every((world) => world.isIdle);
    let count = (await this.#comparison?.follow(this.#journal, most)) ?? 0;
    for (; count < most && !isIdle(); count += 1) await this.#make({ do: 'step' });
    return this.#update([]);
  }

  /**
   * From now on all that is done is done in another world, too.
   * @param {Comparison} [comparison] absent: no more
   */
  async compare(comparison) {
    const last = this.#comparison;
    this.#comparison = comparison;
    await last?.dispose();
    return this.catchUp();
  }

  /** Brings the other world a bit nearer to where this one is. */
  async catchUp() {
    await this.#comparison?.follow(this.#journal, CAUGHT_UP_AT_ONCE);
    return this.#update([]);
  }

  /** @param {readonly Move[]} moves */
  async make(moves) {
    /** @type {unknown[]} */
    const errors = [];
    for (const move of moves) {
      if (typeof move === 'number')
        for (let count = 0; count < move; count += 1) await this.#make({ do: 'step' });
      else if (move === 'next') errors.push(...(await this.#goOn(Infinity)));
      else errors.push(...(await ('next' in move ? this.#goOn(move.next) : this.#make(move))));
    }
    return this.#update(errors);
  }

  /** @param {number} position */
  async goTo(position) {
    const { world } = this.#journal;
    /** @type {unknown[]} */
    const errors = [];
    await this.#journal.goTo(position).catch((error) => {
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

  /** All of it again, for who has looked at another cluster. */
  whole() {
    this.#renewModel();
    this.#comparison?.renewModel();
    this.#told = 0;
    return this.#update([]);
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

  /** Where one is in the scenario. */
  get #place() {
    const { chapter = 0, next = 0 } = this.#passed[this.#journal.position - 1] ?? {};
    return { chapter, next };
  }

  get #isHeld() {
    const last = this.#passed[this.#journal.position - 1];
    if (!last || last.isOwn || last.next > 0) return false;
    return this.#chapters[last.chapter - 1].cycles !== undefined;
  }

  /**
   * What is left of the chapter that comes next.
   * @param {number} most actions
   */
  async #goOn(most) {
    const { chapter, next: from } = this.#place;
    const actions = this.#chapters[chapter]?.actions ?? [];
    /** @type {unknown[]} */
    const errors = [];
    for (let at = from; at < Math.min(actions.length, from + most); at += 1) {
      const isLast = at + 1 === actions.length;
      const place = isLast ? { chapter: chapter + 1, next: 0 } : { chapter, next: at + 1 };
      errors.push(...(await this.#make(actions[at], { isOwn: false, ...place })));
    }
    return errors;
  }

  /**
   * @param {Action} action
   * @param {Pick<Passed, 'isOwn' | 'chapter' | 'next'>} [place] behind it; default: as before
   */
  async #make(action, place = { isOwn: true, ...this.#place }) {
    this.#passed.length = this.#journal.position;
    this.#forgetFrom(this.#journal.position);
    const entry = await this.#journal.do(action);
    this.#passed.push({ action, ...place, isIdle: this.world.isIdle });
    this.#write(entry);
    await this.#comparison?.follow(this.#journal);
    return entry.errors;
  }

  /**
   * Another future begins there: the rows of what was behind are no more.
   * @param {number} position
   */
  #forgetFrom(position) {
    this.#rowCounts.length = position + 1;
    this.#rows.length = this.#rowCounts[position];
    this.#told = Math.min(this.#told, this.#rows.length);
  }

  /** @param {Entry} entry that has just been made */
  #write(entry) {
    const { log, settings } = this.world;
    const { plugins } = settings;
    const numberOf = (/** @type {number} */ line) =>
      this.#attempts.push({ log, line, plugins }) - 1;
    this.#rows.push(...rowsOf(entry, this.#journal.position, numberOf));
    this.#rowCounts.push(this.#rows.length);
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
    const deadlines = this.#worlds.map(({ nextDeadline }) => nextDeadline ?? Infinity);
    const nextDeadline = Math.min(...deadlines);
    return {
      cluster: this.#model.take(),
      now: world.now,
      nextDeadline: nextDeadline === Infinity ? null : nextDeadline,
      isIdle: this.#worlds.every((one) => one.isIdle) && !other?.behind,
      position,
      length: entries.length,
      chapter,
      isHeld: this.#isHeld,
      rowsFrom,
      rows: this.#rows.slice(rowsFrom),
      hash: position > 0 ? entries[position - 1].hash : '',
      plugins: world.plugins,
      errors: errors.map((error) => (error instanceof Error ? error.message : String(error))),
      ...(other && { other }),
    };
  }
}
