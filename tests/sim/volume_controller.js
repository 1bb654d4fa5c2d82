/**
 * The volume controllers, as bad as real ones: slow, now and then idle for minutes, wrong, or doing
 * the same twice. They are level-triggered, so that the state becomes correct in the end.
 */
import { mistakeIn } from './volume_mistakes.js';
import { stepOfClaim, stepOfPod, stepOfVolume, take } from './volume_steps.js';
import { touch } from './volume_changes.js';
import { keyOf } from './world.js';

/** @typedef {import('./world.js').World} World */

/**
 * @typedef {object} Circumstances
 * @property {World} world
 * @property {(...parts: (string | number)[]) => import('./random.js').Random} draw
 * @property {(fault: string) => number} odds
 * @property {(delayUs: number, act: () => void) => void} later
 */

const MILLISECOND_US = 1000;
const SECOND_US = 1_000_000;
const IDLE_SECONDS_MAX = 900;
const STEPS = /** @type {Record<string, (world: World, object: any) => any>} */ ({
  PersistentVolumeClaim: stepOfClaim,
  PersistentVolume: stepOfVolume,
  Pod: stepOfPod,
});
const WATCHED = new Set([...Object.keys(STEPS), 'StorageClass']);

export class VolumeController {
  #circumstances;
  /** The number of each object's turns. @type {Map<string, number>} */
  #turns = new Map();
  /** Objects with a planned turn: `kind key`. */
  #waiting = new Set();
  counts = { steps: 0, mistakes: 0 };

  /** @param {Circumstances} circumstances */
  constructor(circumstances) {
    this.#circumstances = circumstances;
  }

  /** An object changed. @param {string} type @param {any} object */
  notice(type, object) {
    const { kind } = object;
    if (!WATCHED.has(kind)) return;
    if (kind === 'StorageClass') return this.#planAll('PersistentVolumeClaim');
    if (kind === 'Pod' && type === 'DELETED') return this.#collect(object);
    this.#plan(kind, keyOf(object));
    if (kind === 'PersistentVolumeClaim') return this.#planVolumesOf(object);
    if (kind === 'PersistentVolume') {
      const { claimRef } = object.spec;
      if (claimRef) this.#plan('PersistentVolumeClaim', `${claimRef.namespace}/${claimRef.name}`);
      else this.#planClaimsFor(object);
    }
  }

  /** From now on all work is done without delay, including postponed work. */
  catchUp() {
    this.#waiting.clear();
    for (const kind of Object.keys(STEPS)) this.#planAll(kind);
  }

  /** @param {string} kind */
  #planAll(kind) {
    for (const object of this.#circumstances.world.list(kind)) this.#plan(kind, keyOf(object));
  }

  /** Objects that may use a released volume, or want it back. @param {any} volume */
  #planClaimsFor(volume) {
    for (const claim of this.#circumstances.world.list('PersistentVolumeClaim')) {
      const { volumeName = volume.metadata.name } = claim.spec;
      if (volumeName === volume.metadata.name) this.#plan('PersistentVolumeClaim', keyOf(claim));
    }
  }

  /** @param {any} claim */
  #planVolumesOf({ metadata: { namespace, name } }) {
    for (const volume of this.#circumstances.world.list('PersistentVolume')) {
      const { claimRef } = volume.spec;
      const isIts = claimRef?.name === name && claimRef.namespace === namespace;
      if (isIts) this.#plan('PersistentVolume', volume.metadata.name);
    }
  }

  /** Deletes the objects that were created for the pod. @param {any} pod */
  #collect({ metadata: { uid: podUid } }) {
    const { world, later, draw } = this.#circumstances;
    for (const { metadata } of world.list('PersistentVolumeClaim')) {
      const owner = metadata.ownerReferences?.[0];
      if (owner?.uid !== podUid) continue;
      const { uid } = metadata;
      const key = `${metadata.namespace}/${metadata.name}`;
      later((1 + draw('collect', uid).below(20)) * SECOND_US, () => {
        const claim = world.get('PersistentVolumeClaim', key);
        if (claim?.metadata.uid === uid) world.remove('PersistentVolumeClaim', key);
      });
    }
  }

  /** @param {string} kind @param {string} key */
  #plan(kind, key) {
    const { world, draw, odds, later } = this.#circumstances;
    const what = `${kind} ${key}`;
    const object = world.get(kind, key);
    if (!object || this.#waiting.has(what)) return;
    const turn = (this.#turns.get(what) ?? 0) + 1;
    const random = draw('controller', what, turn);
    const isWrong = random.chance(odds('wrongController'));
    // An object without work to do is queued again when it changes.
    if (!isWrong && !STEPS[kind](world, object)) return;
    this.#turns.set(what, turn);
    this.#waiting.add(what);
    later(this.#delayUs(random), () => {
      // Another turn may have been planned instead.
      if (this.#turns.get(what) !== turn) return;
      this.#waiting.delete(what);
      this.#act(world.get(kind, key), isWrong, random);
    });
  }

  /** @param {import('./random.js').Random} random */
  #delayUs(random) {
    const { odds } = this.#circumstances;
    const isIdle = random.chance(odds('idleController'));
    const isSlow = random.chance(odds('slowController'));
    if (isIdle) return random.below(IDLE_SECONDS_MAX) * SECOND_US;
    return random.below(isSlow ? 20_000 : 200) * MILLISECOND_US;
  }

  /**
   * @param {any} object  as it is now @param {boolean} isWrong
   * @param {import('./random.js').Random} random
   */
  #act(object, isWrong, random) {
    if (!object) return;
    const { world, odds, later } = this.#circumstances;
    const isEager = random.chance(odds('eagerController'));
    const mistake = isWrong ? mistakeIn(world, object, random) : null;
    const step = mistake ?? STEPS[object.kind](world, object);
    if (!step) return;
    this.counts[mistake ? 'mistakes' : 'steps'] += 1;
    take(world, object, step);
    if (!isEager || typeof step === 'string') return;
    // The controller has not observed its own write yet, and writes again.
    later(random.below(2000) * MILLISECOND_US, () => {
      const written = world.get(step.kind, keyOf(step));
      if (written) touch(world, written);
    });
  }
}
