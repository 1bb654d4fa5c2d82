/**
 * Follows the claims of every decision: the devices that it takes, the writes of allocations and
 * reservations, and the wait for the devices to be ready.
 */
import { isDeepStrictEqual } from 'node:util';

import { ClaimStore } from './claim_store.js';
import { claimWriteOf } from './claim_writes.js';
import { devicesOf, Doubled } from './doubled.js';
import { checkAllocations } from './device_fits.js';
import { claimsOfPod, extendedClaimFor } from './device_pods.js';
import {
  allocationOf,
  claimsDevices,
  hasConditions,
  isReservedFor,
  readinessOf,
  resultsOf,
  selects,
} from './devices.js';
import { hold } from './invariants.js';
import { keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */

/**
 * A claim of a decision.
 *
 * @typedef {object} Item
 * @property {string} name  in the decision
 * @property {string} key   of the claim; empty: it is not created yet
 * @property {any} allocation a new one; otherwise null
 * @property {string} made  the name of the claim that was created for it, or empty
 * @property {any} written  the claim as the server returned it, or as it was reserved before
 * @property {string} inFlight the name of the allocation until it is written, or empty
 *
 * @typedef {object} Open
 * @property {any} pod
 * @property {string} node
 * @property {Item[]} items
 * @property {number | null} nomination the call that publishes the node
 * @property {boolean} isPublished  whether that is over
 * @property {boolean} isLinked whether the pod's status names its claim of extended resources
 * @property {number} [pollUs]  when it is looked again whether that claim has arrived
 * @property {number} polls     that found nothing
 * @property {boolean} isBinding
 * @property {boolean} isPreempted
 * @property {number} [waitingUs] since when all claims are written
 * @property {number} [endedUs] since when the wait is over
 */

const CONFLICT = 409;
const SECOND_US = 1_000_000;
/** How often it is looked whether devices are ready, and whether a claim has arrived. */
const LOOK_US = 5 * SECOND_US;
const ARRIVAL_US = SECOND_US;
const ARRIVAL_POLLS_MAX = 120;

/** Without the time, which each reservation renews. @param {any} allocation */
function untimed(allocation) {
  const { allocationTimestamp: _, ...rest } = allocation ?? {};
  return rest;
}

export class DeviceBooks {
  #told;
  #timeoutUs;
  #checkedUs = 0;
  store;
  /** By the decision's seq. @type {Map<number, Open>} */
  #open = new Map();
  /** The claim of each write, by the call's id. @type {Map<number, Item>} */
  #writes = new Map();
  /** The decision of each write that names a claim in a pod's status. @type {Map<number, Open>} */
  #links = new Map();
  /** Pods for which a claim was written in their scheduling cycle. @type {Set<string>} */
  #takenBack = new Set();
  counts = {
    allocations: 0,
    devices: 0,
    shares: 0,
    extended: 0,
    reservations: 0,
    deallocations: 0,
    conditions: 0,
    claimsReady: 0,
    notReady: 0,
  };

  /**
   * @param {ExpectedCache} told @param {number} timeoutUs of binding conditions
   * @param {import('./world.js').World} world
   */
  constructor(told, timeoutUs, world) {
    this.#told = told;
    this.#timeoutUs = timeoutUs;
    this.store = new ClaimStore(told);
    this.doubled = new Doubled(world);
  }

  /** @param {any} line of the watch, after the other models got it */
  take(line) {
    this.store.take(line);
  }

  /** @param {any} decision  that the pod is scheduled @param {any} pod */
  decide({ seq, node: nodeName, claims: made = {} }, pod) {
    const subject = `${keyOf(pod)} on ${nodeName}`;
    if (!claimsDevices(pod)) {
      return hold(Object.keys(made).length === 0, 'devices fit', () => `${subject} asks for none`);
    }
    const node = this.#told.objects('Node').get(nodeName);
    const known = { told: this.#told, store: this.store };
    const { claims, fault } = claimsOfPod(pod, this.store);
    hold(!fault, 'devices fit', () => `${subject}: ${fault}`);
    /** @type {{claim: any, name: string}[]} */
    const all = claims.map((claim) => ({ claim, name: claim.metadata.name }));
    const extended = extendedClaimFor(pod, node, known);
    if (extended) all.push({ claim: extended, name: `${pod.metadata.name}-extended-resources-` });
    const fresh = all.filter(({ claim }) => !allocationOf(claim));
    for (const { claim, name } of fresh) {
      hold(name in made, 'devices fit', () => `${subject}: nothing for ${name}`);
      const isFlying = claim.metadata.uid && this.isInFlight(claim.metadata.uid);
      hold(!isFlying, 'one allocation per claim', () => `${subject}: ${name} is allocated already`);
    }
    checkAllocations(
      fresh.map(({ claim, name }) => ({ claim, allocation: made[name] })),
      node,
      known,
      subject,
    );
    const items = all.map(({ claim, name }) => this.#itemOf(claim, name, { seq, pod, node, made }));
    const isLinked = items.every(({ key }) => key);
    const state = { nomination: null, isPublished: false, isBinding: false, isPreempted: false };
    this.#open.set(seq, { pod, node: nodeName, items, isLinked, polls: 0, ...state });
  }

  /**
   * @param {any} claim @param {string} name
   * @param {{seq: number, pod: any, node: any, made: Record<string, any>}} decision
   * @returns {Item}
   */
  #itemOf(claim, name, { seq, pod, node, made }) {
    const key = claim.metadata.uid ? keyOf(claim) : '';
    const allocation = allocationOf(claim);
    const { counts } = this;
    if (allocation) {
      const { nodeSelector } = allocation;
      const isThere = !nodeSelector || selects(nodeSelector, node);
      hold(isThere, 'devices fit', () => `${key} is not available on ${node.metadata.name}`);
      const isReserved = isReservedFor(claim, pod.metadata.uid);
      const isSame = isReserved || isDeepStrictEqual(made[name], untimed(allocation));
      hold(isSame, 'devices fit', () => `${key} has ${JSON.stringify(allocation)}`);
      if (!isReserved) counts.reservations += 1;
      const written = isReserved ? claim : null;
      return { name, key, allocation: null, made: '', written, inFlight: '' };
    }
    const { results } = made[name].devices;
    counts.allocations += 1;
    counts.devices += results.length;
    counts.shares += results.filter((/** @type {any} */ { shareID }) => shareID).length;
    if (!key) counts.extended += 1;
    const inFlight = `${seq} ${claim.metadata.uid ?? ''}`;
    this.store.use.begin(inFlight, results);
    this.doubled.decide(results, (other, id) => {
      const known = this.store.get(keyOf(other));
      const isTold = isDeepStrictEqual(resultsOf(known ?? {}), resultsOf(other));
      return isTold && !this.store.use.contested.has(id);
    });
    return { name, key, allocation: made[name], made: '', written: null, inFlight };
  }

  /** Whether a decision allocates the claim, and has not written it. @param {string} uid */
  isInFlight(uid) {
    return [...this.#open.values()].some(({ items }) =>
      items.some(({ inFlight }) => inFlight.split(' ')[1] === uid),
    );
  }

  /** The allocations of decisions that are not written yet. */
  get inFlight() {
    return [...this.#open.values()].flatMap(({ pod, items }) => {
      return items.filter(({ inFlight }) => inFlight).map((item) => ({ pod, item }));
    });
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
    if (result === 'bindFailed') this.#checkWait(open, message, nowUs);
    for (const item of open.items) {
      this.#land(item, result === 'bindFailed');
      // It ends the allocation of the claim by another pod as well.
      if (result === 'bindFailed') this.#landOthers(item, true);
    }
  }

  /** A wait ends for a reason. @param {Open} open @param {string} message @param {number} nowUs */
  #checkWait(open, message, nowUs) {
    const { pod, isBinding, isPreempted, waitingUs } = open;
    if (isBinding || isPreempted || waitingUs === undefined) return;
    if (!open.items.some(({ written }) => hasConditions(written))) return;
    this.counts.notReady += 1;
    // It may have begun to wait a little earlier.
    const isTimeUp = nowUs >= waitingUs + this.#timeoutUs - SECOND_US;
    const known = this.#told.objects('Pod').get(keyOf(pod));
    const isGone = known?.metadata.uid !== pod.metadata.uid || known.metadata.deletionTimestamp;
    if (isTimeUp || isGone) return;
    hold(this.#stateOf(open, nowUs) === 'fails', 'waits for its devices', () => {
      return `${keyOf(pod)} gives up: ${message}`;
    });
  }

  /** The allocation is no longer in flight. @param {Item} item @param {boolean} isLost */
  #land(item, isLost) {
    // A claim of extended resources is given up even if it was assumed.
    if (isLost && !item.key && item.written) this.store.restore(keyOf(item.written));
    if (!item.inFlight) return;
    this.store.use.end(item.inFlight);
    if (isLost && item.key) this.store.restore(item.key);
    item.inFlight = '';
  }

  /**
   * The claim's allocation is no longer in flight, whichever pod began it. That pod's write may
   * still be carried out.
   * @param {Item} item @param {boolean} isLost
   */
  #landOthers({ key }, isLost) {
    if (!key) return;
    for (const { item } of this.inFlight) {
      if (item.key !== key) continue;
      this.doubled.lose({ status: { allocation: item.allocation } });
      this.#land(item, isLost);
    }
  }

  /**
   * Takes an answer before the engine gets it.
   * @param {any} completion @param {number} nowUs
   */
  answered({ call, status, body }, nowUs) {
    const linked = this.#links.get(call);
    if (linked && status === 200) {
      linked.isLinked = true;
      this.#poll(linked, nowUs);
    }
    const item = this.#writes.get(call);
    if (!item || status === CONFLICT) this.#writes.delete(call);
    if (!item || !(status >= 200 && status < 300)) return;
    this.#writes.delete(call);
    const claim = JSON.parse(body);
    if (!item.key && !item.made) {
      item.made = claim.metadata.name;
      return;
    }
    item.written = claim;
    // A claim of extended resources is assumed after it has arrived.
    if (!item.key) return;
    const isAssumed = this.store.assume(claim);
    this.#land(item, false);
    if (isAssumed) this.#landOthers(item, false);
  }

  /** Before a turn's decisions. @param {number} nowUs */
  begin(nowUs) {
    for (const open of this.#open.values()) {
      if (open.pollUs !== undefined && open.pollUs <= nowUs) this.#poll(open, nowUs);
    }
  }

  /**
   * Whether the claim of extended resources has arrived, so that it can be assumed.
   * @param {Open} open @param {number} nowUs
   */
  #poll(open, nowUs) {
    const missing = open.items.some(({ key, written }) => {
      return !key && !this.store.get(keyOf(written));
    });
    open.pollUs = undefined;
    if (missing && open.polls < ARRIVAL_POLLS_MAX) {
      open.polls += 1;
      open.pollUs = nowUs + ARRIVAL_US;
      return;
    }
    for (const item of open.items) this.#assume(item);
  }

  /** A call has ended. @param {number} id */
  closed(id) {
    for (const open of this.#open.values()) if (open.nomination === id) open.nomination = null;
    const { allocation, key, made } = this.#writes.get(id) ?? {};
    // It may have been carried out, or may still be.
    if (allocation && (key || made)) this.doubled.lose({ status: { allocation } });
    this.#writes.delete(id);
    this.#links.delete(id);
  }

  /** Calls of a turn, after its decisions. @param {any} call */
  call(call) {
    const write = claimWriteOf(call);
    if (write) return this.#write(call, write);
    if (call.verb === 'bind') return this.#bind(JSON.parse(call.body).metadata.uid);
    if (call.verb !== 'patch' || !call.path.endsWith('/status')) return;
    const { status } = JSON.parse(call.body);
    const open = [...this.#open.values()].findLast(({ pod, isBinding }) => {
      return keyOf(pod) === call.pod && !isBinding;
    });
    if (!open) return;
    if (status?.nominatedNodeName === open.node) open.nomination = call.id;
    if (status?.extendedResourceClaimStatus) this.#links.set(call.id, open);
  }

  /** @param {any} call @param {import('./claim_writes.js').ClaimWrite} write */
  #write(call, { verb, subresource, namespace, name, body }) {
    const isOwn = (/** @type {Item} */ item) => {
      if (verb === 'create') return !item.key && !item.made;
      const key = `${namespace}/${name}`;
      return !item.written && key === (item.key || `${namespace}/${item.made}`);
    };
    // An older pod of the name may still be bound. A patch ends an earlier attempt at the pod; a
    // gang tries it again at once.
    const open = [...this.#open.values()].findLast(({ pod, items }) => {
      return keyOf(pod) === call.pod && items.some(isOwn);
    });
    const own = open?.items.find(isOwn);
    if (!open) this.#takenBack.add(call.pod);
    else if (verb !== 'delete' && verb !== 'patch') open.isPublished = true;
    if (own && verb === 'create') this.#writes.set(call.id, own);
    if (verb !== 'update' || subresource !== 'status') return;
    if (!allocationOf(body)) {
      this.counts.deallocations += 1;
      const { reservedFor } = body.status ?? {};
      return hold(!open && !reservedFor?.length, 'writes what it decided', () => {
        return `${call.pod} takes ${name} back`;
      });
    }
    const item = own;
    hold(Boolean(item), 'writes what it decided', () => `${call.pod} does not need ${name}`);
    const { pod } = /** @type {Open} */ (open);
    // The server checks an allocation that the pod only reserves: it is what was read.
    const must = item?.allocation ?? allocationOf(body);
    const isSame = isDeepStrictEqual(untimed(allocationOf(body)), untimed(must));
    hold(isSame, 'writes what it decided', () => {
      return `${JSON.stringify(allocationOf(body))} instead of ${JSON.stringify(must)}`;
    });
    hold(isReservedFor(body, pod.metadata.uid), 'writes what it decided', () => {
      return `${name} is not reserved for ${call.pod}`;
    });
    this.#writes.set(call.id, /** @type {Item} */ (item));
  }

  /** @param {string} uid */
  #bind(uid) {
    const open = [...this.#open.values()].find(({ pod, isBinding }) => {
      return pod.metadata.uid === uid && !isBinding;
    });
    if (!open) return;
    const { pod, items } = open;
    for (const { name, written } of items) {
      hold(Boolean(written), 'claims are reserved first', () => `${keyOf(pod)} without ${name}`);
    }
    for (const item of items) {
      this.#assume(item);
      if (!hasConditions(item.written)) continue;
      this.counts.claimsReady += 1;
      const known = this.store.get(keyOf(item.written));
      hold(known && readinessOf(known) === 'ready', 'devices are ready first', () => {
        return `${keyOf(pod)} is bound although ${item.name} is not ready`;
      });
    }
    open.isBinding = true;
    open.isPublished = true;
  }

  /** A claim of extended resources was written, and has arrived. @param {Item} item */
  #assume(item) {
    if (item.inFlight && !item.key) this.store.assume(item.written);
    this.#land(item, false);
  }

  /** Whether the pod's claims were written before its binding. @param {string} uid */
  hasWaited(uid) {
    return [...this.#open.values()].some(({ pod }) => pod.metadata.uid === uid);
  }

  /** After a turn: no pod waits longer than it may. @param {number} nowUs */
  check(nowUs) {
    this.#checkedUs = nowUs;
    for (const open of this.#open.values()) {
      const { pod, items, isBinding, isPublished } = open;
      const hasArrived = open.isLinked && open.pollUs === undefined;
      const isWritten = isPublished && hasArrived && items.every(({ written }) => written);
      if (isBinding || !isWritten || !items.some(({ written }) => hasConditions(written))) continue;
      if (open.waitingUs === undefined) this.counts.conditions += 1;
      open.waitingUs ??= nowUs;
      hold(nowUs <= open.waitingUs + this.#timeoutUs, 'waits no longer than it may', () => {
        return `${keyOf(pod)} waits for devices since ${open.waitingUs}, it is ${nowUs}`;
      });
      const state = this.#stateOf(open, nowUs);
      open.endedUs = state === 'waits' ? undefined : (open.endedUs ?? nowUs);
      const isSeen = open.endedUs === undefined || nowUs <= open.endedUs + LOOK_US;
      hold(isSeen, 'looks again', () => {
        return `${keyOf(pod)} waits at ${nowUs}, though since ${open.endedUs} it ${state}`;
      });
    }
  }

  /** @param {Open} open @param {number} nowUs @returns {'waits' | 'ready' | 'fails'} */
  #stateOf({ items }, nowUs) {
    for (const { written } of items) {
      const known = this.store.get(keyOf(written));
      if (!known) return 'fails';
      const readiness = readinessOf(known);
      if (readiness === 'ready') continue;
      return readiness === 'fails' || this.isTimedOut(known, nowUs) ? 'fails' : 'waits';
    }
    return 'ready';
  }

  /** @param {any} claim @param {number} nowUs */
  isTimedOut(claim, nowUs) {
    const timestamp = allocationOf(claim)?.allocationTimestamp;
    if (!timestamp || !hasConditions(claim)) return false;
    return (Date.parse(timestamp) / 1000) * SECOND_US + this.#timeoutUs < nowUs;
  }

  /**
   * Pods whose node is being published. A refused write is repeated after a while.
   * @param {string[]} inFlight  pods that are in flight, by the inspection
   * @returns {string[]} names
   */
  nominating(inFlight) {
    const open = [...this.#open.values()].filter(({ isPublished }) => !isPublished);
    for (const one of open) {
      one.isPublished = one.nomination === null && !inFlight.includes(keyOf(one.pod));
      // Without a write, the next turn may be that of the next look.
      const isWaiting = one.isPublished && one.items.every(({ written }) => hasConditions(written));
      if (isWaiting) one.waitingUs = this.#checkedUs;
    }
    return open.flatMap(({ pod, isPublished }) => (isPublished ? [] : [keyOf(pod)]));
  }

  /**
   * Pods whose scheduling cycle waits for the answer to a write that takes a claim back.
   * @param {string[]} inFlight pods of the inspection, without those that are being bound
   */
  waitingAmong(inFlight) {
    const waiting = inFlight.filter((pod) => this.#takenBack.has(pod));
    this.#takenBack = new Set(waiting);
    return waiting;
  }

  /** Claims with allocations, and those that decisions allocate, for an engine without a past. */
  claimsNow() {
    const flying = new Map(
      this.inFlight.flatMap(({ item }) => (item.key ? [[item.key, item.allocation]] : [])),
    );
    const claims = this.store.values().map((claim) => {
      const allocation = flying.get(keyOf(claim));
      return allocation ? { ...claim, status: { ...claim.status, allocation } } : claim;
    });
    // The claim may be created later, or may be gone.
    const others = this.inFlight.filter(({ item }) => !item.key || !this.store.get(item.key));
    const rest = others.map(({ pod: { metadata }, item }, index) => ({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: {
        namespace: metadata.namespace,
        name: `flying-${index}`,
        uid: `u-flying-${index}`,
      },
      spec: { devices: {} },
      status: { allocation: item.allocation },
    }));
    return [...claims, ...rest];
  }

  /** Whether two claims have one device, or had, so that it is free although one has it. */
  hasDoubled() {
    const whole = this.store.values().flatMap(devicesOf);
    const isFreed = whole.some((id) => !this.store.use.isDedicated(id));
    return isFreed || new Set(whole).size < whole.length;
  }
}
