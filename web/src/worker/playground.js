/**
 * All that a page can ask of the engine, as plain data: worlds are opened, changed, gone back in
 * and asked about. It runs in a worker, so that the page stays quick.
 */
import { stringify } from 'yaml';

import { StowageError } from '../../../js/src/errors.js';
import { resourceOf } from '../../../js/src/embedded_apiserver/resources.js';
import { ClusterModel } from '../model/cluster_model.js';
import { chaptersOf, worldOptionsOf } from '../scenario/play.js';
import { loadScenario } from '../scenario/scenario.js';
import { Attempts } from '../world/attempts.js';
import { Journal } from '../world/journal.js';
import { rowsOf } from './timeline.js';

/**
 * @import { Engine } from '../../../js/src/engine.js'
 * @import { Evaluation, KubernetesObject } from '../../../js/src/types.js'
 * @import { Inspection } from '../../../js/src/record_types.js'
 * @import { Changes } from '../model/cluster_model.js'
 * @import { Scenario } from '../scenario/scenario.js'
 * @import { ObjectReference } from '../world/cluster_writes.js'
 * @import { Action, World } from '../world/world.js'
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
 * @property {number} rowsFrom which row `rows` begin with: those behind it are no more
 * @property {TimelineRow[]} rows
 * @property {string} hash of all decisions
 * @property {string[]} errors what of it was refused
 */

/** @typedef {{ title: string, text: string, notes: string[], update: Update }} Opened */

export class Playground {
  #engine;
  #readFile;
  #attempts;
  /** @type {Opening | undefined} */
  #opening;

  /**
   * @param {{ engine: Engine, readFile: (name: string) => Promise<KubernetesObject[]> }} parts
   *   `readFile`: what the files that scenarios name have
   */
  constructor({ engine, readFile }) {
    this.#engine = engine;
    this.#readFile = readFile;
    this.#attempts = new Attempts(engine);
  }

  /**
   * A scenario's world, with what is there from the start. What was open before is gone.
   * @param {string} text YAML or JSON
   * @returns {Promise<Opened>}
   * @throws {StowageError}
   */
  async open(text) {
    const scenario = await loadScenario(text, { readFile: this.#readFile });
    const journal = await Journal.begin({ engine: this.#engine, ...worldOptionsOf(scenario) });
    await this.close();
    this.#opening = new Opening(scenario, journal);
    const { title, text: about } = scenario;
    const update = await this.next();
    return { title, text: about, notes: chaptersOf(scenario).map(({ note }) => note), update };
  }

  /**
   * Does what the scenario has next.
   * @returns {Promise<Update>}
   */
  next() {
    return this.#opened.next();
  }

  /**
   * @param {Action} action
   * @returns {Promise<Update>}
   */
  do(action) {
    return this.#opened.do(action);
  }

  /**
   * Cycles, one after the other, until there is nothing to decide now.
   * @param {number} most
   * @returns {Promise<Update>}
   */
  steps(most) {
    return this.#opened.steps(most);
  }

  /**
   * Stands behind that many entries of the journal.
   * @param {number} position
   * @returns {Promise<Update>}
   */
  goTo(position) {
    return this.#opened.goTo(position);
  }

  /** @returns {Inspection} */
  inspect() {
    return this.#world.scheduler.inspect();
  }

  /**
   * What the scheduler thinks of a pod: now, or when it tried it.
   * @param {string} pod `namespace/name`
   * @param {number} [attempt] of a row of the timeline
   * @returns {Promise<Evaluation>}
   * @throws {StowageError}
   */
  async evaluate(pod, attempt) {
    const { scheduler } = this.#world;
    if (attempt === undefined)
      return scheduler.evaluate(pod, { detail: 'table', allPlugins: true, everyNode: true });
    const { log, line } = this.#opened.attempt(attempt);
    return this.#attempts.evaluate(log, line, pod);
  }

  /**
   * An object as the API server has it, in YAML.
   * @param {ObjectReference} reference
   * @returns {string} empty: there is none
   */
  object(reference) {
    const resource = resourceOf(reference);
    const { namespace = '', name } = reference;
    const object = resource && this.#world.server.store.get(resource.plural, namespace, name);
    return object ? stringify(object) : '';
  }

  /** The scheduler's log, which `stowage replay` takes. */
  log() {
    return this.#world.log.join('');
  }

  async close() {
    this.#attempts.dispose();
    await this.#opening?.dispose();
    this.#opening = undefined;
  }

  get #opened() {
    if (!this.#opening) throw new StowageError('NotOpen', 'no scenario is open');
    return this.#opening;
  }

  /** @returns {World} */
  get #world() {
    return this.#opened.world;
  }
}

/** A scenario that is open. */
class Opening {
  #chapters;
  #journal;
  #model;
  #chapter = 0;
  /** How many rows the timeline has up to each position, from 0 on. */
  #rowCounts = [0];
  /** Of the timeline, that the page has. */
  #told = 0;
  /** @type {TimelineRow[]} */
  #rows = [];
  /** Where each attempt stands in which log. @type {{ log: readonly string[], line: number }[]} */
  #attempts = [];

  /**
   * @param {Scenario} scenario
   * @param {Journal} journal
   */
  constructor(scenario, journal) {
    this.#chapters = chaptersOf(scenario);
    this.#journal = journal;
    this.#model = new ClusterModel(journal.world.server.store);
  }

  get world() {
    return this.#journal.world;
  }

  /** @param {number} number */
  attempt(number) {
    return this.#attempts[number];
  }

  async next() {
    /** @type {unknown[]} */
    const errors = [];
    for (const action of this.#chapters[this.#chapter]?.actions ?? [])
      errors.push(...(await this.#make(action)));
    this.#chapter = Math.min(this.#chapter + 1, this.#chapters.length);
    return this.#update(errors);
  }

  /** @param {Action} action */
  async do(action) {
    return this.#update(await this.#make(action));
  }

  /** @param {number} most */
  async steps(most) {
    for (let count = 0; count < most && !this.world.isIdle; count += 1)
      await this.#make({ do: 'step' });
    return this.#update([]);
  }

  /** @param {number} position */
  async goTo(position) {
    const { world } = this.#journal;
    await this.#journal.goTo(position);
    if (this.#journal.world !== world) {
      this.#model.dispose();
      this.#model = new ClusterModel(this.#journal.world.server.store);
    }
    return this.#update([]);
  }

  async dispose() {
    this.#model.dispose();
    await this.#journal.dispose();
  }

  /** @param {Action} action */
  async #make(action) {
    const { position } = this.#journal;
    // Another future begins: what was behind is no more.
    this.#rowCounts.length = position + 1;
    this.#rows.length = this.#rowCounts[position];
    this.#told = Math.min(this.#told, this.#rows.length);
    const entry = await this.#journal.do(action);
    const { log } = this.world;
    const numberOf = (/** @type {number} */ line) => this.#attempts.push({ log, line }) - 1;
    this.#rows.push(...rowsOf(entry, this.#journal.position, numberOf));
    this.#rowCounts.push(this.#rows.length);
    return entry.errors;
  }

  /**
   * @param {unknown[]} errors
   * @returns {Update}
   */
  #update(errors) {
    const { position, entries, world } = this.#journal;
    const rowsFrom = this.#told;
    this.#told = this.#rows.length;
    return {
      cluster: this.#model.take(),
      now: world.now,
      nextDeadline: world.nextDeadline,
      isIdle: world.isIdle,
      position,
      length: entries.length,
      chapter: this.#chapter,
      rowsFrom,
      rows: this.#rows.slice(rowsFrom),
      hash: position > 0 ? entries[position - 1].hash : '',
      errors: errors.map((error) => (error instanceof Error ? error.message : String(error))),
    };
  }
}
