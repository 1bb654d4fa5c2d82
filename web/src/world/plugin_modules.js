/** Plugins as text: modules whose exports are plugins, loaded while the world runs. */
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

/** Where modules find what `stowage` exports for plugins. */
const STATUSES = Symbol.for('stowage.statuses');

const statuses = { pending, skip, unresolvable, unschedulable, wait };
const STATUS_NAMES = Object.keys(statuses).join(', ');
const STATUSES_MODULE = `const all = globalThis[Symbol.for("stowage.statuses")];
export const { ${STATUS_NAMES} } = all;`;

const NO_PLUGIN = "exports no plugin: export default { name: 'MyPlugin', filter() {} }";

/** A module that is not to be run, or cannot be. */
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
 * Loads modules, each time anew: what one keeps for itself begins anew as well. Only what a person
 * agreed to is run.
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
  #isFirst = true;
  /** Where texts find what `stowage` exports. @type {string | undefined} */
  #statusesUrl;

  /**
   * @param {{ urlOf?: (text: string) => string, reasonAgainst?: () => Promise<string>,
   *   beforeFirst?: () => void, ask?: (sources: string[], reasonAgainst: string) =>
   *   Promise<boolean> }} [options] `urlOf`: where a text can be imported from; `reasonAgainst`:
   *   why none is run here, whoever agrees, empty: one may be; `beforeFirst` is done before
   *   anything is run; `ask`: whether a person wants these to be run, who is only told a reason
   */
  constructor({
    urlOf = blobUrl,
    reasonAgainst = async () => '',
    beforeFirst = () => {},
    ask = async () => false,
  } = {}) {
    this.#urlOf = urlOf;
    this.#reasonAgainst = reasonAgainst;
    this.#beforeFirst = beforeFirst;
    this.#ask = ask;
  }

  /** Why no plugin is run here, whoever agrees; empty: one may be. @returns {Promise<string>} */
  reasonAgainst() {
    return this.#reasonAgainst();
  }

  /** @param {readonly PluginModule[]} modules that may be run from now on */
  agree(modules) {
    for (const { source } of modules) this.#agreed.add(source);
  }

  /**
   * Asks the person, if need be, also where the answer has been no.
   * @param {readonly PluginModule[]} modules
   * @returns {Promise<boolean>} whether they may be run
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
   * @returns {Promise<Plugin[]>} those of all modules; whether they are any the engine says
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
    if (this.#isFirst) this.#beforeFirst();
    this.#isFirst = false;
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
 * The default export, one or a list, and all others that have a name.
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
 * Where in the text something was thrown, as far as the runtime tells.
 * @param {any} error
 * @param {string} url of the text
 * @returns {{ line?: number, column?: number }}
 */
export function placeOf(error, url) {
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
