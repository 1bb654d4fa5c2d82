/**
 * Follows the volumes of every decision: the assumed objects, their writes, and the time at which
 * the wait for the controllers must end.
 */
import { isDeepStrictEqual } from 'node:util';

import { writeOf } from '../support/api_calls.js';
import { hold } from './invariants.js';
import { SetAside } from './set_aside.js';
import { checkClaims } from './volume_fits.js';
import { annotationsOf, isFullyBound, reaches, SELECTED_NODE } from './volumes.js';
import { keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */
/** @typedef {import('./set_aside.js').Item} Item */

/**
 * A decision without a binding result.
 *
 * @typedef {object} Open
 * @property {any} pod
 * @property {string} node
 * @property {Item[]} items
 * @property {number} written the number of writes that the server has confirmed
 * @property {boolean} isWriting whether a write has no answer yet
 * @property {number} [waitingUs] since when all of them are written
 * @property {number} [endedUs] since when nothing is left to wait for
 * @property {boolean} isBinding whether the wait is over
 * @property {boolean} isPreempted  whether another pod preempted it
 */

const KINDS = /** @type {Record<string, Item['kind']>} */ ({
  volume: 'PersistentVolume',
  claim: 'PersistentVolumeClaim',
});
const LOOK_US = 1_000_000;

/** As it is sent. @param {any} object */
const plain = (object) => JSON.parse(JSON.stringify(object));

/** @param {any} object */
const versionOf = ({ metadata: { resourceVersion } }) => Number(resourceVersion);

export class VolumeBooks {
  #told;
  #bindTimeoutUs;
  aside;
  /** By the decision's seq. @type {Map<number, Open>} */
  #open = new Map();
  /** The decision of each write, by the call's id. @type {Map<number, Open>} */
  #updates = new Map();
  counts = {
    setAside: 0,
    provisions: 0,
    preBinds: 0,
    updates: 0,
    claimsBound: 0,
    preBindFailed: 0,
  };

  /** @param {ExpectedCache} told @param {number} bindTimeoutUs */
  constructor(told, bindTimeoutUs) {
    this.#told = told;
    this.#bindTimeoutUs = bindTimeoutUs;
    this.aside = new SetAside(told);
  }

  /** @param {any} decision  that the pod is scheduled @param {any} pod */
  decide({ seq, node, volumes = {} }, pod) {
    const profile = pod.spec.schedulerName;
    checkClaims(pod, node, { told: this.#told, aside: this.aside, volumes });
    const { namespace } = pod.metadata;
    const items = this.aside.decide(profile, { namespace, node, volumes });
    const isBinding = items.length === 0;
    const state = { written: 0, isWriting: false, isBinding, isPreempted: false };
    this.#open.set(seq, { pod, node, items, ...state });
    if (isBinding) return;
    this.counts.preBinds += 1;
    const provisions = items.filter(({ kind }) => kind === KINDS.claim).length;
    this.counts.provisions += provisions;
    this.counts.setAside += items.length - provisions;
  }

  /** The bindings of preempted pods end. @param {string[]} names */
  preempt(names) {
    for (const open of this.#open.values()) {
      if (names.includes(keyOf(open.pod))) open.isPreempted = true;
    }
  }

  /** @param {any} result  of a binding @param {number} nowUs */
  end({ decision, result, message = '' }, nowUs) {
    const open = this.#open.get(decision);
    if (!open) return;
    this.#open.delete(decision);
    const { pod, items, isBinding, isPreempted, waitingUs } = open;
    if (result !== 'bindFailed') return;
    this.aside.restore(pod.spec.schedulerName, items);
    const isUnsaid = isPreempted && message.includes('binding volumes: context canceled');
    hold(!isUnsaid, 'says who ended a wait', () => `${keyOf(pod)}: ${message}`);
    if (isBinding || isPreempted) return;
    this.counts.preBindFailed += 1;
    const isTimeUp = waitingUs !== undefined && nowUs >= waitingUs + this.#bindTimeoutUs;
    if (waitingUs === undefined || isTimeUp) return;
    hold(this.#stateOf(open) === 'fails', 'waits for its claims', () => {
      return `${keyOf(pod)} gives up: ${message}`;
    });
  }

  /**
   * Takes an answer before the engine gets it.
   * @param {any} completion @param {number} nowUs
   */
  answered({ call, status, body }, nowUs) {
    const open = this.#updates.get(call);
    this.#updates.delete(call);
    if (!open || !(status >= 200 && status < 300)) return;
    open.isWriting = false;
    open.items[open.written].version = JSON.parse(body).metadata.resourceVersion;
    open.written += 1;
    if (open.written === open.items.length) open.waitingUs = nowUs;
  }

  /** Calls of a turn, after its decisions. @param {any} call */
  call(call) {
    if (call.verb === 'bind') this.#bind(JSON.parse(call.body).metadata.uid);
    if (call.verb === 'update') this.#update(call);
  }

  /** @param {string} uid */
  #bind(uid) {
    const open = [...this.#open.values()].find(({ pod, isBinding }) => {
      return pod.metadata.uid === uid && !isBinding;
    });
    if (!open) return;
    hold(this.#stateOf(open) === 'bound', 'claims are bound first', () => {
      return `${keyOf(open.pod)} goes to ${open.node} without its volumes`;
    });
    open.isBinding = true;
    this.counts.claimsBound += open.items.length;
  }

  /** @param {any} call */
  #update(call) {
    const { kind: what, storage: key, body } = writeOf(call);
    const open = [...this.#open.values()].find(({ pod, items, written, isWriting }) => {
      const next = items[written];
      const isNext = next?.kind === KINDS[what] && next.key === key && !isWriting;
      return isNext && keyOf(pod) === call.pod && next.version === body.metadata.resourceVersion;
    });
    hold(Boolean(open), 'writes what it set aside', () => `${call.pod} does not wait for ${key}`);
    const { items, written } = /** @type {Open} */ (open);
    const must = plain(items[written].object);
    hold(isDeepStrictEqual(body, must), 'writes what it set aside', () => {
      return `${JSON.stringify(body)} instead of ${JSON.stringify(must)}`;
    });
    /** @type {Open} */ (open).isWriting = true;
    this.#updates.set(call.id, /** @type {Open} */ (open));
    this.counts.updates += 1;
  }

  /** Whether the pod's volumes were written before its binding. @param {string} uid */
  hasWaited(uid) {
    return [...this.#open.values()].some(({ pod, items }) => {
      return pod.metadata.uid === uid && items.length > 0;
    });
  }

  /** After a turn: no pod waits longer than it may. @param {number} nowUs */
  check(nowUs) {
    for (const open of this.#open.values()) {
      const { pod, waitingUs, isBinding } = open;
      if (isBinding || waitingUs === undefined) continue;
      hold(nowUs < waitingUs + this.#bindTimeoutUs, 'waits no longer than it may', () => {
        return `${keyOf(pod)} waits since ${waitingUs}, it is ${nowUs}`;
      });
      const state = this.#stateOf(open);
      open.endedUs = state === 'waits' ? undefined : (open.endedUs ?? nowUs);
      hold(open.endedUs === undefined || nowUs < open.endedUs + LOOK_US, 'looks again', () => {
        return `${keyOf(pod)} waits at ${nowUs}, though since ${open.endedUs} it ${state}`;
      });
    }
  }

  /**
   * Pods for which nothing is written before their nomination is stored.
   * @returns {string[]} names
   */
  nominating() {
    const open = [...this.#open.values()];
    const unwritten = open.filter(({ written, isWriting, isBinding }) => {
      return !isBinding && written === 0 && !isWriting;
    });
    return unwritten.map(({ pod }) => keyOf(pod));
  }

  /** @param {Open} open @returns {'waits' | 'bound' | 'fails'} */
  #stateOf({ pod, node: nodeName, items }) {
    const node = this.#told.objects('Node').get(nodeName);
    if (!node || !this.#told.objects('Pod').has(keyOf(pod))) return 'fails';
    for (const item of items) {
      const state =
        item.kind === KINDS.volume
          ? this.#stateOfVolume(item, node)
          : this.#stateOfClaim(item, node);
      if (state !== 'bound') return state;
    }
    return 'bound';
  }

  /** @param {Item} item @param {any} node */
  #stateOfVolume({ key, version, claim }, node) {
    const volume = this.#told.objects(KINDS.volume).get(key);
    const known = this.#told.objects(KINDS.claim).get(keyOf(claim));
    if (!volume || !known) return 'fails';
    if (versionOf(volume) < Number(version)) return 'waits';
    if (!reaches(volume, node) || !volume.spec.claimRef?.uid) return 'fails';
    return isFullyBound(known) ? 'bound' : 'waits';
  }

  /** @param {Item} item @param {any} node */
  #stateOfClaim({ key, version }, node) {
    const claim = this.#told.objects(KINDS.claim).get(key);
    if (!claim) return 'fails';
    if (versionOf(claim) < Number(version)) return 'waits';
    if (annotationsOf(claim)[SELECTED_NODE] !== node.metadata.name) return 'fails';
    const { volumeName } = claim.spec;
    const volume = this.#told.objects(KINDS.volume).get(volumeName);
    if (volumeName && !volume) return 'waits';
    if (volume && !reaches(volume, node)) return 'fails';
    return isFullyBound(claim) ? 'bound' : 'waits';
  }
}
