/**
 * Runs plugins written in JavaScript: the engine calls one function, text in, text out, and the
 * host finds the plugin, the cycle and the nodes.
 */
import { ConfigurationError, PluginError } from '../kubernetes/errors.js';
import { schedulerNameOf } from '../kubernetes/pod_defaults.js';
import { NodeTable } from './node_infos.js';
import {
  answerOf,
  atOnce,
  chunkOf,
  linesOf,
  normalized,
  outcomeOf,
  permitOf,
  PLUGIN_METHODS,
  scoreOf,
  statusesOf,
} from './answers.js';
import { PluginEvents } from './events.js';
import { makeHandle } from './handle.js';
import { skip } from '../engine/statuses.js';
import { isPromise, isRecord, itemsIn, own, wellFormedJson } from '../kubernetes/values.js';

/**
 * @import { PluginEngine } from './handle.js'
 * @import { Plugin, PluginHandle, PluginMethods, PluginStatus } from './types.js'
 * @import { Answer, Call } from '../engine/types.js'
 */

/** PluginHost runs the plugins of one scheduler. */
export class PluginHost {
  /** By plugin, then by profile. @type {Map<string, Map<string, PluginMethods>>} */
  #methods = new Map();
  /** By plugin. @type {Map<string, PluginEvents>} */
  #events = new Map();
  /** The state of each cycle, by the engine's number. @type {Map<number, Cycle>} */
  #cycles = new Map();
  #decoder = new TextDecoder();
  /** The plugins that the profiles enable. @type {Set<string>} */
  #enabled;
  #nodes;
  #onError;

  /**
   * @param {{ plugins?: Plugin[], configuration?: unknown, onPluginError?: (error: PluginError) =>
   *   void }} options
   * @param {PluginEngine} engine
   * @throws {ConfigurationError | PluginError}
   */
  constructor({ plugins = [], configuration, onPluginError }, engine) {
    this.#nodes = new NodeTable(engine.inspect);
    this.#onError = onPluginError ?? (() => {});
    const profiles = profilesOf(configuration);
    this.#enabled = new Set(profiles.flatMap(({ enabled }) => enabled));
    for (const [index, plugin] of plugins.entries()) {
      checkPlugin(plugin, index, this.#methods);
      const made = new Map();
      for (const { schedulerName, args } of profiles) {
        const handle = makeHandle(engine, plugin.name, schedulerName);
        made.set(schedulerName, create(plugin, handle, own(args, plugin.name)));
      }
      this.#methods.set(plugin.name, made);
      this.#events.set(plugin.name, new PluginEvents(made, `plugins[${index}]`));
    }
  }

  /** The declarations for the engine: names, the methods that exist in any profile, and events. */
  get declarations() {
    return [...this.#methods].map(([name, byProfile]) => {
      const all = [...byProfile.values()];
      const has = (/** @type {keyof PluginMethods} */ method) =>
        all.some((methods) => typeof methods[method] === 'function');
      const events = this.#events.get(name)?.declarations;
      return { name, methods: PLUGIN_METHODS.filter(has), ...(events && { events }) };
    });
  }

  /** Plugins that were passed and that no profile enables, so that the engine never calls them. */
  get idle() {
    return [...this.#methods.keys()].filter((name) => !this.#enabled.has(name));
  }

  /**
   * The bridge. It never throws: an exception of a plugin becomes its Error status.
   * @param {string} text
   * @returns {string}
   */
  call = (text) => {
    const request = JSON.parse(text);
    this.#nodes.update(request);
    const cycle = this.#cycleOf(request);
    try {
      const answer = this.#answer(request, cycle, this.#methodsOf(request));
      return answer === undefined ? '' : wellFormedJson(answer);
    } catch (cause) {
      const status = this.#failed(request, cycle, cause);
      // If a hint fails, it is unknown whether the event helps, so the pod is retried.
      return wellFormedJson(request.point === 'queueingHint' ? { hint: 'Queue' } : { status });
    }
  };

  /**
   * Performs calls that the engine made together. Never throws or rejects: failures of a plugin are
   * answers.
   * @param {Call[]} calls of kind `plugin`
   * @returns {{ call: Call, answer: Answer | Promise<Answer> }[]} promises only where the method
   *   returned one
   */
  perform(calls) {
    return calls.map((call) => ({ call, answer: this.#perform(call) }));
  }

  /**
   * Reports a failure of a plugin outside of its methods.
   * @param {string} plugin
   * @param {string} point
   * @param {unknown} cause
   */
  report(plugin, point, cause) {
    this.#notify(new PluginError({ plugin, point, cause }));
  }

  /**
   * @param {Call} call
   * @returns {Answer | Promise<Answer>}
   */
  #perform({ target: plugin = '', verb: point, body }) {
    const request = JSON.parse(this.#decoder.decode(body));
    const { profile, pod, nodeName } = request;
    const cycle = { ...this.#cycleOf(request), pod };
    const methods = this.#methodsOf({ plugin, profile });
    const succeed = (/** @type {any} */ result) => answerOf(outcomeOf(result));
    const fail = (/** @type {unknown} */ cause) =>
      answerOf({ status: this.#failed({ plugin, point }, cycle, cause) });
    const method = methods[/** @type {'preBind' | 'bind' | 'postBind'} */ (point)];
    // Another profile has the method.
    if (!method) return succeed(point === 'bind' ? skip() : undefined);
    try {
      checkState(cycle);
      const result = method.call(methods, cycle.state, pod, nodeName);
      return isPromise(result)
        ? Promise.resolve(result).then(succeed).catch(fail)
        : succeed(result);
    } catch (cause) {
      return fail(cause);
    }
  }

  /**
   * @param {{ plugin: string, profile: string }} callee
   * @returns {PluginMethods}
   */
  #methodsOf({ plugin, profile }) {
    return this.#methods.get(plugin)?.get(profile) ?? {};
  }

  /**
   * @param {any} request
   * @param {Cycle} cycle
   * @param {PluginMethods} methods
   */
  #answer(request, cycle, methods) {
    checkState(cycle);
    const { state, pod } = cycle;
    const { point } = request;
    const ask = (/** @type {any[]} */ ...args) =>
      atOnce(/** @type {any} */ (methods)[point]?.(...args));
    switch (point) {
      case 'preEnqueue':
        return outcomeOf(ask(pod));
      case 'queueingHint':
        return { hint: this.#events.get(request.plugin)?.hint(request) };
      case 'preFilter':
        return outcomeOf(ask(state, pod, this.#nodes.all()), ['nodeNames']);
      case 'addPod':
      case 'removePod':
        return outcomeOf(ask(state, pod, request.other, this.#nodes.node(request)));
      case 'filter':
        return statusesOf(this.#filter(methods, state, pod, [this.#nodes.node(request)]))?.first;
      case 'filterChunk': {
        const { rows, offsets } = chunkOf(request);
        const nodes = rows.map((row) => this.#nodes.at(row));
        return statusesOf(this.#filter(methods, state, pod, nodes), offsets)?.all;
      }
      case 'postFilter':
        return outcomeOf(ask(state, pod, this.#nodes.statuses(request)), ['nominatedNodeName']);
      case 'preScore':
        return outcomeOf(ask(state, pod, this.#nodes.some(request.nodes)));
      case 'score':
        return { scores: [scoreOf(ask(state, pod, this.#nodes.node(request)))] };
      case 'scoreChunk': {
        const { rows } = chunkOf(request);
        const scores = rows.map((row) => methods.score?.(state, pod, this.#nodes.at(row)));
        return { scores: atOnce(scores).map(scoreOf) };
      }
      case 'scoreNotes':
        return { lines: linesOf(ask(state, pod, this.#nodes.node(request))) };
      case 'normalizeScore':
        return normalized(this.#nodes.some(request.nodes), request.scores, (scores) =>
          ask(state, pod, scores),
        );
      case 'reserve':
        return outcomeOf(ask(state, pod, request.nodeName));
      case 'unreserve':
        ask(state, pod, request.nodeName);
        return undefined;
      case 'permit':
        return permitOf(ask(state, pod, request.nodeName));
      default:
        throw new Error(`the engine asks for ${point}`);
    }
  }

  /**
   * Returns one status per node, from `filterChunk` or `filter`.
   * @param {PluginMethods} methods
   * @param {Map<any, any>} state
   * @param {any} pod
   * @param {import('./types.js').NodeInfo[]} nodes
   * @returns {PluginStatus[]}
   */
  #filter(methods, state, pod, nodes) {
    if (!methods.filterChunk)
      return atOnce(nodes.map((node) => methods.filter?.(state, pod, node)));
    const statuses = atOnce(methods.filterChunk(state, pod, nodes));
    if (Array.isArray(statuses) && statuses.length === nodes.length) return statuses;
    throw new TypeError(`filterChunk must return ${nodes.length} statuses, one for each node`);
  }

  /**
   * @param {any} request
   * @returns {Cycle}
   */
  #cycleOf({ ops = [], state: number, pod }) {
    for (const [verb, ...numbers] of ops) {
      if (verb === 'drop') this.#cycles.delete(numbers[0]);
      else this.#clone(numbers[0], numbers[1]);
    }
    if (number === undefined) return { state: new Map(), pod };
    let cycle = this.#cycles.get(number);
    if (!cycle) {
      cycle = { state: new Map(), pod };
      this.#cycles.set(number, cycle);
    }
    cycle.pod ??= pod;
    return cycle;
  }

  /** @param {number} from @param {number} to */
  #clone(from, to) {
    const original = this.#cycles.get(from);
    if (original) this.#cycles.set(to, { ...original, ...copyOf(original.state) });
  }

  /**
   * @param {{ plugin: string, point: string }} request
   * @param {Cycle} cycle
   * @param {unknown} cause
   */
  #failed({ plugin, point }, { pod }, cause) {
    const { namespace = 'default', name } = pod.metadata;
    const error = new PluginError({ plugin, point, pod: `${namespace}/${name}`, cause });
    this.#notify(error);
    return { code: 'Error', message: error.message };
  }

  /** @param {PluginError} error */
  #notify(error) {
    // Called in a microtask, so that an exception of the listener does not pass through the engine.
    queueMicrotask(() => this.#onError(error));
  }
}

/**
 * The state of a cycle; `fault` if its state could not be copied.
 * @typedef {{ state: Map<any, any>, pod: any, fault?: { cause: unknown } }} Cycle
 */

/**
 * Copies a cycle's state. If a value throws in its `clone`, the plugin that is called with the copy
 * gets the error: copies are made with the next call to any plugin.
 * @param {Map<any, any>} state
 * @returns {Pick<Cycle, 'state' | 'fault'>}
 */
function copyOf(state) {
  try {
    const copy = new Map();
    for (const [key, value] of state)
      copy.set(key, typeof value?.clone === 'function' ? value.clone() : value);
    return { state: copy };
  } catch (cause) {
    return { state: new Map(), fault: { cause } };
  }
}

/** @param {Cycle} cycle @throws {unknown} the exception of a value's `clone` */
function checkState({ fault }) {
  if (fault) throw fault.cause;
}

/**
 * Returns the profiles of a configuration with the arguments of their plugins, and the names of the
 * enabled ones. The engine reports the configuration's faults, in kube-scheduler's words.
 * @param {unknown} configuration
 * @returns {{ schedulerName: string, args: Record<string, unknown>, enabled: string[] }[]}
 */
function profilesOf(configuration) {
  const parsed = parsedOrNothing(configuration);
  const profiles = Array.isArray(parsed?.profiles) ? parsed.profiles : [];
  return (profiles.length > 0 ? profiles : [{}]).map((/** @type {any} */ profile) => {
    const configs = Array.isArray(profile?.pluginConfig) ? profile.pluginConfig : [];
    const entries = configs.map((/** @type {any} */ config) => [config?.name, config?.args]);
    const sets = isRecord(profile?.plugins) ? Object.values(profile.plugins) : [];
    const enabled = sets.flatMap((set) => itemsIn(set?.enabled).map((plugin) => plugin?.name));
    return { schedulerName: schedulerNameOf(profile), args: Object.fromEntries(entries), enabled };
  });
}

/** @param {any} configuration */
function parsedOrNothing(configuration) {
  const bytes = configuration instanceof Uint8Array;
  if (!bytes && typeof configuration !== 'string') return configuration;
  try {
    return JSON.parse(bytes ? new TextDecoder().decode(configuration) : configuration);
  } catch {
    return undefined;
  }
}

/**
 * @param {Plugin} plugin
 * @param {PluginHandle} handle
 * @param {unknown} args
 * @returns {PluginMethods}
 */
function create(plugin, handle, args) {
  if (!plugin.create) return plugin;
  try {
    const methods = atOnce(plugin.create(args, handle));
    if (methods !== null && typeof methods === 'object') return methods;
    throw new TypeError(`create must return an object with methods, not ${String(methods)}`);
  } catch (cause) {
    throw new PluginError({ plugin: plugin.name, point: 'create', cause });
  }
}

/**
 * @param {any} plugin
 * @param {number} index
 * @param {Map<string, any>} known
 */
function checkPlugin(plugin, index, known) {
  const field = `plugins[${index}]`;
  const fail = (/** @type {string} */ detail) => {
    throw new ConfigurationError(`${field}: ${detail}`, [{ field, detail }]);
  };
  if (plugin === null || typeof plugin !== 'object') fail('Invalid value: must be an object');
  if (typeof plugin.name !== 'string' || plugin.name === '') fail('name: Required value');
  if (known.has(plugin.name)) fail(`name: Duplicate value: "${plugin.name}"`);
  const methods = ['create', ...PLUGIN_METHODS];
  const wrong = methods.find((name) => !['function', 'undefined'].includes(typeof plugin[name]));
  if (wrong) fail(`${wrong}: Invalid value: must be a function`);
  if (!methods.some((name) => plugin[name]))
    fail(`Invalid value: plugin "${plugin.name}" has none of ${methods.join(', ')}`);
}
