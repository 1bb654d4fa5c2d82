/** Plugins as text: ES modules that export plugins, loaded while the world runs. */
import {
  pending,
  skip,
  StowageError,
  unresolvable,
  unschedulable,
  wait,
} from '../../../js/src/index.js';
import { withStowageFrom } from './plugin_imports.js';

/** @import { Plugin } from '../../../js/src/index.js' */

/** `source`: the text of an ES module. @typedef {{ source: string }} PluginModule */

/** The module that plugins import as `stowage`. */
const STATUSES = Symbol.for('stowage.statuses');

const statuses = { pending, skip, unresolvable, unschedulable, wait };
const STATUS_NAMES = Object.keys(statuses).join(', ');
const STATUSES_MODULE = `const all = globalThis[Symbol.for("stowage.statuses")];
export const { ${STATUS_NAMES} } = all;`;

const NO_PLUGIN = "exports no plugin: export default { name: 'MyPlugin', filter() {} }";

/** A module that must not run, or fails to load. */
export class PluginModuleError extends StowageError {
  /** @override */
  name = 'PluginModuleError';

  /**
   * @param {'NotAgreed' | 'NotHere' | 'ForeignImport' | 'LoadFailed' | 'NoPlugins'} code
   * @param {string} message
   * @param {{ line?: number, column?: number, cause?: unknown }} [place] in its text, from 1
   */
  constructor(code, message, { line, column, cause } = {}) {
    super(code, message, { cause });
    this.line = line;
    this.column = column;
  }
}

/**
 * Loads modules, anew each time, so that their state begins anew too. Only modules that the user
 * agreed to run are loaded.
 */
export class PluginModules {
  #urlOf;
  #reasonAgainst;
  #beforeFirst;
  #ask;
  /** @type {Set<string>} */
  #agreed = new Set();
  /** @type {Set<string>} */
  #refused = new Set();
  /** What `beforeFirst` returned, once it was called. @type {Promise<void> | undefined} */
  #readied;
  /** The URL of the module that plugins import as `stowage`. @type {string | undefined} */
  #statusesUrl;

  /**
   * @param {{ urlOf?: (text: string) => string, reasonAgainst?: () => Promise<string>,
   *   beforeFirst?: () => Promise<void>, ask?: (sources: string[], reasonAgainst: string) =>
   *   Promise<boolean> }} [options] `urlOf` returns a URL from which a text can be imported;
   *   `reasonAgainst` returns why no plugin may run here even with the user's consent, empty if
   *   plugins may; `beforeFirst` is called before the first module runs; `ask` asks the user
   *   whether these modules may run, or only shows the reason against it
   */
  constructor({
    urlOf = blobUrl,
    reasonAgainst = async () => '',
    beforeFirst = async () => {},
    ask = async () => false,
  } = {}) {
    this.#urlOf = urlOf;
    this.#reasonAgainst = reasonAgainst;
    this.#beforeFirst = beforeFirst;
    this.#ask = ask;
  }

  /**
   * Why no plugin may run here, even with the user's consent; empty if plugins may.
   * @returns {Promise<string>}
   */
  reasonAgainst() {
    return this.#reasonAgainst();
  }

  /** @param {readonly PluginModule[]} modules that may run from now on */
  agree(modules) {
    for (const { source } of modules) this.#agreed.add(source);
  }

  /**
   * Asks the user if necessary, also after an earlier refusal.
   * @param {readonly PluginModule[]} modules
   * @returns {Promise<boolean>} whether the modules may run
   */
  async areAgreed(modules) {
    if (modules.length === 0) return true;
    const reason = await this.#reasonAgainst();
    if (reason !== '') return this.#ask([], reason);
    const unknown = modules.filter(({ source }) => !this.#agreed.has(source));
    if (unknown.length === 0) return true;
    const sources = unknown.map(({ source }) => source);
    const isAgreed = await this.#ask(sources, '');
    if (isAgreed) this.agree(unknown);
    else for (const source of sources) this.#refused.add(source);
    return isAgreed;
  }

  /**
   * @param {readonly PluginModule[]} modules
   * @returns {Promise<Plugin[]>} the exports of all modules; the engine checks whether they are
   *   plugins
   * @throws {PluginModuleError}
   */
  async load(modules) {
    const reason = modules.length === 0 ? '' : await this.#reasonAgainst();
    if (reason !== '') throw new PluginModuleError('NotHere', reason);
    const isRefused = modules.some(({ source }) => this.#isRefused(source));
    if (isRefused || !(await this.areAgreed(modules)))
      throw new PluginModuleError('NotAgreed', 'the user has not agreed to run this JavaScript');
    const all = await Promise.all(modules.map(({ source }) => this.#loadOne(source)));
    return all.flat();
  }

  /** @param {string} source */
  #isRefused(source) {
    return this.#refused.has(source) && !this.#agreed.has(source);
  }

  /** @param {string} source */
  async #loadOne(source) {
    this.#statusesUrl ??= this.#urlOf(STATUSES_MODULE);
    const module = withStowageFrom(source, this.#statusesUrl);
    if ('fault' in module) throw new PluginModuleError('ForeignImport', module.fault, module);
    this.#readied ??= this.#beforeFirst();
    await this.#readied;
    Reflect.set(globalThis, STATUSES, statuses);
    const url = this.#urlOf(module.text);
    try {
      return pluginsOf(await import(/* @vite-ignore */ url));
    } catch (cause) {
      if (cause instanceof PluginModuleError) throw cause;
      throw new PluginModuleError('LoadFailed', String(cause), { ...placeOf(cause, url), cause });
    } finally {
      URL.revokeObjectURL(url);
    }
  }
}

/**
 * The default export, one or a list, and all named exports.
 * @param {Record<string, any>} module
 * @returns {Plugin[]}
 */
function pluginsOf({ default: main, ...others }) {
  const named = Object.values(others).filter((value) => typeof value?.name === 'string');
  const plugins = [
    ...(main === undefined ? [] : [main].flat()),
    ...named.filter((value) => typeof value === 'object'),
  ];
  if (plugins.length === 0) throw new PluginModuleError('NoPlugins', NO_PLUGIN);
  return plugins;
}

/**
 * The place in the text at which an error was thrown, if the runtime reports it.
 * @param {any} error
 * @param {string} url of the text
 * @returns {{ line?: number, column?: number }}
 */
function placeOf(error, url) {
  const [, line, column] =
    String(error?.stack)
      .split(url)
      .at(1)
      ?.match(/^:(\d+)(?::(\d+))?/) ?? [];
  return {
    ...(line && { line: Number(line) }),
    ...(column && { column: Number(column) }),
  };
}

/** @param {string} text */
function blobUrl(text) {
  return URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
}
