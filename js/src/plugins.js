/**
 * Plugins written in JavaScript, at work: the engine asks over one function, text in, text out, and
 * this end finds the plugin, the cycle and the nodes that are meant.
 */
import { ConfigurationError, PluginError } from './errors.js';
import { NodeTable } from './node_infos.js';
import {
  chunkOf,
  normalized,
  outcomeOf,
  PLUGIN_METHODS,
  scoreOf,
  statusesOf,
} from './plugin_answers.js';

/** @import { Plugin, PluginMethods, PluginStatus } from './plugin_types.js' */

/** PluginHost runs the plugins of one scheduler. */
export class PluginHost {
  /** By plugin, then by profile. @type {Map<string, Map<string, PluginMethods>>} */
  #methods = new Map();
  /** The state of each cycle, by the engine's number. @type {Map<number, Cycle>} */
  #cycles = new Map();
  #nodes;
  #onError;

  /**
   * @param {{ plugins?: Plugin[], configuration?: unknown, onPluginError?: (error: PluginError) =>
   *   void }} options
   * @param {(query: object) => any} inspect asks the engine, also from inside a call
   * @throws {ConfigurationError | PluginError}
   */
  constructor({ plugins = [], configuration, onPluginError }, inspect) {
    this.#nodes = new NodeTable(inspect);
    this.#onError = onPluginError ?? (() => {});
    const profiles = profilesOf(configuration);
    for (const [index, plugin] of plugins.entries()) {
      checkPlugin(plugin, index, this.#methods);
      const made = profiles.map(({ schedulerName, args }) => [
        schedulerName,
        create(plugin, schedulerName, args[plugin.name]),
      ]);
      this.#methods.set(plugin.name, new Map(/** @type {any} */ (made)));
    }
  }

  /** What the engine has to know: names, and the methods that there are in any profile. */
  get declarations() {
    return [...this.#methods].map(([name, byProfile]) => {
      const all = [...byProfile.values()];
      const has = (/** @type {keyof PluginMethods} */ method) =>
        all.some((methods) => typeof methods[method] === 'function');
      return { name, methods: PLUGIN_METHODS.filter(has) };
    });
  }

  /**
   * The bridge. It never throws: what a plugin does wrong becomes its Error status.
   * @param {string} text
   * @returns {string}
   */
  call = (text) => {
    const request = JSON.parse(text);
    this.#nodes.update(request);
    const cycle = this.#cycleOf(request);
    const methods = this.#methods.get(request.plugin)?.get(request.profile) ?? {};
    try {
      const answer = this.#answer(request, cycle, methods);
      return answer === undefined ? '' : JSON.stringify(answer);
    } catch (cause) {
      return JSON.stringify({ status: this.#failed(request, cycle, cause) });
    }
  };

  /**
   * @param {any} request
   * @param {Cycle} cycle
   * @param {PluginMethods} methods
   */
  #answer(request, { state, pod }, methods) {
    const { point } = request;
    switch (point) {
      case 'preFilter':
        return outcomeOf(methods.preFilter?.(state, pod, this.#nodes.all()), ['nodeNames']);
      case 'addPod':
      case 'removePod':
        return outcomeOf(
          methods[/** @type {'addPod'} */ (point)]?.(
            state,
            pod,
            request.other,
            this.#nodes.node(request),
          ),
        );
      case 'filter':
        return statusesOf(this.#filter(methods, state, pod, [this.#nodes.node(request)]))?.first;
      case 'filterChunk': {
        const { rows, offsets } = chunkOf(request);
        const nodes = rows.map((row) => this.#nodes.at(row));
        return statusesOf(this.#filter(methods, state, pod, nodes), offsets)?.all;
      }
      case 'postFilter':
        return outcomeOf(methods.postFilter?.(state, pod, this.#nodes.statuses(request)), [
          'nominatedNodeName',
        ]);
      case 'preScore':
        return outcomeOf(methods.preScore?.(state, pod, this.#nodes.some(request.nodes)));
      case 'score':
        return { scores: [scoreOf(methods.score?.(state, pod, this.#nodes.node(request)))] };
      case 'scoreChunk': {
        const { rows } = chunkOf(request);
        return {
          scores: rows.map((row) => scoreOf(methods.score?.(state, pod, this.#nodes.at(row)))),
        };
      }
      case 'normalizeScore':
        return normalized(this.#nodes.some(request.nodes), request.scores, (scores) =>
          methods.normalizeScore?.(state, pod, scores),
        );
      case 'reserve':
        return outcomeOf(methods.reserve?.(state, pod, request.nodeName));
      case 'unreserve':
        methods.unreserve?.(state, pod, request.nodeName);
        return undefined;
      default:
        throw new Error(`the engine asks for ${point}`);
    }
  }

  /**
   * One status per node, however the plugin is written.
   * @param {PluginMethods} methods
   * @param {Map<any, any>} state
   * @param {any} pod
   * @param {import('./plugin_types.js').NodeInfo[]} nodes
   * @returns {PluginStatus[]}
   */
  #filter(methods, state, pod, nodes) {
    if (!methods.filterChunk) return nodes.map((node) => methods.filter?.(state, pod, node));
    const statuses = methods.filterChunk(state, pod, nodes);
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
    if (!original) return;
    const entries = [...original.state].map(([key, value]) => [
      key,
      typeof value?.clone === 'function' ? value.clone() : value,
    ]);
    this.#cycles.set(to, { pod: original.pod, state: new Map(/** @type {any} */ (entries)) });
  }

  /**
   * @param {any} request
   * @param {Cycle} cycle
   * @param {unknown} cause
   */
  #failed({ plugin, point }, { pod }, cause) {
    const { namespace = 'default', name } = pod.metadata;
    const error = new PluginError({ plugin, point, pod: `${namespace}/${name}`, cause });
    // What the listener throws is its own matter, and must not pass through the engine.
    queueMicrotask(() => this.#onError(error));
    return { code: 'Error', message: error.message };
  }
}

/** @typedef {{ state: Map<any, any>, pod: any }} Cycle */

/**
 * The profiles of a configuration with the arguments of their plugins. What is wrong with it the
 * engine says, in kube-scheduler's words.
 * @param {unknown} configuration
 * @returns {{ schedulerName: string, args: Record<string, unknown> }[]}
 */
function profilesOf(configuration) {
  const parsed = parsedOrNothing(configuration);
  const profiles = Array.isArray(parsed?.profiles) ? parsed.profiles : [];
  return (profiles.length > 0 ? profiles : [{}]).map((/** @type {any} */ profile) => {
    const configs = Array.isArray(profile?.pluginConfig) ? profile.pluginConfig : [];
    const entries = configs.map((/** @type {any} */ config) => [config?.name, config?.args]);
    const { schedulerName = 'default-scheduler' } = profile ?? {};
    return { schedulerName, args: Object.fromEntries(entries) };
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
 * @param {string} schedulerName
 * @param {unknown} args
 * @returns {PluginMethods}
 */
function create(plugin, schedulerName, args) {
  if (!plugin.create) return plugin;
  try {
    return plugin.create(args, Object.freeze({ schedulerName }));
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
