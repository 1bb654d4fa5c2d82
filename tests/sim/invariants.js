/**
 * The invariants after every turn: they compare the engine's output and its inspection with its
 * input.
 */
import { claimWriteOf } from './claim_writes.js';
import { requestsOf, shortageOn } from './amounts.js';
import { isFinished, keyOf } from './world.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */

/** An invariant is broken. */
export class Broken extends Error {
  /** @param {string} invariant @param {string} what */
  constructor(invariant, what) {
    super(`${invariant}: ${what}`);
    this.name = 'Broken';
    this.invariant = invariant;
  }
}

/**
 * @param {boolean} holds @param {string} invariant @param {() => string} what
 * @returns {asserts holds}
 */
export function hold(holds, invariant, what) {
  if (!holds) throw new Broken(invariant, what());
}

/** @param {string[]} is @param {string[]} must @param {string} invariant @param {string} where */
function same(is, must, invariant, where) {
  if (is.length === must.length && [...is].sort().join() === [...must].sort().join()) return;
  throw new Broken(
    invariant,
    `${where}: too much [${without(is, must)}], missing [${without(must, is)}]`,
  );
}

/** @param {string[]} list @param {string[]} gone  one time each */
function without(list, gone) {
  const rest = [...list];
  for (const name of gone) {
    const at = rest.indexOf(name);
    if (at >= 0) rest.splice(at, 1);
  }
  return rest;
}

/** Follows calls, decisions and binding results through all turns. */
export class Bookkeeping {
  #told;
  #volumes;
  #devices;
  #gangs;
  /** Calls without an answer. @type {Map<number, any>} */
  openCalls = new Map();
  /** By uid. @type {Map<string, number>} */
  #openBindings = new Map();
  /** Decisions without a binding result, by seq. @type {Map<number, any>} */
  openDecisions = new Map();
  counts = {
    decisions: 0,
    scheduled: 0,
    gated: 0,
    preempting: 0,
    victims: 0,
    bound: 0,
    bindFailed: 0,
    calls: 0,
    timedOut: 0,
    contradictions: 0,
  };

  /**
   * @param {ExpectedCache} told
   * @param {import('./volume_books.js').VolumeBooks} volumes
   * @param {import('./device_books.js').DeviceBooks} devices
   * @param {import('./gangs.js').GangBooks} gangs
   */
  constructor(told, volumes, devices, gangs) {
    this.#told = told;
    this.#volumes = volumes;
    this.#devices = devices;
    this.#gangs = gangs;
  }

  /**
   * @param {any[]} completions given to the engine
   * @param {number} nowUs
   * @returns {number} the number of completions that belong to no open call
   */
  answered(completions, nowUs) {
    let late = 0;
    for (const completion of completions) {
      const { call } = completion;
      if (this.openCalls.has(call)) {
        this.#volumes.answered(completion, nowUs);
        this.#devices.answered(completion, nowUs);
      } else {
        late += 1;
      }
      this.#close(call);
    }
    return late;
  }

  /**
   * @param {any[]} records  of a turn, in their order @param {number} nowUs
   * @param {string[]} waiting pods whose scheduling cycle waited when the turn began
   */
  take(records, nowUs, waiting = []) {
    // Meanwhile nothing else goes on.
    const isPaused = waiting.some((name) => {
      return !records.some(({ kind, pod }) => kind === 'Decision' && pod === name);
    });
    if (!isPaused) this.#devices.begin(nowUs);
    for (const { id, deadline, pod, isAboutClaim } of this.openCalls.values()) {
      // The cycle of a pod group goes on when its own write of a claim has timed out.
      const isOfCycle = isAboutClaim && waiting.includes(pod);
      if (deadline > nowUs || (isPaused && !isOfCycle)) continue;
      this.#close(id);
      this.counts.timedOut += 1;
    }
    // Calls come before the records that explain them.
    for (const record of records) {
      if (record.kind === 'Call') this.#call(record);
    }
    /** @type {string[]} */
    const said = [];
    /** Those that are part of no group's, by seq. @type {Map<number, any>} */
    const decisions = new Map();
    for (const record of records) {
      if (record.kind === 'Decision') {
        this.#decide(record);
        decisions.set(record.seq, record);
      }
      if (record.kind === 'PodGroupDecision') {
        const seqs = /** @type {number[]} */ (record.decisions);
        this.#gangs.decide(
          record,
          seqs.map((seq) => decisions.get(seq)),
        );
        for (const seq of seqs) decisions.delete(seq);
        if (record.victims) this.#preempt(record.victims);
      }
      if (record.kind === 'BindingResult') this.#bindingEnds(record, nowUs);
      if (record.kind === 'Inconsistency') said.push(`${record.operation} ${record.object}`);
    }
    this.#gangs.checkAlone(decisions.values());
    for (const record of records) {
      if (record.kind !== 'Call') continue;
      if (!claimWriteOf(record)) this.#volumes.call(record);
      this.#devices.call(record);
    }
    this.#volumes.check(nowUs);
    if (!isPaused) this.#devices.check(nowUs);
    const { inconsistencies, possible } = this.#told;
    same(without(said, possible), inconsistencies, 'inconsistencies', 'in this turn');
    this.counts.contradictions += said.length;
    this.#told.inconsistencies = [];
    this.#told.possible = [];
  }

  /** @param {number} id */
  #close(id) {
    const call = this.openCalls.get(id);
    this.openCalls.delete(id);
    this.#devices.closed(id);
    if (call?.uid && this.#openBindings.get(call.uid) === id) this.#openBindings.delete(call.uid);
  }

  /** @param {any} call */
  #call(call) {
    const { id, verb, deadline, body, pod } = call;
    this.counts.calls += 1;
    const uid = verb === 'bind' ? JSON.parse(body).metadata.uid : undefined;
    this.openCalls.set(id, { id, deadline, uid, pod, isAboutClaim: claimWriteOf(call) !== null });
    if (!uid) return;
    hold(!this.#openBindings.has(uid), 'bound once', () => {
      const other = this.#openBindings.get(uid);
      return `call ${id} binds ${pod} (${uid}), call ${other} may still do so`;
    });
    this.#openBindings.set(uid, id);
    const known = this.#told.objects('Pod').get(pod);
    const isBound = known?.metadata.uid === uid && known.spec.nodeName;
    // While a pod waits for its volumes, devices or gang, another scheduler may bind it.
    const waits = [this.#volumes, this.#devices, this.#gangs];
    const hasWaited = waits.some((books) => books.hasWaited(uid));
    hold(!isBound || hasWaited, 'bound once', () => {
      return `call ${id} binds ${pod} (${uid}), which is bound to ${known.spec.nodeName}`;
    });
  }

  /** @param {any} decision */
  #decide(decision) {
    const { result, pod: name, uid, node, seq } = decision;
    this.counts.decisions += 1;
    if (result === 'gated') this.counts.gated += 1;
    // A member of a gang may lose its nomination again, when the victims are gone already.
    if (decision.preemption?.victims?.length > 0) {
      this.#preempt(decision.preemption.victims);
    }
    hold(this.#told.hasSynced || result === 'gated', 'lists first', () => `${name} is decided`);
    if (result !== 'scheduled') return;
    this.counts.scheduled += 1;
    const pod = this.#told.objects('Pod').get(name);
    hold(pod?.metadata.uid === uid && !pod.spec.nodeName, 'decides what is pending', () => {
      return `${name} (${uid}) goes to ${node}`;
    });
    this.#fits(pod, node);
    this.#volumes.decide(decision, pod);
    this.#devices.decide(decision, pod);
    this.#told.assume(pod, node);
    this.openDecisions.set(seq, decision);
  }

  /** @param {string[]} victims */
  #preempt(victims) {
    this.counts.preempting += 1;
    this.counts.victims += victims.length;
    this.#volumes.preempt(victims);
    this.#devices.preempt(victims);
  }

  /** @param {any} pod @param {string} nodeName */
  #fits(pod, nodeName) {
    const node = this.#told.objects('Node').get(nodeName);
    hold(node !== undefined, 'node is there', () => `${keyOf(pod)} goes to ${nodeName}`);
    const others = [...this.#told.cache.values()].filter((one) => one.node === nodeName);
    const requests = others.map((one) => requestsOf(one.pod));
    const shortage = shortageOn(node, requests, requestsOf(pod));
    hold(!shortage, 'node not over allocatable', () => `${keyOf(pod)} on ${nodeName}: ${shortage}`);
  }

  /** @param {any} record @param {number} nowUs */
  #bindingEnds(record, nowUs) {
    const { decision, pod, result, uid, node } = record;
    const decided = this.openDecisions.get(decision);
    hold(decided?.uid === uid && decided.node === node, 'one result per binding', () => {
      return `${pod} (${uid}) ${result} on ${node} for decision ${decision}`;
    });
    this.openDecisions.delete(decision);
    this.#told.binding.delete(uid);
    this.#volumes.end(record, nowUs);
    this.#devices.end(record, nowUs);
    this.counts[/** @type {'bound' | 'bindFailed'} */ (result)] += 1;
    if (result === 'bindFailed') this.#told.forget(record);
  }
}

/** @param {any} inspection @returns {string[]} names */
export function queuedIn({ queues: { active, backoff, unschedulable } }) {
  return [...active, ...[...backoff, ...unschedulable].map(({ pod }) => pod)];
}

/**
 * @param {any} inspection  with the cache
 * @param {ExpectedCache} told
 * @param {string[]} nominating pods whose nomination is published before the other calls
 * @param {string[]} waiting pods whose scheduling cycle waits for an answer
 */
export function checkInspection(inspection, told, nominating, waiting) {
  const { inFlight, assumed, nominated, cache } = inspection;
  // A pod in its scheduling cycle is in no queue.
  const queued = [...queuedIn(inspection), ...waiting];
  const pending = told.pending();
  // A pod that is being deleted is dropped when it is popped.
  const ending = pending.filter(({ metadata }) => metadata.deletionTimestamp).map(keyOf);
  const staying = pending.filter(({ metadata }) => !metadata.deletionTimestamp).map(keyOf);
  const isOnce = new Set(queued).size === queued.length;
  hold(isOnce, 'one place', () => `a pod is in more than one: [${queued}]`);
  same(without(queued, ending), staying, 'one place', 'in the queues');
  same(inFlight, [...nominating, ...waiting], 'one place', 'in flight');
  const isAssumed = [...told.cache.values()].filter((one) => one.isAssumed);
  const names = isAssumed.map(({ pod }) => keyOf(pod));
  // While the cycle of a gang waits, its pods are tried on nodes.
  const tried = without(assumed, names).filter((name) => waiting.includes(name));
  same(assumed, [...names, ...tried], 'one place', 'assumed');
  checkCache(cache, told, tried);
  for (const { pod: name } of nominated) {
    const pod = told.objects('Pod').get(name);
    hold(pod && !pod.spec.nodeName, 'nominated pods exist', () => name);
  }
}

/** @param {any} cache @param {ExpectedCache} told @param {string[]} tried pods on any node */
function checkCache(cache, told, tried) {
  const byNode = told.podsByNode();
  const nodes = told.objects('Node');
  same(Object.keys(cache.nodes), [...nodes.keys()], 'cache', 'nodes');
  const ghosts = [...byNode.keys()].filter((name) => !nodes.has(name));
  same(Object.keys(cache.ghostNodes), ghosts, 'cache', 'ghost nodes');
  for (const [node, pods] of byNode) {
    const found = without(cache.nodes[node] ?? cache.ghostNodes[node], tried);
    same(found, without(pods, tried), 'cache', `pods of ${node}`);
  }
}

/**
 * The delivered objects equal the stored ones.
 * @param {string[]} kinds @param {import('./world.js').World} world @param {ExpectedCache} told
 */
export function checkTold(kinds, world, told) {
  for (const kind of kinds) {
    const stored = world.list(kind).filter((object) => !isFinished(object));
    const is = JSON.stringify(stored);
    const objects = [...told.objects(kind)].sort(([a], [b]) => (a < b ? -1 : 1));
    const must = JSON.stringify(objects.map(([, object]) => object));
    hold(is === must, 'all is told in the end', () => `${kind}: ${is} and ${must}`);
  }
}
