/**
 * Measures the WebAssembly module by the folders of its sources. A function that is inlined counts
 * where it is called.
 */
import { brotliCompressSync, constants } from 'node:zlib';

import { builtModule, foldersByIndex, LIBRARIES, namesByIndex } from './module_functions.js';
import { countImports, functionsOf, SECTION, sectionsOf } from './wasm_sections.js';

/**
 * @typedef {object} FolderSize
 * @property {string} folder
 * @property {number} functions their number
 * @property {number} raw bytes of code
 * @property {number} brotli bytes of that code, compressed alone; together they compress better
 */

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
  const folders = foldersByIndex({ names: namesByIndex(symbols), libraries });
  const imports = countImports(section(SECTION.import));
  /** @type {Map<string, Uint8Array[]>} */
  const parts = new Map();
  for (const [at, code] of functionsOf(section(SECTION.code)).entries()) {
    const [folder] = folders.get(imports + at) ?? [LIBRARIES];
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

/** The sizes of the built module, with its deferred part. */
export function builtSizes() {
  return sizesByFolder(builtModule());
}
