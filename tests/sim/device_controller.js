/**
 * The drivers of devices and the controller of claims, as bad as real ones: slow, now and then idle
 * for minutes, or wrong. Drivers publish pools slice by slice, so that pools are incomplete for a
 * while; and a driver that lies names a device twice, an unknown counter, or slices that do not
 * exist. All of them are level-triggered, so that the state becomes correct in the end.
 */
import { removeClaim } from './claim_writes.js';
import { lieIn, mistakeWith } from './device_mistakes.js';
import {
  removeSlices,
  stepOfClaim,
  stepOfDevices,
  stepOfPod,
  stepOfPool,
  stepOfUnused,
  take,
} from './device_steps.js';
import { ownerOf, reservationsOf } from './devices.js';
import { keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */
/** @typedef {import('./device_steps.js').Step} Step */
/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./volume_controller.js').Circumstances} Circumstances */

/**
 * One of the actors.
 *
 * @typedef {object} Work
 * @property {string} kind   of the objects for which it does something
 * @property {string} slow   the fault that delays it
 * @property {string} idle   the fault that delays it for minutes
 * @property {string} wrong  the fault that lets it do something else
 * @property {number} leastUs its least delay
 * @property {(world: World, object: any) => Step | null} step
 * @property {(world: World, object: any, step: Step | null, random: Random) => Step | null} mistake
 */

const MILLISECOND_US = 1000;
const SECOND_US = 1_000_000;
const IDLE_SECONDS_MAX = 900;
const CLAIM = 'ResourceClaim';

const CONTROLLER = { slow: 'slowController', idle: 'idleController', wrong: 'wrongController' };
const DRIVER = { slow: 'slowDriver', idle: 'idleDevice', wrong: 'failingDevice' };

/** By name. @type {Record<string, Work>} */
const WORKS = {
  pool: {
    ...DRIVER,
    wrong: 'wrongDriver',
    kind: 'DevicePool',
    leastUs: 0,
    step: stepOfPool,
    mistake: (_world, _pool, step, random) => lieIn(step, random),
  },
  claim: {
    ...CONTROLLER,
    kind: CLAIM,
    leastUs: 0,
    step: stepOfClaim,
    mistake: (_world, claim) => mistakeWith(claim),
  },
  unused: {
    ...CONTROLLER,
    kind: CLAIM,
    leastUs: 30 * SECOND_US,
    step: (_world, claim) => stepOfUnused(claim),
    mistake: () => null,
  },
  devices: {
    ...DRIVER,
    kind: CLAIM,
    leastUs: 0,
    step: (_world, claim) => stepOfDevices(claim, false),
    mistake: (_world, claim) => stepOfDevices(claim, true),
  },
  pod: { ...CONTROLLER, kind: 'Pod', leastUs: 0, step: stepOfPod, mistake: () => null },
};

export class DeviceController {
  #circumstances;
  /** The number of turns of each work for each object. @type {Map<string, number>} */
  #turns = new Map();
  /** `work key`: a turn is planned. */
  #waiting = new Set();
  counts = { deviceSteps: 0, lies: 0 };

  /** @param {Circumstances} circumstances */
  constructor(circumstances) {
    this.#circumstances = circumstances;
  }

  /** An object changed. @param {string} type @param {any} object */
  notice(type, object) {
    const { kind } = object;
    if (kind === 'DevicePool') return this.#noticePool(type, object);
    if (kind === 'ResourceSlice') return this.#plan('pool', object.spec.pool.name);
    if (kind === 'ResourceClaimTemplate') return this.#planAll('pod');
    if (kind === 'Pod') {
      this.#plan('pod', keyOf(object));
      return this.#planClaimsOf(object);
    }
    if (kind !== CLAIM || type === 'DELETED') return;
    for (const work of ['claim', 'unused', 'devices']) this.#plan(work, keyOf(object));
    const owner = ownerOf(object);
    if (owner) this.#plan('pod', `${object.metadata.namespace}/${owner.name}`);
  }

  /** From now on all work is done without delay, including postponed work. */
  catchUp() {
    this.#waiting.clear();
    for (const work of Object.keys(WORKS)) this.#planAll(work);
  }

  /** @param {string} work */
  #planAll(work) {
    const objects = this.#circumstances.world.list(WORKS[work].kind);
    for (const object of objects) this.#plan(work, keyOf(object));
  }

  /** @param {string} type @param {any} pool */
  #noticePool(type, pool) {
    const { name } = pool.metadata;
    if (type !== 'DELETED') return this.#plan('pool', name);
    const { world, later, draw } = this.#circumstances;
    later(draw('gone', name, world.resourceVersion).below(20) * SECOND_US, () => {
      if (!world.get('DevicePool', name)) removeSlices(world, name);
    });
  }

  /** @param {any} pod */
  #planClaimsOf({ metadata: { namespace, uid } }) {
    for (const claim of this.#circumstances.world.list(CLAIM)) {
      if (claim.metadata.namespace !== namespace) continue;
      const isIts =
        ownerOf(claim)?.uid === uid || reservationsOf(claim).some((one) => one.uid === uid);
      if (isIts) this.#plan('claim', keyOf(claim));
    }
  }

  /** @param {string} name of the work @param {string} key of the object */
  #plan(name, key) {
    const { world, draw, odds, later } = this.#circumstances;
    const work = WORKS[name];
    const what = `${name} ${key}`;
    const object = world.get(work.kind, key);
    if (!object || this.#waiting.has(what)) return;
    const turn = (this.#turns.get(what) ?? 0) + 1;
    const random = draw('device controller', what, turn);
    const isWrong = random.chance(odds(work.wrong));
    const step = work.step(world, object);
    if (!step && !(isWrong && work.mistake(world, object, step, random))) return;
    this.#turns.set(what, turn);
    this.#waiting.add(what);
    later(work.leastUs + this.#delayUs(work, random), () => {
      // Another turn may have been planned instead.
      if (this.#turns.get(what) !== turn) return;
      this.#waiting.delete(what);
      this.#act(work, world.get(work.kind, key), isWrong, random);
    });
  }

  /** @param {Work} work @param {Random} random */
  #delayUs({ slow, idle }, random) {
    const { odds } = this.#circumstances;
    const isIdle = random.chance(odds(idle));
    const isSlow = random.chance(odds(slow));
    if (isIdle) return random.below(IDLE_SECONDS_MAX) * SECOND_US;
    return random.below(isSlow ? 20_000 : 200) * MILLISECOND_US;
  }

  /**
   * @param {Work} work @param {any} object  as it is now @param {boolean} isWrong
   * @param {Random} random
   */
  #act(work, object, isWrong, random) {
    if (!object) return;
    const { world } = this.#circumstances;
    const step = work.step(world, object);
    const mistake = isWrong ? work.mistake(world, object, step, random) : null;
    const act = mistake ?? step;
    if (!act) return;
    this.counts[mistake ? 'lies' : 'deviceSteps'] += 1;
    take(world, act, removeClaim);
  }
}
