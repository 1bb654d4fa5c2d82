/**
 * A cluster with its scheduler, and a clock that stands still: every change is made by somebody,
 * and can be made again.
 */
import { createApiServer } from '../../../js/apiserver/index.js';
import { PLUGIN_METHODS } from '../../../js/src/index.js';
import { createApiClient } from '../../../js/src/informer.js';
import { ChangedParts } from './changed_parts.js';
import { ClusterWrites } from './cluster_writes.js';
import { withPluginsEnabled } from './enabled_plugins.js';
import { FollowedScheduler } from './followed_scheduler.js';
import { startLateControllers } from './late_controllers.js';
import { PluginModules } from './plugin_modules.js';
import { seededRandoms } from './seeded_random.js';
import { SteppedClock } from './stepped_clock.js';

/**
 * @import { ControllerName } from '../../../js/apiserver/index.js'
 * @import { Engine, EngineRecord, KubernetesObject } from '../../../js/src/index.js'
 * @import { Plugin, SchedulerOptions } from '../../../js/src/index.js'
 * @import { Moment } from './attempts.js'
 * @import { Deleted, ObjectReference } from './cluster_writes.js'
 * @import { PerformedCall } from './followed_scheduler.js'
 * @import { Watched } from './watched.js'
 * @import { PluginModule } from './plugin_modules.js'
 */

/**
 * What somebody does to a world. `step` is one cycle, `scheduleOne` that of a pod
 * (`namespace/name`); `evict` names pods likewise. `to` is in milliseconds since the epoch, `for`
 * in milliseconds.
 * @typedef {{ do: 'apply', objects: KubernetesObject[] }
 *   | { do: 'delete', objects: Deleted[] }
 *   | { do: 'evict', pods: string[] }
 *   | { do: 'patch', object: ObjectReference, patch: object, subresource?: string }
 *   | { do: 'step' }
 *   | { do: 'scheduleOne', pod: string }
 *   | { do: 'advance', to: number }
 *   | { do: 'wait', for: number }
 *   | { do: 'configure', scheduler: SchedulerSettings }} Action
 */

/**
 * What a scheduler is made of, as plain data. Plugins that the configuration does not name are
 * enabled at all their points.
 * @typedef {Pick<SchedulerOptions, 'configuration' | 'featureGates'> & { plugins?:
 *   PluginModule[] }} SchedulerSettings
 */

/**
 * A plugin of a person that is at work. `isAdded`: the configuration does not name it.
 * @typedef {{ name: string, points: string[], isAdded: boolean }} RunningPlugin
 */

/**
 * Something that the scheduler said, was told (`WatchedChanges`) or asked for (`Requested`), with
 * the time of it as `at`. `logLine`: how many lines its log had before.
 * @typedef {{ record: EngineRecord | ((WatchedChanges | Requested) & { at: string }), logLine:
 *   number }} Said
 */

/**
 * A call that the scheduler made. `outcome`: the status of HTTP, or the fault of the connection.
 * @typedef {{ kind: 'Request', pod: string, method: string, path: string, outcome: number | string,
 *   message: string }} Requested
 */

/**
 * @typedef {object} WorldOptions
 * @property {Engine} engine
 * @property {SchedulerSettings} [scheduler]
 * @property {PluginModules} [modules] loads its plugins
 * @property {number} [startTime] default 2026-01-01
 * @property {number} [seed] of uids, names and ties; default 0
 * @property {boolean} [kubelet] whether pods that are bound run; default true
 * @property {(said: Said) => void} [onSaid]
 * @property {(error: unknown) => void} [onError] gets faults that are nobody's answer
 */

/**
 * Is awaited before the clock moves on: `to` is when something happens next, or the end.
 * @typedef {(to: number) => Promise<unknown>} BeforeTime
 */

/**
 * Watch events, and what each of those that are named changed.
 * @typedef {Watched & { changes: string[][] }} WatchedChanges
 */

/** After so many writes the scheduler catches up, so that no watch is too slow for them. */
const AT_ONCE = 500;

const START = Date.UTC(2026, 0, 1);

/** Those that run from the start. @type {readonly ControllerName[]} */
const CONTROLLERS = ['namespace', 'workloads', 'disruption', 'volumes'];

/** How many new objects at once a watch is told of; more are listed. */
const MOST_WATCHED = 5000;

export class World {
  #options;
  #clock;
  #server;
  #client;
  #writes;
  #changedParts;
  /** @type {FollowedScheduler | undefined} */
  #followed;
  /** When the scheduler wants to run again by itself. @type {number | null} */
  #deadline = null;
  #isIdle = true;
  /** @type {SchedulerSettings} */
  #settings = {};
  /** Ends the late controllers; undefined: they do not run yet. @type {(() => void) | undefined} */
  #stopLate;
  /** @type {readonly RunningPlugin[]} */
  #plugins = [];

  /** @param {WorldOptions} options */
  constructor(options) {
    const { startTime = START, seed = 0, kubelet = true, onError = () => {} } = options;
    const { modules = new PluginModules() } = options;
    this.#options = { ...options, seed, onError, modules };
    this.#clock = new SteppedClock(startTime);
    this.#server = createApiServer({
      clock: this.#clock,
      random: seededRandoms(seed),
      controllers: CONTROLLERS,
      gracefulDeletion: kubelet,
      taintNodesByCondition: false,
      onError,
    });
    const { fetch } = this.#server;
    this.#client = createApiClient({ baseUrl: 'http://embedded', fetch });
    this.#changedParts = new ChangedParts(this.#server.store);
    this.#writes = new ClusterWrites({ client: this.#client, store: this.#server.store });
  }

  /**
   * A world with nothing in it but its scheduler.
   * @param {WorldOptions} options
   * @returns {Promise<World>}
   * @throws {import('../../../js/src/index.js').ConfigurationError}
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

  /** When something happens by itself, reports of nodes apart; null: never. */
  get nextDeadline() {
    return earliest(this.#deadline, this.#clock.nextDeadline);
  }

  /**
   * When something happens that somebody waits for; null: never. Nobody waits for pods to be tried
   * again without a cause, after five minutes.
   */
  get expectedDeadline() {
    const { queues, waiting } = this.scheduler.inspect();
    const isExpecting = queues.backoff.length > 0 || waiting.length > 0;
    return earliest(isExpecting ? this.#deadline : null, this.#clock.nextDeadline);
  }

  /** The API server, to be read and watched. */
  get server() {
    return this.#server;
  }

  /** The scheduler, to be asked. */
  get scheduler() {
    return this.#following.scheduler;
  }

  /** How things stand, to be asked about. @returns {Moment} */
  get moment() {
    const { scheduler, log } = this.#following;
    return { scheduler, log, line: log.length };
  }

  /** The scheduler's log: what `replay` takes. @returns {readonly string[]} */
  get log() {
    return this.#following.log;
  }

  /** What the scheduler was made of. */
  get settings() {
    return this.#settings;
  }

  /** Those of a person that are at work. */
  get plugins() {
    return this.#plugins;
  }

  /**
   * Whether there can be such a scheduler.
   * @param {SchedulerSettings} settings
   * @throws {import('./plugin_modules.js').PluginModuleError}
   * @throws {import('../../../js/src/index.js').ConfigurationError}
   */
  async check(settings) {
    const { options } = await this.#optionsOf(settings);
    this.#options.engine.createScheduler({ ...options, api: 'host' }).dispose();
  }

  /**
   * Does something, and all that follows from it at the present time.
   * @param {Action} action
   * @param {BeforeTime} [beforeTime]
   * @returns {Promise<{ errors: unknown[] }>} what of it was refused; the rest is done
   */
  async do(action, beforeTime) {
    if (!this.#stopLate) return this.#begin(action);
    switch (action.do) {
      case 'apply':
        return this.#each(action.objects, (object) => this.#writes.apply(object));
      case 'delete':
        return this.#each(action.objects, (reference) => this.#writes.delete(reference));
      case 'evict':
        return this.#each(action.pods, (pod) => this.#writes.evict(pod));
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
        await this.#advance(action.to, beforeTime);
        return { errors: [] };
      case 'wait':
        await this.#advance(this.now + action.for, beforeTime);
        return { errors: [] };
      case 'configure':
        return this.#each([action.scheduler], (scheduler) => this.#follow(scheduler));
    }
  }

  /** Ends it. */
  async dispose() {
    await this.#followed?.dispose();
    this.#stopLate?.();
    this.#server.dispose();
  }

  /**
   * The first thing: objects that are applied are all there before anybody looks at them.
   * @param {Action} action
   * @returns {Promise<{ errors: unknown[] }>}
   */
  async #begin(action) {
    /** @type {unknown[]} */
    const errors = [];
    if (action.do === 'apply')
      for (const object of action.objects) {
        try {
          this.#server.store.load(object);
        } catch (error) {
          errors.push(error);
        }
      }
    const { kubelet = true, onError } = this.#options;
    this.#stopLate = startLateControllers(this.#server.store, this.#clock, { kubelet, onError });
    if (action.do !== 'apply') return this.do(action);
    if (action.objects.length > MOST_WATCHED) await this.#follow(this.#options.scheduler);
    else await this.#run(0);
    return { errors };
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
    for (const [index, one] of all.entries()) {
      await make(one).catch((error) => errors.push(error));
      if (index % AT_ONCE === AT_ONCE - 1) await this.#following.settled();
    }
    await this.#run(cycles);
    return { errors };
  }

  /**
   * Lets the time go by: whatever is due on the way happens at its time. The clock never moves on
   * while there is something to decide.
   * @param {number} to
   * @param {BeforeTime} [beforeTime]
   */
  async #advance(to, beforeTime) {
    let announced = this.now;
    const announce = async () => {
      const next = Math.min(this.nextDeadline ?? to, to);
      if (next > announced) await beforeTime?.((announced = next));
    };
    await this.#decide();
    for (let due; (due = earliest(this.#deadline, this.#clock.nextWake)) !== null && due <= to;) {
      await announce();
      this.#clock.advanceTo(due);
      await this.#run(0);
      if (due < to) await this.#decide();
    }
    await announce();
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

  /** @param {SchedulerSettings} settings */
  async #optionsOf({ plugins: modules = [], ...settings }) {
    const plugins = await this.#options.modules.load(modules);
    const names = plugins.map((plugin) => plugin?.name);
    const { configuration, added } = withPluginsEnabled(settings.configuration, names);
    return { options: { ...settings, configuration, plugins }, plugins, added };
  }

  /** @param {Watched} watched @returns {WatchedChanges} */
  #withChanges(watched) {
    const changes = watched.versions.map((version) => this.#changedParts.of(version));
    return { ...watched, changes };
  }

  /** @param {SchedulerSettings} [settings] */
  async #follow(settings = {}) {
    const { engine, seed, onSaid, onError } = this.#options;
    const { options, plugins, added } = await this.#optionsOf(settings);
    const say = (/** @type {WatchedChanges | Requested} */ said) =>
      onSaid?.({ record: { ...said, at: new Date(this.now).toISOString() }, logLine: 0 });
    const next = new FollowedScheduler({
      engine,
      client: this.#client,
      options: { ...options, clock: this.#clock, seed, moves: true },
      onTurn: ({ turn, logLine }) => {
        for (const record of turn.records) onSaid?.({ record, logLine });
      },
      onWatched: (watched) => watched.forEach((one) => say(this.#withChanges(one))),
      onCall: (performed) => say(requested(performed)),
      onError,
    });
    await this.#followed?.dispose();
    this.#followed = next;
    this.#settings = settings;
    this.#plugins = plugins.map((plugin) => runningPlugin(plugin, added));
    await next.synced();
    await this.#run(0);
  }
}

/**
 * @param {Plugin} plugin
 * @param {string[]} added
 * @returns {RunningPlugin}
 */
function runningPlugin(plugin, added) {
  const { name } = plugin;
  const points = PLUGIN_METHODS.filter((method) => plugin[method]);
  return { name, points, isAdded: added.includes(name) };
}

/** @param {...(number | null)} times @returns {number | null} */
function earliest(...times) {
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

/** @param {PerformedCall} performed @returns {Requested} */
function requested({ call: { pod, method, path = '' }, answer }) {
  if (answer.error !== undefined)
    return { kind: 'Request', pod, method, path, outcome: answer.error, message: answer.message };
  const { status, body = '' } = answer;
  const text = () => (typeof body === 'string' ? body : new TextDecoder().decode(body));
  const message = status < 400 ? '' : (JSON.parse(text()).message ?? '');
  return { kind: 'Request', pod, method, path, outcome: status, message };
}
