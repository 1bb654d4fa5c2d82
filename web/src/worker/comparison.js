/**
 * Runs the same scenario with another configuration: every action of the first world is repeated in
 * a second one, so that positions are equal.
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
 * The changes in the second world since the last update.
 * @typedef {object} OtherUpdate
 * @property {Changes} cluster
 * @property {number} behind actions that the second world has yet to make to reach the first one's
 *   position
 * @property {string} hash of all decisions
 * @property {string[]} errors errors of actions that the first world accepted
 */

/**
 * An action of the first world that was repeated here, and its effect on pods.
 * @typedef {{ entry: Entry, rows: TimelineRow[] }} Followed
 */

/** Kinds of entries about pods: attempts, and the results of these. */
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
   * @returns {Promise<Comparison>} with no action done yet
   * @throws {import('../../../js/src/index.js').StowageError} if the configuration is invalid, with
   *   the field and the line
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
   * @param {Journal} journal of a world without objects
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
   * Repeats the first world's actions, and goes back where the first world went back. Call it again
   * until nothing is behind.
   * @param {Pick<Journal, 'position' | 'entries'>} first
   * @param {number} [most] actions per call
   * @returns {Promise<number>} the number of actions made
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
   * The timeline's rows about a pod: its attempts and their bindings.
   * @param {string} pod `namespace/name`
   * @returns {TimelineRow[]}
   */
  rowsAbout(pod) {
    const rows = this.#followed.slice(0, this.position).flatMap((one) => one.rows);
    return rows.filter((row) => row.pod === pod);
  }

  /**
   * Evaluates a pod now, or as it was at an attempt.
   * @param {string} pod `namespace/name`
   * @param {number} [attempt] of a row
   * @returns {Promise<AttemptEvaluation | null>} null if the pod or the attempt does not exist here
   */
  async evaluate(pod, attempt) {
    if (attempt !== undefined)
      this.#inquiry = await this.#inquiries.before(pod, this.#attempts[attempt]);
    else if (this.#isThere(pod)) this.#inquiry = this.#inquiries.at(pod, this.world.moment);
    else return null;
    return this.#inquiry.evaluation;
  }

  /** About the last evaluation. */
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

  /** Makes the next update a full one. */
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
   * Entries are appended and cut off, never changed. If an entry is the same, all entries before it
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
    // This world keeps its own configuration, which is the one that is compared.
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
