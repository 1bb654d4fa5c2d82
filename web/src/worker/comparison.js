/**
 * The same scenario with another configuration: a second world, in which all is done that is done
 * in the first, one for one, so that positions are equal.
 */
import { ClusterModel } from '../model/cluster_model.js';
import { DivergedError, Journal } from '../world/journal.js';
import { readSettings, withLine } from './compared_settings.js';
import { Inquiries } from './inquiries.js';
import { rowsOf } from './timeline.js';

/**
 * @import { AttemptEvaluation } from './attempt_evaluation.js'
 * @import { Changes } from '../model/cluster_model.js'
 * @import { Entry } from '../world/journal.js'
 * @import { Action, WorldOptions } from '../world/world.js'
 * @import { ComparedSettings } from './compared_settings.js'
 * @import { Attempt } from './opening.js'
 * @import { TimelineRow } from './timeline.js'
 */

/**
 * What is new in the second world since the last update.
 * @typedef {object} OtherUpdate
 * @property {Changes} cluster
 * @property {number} behind how many actions are still to be made for the positions to be equal
 * @property {string} hash of all decisions
 * @property {string[]} errors what was refused here, and not in the first world
 */

/**
 * An action of the first world that was made here, and what became of pods in it.
 * @typedef {{ entry: Entry, rows: TimelineRow[] }} Followed
 */

/** Kinds of entries that belong to pods: their attempts and the results of these. */
const TOLD = new Set(['Decision', 'BindingResult']);

/** Takes no time and changes nothing. @type {Action} */
const NOTHING = { do: 'apply', objects: [] };

export class Comparison {
  #journal;
  #inquiries;
  #model;
  /** @type {Attempt[]} */
  #attempts = [];
  /** @type {Followed[]} */
  #followed = [];
  #behind = 0;
  /** @type {import('./inquiry.js').Inquiry | undefined} */
  #inquiry;
  /** @type {string[]} */
  #errors = [];

  /**
   * @param {WorldOptions} options of the first world
   * @param {ComparedSettings} settings
   * @returns {Promise<Comparison>} with nothing done in it yet
   * @throws {import('../../../js/src/index.js').StowageError} when the configuration is
   *   refused, with its field and line
   */
  static async begin(options, settings) {
    const { configuration: _, ...others } = options.scheduler ?? {};
    const { scheduler, document } = readSettings(settings);
    try {
      const journal = await Journal.begin({ ...options, scheduler: { ...others, ...scheduler } });
      return new Comparison(journal, new Inquiries(options.engine, options.modules));
    } catch (error) {
      throw withLine(error, document);
    }
  }

  /**
   * Use `begin`.
   * @param {Journal} journal of a world with nothing in it
   * @param {Inquiries} inquiries
   */
  constructor(journal, inquiries) {
    this.#journal = journal;
    this.#inquiries = inquiries;
    this.#model = new ClusterModel(journal.world.server.store);
  }

  get world() {
    return this.#journal.world;
  }

  get position() {
    return this.#journal.position;
  }

  /**
   * Does what was done in the first world, and goes back where it was gone back. Until nothing is
   * behind it is to be called again.
   * @param {Pick<Journal, 'position' | 'entries'>} first
   * @param {number} [most] actions that are made now
   * @returns {Promise<number>} how many were made
   */
  async follow({ position, entries }, most = Infinity) {
    this.#forgetAllBut(entries);
    const known = Math.min(this.#followed.length, position);
    if (this.position > known) await this.#goTo(most < known ? 0 : known);
    const start = this.position;
    const end = Math.min(position, start + most);
    if (this.position < known) await this.#goTo(Math.min(known, end));
    while (this.position < end) await this.#make(entries[this.position]);
    this.#behind = position - end;
    return end - start;
  }

  /**
   * What the timeline would have of a pod up to here: the attempts at it, and their bindings.
   * @param {string} pod `namespace/name`
   * @returns {TimelineRow[]}
   */
  rowsAbout(pod) {
    const rows = this.#followed.slice(0, this.position).flatMap((one) => one.rows);
    return rows.filter((row) => row.pod === pod);
  }

  /**
   * What the scheduler thinks of a pod now, or what it said when it tried it.
   * @param {string} pod `namespace/name`
   * @param {number} [attempt] of a row
   * @returns {Promise<AttemptEvaluation | null>} null: it is not there
   */
  async evaluate(pod, attempt) {
    if (attempt !== undefined)
      this.#inquiry = await this.#inquiries.before(pod, this.#attempts[attempt]);
    else if (this.#isThere(pod)) this.#inquiry = this.#inquiries.at(pod, this.world.moment);
    else return null;
    return this.#inquiry.evaluation;
  }

  /** About what was evaluated last. */
  get inquiry() {
    return this.#inquiry;
  }

  /** @returns {OtherUpdate} */
  update() {
    const { position, entries } = this.#journal;
    const errors = this.#errors;
    this.#errors = [];
    return {
      cluster: this.#model.take(),
      behind: this.#behind,
      hash: position > 0 ? entries[position - 1].hash : '',
      errors,
    };
  }

  /** The next update has all of it. */
  renewModel() {
    this.#model.dispose();
    this.#model = new ClusterModel(this.world.server.store);
  }

  async dispose() {
    this.#inquiries.dispose();
    this.#model.dispose();
    await this.#journal.dispose();
  }

  /**
   * Entries are put behind others and cut off, never changed: where one is the same, all before it
   * are.
   * @param {readonly Entry[]} entries
   */
  #forgetAllBut(entries) {
    let known = Math.min(this.#followed.length, entries.length);
    while (known > 0 && this.#followed[known - 1].entry !== entries[known - 1]) known -= 1;
    this.#followed.length = known;
  }

  /** @param {Entry} entry of the first world */
  async #make(entry) {
    // This world keeps its configuration: that is what it is there for.
    const action = entry.action.do === 'configure' ? NOTHING : entry.action;
    const made = await this.#journal.do(action);
    const { errors } = made;
    const known = new Set(entry.errors.map(messageOf));
    this.#errors.push(...errors.map(messageOf).filter((message) => !known.has(message)));
    this.#followed.push({ entry, rows: this.#rowsOf(made) });
  }

  /** @param {Entry} made */
  #rowsOf(made) {
    const { log, settings } = this.world;
    const { plugins } = settings;
    const rows = rowsOf(
      made,
      this.position,
      (line, decision) => this.#attempts.push({ log, line, plugins, decision }) - 1,
    );
    return rows.filter(({ kind }) => TOLD.has(kind));
  }

  /** @param {string} pod */
  #isThere(pod) {
    const [namespace, name] = pod.split('/');
    return this.world.server.store.get('pods', namespace, name) !== undefined;
  }

  /** @param {number} position */
  async #goTo(position) {
    const { world } = this;
    await this.#journal.goTo(position).catch((error) => {
      if (!(error instanceof DivergedError)) throw error;
      this.#errors.push(error.message);
      this.#followed.length = error.position;
    });
    if (this.world !== world) this.renewModel();
  }
}

/** @param {unknown} error */
function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}
