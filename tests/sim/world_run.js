/** Plays the events of a world with an engine as its scheduler, and checks the engine. */
import { encodeLines, parseRecords, VERDICT_CACHE_MODES } from '../support/raw_engine.js';
import { DeviceBooks } from './device_books.js';
import { DeviceController } from './device_controller.js';
import { checkDevicesAtRest, checkNothingInFlight } from './device_rest.js';
import { judgeDevices } from './device_verdicts.js';
import { claimsDevices } from './devices.js';
import { FlakyApi } from './flaky_api.js';
import { GangBooks } from './gangs.js';
import { Bookkeeping, Broken, checkInspection, checkTold, hold } from './invariants.js';
import { randomFor } from './random.js';
import { checkRebuilt } from './rebuilt.js';
import { ExpectedCache } from './expected_cache.js';
import { nodeChangedBy, Overcommit } from './overcommit.js';
import { VolumeBooks } from './volume_books.js';
import { VolumeController } from './volume_controller.js';
import { checkVolumesAtRest } from './volume_rest.js';
import { Watch } from './watch.js';
import {
  bindTimeoutOf,
  hasDevices,
  hasVolumes,
  kindsOf,
  oddsOf,
  optionsOf,
  SCHEDULERS,
  selectsUnfinished,
  START_US,
} from './fault_odds.js';
import { keyOf, World } from './world.js';
import { checkLeft } from './world_rest.js';

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
const TURNS_BETWEEN_JUDGEMENTS = 20;
const ASKED_MAX = 6;
const FREEING_ROUNDS = 3;
/** How long a live scheduler waits for the watch to confirm a binding. */
const CONFIRMATION_US = 120 * SECOND_US;
const SETTLING_LAG_US = 30_000;
const LAGS_MS = [0, 20, 50, 100, 300, 300];

const NOTHING_APPLIED = '{"errors":[],"ignored":0}';
const decoder = new TextDecoder();

export class WorldRun {
  #game;
  /** The first one's output is checked, the others' must be equal. @type {RawScheduler[]} */
  #schedulers;
  #create;
  #told;
  #volumes;
  #devices;
  #gangs;
  #books;
  #world;
  #controller;
  #drivers;
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
  /** Pods whose scheduling cycle waits for an answer; meanwhile nothing else is delivered. */
  #waiting = /** @type {string[]} */ ([]);
  /** @type {any} */
  #turn = { nextDeadline: null, idle: true, waiting: false, busy: false };
  #inspection = /** @type {any} */ (null);
  /** The record's text, without the time. */
  #shown = '';
  #checkedVersion = '';
  /** Pods that stay gated for good, in kube-scheduler as well. */
  #stuck = new Set();
  #changedUs = START_US;
  #odds;
  #cycles;
  tally = {
    events: 0,
    turns: 0,
    compared: 0,
    judged: 0,
    devicesJudged: 0,
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
    const bindTimeoutUs = bindTimeoutOf(seed) * SECOND_US;
    this.#volumes = new VolumeBooks(this.#told, bindTimeoutUs);
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
        this.#drivers.notice(type, object);
      },
      selectsUnfinished: selectsUnfinished(seed),
    });
    this.#truth = new Overcommit(this.#world, this.#told);
    this.#devices = new DeviceBooks(this.#told, bindTimeoutUs, this.#world);
    this.#gangs = new GangBooks(this.#told);
    this.#books = new Bookkeeping(this.#told, this.#volumes, this.#devices, this.#gangs);
    const circumstances = { world: this.#world, draw, odds: this.#odds };
    this.#watch = new Watch({ ...circumstances, kinds }, START_US);
    this.#controller = new VolumeController({ ...circumstances, later });
    this.#drivers = new DeviceController({ ...circumstances, later });
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
      ...this.#devices.counts,
      ...this.#devices.doubled.counts,
      ...this.#drivers.counts,
      ...this.#gangs.counts,
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
      this.#drivers.catchUp();
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
    // The controllers would have to go back as well.
    const { seed } = this.#game;
    if (hasVolumes(seed) || hasDevices(seed) || !this.#world.restore()) return;
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
      for (const line of lines) this.#take(line);
      return lines;
    });
  }

  /** The models get a line. @param {any} line */
  #take(line) {
    this.#told.take(line);
    this.#devices.take(line);
  }

  /** When the next event is due. */
  #nextUs() {
    if (this.#answers.some((answer) => this.#isAwaited(answer))) return this.#nowUs;
    const { nextDeadline, idle } = this.#turn;
    return Math.min(
      idle ? Infinity : this.#nowUs + MILLISECOND_US,
      nextDeadline ?? Infinity,
      this.#timers[0]?.atUs ?? Infinity,
      this.#waiting.length > 0 ? Infinity : this.#watch.nextUs,
    );
  }

  /** Whether a waiting cycle needs the answer, if one waits. @param {any} answer */
  #isAwaited({ call }) {
    const { length } = this.#waiting;
    return length === 0 || this.#waiting.includes(this.#books.openCalls.get(call)?.pod);
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
    const isWaiting = this.#waiting.length > 0;
    const lines = isWaiting ? [] : [...this.#watched(), ...this.#readBack()];
    const answers = this.#answers.filter((answer) => this.#isAwaited(answer));
    this.#answers = this.#answers.filter((answer) => !this.#isAwaited(answer));
    const late = this.#books.answered(answers, this.#nowUs);
    const random = randomFor(this.#game.seed, 'order', this.tally.turns);
    // Lines stay in order; each answer comes anywhere among them, also before an older one.
    const batch = [...lines];
    for (const answer of answers) batch.splice(random.below(batch.length + 1), 0, answer);
    const maxCycles = this.#calm ? 50 : this.#cycles.pick([0, 1, 5, 50, 50, 50]);
    // Deliveries that are due come before another cycle that may wait.
    const isDue = isWaiting && this.#watch.nextUs <= this.#nowUs;
    const { ignored, records } = this.#run(batch, isDue ? 0 : maxCycles);
    hold(ignored === late, 'every answer is taken', () => `${ignored} ignored, ${late} too late`);
    this.tally.turns += 1;
    this.#turn = records.at(-1);
    this.#books.take(records, this.#nowUs, this.#waiting);
    for (const record of records) {
      if (record.kind === 'Call') this.#api.receive(record);
      if (record.kind === 'Decision' && record.result === 'scheduled')
        this.#changedUs = this.#nowUs;
      if (record.kind === 'BindingResult' && record.result === 'bound')
        this.#later(CONFIRMATION_US, () => this.#unconfirmed.push(record));
    }
    this.#checkTurn(batch.length > 0 || records.length > 1);
    if (this.tally.turns % TURNS_BETWEEN_REBUILDS === 0) this.#compareWithRebuilt();
    if (this.tally.turns % TURNS_BETWEEN_JUDGEMENTS === 0) this.#judgeDevices(ASKED_MAX);
  }

  /** Skips checks of states that cannot have changed. @param {boolean} isChange */
  #checkTurn(isChange) {
    const text = this.#schedulers[0].inspectText({ cache: true });
    const shown = text.slice(text.indexOf('"queues"'));
    if (isChange || shown !== this.#shown) {
      this.#inspection = JSON.parse(text);
      const { inFlight } = this.#inspection;
      const nominating = this.#nominating(inFlight);
      const rest = inFlight.filter((/** @type {string} */ pod) => !nominating.includes(pod));
      this.#waiting = this.#gangs.waitingWith(this.#devices.waitingAmong(rest), rest);
      const isWaiting = this.#waiting.length > 0;
      hold(isWaiting === this.#turn.waiting, 'one place', () => `${this.#waiting} waits`);
      checkInspection(this.#inspection, this.#told, nominating, this.#waiting);
      this.#gangs.checkStates(this.#inspection, this.#waiting);
    }
    this.#shown = shown;
    const { resourceVersion } = this.#world;
    if (isChange || resourceVersion !== this.#checkedVersion) {
      this.#truth.check();
      this.#devices.doubled.check();
    }
    this.#checkedVersion = resourceVersion;
  }

  /** Pods whose nomination is published before anything else. @param {string[]} inFlight */
  #nominating(inFlight) {
    const ofGangs = this.#gangs.waitingIn(this.#inspection);
    const others = [...this.#volumes.nominating(), ...this.#devices.nominating(inFlight)];
    return [...others, ...ofGangs.filter((pod) => !others.includes(pod))];
  }

  #watched() {
    return this.#watch.take(this.#nowUs).flatMap((delivery) => this.#linesOf(delivery));
  }

  /** @param {import('./watch.js').Delivery} delivery @returns {any[]} also sent to the model */
  #linesOf({ kind, line, isResync }) {
    /** @type {any[]} */
    let lines = [line];
    if (isResync) {
      const objects = [...this.#told.objects(kind).values()];
      lines = objects.map((object) => ({ type: 'MODIFIED', object }));
    }
    for (const one of lines) this.#take(one);
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

  /** @param {number} podsMax */
  #judgeDevices(podsMax) {
    if (this.#waiting.length > 0) return;
    const known = { told: this.#told, devices: this.#devices, nowUs: this.#nowUs };
    const pods = this.#told.pending().filter(claimsDevices).slice(0, podsMax);
    this.tally.devicesJudged += judgeDevices(this.#schedulers[0], pods, known);
  }

  /** The state of which another engine is made. */
  #moment() {
    const [told, devices, { aside }] = [this.#told, this.#devices, this.#volumes];
    return { told, aside, devices, inspection: this.#inspection, nowUs: this.#nowUs };
  }

  #compareWithRebuilt() {
    if (this.#waiting.length > 0) return;
    const pending = this.#told.pending().filter(({ metadata }) => !metadata.deletionTimestamp);
    const moment = { ...this.#moment(), pods: pending.slice(0, ASKED_MAX).map(keyOf) };
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
    this.#stuck = new Set([...gated(), ...this.#gangs.stuckIn(this.#inspection, this.tally)]);
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
    checkTold(kindsOf(this.#game.seed), this.#world, this.#told);
    checkVolumesAtRest(this.#world);
    checkDevicesAtRest(this.#world);
    checkNothingInFlight(this.#devices);
    this.#compareWithRebuilt();
    this.#judgeDevices(Infinity);
    const rest = { ...this.#moment(), stuck: this.#stuck };
    this.tally.left += checkLeft(this.#schedulers[0], this.#create, rest);
    const hashes = this.#schedulers.map((one) => JSON.parse(one.inspectText({})).hash);
    hold(new Set(hashes).size === 1, 'targets agree', () => hashes.join());
  }
}
