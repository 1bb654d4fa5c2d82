/**
 * Names the functions of the WebAssembly module. Three files of the build say where a function is
 * from: the module, the symbol map (the name of each function), and the symbols of our libraries.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repository } from './paths.js';

/** The folder of the module's build. */
export const BUILD = join(repository, 'build/wasm');

/** The module as it was linked, before it is split (split_module.js). */
export const WHOLE = 'stowage.whole.wasm';
const SYMBOLS = 'stowage.symbols';
const LIBRARY_SYMBOLS = 'stowage.libraries';

/** @typedef {{ module: Uint8Array, symbols: string, libraries: string }} BuiltModule */

/** The folder of code that is not ours: Emscripten, libc, libc++, fmt and nlohmann_json. */
export const LIBRARIES = 'libraries';

/** Names differ in spaces and in the suffixes of clones. @param {string} name */
const keyOf = (name) => name.replace(/ \(\.[\w.]+\)$/, '').replace(/\W/g, '');

/**
 * The folders of each symbol that our libraries define: of an inline function, several.
 *
 * @param {string} text lines `…/build/wasm/core/api/libstowage_api.a:stowage_api-0.cc.o: symbol`
 */
function foldersBySymbol(text) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const line of text.split('\n')) {
    const [, folder, symbol] =
      /^(?:\S*\/build\/wasm\/)?(\S+)\/lib\w+\.a:[^:]+: (.+)$/.exec(line) ?? [];
    if (!folder) continue;
    const key = keyOf(symbol);
    const folders = found.get(key);
    if (!folders) found.set(key, [folder]);
    else if (!folders.includes(folder)) folders.push(folder);
  }
  return found;
}

/** @param {string} text lines `index:name` */
export function namesByIndex(text) {
  const lines = [...text.matchAll(/^(\d+):(.+)$/gm)];
  return new Map(lines.map(([, index, name]) => [Number(index), name]));
}

/**
 * The folders of each function of the module, by its index.
 *
 * @param {{ names: Map<number, string>, libraries: string }} built
 * @returns {Map<number, string[]>}
 */
export function foldersByIndex({ names, libraries }) {
  const folders = foldersBySymbol(libraries);
  return new Map([...names].map(([at, name]) => [at, folders.get(keyOf(name)) ?? [LIBRARIES]]));
}

/** @param {string} [folder] the build's @returns {BuiltModule} */
export function builtModule(folder = BUILD) {
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name));
  return {
    module: read(WHOLE),
    symbols: read(SYMBOLS).toString(),
    libraries: read(LIBRARY_SYMBOLS).toString(),
  };
}
