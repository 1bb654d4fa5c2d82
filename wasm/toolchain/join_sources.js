/**
 * Groups sources that can be compiled as one. Two sources conflict if a name in an anonymous
 * namespace of one also appears in that of the other, or in a header that the other includes.
 *
 * `node join_sources.js FOLDER SIZE SOURCE…` prints a line per batch, its sources separated by
 * semicolons as in CMake's lists. Includes are relative to FOLDER; SIZE is the most sources of a
 * batch. See joined_sources.cmake.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A declaration begins a line, as clang-format leaves it. Specializations declare nothing new. */
const DECLARATIONS = [
  /^(?:struct|class|union|enum class|enum|using|concept) (\w+)[ :{=;\n]/gm,
  /^[A-Za-z][^\n(){}=#"]*[ *&](\w+)\(/gm,
  /^(?:constexpr|const|static|inline) [^\n(){}="]*[ *&>](\w+)(?:\[\w*\])? *[={]/gm,
];

/** @param {string} text  C++ @returns {Set<string>} the names declared outside of classes */
export function namesIn(text) {
  return new Set(DECLARATIONS.flatMap((form) => [...text.matchAll(form)].map(([, name]) => name)));
}

/** @param {string} text @returns {Set<string>} the names in its anonymous namespaces */
export function ownNamesIn(text) {
  const parts = text.matchAll(/^namespace \{\n(.*?)^\}  \/\/ namespace$/gms);
  return namesIn([...parts].map(([, part]) => part).join('\n'));
}

/** @typedef {{ own: Set<string>, included: Set<string> }} Names */

/** Reads sources, and each header of a folder once. */
class Reader {
  /** @type {Map<string, { names: Set<string>, headers: string[] }>} */
  #headers = new Map();

  /** @param {string} folder the folder to which includes are relative */
  constructor(folder) {
    this.folder = folder;
  }

  /** @param {string} path @returns {Names} */
  namesOf(path) {
    const text = readFileSync(path, 'utf8');
    const all = new Set(this.#includesOf(text));
    // The loop also visits the headers that it adds to the set.
    for (const header of all) this.#header(header).headers.forEach((one) => all.add(one));
    const included = new Set([...all].flatMap((header) => [...this.#header(header).names]));
    return { own: ownNamesIn(text), included };
  }

  /** @param {string} text */
  #includesOf(text) {
    return [...text.matchAll(/^#include "([^"]+)"/gm)].map(([, path]) => path);
  }

  /** @param {string} path */
  #header(path) {
    let header = this.#headers.get(path);
    if (!header) {
      const file = join(this.folder, path);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      header = { names: namesIn(text), headers: this.#includesOf(text) };
      this.#headers.set(path, header);
    }
    return header;
  }
}

/** @param {Names} one @param {Names} other */
function conflict(one, other) {
  const isIn = (/** @type {Set<string>} */ names, /** @type {Names} */ { own, included }) =>
    [...names].some((name) => own.has(name) || included.has(name));
  return isIn(one.own, other) || isIn(other.own, one);
}

/**
 * @param {string} folder the folder to which includes are relative
 * @param {number} size  of a batch, at most
 * @param {string[]} sources  paths
 * @returns {string[][]} batches, in the order of their first sources
 */
export function batchesOf(folder, size, sources) {
  const reader = new Reader(folder);
  /** @type {{ sources: string[], names: Names[] }[]} */
  const batches = [];
  for (const source of sources) {
    const names = reader.namesOf(source);
    let batch = batches.find(
      (one) => one.sources.length < size && !one.names.some((other) => conflict(names, other)),
    );
    if (!batch) batches.push((batch = { sources: [], names: [] }));
    batch.sources.push(source);
    batch.names.push(names);
  }
  return batches.map((batch) => batch.sources);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, size, ...sources] = process.argv.slice(2);
  for (const batch of batchesOf(folder, Number(size), sources)) console.log(batch.join(';'));
}
