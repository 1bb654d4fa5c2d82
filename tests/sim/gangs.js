/**
 * What holds of gangs after every turn: none starts with fewer pods than its minCount, its pods are
 * decided together, and none of them waits for another one.
 */
import { Broken, hold } from './invariants.js';

/** @typedef {import('./expected_cache.js').ExpectedCache} ExpectedCache */

/** namespace/name of the pod's group, if it has one. @param {any} pod @returns {string | null} */
export function groupOf({ metadata, spec }) {
  const { podGroupName } = spec.schedulingGroup ?? {};
  return podGroupName ? `${metadata.namespace}/${podGroupName}` : null;
}

/** @param {any} group */
const minCountOf = ({ spec }) => spec.schedulingPolicy.gang?.minCount ?? 0;

/** @param {any} pod */
const nameOf = ({ metadata }) => `${metadata.namespace}/${metadata.name}`;

export class GangBooks {
  #told;
  /** Uids of pods that waited for the write of their nomination. */
  #waited = new Set();
  counts = { gangs: 0, gangsStarted: 0, gangsWaiting: 0, gangPods: 0, gangStates: 0 };

  /** @param {ExpectedCache} told */
  constructor(told) {
    this.#told = told;
  }

  /**
   * Call after the pods of its decisions are assumed.
   * @param {any} record a PodGroupDecision @param {any[]} decisions of its pods
   */
  decide({ podGroup, result, waitsForPreemption }, decisions) {
    this.counts.gangs += 1;
    if (waitsForPreemption) this.counts.gangsWaiting += 1;
    const scheduled = decisions.filter((decision) => decision?.result === 'scheduled');
    if (scheduled.length === 0) return;
    this.counts.gangsStarted += 1;
    this.counts.gangPods += scheduled.length;
    hold(result === 'scheduled', 'only a group that starts binds pods', () => podGroup);
    const group = this.#told.objects('PodGroup').get(podGroup);
    hold(group !== undefined, 'minCount at the decision', () => `${podGroup} does not exist`);
    const placed = [...this.#told.cache.values()].filter(({ pod }) => {
      return groupOf(pod) === podGroup && this.#isMember(pod);
    });
    hold(placed.length >= minCountOf(group), 'minCount at the decision', () => {
      return `${placed.length} of ${minCountOf(group)} pods of ${podGroup}`;
    });
  }

  /**
   * After the records of a turn: decisions that are part of no group's.
   * @param {Iterable<any>} decisions
   */
  checkAlone(decisions) {
    if (!this.#told.watches('PodGroup')) return;
    for (const { pod: name, result } of decisions) {
      const pod = this.#told.objects('Pod').get(name);
      const isMember = result === 'scheduled' && pod && groupOf(pod);
      hold(!isMember, 'pods of gangs are decided together', () => name);
    }
  }

  /**
   * The engine knows the pods of each group, and how far they are.
   * @param {any} inspection
   * @param {string[]} waiting pods whose scheduling cycle waits for an answer: meanwhile their
   *   group is tried on nodes
   */
  checkStates({ podGroups = [] }, waiting) {
    const tried = waiting.map((name) => this.#groupNamed(name));
    const members = [...this.#told.cache.values()].filter(({ pod }) => this.#isMember(pod));
    for (const { podGroup, unscheduled, assumed, assigned } of podGroups) {
      if (tried.includes(podGroup)) continue;
      this.counts.gangStates += 1;
      const cached = members.filter(({ pod }) => groupOf(pod) === podGroup);
      const pending = this.#told.pending().filter((pod) => groupOf(pod) === podGroup);
      const ofStage = (/** @type {boolean} */ isAssumed) =>
        cached.filter((one) => one.isAssumed === isAssumed).map(({ pod }) => nameOf(pod));
      const is = [unscheduled, assumed, assigned];
      const must = [pending.map(nameOf), ofStage(true), ofStage(false)];
      const [isText, mustText] = [is, must].map((stages) =>
        JSON.stringify(stages.map((names) => [...names].sort())),
      );
      hold(isText === mustText, 'states of groups', () => `${podGroup}: ${isText} not ${mustText}`);
    }
  }

  /** Without a pod whose name another one has. @param {any} pod */
  #isMember(pod) {
    return this.#told.objects('Pod').get(nameOf(pod))?.metadata.uid === pod.metadata.uid;
  }

  /** @param {string} name */
  #groupNamed(name) {
    const pod = this.#told.objects('Pod').get(name);
    return pod ? groupOf(pod) : null;
  }

  /**
   * Pods that the engine shows as waiting in Permit are allowed already: they wait for the answer
   * to the write of their nomination.
   * @param {any} inspection @returns {string[]} their names
   */
  waitingIn({ waiting }) {
    const held = waiting.filter((/** @type {any} */ { plugins }) => plugins.length > 0);
    hold(held.length === 0, 'no gang waits for itself', () => JSON.stringify(held));
    const names = waiting.map((/** @type {any} */ { pod }) => pod);
    for (const [uid, { pod }] of this.#told.cache) {
      if (names.includes(nameOf(pod))) this.#waited.add(uid);
    }
    return names;
  }

  /** Meanwhile another scheduler may bind the pod. @param {string} uid */
  hasWaited(uid) {
    return this.#waited.has(uid);
  }

  /**
   * Gated pods that no event lets go, in kube-scheduler as well: those that have the name of a
   * member whose deletion was missed, because the queue keeps the gate of the pod of that name
   * (spec 03); and, after a restore, those whose PodGroup has become smaller, because an update of
   * it moves no pod.
   * @param {any} inspection @param {{ restores: number }} counts @returns {string[]} their names
   */
  stuckIn({ queues }, { restores }) {
    const gated = queues.unschedulable.filter(
      (/** @type {any} */ { gatingPlugin }) => gatingPlugin === 'GangScheduling',
    );
    const names = gated.map((/** @type {any} */ { pod }) => pod);
    return names.filter((/** @type {string} */ name) => restores > 0 || !this.#groupNamed(name));
  }

  /**
   * The pods of a gang wait together if the cycle of one of them waits for an answer.
   * @param {string[]} waiting @param {string[]} inFlight without those that are being bound
   */
  waitingWith(waiting, inFlight) {
    const groups = waiting.map((name) => this.#groupNamed(name));
    const cycles = new Set(waiting.map((name, at) => groups[at] ?? name));
    hold(cycles.size <= 1, 'one cycle at a time', () => waiting.join());
    const others = inFlight.filter((name) => {
      const group = this.#groupNamed(name);
      return group && groups.includes(group) && !waiting.includes(name);
    });
    return [...waiting, ...others];
  }
}

/**
 * In the end: what an engine without a past starts, the engine has started.
 * @param {any[]} records the first decisions of an engine that got the present state
 * @param {Set<string>} stuck pods that stay gated for good
 * @param {ExpectedCache} told
 */
export function checkGangsAtRest(records, stuck, told) {
  for (const { kind, podGroup, result } of records) {
    if (kind !== 'PodGroupDecision' || result !== 'scheduled') continue;
    const pods = told.pending().filter((pod) => groupOf(pod) === podGroup);
    if (pods.some((pod) => stuck.has(nameOf(pod)))) continue;
    throw new Broken('complete groups run', `${podGroup}: [${pods.map(nameOf)}] would start`);
  }
}
