/**
 * A world of pod groups by seed: groups that come late or incomplete, pods that go again, nodes,
 * and an API server that refuses or delays bindings and evictions until the faults end.
 */
import { apiCallsIn, completionOf, failure, success, writeOf } from '../support/api_calls.js';
import { Broken, hold } from './invariants.js';
import { randomFor } from './random.js';

/** @typedef {import('../support/raw_engine.js').RawEngine} RawEngine */

const START_US = 1_770_000_000_000_000;
const SECOND_US = 1_000_000;
const FEATURE_GATES = { GenericWorkload: true, GangScheduling: true };
const WEIGHTS = { group: 3, pods: 9, deletePod: 2, node: 2, wait: 6 };
const CONFLICT = { code: 409, reason: 'Conflict', message: 'refused' };
/** Longer than every backoff and the time in the unschedulable pool. */
const ROUNDS_OF_REST = 40;
/** How often calls are answered in a turn; the rest of them waits for the next. */
const ANSWERS_MAX = 6;

/** Of a group and its pods. @param {string} group */
const priorityOf = (group) => (Number(group.slice(1)) > 3 ? 100 : 0);

export class GangWorld {
  #random;
  #scheduler;
  #nowUs = START_US;
  #hasFaults = true;
  #made = 0;
  /** Minimum counts by group. @type {Map<string, number>} */
  #groups = new Map();
  /** The living pods by uid. @type {Map<string, any>} */
  #pods = new Map();
  /** The uids of pods that a group cycle has placed and whose binding has not failed. */
  #placed = new Set();
  /** @type {import('../support/api_calls.js').ApiCall[]} */
  #open = [];
  counts = { groups: 0, scheduled: 0, preempting: 0, groupPreempting: 0, bound: 0, bindFailed: 0 };

  /** @param {RawEngine} engine @param {number} seed */
  constructor(engine, seed) {
    this.#random = randomFor(seed, 'gangs');
    const modes = /** @type {const} */ (['off', 'firstUse', 'secondUse', 'tiny']);
    const verdictCache = this.#random.pick(modes);
    const WorkloadAwarePreemption = this.#random.chance(0.5);
    this.#scheduler = engine.createScheduler({
      featureGates: { ...FEATURE_GATES, WorkloadAwarePreemption },
      api: 'host',
      startTimeUs: START_US,
      detail: 'summary',
      verdictCache,
    });
  }

  /** Plays some steps, then lets the faults end. @param {number} steps */
  play(steps) {
    try {
      this.#addNode(2);
      for (let step = 0; step < steps; step += 1) this.#step();
      this.#rest();
    } finally {
      this.#scheduler.dispose();
    }
  }

  #step() {
    const random = this.#random;
    switch (random.weighted(WEIGHTS)) {
      case 'group':
        this.#putGroup(random.pick(this.#names()));
        break;
      case 'pods':
        this.#addPods(random.pick(this.#names()), 1 + random.below(4));
        break;
      case 'deletePod':
        if (this.#pods.size > 0) this.#delete(random.pick([...this.#pods.keys()]));
        break;
      case 'node':
        this.#addNode(1 + random.below(3));
        break;
      default:
        this.#nowUs += random.below(15 * SECOND_US);
    }
    this.#turn();
  }

  #names() {
    return Array.from({ length: 6 }, (_, index) => `g${index}`);
  }

  /** @param {...object} events */
  #apply(...events) {
    this.#scheduler.apply(events, this.#nowUs);
  }

  /** @param {number} cpu */
  #addNode(cpu) {
    const name = `n${(this.#made += 1)}`;
    const allocatable = { cpu: String(cpu), pods: '110' };
    this.#apply({
      type: 'ADDED',
      object: { apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { allocatable } },
    });
  }

  /** @param {string} name */
  #putGroup(name) {
    if (this.#groups.has(name)) return;
    const minCount = 1 + this.#random.below(5);
    this.#groups.set(name, minCount);
    this.#apply({
      type: 'ADDED',
      object: {
        apiVersion: 'scheduling.k8s.io/v1alpha2',
        kind: 'PodGroup',
        metadata: { namespace: 'default', name },
        spec: {
          schedulingPolicy: { gang: { minCount } },
          priority: priorityOf(name),
          ...(this.#random.chance(0.5) && { disruptionMode: 'PodGroup' }),
        },
      },
    });
  }

  /** @param {string} group @param {number} count */
  #addPods(group, count) {
    const priority = priorityOf(group);
    for (let index = 0; index < count; index += 1) {
      const name = `${group}-${(this.#made += 1)}`;
      const object = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace: 'default', name, uid: `u-${name}` },
        spec: {
          schedulerName: 'default-scheduler',
          schedulingGroup: { podGroupName: group },
          priority,
          containers: [{ name: 'c', resources: { requests: { cpu: '500m' } } }],
        },
      };
      this.#pods.set(object.metadata.uid, object);
      this.#apply({ type: 'ADDED', object });
    }
  }

  /** @param {string} uid */
  #delete(uid) {
    const object = this.#pods.get(uid);
    this.#pods.delete(uid);
    this.#placed.delete(uid);
    this.#apply({ type: 'DELETED', object });
  }

  #turn() {
    this.#run(20);
    for (let rest = ANSWERS_MAX; rest > 0 && this.#open.length > 0; rest -= 1) {
      for (const call of this.#open.splice(0)) {
        if (this.#hasFaults && this.#random.chance(0.3)) this.#open.push(call);
        else this.#answer(call);
      }
      this.#run(0);
    }
    const { waiting } = JSON.parse(this.#scheduler.inspectText({}));
    // A pod that is allowed may still wait for the answer to the patch of its nomination.
    const held = waiting.filter((/** @type {any} */ { plugins }) => plugins.length > 0);
    hold(held.length === 0, 'no gang waits for itself', () => JSON.stringify(held));
  }

  /** @param {number} cycles */
  #run(cycles) {
    const records = this.#scheduler.run(this.#nowUs, cycles);
    this.#check(records);
    this.#open.push(...apiCallsIn(records));
  }

  /** @param {import('../support/api_calls.js').ApiCall} call */
  #answer(call) {
    const isRefused = this.#hasFaults && this.#random.chance(0.2);
    const answer = isRefused ? failure(CONFLICT) : success(call);
    const { kind, pod, body } = writeOf(call);
    const uid = kind === 'binding' ? body.metadata.uid : `u-${pod.split('/')[1]}`;
    const object = this.#pods.get(uid);
    this.#apply(completionOf(call, answer));
    if (isRefused || !object) return;
    if (kind === 'delete') this.#delete(uid);
    if (kind !== 'binding') return;
    const bound = { ...object, spec: { ...object.spec, nodeName: body.target.name } };
    this.#pods.set(uid, bound);
    this.#apply({ type: 'MODIFIED', object: bound });
  }

  /** @param {any[]} records */
  #check(records) {
    const decisions = new Map(
      records.filter(({ kind }) => kind === 'Decision').map((record) => [record.seq, record]),
    );
    for (const record of records) {
      if (record.kind === 'BindingResult') this.#ends(record);
      if (record.kind !== 'PodGroupDecision') continue;
      this.counts.groups += 1;
      this.#decides(
        record,
        record.decisions.map((/** @type {number} */ seq) => decisions.get(seq)),
      );
      for (const seq of record.decisions) decisions.delete(seq);
    }
    for (const { pod, result } of decisions.values()) {
      hold(result !== 'scheduled', 'pods of gangs are decided together', () => pod);
    }
  }

  /** @param {any} group @param {any[]} decisions of its pods */
  #decides({ podGroup, result, victims }, decisions) {
    const name = podGroup.split('/')[1];
    const scheduled = decisions.filter((one) => one.result === 'scheduled');
    for (const { uid } of scheduled) this.#placed.add(uid);
    if (decisions.some(({ preemption }) => preemption?.victims)) this.counts.preempting += 1;
    if (victims !== undefined) this.#preempts(podGroup, victims);
    if (scheduled.length === 0) return;
    this.counts.scheduled += 1;
    hold(result === 'scheduled', 'only a group that starts binds pods', () => podGroup);
    const running = [...this.#placed].filter((uid) => uid.startsWith(`u-${name}-`));
    const minCount = this.#groups.get(name) ?? Infinity;
    hold(running.length >= minCount, 'minCount at the decision', () => {
      return `${running.length} of ${minCount} pods of ${podGroup}`;
    });
  }

  /** @param {string} podGroup @param {string[]} victims */
  #preempts(podGroup, victims) {
    this.counts.groupPreempting += 1;
    const least = priorityOf(podGroup.split('/')[1]);
    for (const pod of victims) {
      const { spec } = this.#pods.get(`u-${pod.split('/')[1]}`) ?? {};
      hold(!spec || spec.priority < least, 'victims have a lower priority', () => pod);
    }
  }

  /** @param {any} record */
  #ends({ uid, result }) {
    this.counts[/** @type {'bound' | 'bindFailed'} */ (result)] += 1;
    if (result === 'bindFailed') this.#placed.delete(uid);
  }

  /** With room for all, and without faults, every group that is complete runs. */
  #rest() {
    this.#hasFaults = false;
    for (let node = 0; node < 4; node += 1) this.#addNode(64);
    for (let round = 0; round < ROUNDS_OF_REST; round += 1) {
      this.#nowUs += 10 * SECOND_US;
      this.#turn();
    }
    const { assumed, inFlight, queues } = JSON.parse(this.#scheduler.inspectText({}));
    hold(assumed.length + inFlight.length === 0, 'nothing assumed in the end', () => {
      return `[${assumed}] [${inFlight}]`;
    });
    for (const name of this.#names()) {
      const pods = [...this.#pods.values()].filter(
        ({ spec }) => spec.schedulingGroup.podGroupName === name,
      );
      const bound = pods.filter(({ spec }) => spec.nodeName).length;
      // As in kube-scheduler, a pod may stay gated by its own preemption.
      const gated = queues.unschedulable.filter((/** @type {any} */ { pod, gatingPlugin }) => {
        return gatingPlugin === 'DefaultPreemption' && pod.startsWith(`default/${name}-`);
      });
      const isComplete = pods.length >= (this.#groups.get(name) ?? Infinity);
      if (!isComplete || bound + gated.length === pods.length) continue;
      throw new Broken('complete groups run', `${bound} of ${pods.length} pods of ${name}`);
    }
  }
}
