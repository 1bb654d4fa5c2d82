/**
 * A cluster with its scheduler, and a clock that stands still. The world changes only by actions,
 * which can be repeated.
 */
import { createJsonApiServer } from '../../../js/apiserver/index.js';
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
 * @import { Plugin, Scheduler, SchedulerOptions } from '../../../js/src/index.js'
 * @import { Moment } from './attempts.js'
 * @import { Deleted, ObjectReference } from './cluster_writes.js'
 * @import { PerformedCall } from './followed_scheduler.js'
 * @import { Watched } from './watched.js'
 * @import { PluginModule } from './plugin_modules.js'
 */

/**
 * What can be done to a world. `step` is one cycle, `scheduleOne` that of a pod (`namespace/name`);
 * `evict` names pods likewise. `to` is in milliseconds since the epoch, `for` in milliseconds.
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
 * The settings of a scheduler, as plain data. Plugins that the configuration does not mention are
 * enabled at all their extension points.
 * @typedef {Pick<SchedulerOptions, 'configuration' | 'kubernetesVersion' |
 *   'featureGates'> & { plugins?: PluginModule[] }} SchedulerSettings
 */

/**
 * A plugin of the user that is running. `isAdded`: the configuration does not mention it.
 * @typedef {{ name: string, points: string[], isAdded: boolean }} RunningPlugin
 */

/**
 * A record of the scheduler, an input (`WatchedChanges`) or a call (`Requested`); `at` is its time.
 * `logLine`: the length of the log before it.
 * @typedef {{ record: EngineRecord | ((WatchedChanges | Requested) & { at: string }), logLine:
 *   number }} Said
 */

/**
 * A call that the scheduler made. `outcome`: the HTTP status, or the connection's fault.
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
 * @property {boolean} [kubelet] whether bound pods run; default true
 * @property {(said: Said) => void} [onSaid]
 * @property {(error: unknown) => void} [onError] gets faults that no answer reports
 */

/**
 * Awaited before the clock moves on. `to` is the time of the next event, or the end.
 * @typedef {(to: number) => Promise<unknown>} BeforeTime
 */

/**
 * Watch events, and for each named object the parts that changed.
 * @typedef {Watched & { changes: string[][] }} WatchedChanges
 */

/** After this many writes the scheduler catches up, so that no watch falls behind. */
const AT_ONCE = 500;

const START = Date.UTC(2026, 0, 1);

/** The controllers that run from the start. @type {readonly ControllerName[]} */
const CONTROLLERS = ['namespace', 'workloads', 'disruption', 'volumes', 'resourceclaims'];

/** The most new objects at once that a watch delivers; for more the informer lists again. */
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
  /** When the scheduler wants its next turn. @type {number | null} */
  #deadline = null;
  #isIdle = true;
  /** @type {SchedulerSettings} */
  #settings = {};
  /**
   * Ends the late controllers; undefined while they are not running.
   * @type {(() => void) | undefined}
   */
  #stopLate;
  /** @type {readonly RunningPlugin[]} */
  #plugins = [];

  /** @param {WorldOptions} options */
  constructor(options) {
    const { startTime = START, seed = 0, kubelet = true, onError = () => {} } = options;
    const { modules = new PluginModules() } = options;
    this.#options = { ...options, seed, onError, modules };
    this.#clock = new SteppedClock(startTime);
    this.#server = createJsonApiServer({
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
   * A world without objects. Its scheduler runs.
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

  /** When the next event is due, nodes' heartbeats aside; null if there is none. */
  get nextDeadline() {
    return earliest(this.#deadline, this.#clock.nextDeadline);
  }

  /**
   * When the next event is due that a user would wait for; null if there is none. It leaves out the
   * retry of unschedulable pods after five minutes, which happens without a cause.
   */
  get expectedDeadline() {
    const { queues, waiting } = this.scheduler.inspect();
    const isExpecting = queues.backoff.length > 0 || waiting.length > 0;
    return earliest(isExpecting ? this.#deadline : null, this.#clock.nextDeadline);
  }

  /** The API server, for reads and watches. */
  get server() {
    return this.#server;
  }

  /** The scheduler, for questions. */
  get scheduler() {
    return this.#following.scheduler;
  }

  /** The present state, for questions. @returns {Moment} */
  get moment() {
    const { scheduler, log } = this.#following;
    return { scheduler, log, line: log.length };
  }

  /** The scheduler's log, which `replay` takes. @returns {readonly string[]} */
  get log() {
    return this.#following.log;
  }

  /** The settings of the scheduler. */
  get settings() {
    return this.#settings;
  }

  /** The user's plugins that are running. */
  get plugins() {
    return this.#plugins;
  }

  /**
   * Throws if there cannot be such a scheduler.
   * @param {SchedulerSettings} settings
   * @throws {import('./plugin_modules.js').PluginModuleError}
   * @throws {import('../../../js/src/index.js').ConfigurationError}
   */
  async check(settings) {
    const { options } = await this.#optionsOf(settings);
    this.#options.engine.createScheduler({ ...options, api: 'host' }).dispose();
  }

  /**
   * Creates a scheduler with the present settings and without objects, which binds and evicts by
   * itself.
   * @returns {Promise<Scheduler>}
   */
  async simulation() {
    const { engine, seed } = this.#options;
    const { options } = await this.#optionsOf(this.#settings);
    const clock = { isVirtual: true, now: () => this.now, sleep: async () => {} };
    return engine.createScheduler({ ...options, clock, seed });
  }

  /**
   * An object as it is, and as a strategic merge patch would leave it.
   * @param {ObjectReference} reference
   * @param {object} patch
   */
  preview(reference, patch) {
    return this.#writes.preview(reference, patch);
  }

  /**
   * Does an action, and everything that follows from it at the present time.
   * @param {Action} action
   * @param {BeforeTime} [beforeTime]
   * @returns {Promise<{ errors: unknown[] }>} the errors of what was refused; the rest is done
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

  /** Disposes of the world. */
  async dispose() {
    await this.#followed?.dispose();
    this.#stopLate?.();
    this.#server.dispose();
  }

  /**
   * The first action. All objects exist before any controller or informer looks at them.
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
   * @param {number} [cycles] to run after them
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
   * Advances the clock; events on the way happen at their times. The clock never moves on while
   * there is something to decide.
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
