/** A sink that keeps what it gets, and what is there when it has read it. */
import { InputError } from '../../../js/src/kubernetes/errors.js';

const SOURCES_OF_NOTHING = new Map();

export class RecordingSink {
  /** Every line, as text. @type {string[]} */
  lines = [];
  /** What each call got: the resource, and how many bytes. @type {[string, number][]} */
  calls = [];
  /** By resource the objects, by name. @type {Map<string, Map<string, any>>} */
  #objects = new Map();
  /** By resource the names that a list has named so far. @type {Map<string, Set<string>>} */
  #lists = new Map();

  /** @param {Uint8Array} bytes @param {any} options */
  apply(bytes, { format, source, onError }) {
    if (format !== 'lines') throw new Error(format);
    this.calls.push([source, bytes.length]);
    const result = {};
    for (const line of new TextDecoder().decode(bytes).split('\n')) {
      if (!line.trim()) continue;
      this.lines.push(line);
      try {
        Object.assign(result, this.#take(source, JSON.parse(line)));
      } catch (cause) {
        onError(new InputError({ code: 'MalformedJson', detail: cause.message }));
      }
    }
    return result;
  }

  /** @param {string} source @returns {string[]} */
  names(source) {
    return [...(this.#objects.get(source) ?? SOURCES_OF_NOTHING).keys()].sort();
  }

  /** @param {string} source @returns {Record<string, string>} versions by name */
  versions(source) {
    const objects = [...(this.#objects.get(source) ?? SOURCES_OF_NOTHING)].sort();
    return Object.fromEntries(
      objects.map(([name, { metadata }]) => [name, metadata.resourceVersion]),
    );
  }

  /** What kind of lines there were: types, and `LIST`. */
  get types() {
    return this.lines.map((line) => JSON.parse(line).type ?? 'LIST');
  }

  /** @param {string} source @param {any} item */
  #take(source, item) {
    const { type, object } = item;
    if (!this.#objects.has(source)) this.#objects.set(source, new Map());
    if (type === 'SYNC_BEGIN') return void this.#lists.set(source, new Set());
    if (type === 'SYNC_END') return this.#endList(source);
    if (type === 'ERROR') return { status: object };
    if (!type) for (const listed of item.items ?? []) this.#put(source, listed);
    else if (type === 'DELETED') this.#objects.get(source)?.delete(nameOf(object));
    else if (type !== 'BOOKMARK') this.#put(source, object);
    return { resourceVersion: (object ?? item).metadata.resourceVersion };
  }

  /** @param {string} source @param {any} object */
  #put(source, object) {
    this.#objects.get(source)?.set(nameOf(object), object);
    this.#lists.get(source)?.add(nameOf(object));
  }

  /** @param {string} source */
  #endList(source) {
    const named = this.#lists.get(source);
    if (!named) throw new Error(`SYNC_END of ${source} without SYNC_BEGIN`);
    for (const name of this.names(source))
      if (!named.has(name)) this.#objects.get(source)?.delete(name);
    this.#lists.delete(source);
    return {};
  }
}

/** @param {any} object */
function nameOf({ metadata: { namespace, name } }) {
  return namespace ? `${namespace}/${name}` : name;
}
