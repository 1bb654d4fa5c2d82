/**
 * Measures the WebAssembly module by the folders of its sources. Three files of the build say where
 * a function is from: the module, the symbol map (the name of each function), and the symbols of
 * our libraries. A function that is inlined counts where it is called.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

import { repository } from './paths.js';

/**
 * @typedef {object} FolderSize
 * @property {string} folder
 * @property {number} functions their number
 * @property {number} raw bytes of code
 * @property {number} brotli bytes of that code, compressed alone; together they compress better
 */

/** Sections of a module that count here (WebAssembly specification 5.5.2). */
const SECTION = { import: 2, code: 10, data: 11 };
const FUNCTION_IMPORT = 0;

/** The folder of code that is not ours: Emscripten, libc, libc++, fmt and nlohmann_json. */
const LIBRARIES = 'libraries';

/** Reads numbers and passes over bytes of a module. */
class ModuleReader {
  /** @param {Uint8Array} bytes @param {number} [at] */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** An unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++];
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  /** @param {number} count */
  advance(count) {
    this.at += count;
  }
}

/** @param {Uint8Array} module @returns {Map<number, Uint8Array>} sections by their ids */
function sectionsOf(module) {
  const reader = new ModuleReader(module, 8);
  const sections = new Map();
  while (reader.at < module.length) {
    const [id, size] = [reader.number(), reader.number()];
    sections.set(id, module.subarray(reader.at, reader.at + size));
    reader.advance(size);
  }
  return sections;
}

/** The module imports nothing else besides functions. @param {Uint8Array} section */
function countImports(section) {
  const reader = new ModuleReader(section);
  const count = reader.number();
  for (let at = 0; at < count; at += 1) {
    for (let name = 0; name < 2; name += 1) reader.advance(reader.number());
    if (reader.number() !== FUNCTION_IMPORT) throw new Error('an import that is no function');
    reader.number();
  }
  return count;
}

/** @param {Uint8Array} section @returns {Uint8Array[]} the functions' code, in their order */
function functionsOf(section) {
  const reader = new ModuleReader(section);
  return Array.from({ length: reader.number() }, () => {
    const size = reader.number();
    const code = section.subarray(reader.at, reader.at + size);
    reader.advance(size);
    return code;
  });
}

/** Names differ in spaces and in the suffixes of clones. @param {string} name */
const keyOf = (name) => name.replace(/ \(\.[\w.]+\)$/, '').replace(/\W/g, '');

/**
 * The folder of each symbol that our libraries define.
 *
 * @param {string} text lines `…/build/wasm/core/api/libstowage_api.a:stowage_api-0.cc.o: symbol`
 */
function foldersBySymbol(text) {
  const folders = new Map();
  for (const line of text.split('\n')) {
    const [, folder, symbol] =
      /^(?:\S*\/build\/wasm\/)?(\S+)\/lib\w+\.a:[^:]+: (.+)$/.exec(line) ?? [];
    if (folder && !folders.has(keyOf(symbol))) folders.set(keyOf(symbol), folder);
  }
  return folders;
}

/** @param {string} text lines `index:name` */
function namesByIndex(text) {
  const lines = text.split('\n').map((line) => /^(\d+):(.+)$/.exec(line) ?? []);
  return new Map(lines.map(([, index, name]) => [Number(index), name]));
}

/** @param {string} folder @param {Uint8Array[]} parts @returns {FolderSize} */
function sizeOf(folder, parts) {
  const code = Buffer.concat(parts);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const brotli = brotliCompressSync(code, { params }).length;
  return { folder, functions: parts.length, raw: code.length, brotli };
}

/**
 * @param {{ module: Uint8Array, symbols: string, libraries: string }} built
 * @returns {FolderSize[]} by folder, the largest first, and then the data
 */
export function sizesByFolder({ module, symbols, libraries }) {
  const sections = sectionsOf(module);
  const section = (/** @type {number} */ id) => sections.get(id) ?? new Uint8Array([0]);
  const names = namesByIndex(symbols);
  const folders = foldersBySymbol(libraries);
  const imports = countImports(section(SECTION.import));
  /** @type {Map<string, Uint8Array[]>} */
  const parts = new Map();
  for (const [at, code] of functionsOf(section(SECTION.code)).entries()) {
    const folder = folders.get(keyOf(names.get(imports + at) ?? '')) ?? LIBRARIES;
    parts.set(folder, [...(parts.get(folder) ?? []), code]);
  }
  const sizes = [...parts].map(([folder, codes]) => sizeOf(folder, codes));
  const data = { ...sizeOf('data', [section(SECTION.data)]), functions: 0 };
  return [...sizes.sort((a, b) => b.raw - a.raw), data];
}

/** The lines of a table. @param {FolderSize[]} sizes */
export function sizeTable(sizes) {
  const bytes = (/** @type {number} */ count) => count.toLocaleString('en').padStart(9);
  const width = Math.max(...sizes.map(({ folder }) => folder.length));
  return [
    `${'module'.padEnd(width)} functions bytes raw    brotli (each alone)`,
    ...sizes.map(
      ({ folder, functions, raw, brotli }) =>
        `${folder.padEnd(width)} ${String(functions).padStart(9)} ${bytes(raw)} ${bytes(brotli)}`,
    ),
  ];
}

/** The sizes of the built module. */
export function builtSizes() {
  const read = (/** @type {string} */ name) => readFileSync(join(repository, name));
  return sizesByFolder({
    module: read('js/dist/stowage.wasm'),
    symbols: read('build/wasm/stowage.symbols').toString(),
    libraries: read('build/wasm/stowage.libraries').toString(),
  });
}
