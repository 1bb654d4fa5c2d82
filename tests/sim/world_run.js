/** Plays the events of a world with an engine as its scheduler, and checks the engine. */
import { encodeLines, parseRecords, VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { FlakyApi } from './flaky_api.js';
import { Bookkeeping, Broken, checkInspection, hold } from './invariants.js';
import { randomFor } from './random.js';
import { checkRebuilt } from './rebuilt.js';
import { ExpectedCache } from './expected_cache.js';
import { Overcommit } from './overcommit.js';
import { VolumeBooks } from './volume_books.js';
import { VolumeController } from './volume_controller.js';
import { checkVolumesAtRest } from './volume_rest.js';
import { Watch } from './watch.js';
import {
  bindTimeoutOf,
  hasVolumes,
  kindsOf,
  oddsOf,
  optionsOf,
  SCHEDULERS,
  selectsUnfinished,
  START_US,
} from './fault_odds.js';
import { World } from './world.js';

/** @typedef {import('../support/raw_engine.js').RawEngine} RawEngine */
/** @typedef {import('../support/raw_engine.js').RawScheduler} RawScheduler */
/** @typedef {import('../support/raw_engine.js').VerdictCacheMode} VerdictCacheMode */
/** @typedef {import('./world_plan.js').Happening} Happening */

/**
 * @typedef {object} Game
 * @property {number} seed
 * @property {Happening[]} plan
 * @property {string[]} [without] faults to leave out
 * @property {VerdictCacheMode} [cache]  of all engines
 * @property {(entry: object) => void} [log]
 * @property {(scheduler: RawScheduler) => any} [disguise] a wrapper of the first engine
 */

const SECOND_US = 1_000_000;
const MILLISECOND_US = 1000;
/** Longer than the time after which an unschedulable pod is tried again in any case. */
const QUIET_US = 12 * 60 * SECOND_US;
const END_TURNS_MAX = 5000;
/** Between two events. */
const TURNS_MAX = 10_000;
const TURNS_BETWEEN_REBUILDS = 80;
const ASKED_MAX = 6;
const FREEING_ROUNDS = 3;
/** How long a live scheduler waits for the watch to confirm a binding. */
const CONFIRMATION_US = 120 * SECOND_US;
const SETTLING_LAG_US = 30_000;
const LAGS_MS = [0, 20, 50, 100, 300, 300];

const NOTHING_APPLIED = '{"errors":[],"ignored":0}';
const decoder = new TextDecoder();

/**
 * The node that has less room than the scheduler may know.
 * @param {Record<string, any>} change @returns {string | undefined}
 */
function nodeChangedBy({ op, node, pod }) {
  if (op === 'createPod') return pod.spec.nodeName;
  if (op === 'createCrowd') return node;
  if (op === 'putNode') return node.metadata.name;
  return op === 'resizeNode' || op === 'bindForeign' ? node : undefined;
}

export class WorldRun {
  #game;
  /** The first one's output is checked, the others' must be equal. @type {RawScheduler[]} */
  #schedulers;
  #create;
  #told;
  #volumes;
  #books;
  #world;
  #controller;
  #watch;
  #api;
  #truth;
  #nowUs = START_US;
  #calm = false;
  /** Delayed actions, sorted by time. @type {{atUs: number, act: () => void}[]} */
  #timers = [];
  /** Answers for the next turn. @type {any[]} */
  #answers = [];
  /** Bindings that may not be confirmed yet. @type {any[]} */
  #unconfirmed = [];
  /** @type {any} */
  #turn = { nextDeadline: null, idle: true, busy: false };
  #inspection = /** @type {any} */ (null);
  /** The record's text, without the time. */
  #shown = '';
  #checkedVersion = '';
  /** Pods that their own finished preemption keeps gated. */
  #stuck = new Set();
  #changedUs = START_US;
  #odds;
  #cycles;
  tally = {
    events: 0,
    turns: 0,
    compared: 0,
    judged: 0,
    gaps: 0,
    restores: 0,
    readBack: 0,
    contradicted: 0,
    freed: 0,
    left: 0,
  };

  /** @param {RawEngine[]} engines @param {Game} game */
  constructor(engines, game) {
    this.#game = game;
    const { seed, without = [], disguise = (/** @type {RawScheduler} */ one) => one } = game;
    const { cache } = game;
    const options = { ...optionsOf(seed), ...(cache && { verdictCache: cache }) };
    const verdictCache = cache ?? VERDICT_CACHE_MODES[seed % VERDICT_CACHE_MODES.length];
    const kinds = kindsOf(seed);
    this.#told = new ExpectedCache(SCHEDULERS, kinds);
    this.#volumes = new VolumeBooks(this.#told, bindTimeoutOf(seed) * SECOND_US);
    this.#books = new Bookkeeping(this.#told, this.#volumes);
    this.#create = () => engines[0].createScheduler(options);
    const others = engines.slice(1).map((engine) => {
      return engine.createScheduler({ ...options, verdictCache });
    });
    this.#schedulers = [disguise(this.#create()), ...others];
    const odds = oddsOf(seed, without);
    this.#odds = (/** @type {string} */ fault) => (this.#calm ? 0 : odds(fault));
    this.#cycles = randomFor(seed, 'cycles');
    const draw = (/** @type {(string | number)[]} */ ...parts) => randomFor(seed, ...parts);
    const later = this.#later.bind(this);
    this.#world = new World({
      draw,
      later,
      nowUs: () => this.#nowUs,
      tell: (kind, type, object) => {
        if (kind === 'Pod') this.#truth.notice(object);
        this.#watch.tell(kind, type, object, this.#nowUs);
        this.#controller.notice(type, object);
      },
      selectsUnfinished: selectsUnfinished(seed),
    });
    this.#truth = new Overcommit(this.#world, this.#told);
    const circumstances = { world: this.#world, draw, odds: this.#odds };
    this.#watch = new Watch({ ...circumstances, kinds }, START_US);
    this.#controller = new VolumeController({ ...circumstances, later });
    this.#api = new FlakyApi({
      ...circumstances,
      later,
      answer: (completion) => this.#answers.push(completion),
    });
  }

  get counts() {
    return {
      ...this.#books.counts,
      ...this.#volumes.counts,
      ...this.#controller.counts,
      ...this.tally,
      looks: this.#truth.looks,
      stuck: this.#stuck.size,
    };
  }

  /** @throws {Broken} */
  play() {
    try {
      for (const happening of this.#game.plan) this.#happen(happening);
      this.#calm = true;
      this.#controller.catchUp();
      this.#settle();
      this.#freeTheGated();
      this.#checkEnd();
    } finally {
      for (const scheduler of this.#schedulers) scheduler.dispose();
    }
  }

  /** @param {number} delayUs @param {() => void} act */
  #later(delayUs, act) {
    const atUs = this.#nowUs + delayUs;
    const at = this.#timers.findIndex((timer) => timer.atUs > atUs);
    this.#timers.splice(at < 0 ? this.#timers.length : at, 0, { atUs, act });
  }

  /** @param {Happening} happening */
  #happen({ waitUs, ...change }) {
    this.#passTime(this.#nowUs + waitUs);
    this.#game.log?.({ now: this.#nowUs, happening: change });
    this.tally.events += 1;
    if (change.op === 'gap') {
      if (this.#odds('gap') === 0) return;
      this.tally.gaps += 1;
      this.#watch.break(change.kind, this.#nowUs + change.us);
    } else if (change.op === 'resync') {
      if (this.#odds('resync') > 0) this.#watch.resync(change.kind, this.#nowUs);
    } else if (change.op === 'backup') {
      this.#world.backUp();
    } else if (change.op === 'restore') {
      if (this.#odds('restored') > 0) this.#restore();
    } else if (change.op === 'jump') {
      if (this.#odds('jump') > 0) this.#nowUs += change.us;
    } else if (this.#world.apply(/** @type {any} */ (change))) {
      this.#changedUs = this.#nowUs;
      this.#truth.excuse(nodeChangedBy(change));
    }
  }

  /** Replaces the history of everything but the engine. */
  #restore() {
    // The volume controllers would have to go back as well.
    if (hasVolumes(this.#game.seed) || !this.#world.restore()) return;
    this.tally.restores += 1;
    this.#changedUs = this.#nowUs;
    const random = randomFor(this.#game.seed, 'restore', this.tally.events);
    this.#watch.restart(this.#nowUs, random);
    for (const { metadata } of this.#world.values('Node')) this.#truth.excuse(metadata.name);
  }

  /**
   * A live scheduler's handling of bindings that no watch confirms: it reads the pod, and treats
   * the answer as an event.
   * @returns {any[]} lines, which the model gets as well
   */
  #readBack() {
    const due = this.#unconfirmed.splice(0);
    return due.flatMap(({ uid, pod: key }) => {
      if (!this.#told.cache.get(uid)?.isAssumed || this.#told.binding.has(uid)) return [];
      this.tally.readBack += 1;
      const [namespace, name] = key.split('/');
      const object = this.#world.get('Pod', key);
      const isBound = object?.metadata.uid === uid && object.spec.nodeName;
      const gone = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, uid } };
      const lines = [
        ...(isBound ? [] : [{ type: 'DELETED', object: gone }]),
        ...(object ? [{ type: 'MODIFIED', object }] : []),
      ];
      for (const line of lines) this.#told.take(line);
      return lines;
    });
  }

  /** When the next event is due. */
  #nextUs() {
    if (this.#answers.length > 0) return this.#nowUs;
    const { nextDeadline, idle } = this.#turn;
    return Math.min(
      idle ? Infinity : this.#nowUs + MILLISECOND_US,
      nextDeadline ?? Infinity,
      this.#timers[0]?.atUs ?? Infinity,
      this.#watch.nextUs,
    );
  }

  /** @param {number} untilUs */
  #passTime(untilUs) {
    for (let turns = 0; ; turns += 1) {
      const nextUs = this.#nextUs();
      if (nextUs > untilUs) break;
      hold(turns < TURNS_MAX, 'time passes', () => `not in ${TURNS_MAX} turns`);
      // A slow host takes its time, and finds more to do.
      const lagUs = this.#cycles.pick(LAGS_MS) * MILLISECOND_US;
      this.#nowUs = Math.max(Math.min(nextUs + lagUs, untilUs), this.#nowUs);
      this.#takeTurn();
    }
    this.#nowUs = Math.max(untilUs, this.#nowUs);
  }

  #takeTurn() {
    while (this.#timers.length > 0 && this.#timers[0].atUs <= this.#nowUs) {
      this.#timers.shift()?.act();
    }
    const watched = this.#watch.take(this.#nowUs).flatMap((delivery) => this.#linesOf(delivery));
    const lines = [...watched, ...this.#readBack()];
    const answers = this.#answers;
    this.#answers = [];
    const late = this.#books.answered(answers, this.#nowUs);
    const random = randomFor(this.#game.seed, 'order', this.tally.turns);
    // Lines stay in order; each answer comes anywhere among them, also before an older one.
    const batch = [...lines];
    for (const answer of answers) batch.splice(random.below(batch.length + 1), 0, answer);
    const maxCycles = this.#cycles.pick([0, 1, 5, 50, 50, 50]);
    const { ignored, records } = this.#run(batch, this.#calm ? 50 : maxCycles);
    hold(ignored === late, 'every answer is taken', () => `${ignored} ignored, ${late} too late`);
    this.tally.turns += 1;
    this.#turn = records.at(-1);
    this.#books.take(records, this.#nowUs);
    for (const record of records) {
      if (record.kind === 'Call') this.#api.receive(record);
      if (record.kind === 'Decision' && record.result === 'scheduled')
        this.#changedUs = this.#nowUs;
      if (record.kind === 'BindingResult' && record.result === 'bound')
        this.#later(CONFIRMATION_US, () => this.#unconfirmed.push(record));
    }
    this.#checkTurn(batch.length > 0 || records.length > 1);
    if (this.tally.turns % TURNS_BETWEEN_REBUILDS === 0) this.#compareWithRebuilt();
  }

  /** Skips checks of states that cannot have changed. @param {boolean} isChange */
  #checkTurn(isChange) {
    const text = this.#schedulers[0].inspectText({ cache: true });
    const shown = text.slice(text.indexOf('"queues"'));
    if (isChange || shown !== this.#shown) {
      this.#inspection = JSON.parse(text);
      checkInspection(this.#inspection, this.#told, this.#volumes.nominating());
    }
    this.#shown = shown;
    const { resourceVersion } = this.#world;
    if (isChange || resourceVersion !== this.#checkedVersion) this.#truth.check();
    this.#checkedVersion = resourceVersion;
  }

  /** @param {import('./watch.js').Delivery} delivery @returns {any[]} also sent to the model */
  #linesOf({ kind, line, isResync }) {
    /** @type {any[]} */
    let lines = [line];
    if (isResync) {
      const objects = [...this.#told.objects(kind).values()];
      lines = objects.map((object) => ({ type: 'MODIFIED', object }));
    }
    for (const one of lines) this.#told.take(one);
    return lines;
  }

  /**
   * Sends the same to all engines, whose output must be the same bytes.
   * @param {any[]} batch @param {number} maxCycles
   * @returns {{ignored: number, records: any[]}}
   */
  #run(batch, maxCycles) {
    this.#game.log?.({ now: this.#nowUs, apply: batch, maxCycles });
    const said = this.#schedulers.map((scheduler) => {
      const applied =
        batch.length > 0 ? scheduler.applyText(encodeLines(batch), this.#nowUs) : NOTHING_APPLIED;
      return { applied, turn: scheduler.runBytes(this.#nowUs, maxCycles) };
    });
    const [{ applied, turn }, ...others] = said;
    const { errors, ignored } = JSON.parse(applied);
    const { refused } = this.#told;
    this.#told.refused = 0;
    const isMove = (/** @type {any} */ { field }) => field === 'spec.nodeName';
    const isExpected = errors.length === refused && errors.every(isMove);
    hold(isExpected, 'input is taken', () => `${refused} refused: ${JSON.stringify(errors)}`);
    // As an informer does: the pods are listed again.
    if (refused > 0) this.#watch.break('Pod', this.#nowUs);
    this.tally.contradicted += refused;
    for (const other of others) {
      const isSame = other.applied === applied && Buffer.compare(other.turn, turn) === 0;
      hold(isSame, 'targets agree', () => {
        return `${decoder.decode(turn)} and ${decoder.decode(other.turn)}`;
      });
    }
    this.#game.log?.({ turn: decoder.decode(turn) });
    return { ignored, records: parseRecords(turn) };
  }

  #compareWithRebuilt() {
    const pending = this.#told.pending().filter(({ metadata }) => !metadata.deletionTimestamp);
    const pods = pending.slice(0, ASKED_MAX).map(({ metadata: { namespace, name } }) => {
      return `${namespace}/${name}`;
    });
    const told = this.#told;
    const { aside } = this.#volumes;
    const moment = { told, aside, inspection: this.#inspection, pods, nowUs: this.#nowUs };
    const { compared, judged } = checkRebuilt(this.#schedulers[0], this.#create, moment);
    this.tally.compared += compared;
    this.tally.judged += judged;
  }

  /** Continues until nothing happens for so long that nothing more will. */
  #settle() {
    for (let turns = 0; turns < END_TURNS_MAX; turns += 1) {
      const nextUs = this.#nextUs();
      const isQuiet = this.#nowUs - this.#changedUs > QUIET_US && this.#isAtRest();
      if (isQuiet || nextUs === Infinity) return;
      this.#nowUs = Math.max(nextUs + SETTLING_LAG_US, this.#nowUs);
      this.#takeTurn();
    }
    throw new Broken('comes to rest', `not in ${END_TURNS_MAX} turns`);
  }

  #isAtRest() {
    const { idle, busy } = this.#turn;
    return idle && !busy && this.#timers.length === 0 && this.#watch.nextUs === Infinity;
  }

  /**
   * A pod that its own preemption gated waits for the deletion of a pod that its rejectors care for
   * (spec 09, 23), which may have happened before, or may never happen. Here a pod is deleted, and
   * the gated one relabelled. A pod that neither reactivates stays gated in kube-scheduler as well.
   */
  #freeTheGated() {
    const gated = () =>
      this.#inspection.queues.unschedulable
        .filter((/** @type {any} */ { gatingPlugin }) => gatingPlugin === 'DefaultPreemption')
        .map((/** @type {any} */ { pod }) => pod);
    for (let round = 1; round <= FREEING_ROUNDS && gated().length > 0; round += 1) {
      this.tally.freed += gated().length;
      const metadata = { namespace: 'default', name: 'last', uid: `u-last-${round}` };
      const spec = { schedulerName: 'stranger', nodeName: 'nowhere', containers: [{ name: 'c' }] };
      this.#world.put({ apiVersion: 'v1', kind: 'Pod', metadata, spec, status: {} });
      this.#world.remove('Pod', 'default/last');
      this.#changedUs = this.#nowUs;
      this.#settle();
      for (const pod of gated()) {
        this.#world.apply({ op: 'labelPod', pod, labels: { freed: String(round) } });
      }
      this.#changedUs = this.#nowUs;
      this.#settle();
    }
    this.#stuck = new Set(gated());
  }

  #checkEnd() {
    const { openCalls, openDecisions } = this.#books;
    hold(openCalls.size === 0, 'every call ends', () => JSON.stringify([...openCalls.values()][0]));
    hold(openDecisions.size === 0, 'one result per binding', () => {
      return `none for ${JSON.stringify([...openDecisions.values()][0])}`;
    });
    hold(!this.#turn.busy && this.#turn.idle, 'at rest in the end', () =>
      JSON.stringify(this.#turn),
    );
    const { assumed } = this.#inspection;
    hold(assumed.length === 0, 'no pod is assumed in the end', () => assumed.join());
    this.#checkTruth();
    checkVolumesAtRest(this.#world);
    this.#compareWithRebuilt();
    for (const { metadata, spec } of this.#told.pending()) {
      if (metadata.deletionTimestamp || spec.schedulingGates?.length) continue;
      this.tally.left += 1;
      const pod = `${metadata.namespace}/${metadata.name}`;
      if (this.#stuck.has(pod)) continue;
      const asked = JSON.parse(this.#schedulers[0].evaluateText({ pod }, null, this.#nowUs));
      const { result, feasibleNodes } = asked;
      hold(result !== 'scheduled', 'schedulable pods are bound', () => `${pod}: ${feasibleNodes}`);
    }
    const hashes = this.#schedulers.map((one) => JSON.parse(one.inspectText({})).hash);
    hold(new Set(hashes).size === 1, 'targets agree', () => hashes.join());
  }

  /** The delivered objects equal the stored ones. */
  #checkTruth() {
    for (const kind of kindsOf(this.#game.seed)) {
      const is = JSON.stringify(
        this.#world.list(kind).filter(({ status }) => {
          return !['Succeeded', 'Failed'].includes(status?.phase);
        }),
      );
      const told = [...this.#told.objects(kind)].sort(([a], [b]) => (a < b ? -1 : 1));
      const must = JSON.stringify(told.map(([, object]) => object));
      hold(is === must, 'all is told in the end', () => `${kind}: ${is} and ${must}`);
    }
  }
}
