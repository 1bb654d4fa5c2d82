/**
 * The worker's interface for the page, in plain data: it opens worlds, changes them, goes back in
 * them and answers questions about them. It runs in a worker to keep the page responsive.
 */
import { stringify } from 'yaml';

import { StowageError } from '../../../js/src/index.js';
import { YAML_OPTIONS } from '../../../js/src/manifests.js';
import { LiveCluster } from '../live/live_cluster.js';
import { textOfDump } from '../scenario/dump.js';
import { movesOf } from '../scenario/moves.js';
import { chaptersOf, worldOptionsOf } from '../scenario/play.js';
import { pluginModulesOf, withoutPlugins } from '../scenario/plugins.js';
import { loadScenario } from '../scenario/scenario.js';
import { Journal } from '../world/journal.js';
import { PluginModules } from '../world/plugin_modules.js';
import { withLine } from './compared_settings.js';
import { Comparison } from './comparison.js';
import { clusterOfLive, clusterOfWorld } from './edited_cluster.js';
import { Editing } from './editing.js';
import { exportOf } from './exports.js';
import { Inquiries } from './inquiries.js';
import { FileError, readFiles } from './opened_files.js';
import { Opening } from './opening.js';
import { OtherQuestions } from './other_questions.js';
import { summaryOf } from './queue_summary.js';
import { WhatIf } from './what_if.js';

/**
 * @import { Engine, KubernetesObject, PickNotes, ScoreNotes } from '../../../js/src/index.js'
 * @import { ObjectReference } from '../world/cluster_writes.js'
 * @import { PluginModule } from '../world/plugin_modules.js'
 * @import { Action, SchedulerSettings, World } from '../world/world.js'
 * @import { Move } from '../scenario/moves.js'
 * @import { ExportName } from './exports.js'
 * @import { Open } from '../editor/editing.js'
 * @import { LiveOptions, Met, News } from '../live/live_cluster.js'
 * @import { AttemptEvaluation } from './attempt_evaluation.js'
 * @import { ComparedSettings } from './compared_settings.js'
 * @import { Scenario } from '../scenario/scenario.js'
 * @import { OpenedFile } from './opened_files.js'
 * @import { Update } from './opening.js'
 * @import { QueueSummary } from './queue_summary.js'
 */

/** @typedef {{ title: string, text: string, notes: string[], update: Update }} Opened */

export class Playground {
  #editing = new Editing({
    opened: () => this.#edited,
    perform: (action) => this.do(action),
  });
  #whatIf = new WhatIf(() => this.#world);
  #other = new OtherQuestions(() => this.#opened.comparison);
  #engine;
  #readFile;
  #inquiries;
  #modules;
  /** The scenario's text, as it was written. */
  #text = () => '';
  /** @type {Opening | undefined} */
  #opening;
  /** While it is set, all questions are about it. @type {LiveCluster | undefined} */
  #live;

  /**
   * @param {{ engine: Engine, readFile: (name: string) => Promise<KubernetesObject[]>, modules?:
   *   PluginModules }} parts `readFile` returns the objects of a file that a scenario names;
   *   `modules` loads plugins
   */
  constructor({ engine, readFile, modules = new PluginModules() }) {
    this.#engine = engine;
    this.#readFile = readFile;
    this.#modules = modules;
    this.#inquiries = new Inquiries(engine, modules);
  }

  /**
   * Opens a scenario: a world with its initial objects. It replaces what was open.
   * @param {string} text YAML or JSON
   * @param {{ plugins?: 'leave' }} [options] `leave` leaves out the scenario's JavaScript;
   *   otherwise the user is asked whether to run it
   * @returns {Promise<Opened>}
   * @throws {StowageError}
   */
  async open(text, { plugins } = {}) {
    const loaded = await loadScenario(text, { readFile: this.#readFile });
    const isRun = plugins !== 'leave' && (await this.#modules.areAgreed(pluginModulesOf(loaded)));
    const scenario = isRun ? loaded : withoutPlugins(loaded);
    return this.#begin(scenario, () => text);
  }

  /**
   * Opens the scenario or the cluster in files. A configuration applies to what is open.
   * @param {readonly OpenedFile[]} files
   * @returns {Promise<{ opened: Opened } | { update: Update }>}
   * @throws {StowageError} with the file's name; then nothing changes
   */
  async openFiles(files) {
    const found = await readFiles(files);
    const name = files.map((file) => file.name).join(', ');
    try {
      if ('configuration' in found) return { update: await this.reconfigure(found) };
      if ('text' in found) return { opened: await this.open(found.text) };
      const { scenario } = found;
      return { opened: await this.#begin(scenario, () => textOfDump(scenario)) };
    } catch (error) {
      throw new FileError(name, [withLine(error, 'configuration' in found && found.configuration)]);
    }
  }

  /**
   * @param {Scenario} scenario
   * @param {() => string} text returns the text as it is written
   * @returns {Promise<Opened>}
   */
  async #begin(scenario, text) {
    const journal = await Journal.begin({
      engine: this.#engine,
      modules: this.#modules,
      ...worldOptionsOf(scenario),
    });
    await this.close();
    this.#opening = new Opening(scenario, journal);
    this.#text = text;
    const { title, text: about } = scenario;
    const update = await this.next();
    return { title, text: about, notes: chaptersOf(scenario).map(({ note }) => note), update };
  }

  /**
   * Follows a live cluster. The open scenario waits until `unfollow`.
   * @param {LiveOptions} options
   * @param {(news: News) => unknown} onNews
   * @returns {Promise<Met>}
   * @throws {StowageError}
   */
  async follow(options, onNews) {
    const live = await LiveCluster.connect({ engine: this.#engine, options, onNews });
    await this.#live?.dispose();
    this.#live = live;
    return live.met;
  }

  /**
   * Returns to the open scenario.
   * @returns {Promise<Update>}
   */
  async unfollow() {
    await this.#live?.dispose();
    this.#live = undefined;
    return this.#opened.whole();
  }

  /**
   * Plays the next part of the scenario.
   * @param {boolean} [halts] before each advance of the clock, until `goOn`; any other request
   *   first plays the part to its end
   * @returns {Promise<Update>}
   */
  next(halts) {
    return this.#opened.next(halts);
  }

  /** Continues the part that halts. */
  goOn() {
    return this.#opened.goOn();
  }

  /**
   * @param {Action} action
   * @returns {Promise<Update>}
   */
  do(action) {
    return (this.#live ?? this.#opened).do(action);
  }

  /**
   * Replaces the scheduler with one that has the same settings but these plugins.
   * @param {PluginModule[]} modules that the user wants to run
   * @returns {Promise<Update>}
   * @throws {StowageError} if they are no valid plugins; then nothing changes
   */
  async usePlugins(modules) {
    this.#modules.agree(modules);
    return this.reconfigure({ plugins: modules });
  }

  /**
   * Replaces the scheduler with one that has the same settings but these. A live cluster refuses.
   * @param {SchedulerSettings} changed
   * @throws {StowageError} if they are refused; then nothing changes
   */
  async reconfigure(changed) {
    if (this.#live) return this.#live.do({ do: 'configure', scheduler: changed });
    const scheduler = { ...this.#world.settings, ...changed };
    await this.#world.check(scheduler);
    return this.do({ do: 'configure', scheduler });
  }

  /** Whether a live cluster is followed. */
  get isLive() {
    return this.#live !== undefined;
  }

  /** Why no plugin may run here; empty if plugins may. @returns {Promise<string>} */
  reasonAgainstPlugins() {
    return this.#modules.reasonAgainst();
  }

  /** The running plugins, as text. */
  pluginModules() {
    return this.#world.settings.plugins ?? [];
  }

  /** Answers at once, so that the page can tell a slow worker from one that hangs. */
  ping() {}

  /**
   * Runs cycles until there is nothing to decide now.
   * @param {number} most
   * @returns {Promise<Update>}
   */
  steps(most) {
    return this.#opened.steps(most);
  }

  /**
   * Moves to the position after that many entries of the journal.
   * @param {number} position
   * @returns {Promise<Update>}
   */
  goTo(position) {
    return this.#opened.goTo(position);
  }

  /**
   * Moves to the end of a future that was left.
   * @param {number} id
   * @returns {Promise<Update>}
   */
  returnTo(id) {
    return this.#opened.returnTo(id);
  }

  /**
   * The position that `goTo` has reached, while it is under way.
   * @param {{ stop?: boolean }} [wish] `stop`: cancel the move
   * @returns {number | null}
   */
  going(wish) {
    return this.#opened.going(wish);
  }

  /**
   * Compares the open scenario with the same scenario under another configuration: every action
   * from now on is made in both. `catchUp` repeats the earlier actions.
   * @param {ComparedSettings | null} settings null: ends the comparison
   * @returns {Promise<Update>}
   * @throws {StowageError} if the settings are refused; then nothing changes
   */
  async compare(settings) {
    const opened = this.#opened;
    if (!settings) return opened.compare();
    const parts = { engine: this.#engine, modules: this.#modules };
    const options = { ...parts, ...worldOptionsOf(opened.scenario) };
    return opened.compare(await Comparison.begin(options, settings));
  }

  /**
   * Repeats some of the outstanding actions in the other world.
   * @returns {Promise<Update>}
   */
  catchUp() {
    return this.#opened.catchUp();
  }

  /**
   * The state of the scheduler's queues.
   * @param {number} [most] pods of each queue; `counts` covers all of them
   * @returns {QueueSummary | null} null if the scheduler is not one of this page
   */
  inspect(most = Infinity) {
    if (this.#live) return null;
    const { rowsUntilNow } = this.#opened;
    return summaryOf(this.#world.scheduler.inspect(), rowsUntilNow, most);
  }

  /**
   * Evaluates a pod: now, or as it was at an attempt.
   * @param {string} pod `namespace/name`
   * @param {number} [attempt] of a row of the timeline
   * @returns {Promise<AttemptEvaluation>}
   * @throws {StowageError}
   */
  async evaluate(pod, attempt) {
    return (await this.#inquire(pod, attempt)).evaluation;
  }

  /**
   * The engine's notes on a score: the plugin's formula with the node's numbers.
   * @param {string} pod `namespace/name`
   * @param {number | undefined} attempt of a row of the timeline; undefined: now
   * @param {{ plugin: string, node: string }} cell
   * @returns {Promise<ScoreNotes | null>} null if the plugin did not score the node
   * @throws {StowageError}
   */
  async explainScore(pod, attempt, { plugin, node }) {
    return (await this.#inquire(pod, attempt)).explainScore(plugin, node);
  }

  /**
   * How preemption picked, or would pick, one of its candidates.
   * @param {string} pod `namespace/name`
   * @param {number} [attempt]
   * @returns {Promise<PickNotes | null>} null: it picks none
   * @throws {StowageError}
   */
  async explainPick(pod, attempt) {
    return (await this.#inquire(pod, attempt)).explainPick();
  }

  /**
   * How many devices each rule leaves for the claims of a pod.
   * @param {string} pod `namespace/name`
   * @param {number} [attempt]
   * @throws {StowageError}
   */
  async explainDevices(pod, attempt) {
    return (await this.#inquire(pod, attempt)).explainDevices();
  }

  /** @type {OtherQuestions['evaluateOther']} */
  evaluateOther = (...args) => this.#other.evaluateOther(...args);
  /** @type {OtherQuestions['otherRowsAbout']} */
  otherRowsAbout = (...args) => this.#other.otherRowsAbout(...args);
  /** @type {OtherQuestions['explainOtherScore']} */
  explainOtherScore = (...args) => this.#other.explainOtherScore(...args);
  /** @type {OtherQuestions['explainOtherPick']} */
  explainOtherPick = () => this.#other.explainOtherPick();
  /** @type {OtherQuestions['explainOtherDevices']} */
  explainOtherDevices = () => this.#other.explainOtherDevices();
  /** @type {WhatIf['lookAhead']} */
  lookAhead = (...args) => this.#whatIf.lookAhead(...args);
  /** @type {WhatIf['planDrain']} */
  planDrain = (...args) => this.#whatIf.planDrain(...args);
  /** @type {WhatIf['actionsFor']} */
  actionsFor = (...args) => this.#whatIf.actionsFor(...args);
  /** @type {WhatIf['fix']} */
  fix = (...args) => this.#whatIf.fix(...args);
  /** @type {WhatIf['podGroup']} */
  podGroup = (...args) => this.#whatIf.podGroup(...args);
  /** @type {WhatIf['actionsOfWay']} */
  actionsOfWay = (...args) => this.#whatIf.actionsOfWay(...args);
  /** @type {WhatIf['sweep']} */
  sweep = (...args) => this.#whatIf.sweep(...args);
  /** @type {WhatIf['stopSweep']} */
  stopSweep = () => this.#whatIf.stopSweep();

  /**
   * An object as the API server returns it, in YAML.
   * @param {ObjectReference} reference
   * @returns {Promise<string>} empty: there is none
   */
  async object(reference) {
    const object = await this.read(reference);
    return object ? stringify(object, YAML_OPTIONS) : '';
  }

  /**
   * Makes the moves of a link.
   * @param {Move[]} moves
   * @returns {Promise<Update>}
   */
  make(moves) {
    return this.#opened.make(moves);
  }

  /**
   * The contents of a link to the present state: the scenario as it was written, the actions done
   * in it, and the position.
   * @returns {{ text: string, moves: Move[], position: number, hash: string }}
   */
  history() {
    const { passed, past } = this.#opened;
    const hash = past.at(-1)?.hash ?? '';
    return { text: this.#text(), moves: movesOf(passed), position: past.length, hash };
  }

  /**
   * A file with what is open, in its present state.
   * @param {ExportName} name
   * @returns {Promise<string>}
   * @throws {StowageError} if this form cannot express it
   */
  async exported(name) {
    const file = exportOf(name, this.#opened, this.#text());
    if (name === 'scenario') await loadScenario(file, { readFile: this.#readFile });
    return file;
  }

  /** @type {Editing['editable']} */
  editable = (...args) => this.#editing.editable(...args);

  /** @type {Editing['listObjects']} */
  listObjects = (...args) => this.#editing.listObjects(...args);

  /** @type {Editing['check']} */
  check = (...args) => this.#editing.check(...args);

  /** @type {Editing['complete']} */
  complete = (...args) => this.#editing.complete(...args);

  /** @type {Editing['refusal']} */
  refusal = (...args) => this.#editing.refusal(...args);

  /** @type {Editing['recreate']} */
  recreate = (...args) => this.#editing.recreate(...args);

  /** @type {Editing['applyText']} */
  applyText = (...args) => this.#editing.applyText(...args);

  /**
   * An object as the API server returns it.
   * @param {ObjectReference} reference
   * @returns {Promise<KubernetesObject | null>} null: there is none
   */
  async read(reference) {
    return this.#edited.cluster.read(reference);
  }

  /**
   * The pods that `kubectl drain` would evict from a node.
   * @param {string} node
   * @returns {Promise<string[]>} `namespace/name`
   */
  async podsToEvict(node) {
    const fieldSelector = `spec.nodeName=${node}`;
    const { podsToEvict } = await import('../whatif/questions.js');
    if (this.#live) return podsToEvict(...(await this.#live.readForDrain(fieldSelector)), true);
    const { store } = this.#world.server;
    return podsToEvict(store.list('pods', { fieldSelector }), store.list('daemonsets'));
  }

  /** The scheduler's log, which `stowage replay` takes. */
  log() {
    return this.#world.log.join('');
  }

  async close() {
    this.#inquiries.dispose();
    await this.#whatIf.dispose();
    await this.#live?.dispose();
    this.#live = undefined;
    await this.#opening?.dispose();
    this.#opening = undefined;
  }

  /**
   * @param {string} pod
   * @param {number} [attempt]
   */
  async #inquire(pod, attempt) {
    if (attempt !== undefined) return this.#inquiries.before(pod, this.#opened.attempt(attempt));
    return this.#inquiries.at(pod, (this.#live ?? this.#opened.world).moment);
  }

  get #opened() {
    if (this.#live)
      throw new StowageError('LiveCluster', 'a live cluster has no scenario and no way back');
    if (!this.#opening) throw new StowageError('NotOpen', 'no scenario is open');
    return this.#opening;
  }

  /** @returns {Open} */
  get #edited() {
    const text = this.#text;
    const { world } = this.#opening ?? this.#opened;
    return {
      cluster: this.#live ? clusterOfLive(this.#live, world) : clusterOfWorld(world),
      readFile: this.#readFile,
      // A dump's YAML is long and seldom needed.
      get text() {
        return text();
      },
    };
  }

  /** @returns {World} */
  get #world() {
    return this.#opened.world;
  }
}
