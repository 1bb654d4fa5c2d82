/** Forks of the cluster on which a gang is tried, on all nodes or on some. */
import { podKeyOf } from '../../kubernetes/keys.js';
import { countPlaced, placeAsGroup, placeInTurn, removePods, runGroup } from './placing.js';

/**
 * @import { PodGroupDecision } from '../../engine/record_types.js'
 * @import { Scheduler } from '../../engine/scheduler.js'
 * @import { KubernetesObject } from '../../kubernetes/types.js'
 * @import { Gang } from './members.js'
 * @import { Placing, PlacingOptions } from './placing.js'
 */

/**
 * The pods of a gang on some nodes. `fault`: why the group's cycle failed. `hasNoMinimum`: whether
 * the group starts with fewer pods than asked for. `preemptsAsGroup`: with the feature gate
 * WorkloadAwarePreemption.
 * @typedef {{ placings: Placing[], placed: number, fault?: string, hasNoMinimum?: boolean,
 *   preemptsAsGroup?: boolean }} Trial
 */

/** The start of a group's message after the group tried to preempt as a whole. */
const OF_PREEMPTION = 'pod group is unschedulable, ';

/** Tries one gang again and again, each time from the present; `dispose` it. */
export class Trials {
  #scheduler;
  #options;
  /** By `namespace/name`. @type {Map<string, KubernetesObject>} */
  #pods;
  /** Without the pods of the gang. @type {Scheduler | undefined} */
  #without;
  /** With them. @type {Scheduler | undefined} */
  #with;

  /**
   * @param {Scheduler} scheduler
   * @param {Gang} gang
   * @param {PlacingOptions} options
   */
  constructor(scheduler, gang, options) {
    this.#scheduler = scheduler;
    this.#options = options;
    this.gang = gang;
    this.#pods = new Map(gang.pods.map((pod) => [podKeyOf(pod), pod]));
  }

  get signal() {
    return this.#options.signal;
  }

  /**
   * Returns the pods as they are asked, without a node.
   * @param {{ pod: string }[]} named
   * @returns {KubernetesObject[]}
   */
  podsIn(named) {
    return named.flatMap(({ pod }) => this.#pods.get(pod) ?? []);
  }

  /**
   * Places the gang as the scheduler would, without preemption.
   * @param {string[]} hidden the nodes that it is not to get
   * @returns {Promise<Trial>}
   */
  async place(hidden = []) {
    const { gang } = this;
    if (gang.pods.length === 0) return { placings: [], placed: 0 };
    if (gang.podGroup === null) return this.placeInTurn(hidden);
    const minCount = gang.pods.length + gang.scheduled.length;
    return this.#withGang(hidden, async (fork) => {
      const { placings, group } = await placeAsGroup(fork, gang, { ...this.#options, minCount });
      const placed = countPlaced(placings);
      const hasNoMinimum = group?.result === 'scheduled' && placed < gang.pods.length;
      const fault = group?.result === 'error' ? group.message : undefined;
      const preemptsAsGroup = group?.message.startsWith(OF_PREEMPTION) || Boolean(group?.victims);
      const rest = { hasNoMinimum, preemptsAsGroup };
      return { placings, placed, ...(fault !== undefined && { fault }), ...rest };
    });
  }

  /**
   * Returns on which nodes the group's cycle places the pods if that many are enough.
   * @param {number} minCount
   * @param {string[]} hidden
   * @returns {Promise<Placing[]>}
   */
  async nodesFor(minCount, hidden) {
    return this.#withGang(hidden, async (fork) => {
      const options = { ...this.#options, minCount, onPod: undefined };
      return (await placeAsGroup(fork, this.gang, options)).placings;
    });
  }

  /**
   * Returns what the group's cycle decides with its topology constraint if one pod is enough, and
   * only one is left.
   * @returns {Promise<PodGroupDecision | undefined>}
   */
  async decideWithTopology() {
    const [first, ...others] = this.gang.pods;
    if (!first) return undefined;
    return this.#withGang([], async (fork) => {
      removePods(fork, others);
      const options = { ...this.#options, minCount: 1, hasTopology: true, onPod: undefined };
      return (await placeAsGroup(fork, { ...this.gang, pods: [first] }, options)).group;
    });
  }

  /**
   * Returns the pods that the cycle of the group itself evicts, `namespace/name`, and how many of
   * its pods have a node without them.
   * @returns {Promise<{ victims: string[], placed: number }>}
   */
  async preemptAsGroup() {
    const { pods, scheduled } = this.gang;
    const { group } = await this.#withGang([], (fork) => runGroup(fork, pods));
    const victims = group?.victims ?? [];
    const placed = await this.#withGang([], async (fork) => {
      const gone = victims.flatMap((pod) => fork.get('Pod', pod) ?? []);
      removePods(fork, gone);
      const options = { ...this.#options, minCount: pods.length + scheduled.length };
      return countPlaced((await placeAsGroup(fork, this.gang, options)).placings);
    });
    return { victims, placed };
  }

  /**
   * @param {string[]} hidden
   * @param {Parameters<typeof placeInTurn>[2] & { pods?: Gang['pods'] }} [options]
   * @returns {Promise<Trial>}
   */
  async placeInTurn(hidden = [], { pods = this.gang.pods, ...options } = {}) {
    return this.withoutGang(hidden, async (fork) => {
      const placings = await placeInTurn(fork, pods, { ...this.#options, ...options });
      return { placings, placed: countPlaced(placings) };
    });
  }

  /**
   * Calls `use` with the cluster without the pods of the gang, and takes back what it does.
   * @template T
   * @param {string[]} hidden
   * @param {(fork: Scheduler) => Promise<T>} use
   * @returns {Promise<T>}
   */
  withoutGang(hidden, use) {
    if (!this.#without) {
      this.#without = this.#scheduler.fork();
      removePods(this.#without, this.gang.pods);
      // A first turn writes the decisions about pods that waited for others.
      this.#without.run({ maxCycles: 0 });
    }
    return within(this.#without, hidden, use);
  }

  /**
   * @template T
   * @param {string[]} hidden
   * @param {(fork: Scheduler) => Promise<T>} use
   * @returns {Promise<T>}
   */
  #withGang(hidden, use) {
    return within((this.#with ??= this.#scheduler.fork()), hidden, use);
  }

  dispose() {
    this.#without?.dispose();
    this.#with?.dispose();
  }
}

/**
 * @template T
 * @param {Scheduler} base
 * @param {string[]} hidden
 * @param {(fork: Scheduler) => Promise<T>} use
 * @returns {Promise<T>}
 */
function within(base, hidden, use) {
  return base.transaction((fork) => {
    const removals = hidden.map((name) =>
      JSON.stringify({
        type: 'DELETED',
        object: { apiVersion: 'v1', kind: 'Node', metadata: { name } },
      }),
    );
    if (removals.length > 0) fork.apply(removals.join('\n'), { format: 'lines' });
    return use(fork);
  });
}
