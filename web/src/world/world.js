/**
 * A cluster with its scheduler, and a clock that stands still: every change is made by somebody,
 * and can be made again.
 */
import { createApiServer } from '../../../js/src/embedded_apiserver/api_server.js';
import { createApiClient } from '../../../js/src/informer/api_client.js';
import { ClusterWrites } from './cluster_writes.js';
import { FollowedScheduler } from './followed_scheduler.js';
import { seededRandom } from './seeded_random.js';
import { SteppedClock } from './stepped_clock.js';

/**
 * @import { ControllerName } from '../../../js/src/embedded_apiserver/controllers/controllers.js'
 * @import { Engine } from '../../../js/src/engine.js'
 * @import { EngineRecord, KubernetesObject, SchedulerOptions } from '../../../js/src/types.js'
 * @import { ObjectReference } from './cluster_writes.js'
 */

/**
 * What somebody does to a world. `step` is one cycle, `scheduleOne` that of a pod
 * (`namespace/name`). `to` is in milliseconds since the epoch, `for` in milliseconds.
 * @typedef {{ do: 'apply', objects: KubernetesObject[] }
 *   | { do: 'delete', objects: ObjectReference[] }
 *   | { do: 'patch', object: ObjectReference, patch: object, subresource?: string }
 *   | { do: 'step' }
 *   | { do: 'scheduleOne', pod: string }
 *   | { do: 'advance', to: number }
 *   | { do: 'wait', for: number }
 *   | { do: 'configure', scheduler: SchedulerSettings }} Action
 */

/** @typedef {Pick<SchedulerOptions, 'configuration' | 'featureGates' | 'plugins'>}
 *   SchedulerSettings */

/**
 * Something that the scheduler said. `logLine`: how many lines its log had before.
 * @typedef {{ record: EngineRecord, logLine: number }} Said
 */

/**
 * @typedef {object} WorldOptions
 * @property {Engine} engine
 * @property {SchedulerSettings} [scheduler]
 * @property {number} [startTime] default 2026-01-01
 * @property {number} [seed] of uids, names and ties; default 0
 * @property {boolean} [kubelet] whether pods that are bound run; default true
 * @property {(said: Said) => void} [onSaid]
 * @property {(error: unknown) => void} [onError] gets faults that are nobody's answer
 */

const START = Date.UTC(2026, 0, 1);

/** @type {readonly ControllerName[]} */
const CONTROLLERS = ['namespace', 'garbagecollector', 'workloads', 'disruption', 'volumes'];

export class World {
  #options;
  #clock;
  #server;
  #client;
  #writes;
  /** @type {FollowedScheduler | undefined} */
  #followed;
  /** When the scheduler wants to run again by itself. @type {number | null} */
  #deadline = null;
  #isIdle = true;

  /** @param {WorldOptions} options */
  constructor(options) {
    const { startTime = START, seed = 0, kubelet = true, onError = () => {} } = options;
    this.#options = { ...options, seed, onError };
    this.#clock = new SteppedClock(startTime);
    this.#server = createApiServer({
      clock: this.#clock,
      random: seededRandom(seed),
      controllers: kubelet ? [...CONTROLLERS, 'kubelet'] : CONTROLLERS,
      taintNodesByCondition: false,
      onError,
    });
    const { fetch } = this.#server;
    this.#client = createApiClient({ baseUrl: 'http://embedded', fetch });
    this.#writes = new ClusterWrites({ server: this.#server, client: this.#client });
  }

  /**
   * A world with nothing in it but its scheduler.
   * @param {WorldOptions} options
   * @returns {Promise<World>}
   * @throws {import('../../../js/src/errors.js').ConfigurationError}
   */
  static async open(options) {
    const world = new World(options);
    await world.#follow(options.scheduler);
    return world;
  }

  /** Milliseconds since the epoch. */
  get now() {
    return this.#clock.now();
  }

  /** Whether the scheduler has nothing to do at the present time. */
  get isIdle() {
    return this.#isIdle;
  }

  /** When something happens by itself; null: never. */
  get nextDeadline() {
    const times = [this.#deadline, this.#clock.nextDeadline].filter((time) => time !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** The API server, to be read and watched. */
  get server() {
    return this.#server;
  }

  /** The scheduler, to be asked. */
  get scheduler() {
    return this.#following.scheduler;
  }

  /** The scheduler's log: what `replay` takes. @returns {readonly string[]} */
  get log() {
    return this.#following.log;
  }

  /**
   * Does something, and all that follows from it at the present time.
   * @param {Action} action
   * @returns {Promise<{ errors: unknown[] }>} what of it was refused; the rest is done
   */
  async do(action) {
    switch (action.do) {
      case 'apply':
        return this.#each(action.objects, (object) => this.#writes.apply(object));
      case 'delete':
        return this.#each(action.objects, (reference) => this.#writes.delete(reference));
      case 'patch': {
        const { object, patch, subresource } = action;
        return this.#each([object], (one) => this.#writes.patch(one, patch, subresource));
      }
      case 'step':
        await this.#run(1);
        return { errors: [] };
      case 'scheduleOne':
        return this.#each([action.pod], async (pod) => this.#following.scheduleOne(pod), 1);
      case 'advance':
        await this.#advance(action.to);
        return { errors: [] };
      case 'wait':
        await this.#advance(this.now + action.for);
        return { errors: [] };
      case 'configure':
        return this.#each([action.scheduler], (scheduler) => this.#follow(scheduler));
    }
  }

  /** Ends it. */
  async dispose() {
    await this.#followed?.dispose();
    this.#server.dispose();
  }

  get #following() {
    if (!this.#followed) throw new Error('the world has no scheduler yet');
    return this.#followed;
  }

  /**
   * @template T
   * @param {T[]} all
   * @param {(one: T) => Promise<void>} make
   * @param {number} [cycles] that belong to it
   */
  async #each(all, make, cycles = 0) {
    /** @type {unknown[]} */
    const errors = [];
    for (const one of all) await make(one).catch((error) => errors.push(error));
    await this.#run(cycles);
    return { errors };
  }

  /**
   * Lets the time go by: whatever is due on the way happens at its time. The clock never moves on
   * while there is something to decide.
   * @param {number} to
   */
  async #advance(to) {
    await this.#decide();
    for (let due; (due = this.nextDeadline) !== null && due <= to;) {
      this.#clock.advanceTo(due);
      await this.#run(0);
      if (due < to) await this.#decide();
    }
    this.#clock.advanceTo(to);
    await this.#run(0);
  }

  async #decide() {
    while (!this.#isIdle) await this.#run(1);
  }

  /** @param {number} maxCycles */
  async #run(maxCycles) {
    const { nextDeadline, idle } = await this.#following.run(maxCycles);
    this.#deadline = nextDeadline;
    this.#isIdle = idle;
  }

  /** @param {SchedulerSettings} [settings] */
  async #follow(settings) {
    const { engine, seed, onSaid, onError } = this.#options;
    const next = new FollowedScheduler({
      engine,
      client: this.#client,
      options: { ...settings, clock: this.#clock, seed, moves: true },
      onTurn: ({ turn, logLine }) => {
        for (const record of turn.records) onSaid?.({ record, logLine });
      },
      onError,
    });
    await this.#followed?.dispose();
    this.#followed = next;
    await next.synced();
    await this.#run(0);
  }
}
