/**
 * Splits the linked module in two by Binaryen's wasm-split: `stowage.wasm`, and with the functions
 * of deferred_functions.js `stowage.deferred.wasm`. Then it orders the functions of both
 * (function_order.js). The modules call each other by the table (loading_calls.js, split_table.js).
 * CMake runs it after the link:
 *
 *     node split_module.js <folder of the build> <folder of the module> <Emscripten's folder>
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { capture } from './commands.js';
import { deferredFunctions } from './deferred_functions.js';
import { binaryenOf } from './emscripten.js';
import { alikeOrder, nameOfPlace } from './function_order.js';
import { loadingCalls, LOADING_CALLS, SPLIT_MODULE } from './loading_calls.js';
import { builtModule, foldersByIndex, namesByIndex, WHOLE } from './module_functions.js';
import { shareByTable, SPLIT_EXPORT_PREFIX } from './split_table.js';
import {
  countImports,
  functionsOf,
  nameSection,
  SECTION,
  sectionsOf,
  tableOf,
  withCustomSection,
} from './wasm_sections.js';

/** The features that Emscripten compiles for; wasm-split uses no others in what it adds. */
const FEATURES = [
  '--mvp-features',
  ...['bulk-memory', 'bulk-memory-opt', 'call-indirect-overlong', 'multivalue'],
  ...['mutable-globals', 'nontrapping-float-to-int', 'sign-ext', 'simd'],
].map((name) => (name.startsWith('--') ? name : `--enable-${name}`));

/** The section by which the loader knows that two modules belong together (deferred_module.js). */
const SPLIT_SECTION = 'stowage.split';
const DIGITS = 16;

/** @param {string} graph in the language of Graphviz @returns {[number, number][]} */
export function callsIn(graph) {
  const edges = graph.matchAll(/^\s*"(\d+)" -> "(\d+)"/gm);
  return [...edges].map(([, caller, callee]) => [Number(caller), Number(callee)]);
}

/**
 * @param {{ build: string, dist: string, programs: string }} folders
 */
export function splitModule({ build, dist, programs }) {
  const whole = join(build, WHOLE);
  const primary = join(dist, 'stowage.wasm');
  const deferred = join(dist, 'stowage.deferred.wasm');
  renameSync(primary, whole);
  const { module, symbols, libraries } = builtModule(build);
  const sections = sectionsOf(module);
  const section = (/** @type {number} */ id) => sections.get(id) ?? new Uint8Array();
  const imports = countImports(section(SECTION.import));
  const names = namesByIndex(symbols);
  // Binaryen names functions without a name by their number, and does not count the imports.
  const graph = join(build, 'stowage.calls');
  writeFileSync(
    graph,
    capture(join(programs, 'wasm-opt'), [...FEATURES, whole, '--print-call-graph']),
  );
  const chosen = deferredFunctions({
    names,
    folders: foldersByIndex({ names, libraries }),
    calls: callsIn(readFileSync(graph, 'utf8')).map(([a, b]) => [a + imports, b + imports]),
    table: tableOf(section(SECTION.element)),
  });
  const list = join(build, 'stowage.deferred');
  writeFileSync(list, chosen.map((at) => `${at - imports}\n`).join(''));
  capture(join(programs, 'wasm-split'), [
    ...[...FEATURES, whole, '--split-funcs', `@${list}`],
    ...['--placeholder-namespace', SPLIT_MODULE.deferred],
    ...['--import-namespace', SPLIT_MODULE.primary],
    ...['--export-prefix', SPLIT_EXPORT_PREFIX, '-o1', primary, '-o2', deferred],
  ]);
  const calls = join(build, 'stowage.loading.wat');
  writeFileSync(calls, loadingCalls(readFileSync(primary)));
  capture(join(programs, 'wasm-merge'), [
    ...[...FEATURES, primary, SPLIT_MODULE.primary, calls, LOADING_CALLS, '-o', primary],
  ]);
  for (const file of [primary, deferred]) orderFunctions(file, programs);
  const digits = createHash('sha256').update(module).digest('hex').slice(0, DIGITS);
  const split = { primary: readFileSync(primary), deferred: readFileSync(deferred) };
  const shared = shareByTable(split);
  writeFileSync(primary, withCustomSection(shared.primary, SPLIT_SECTION, digits));
  writeFileSync(deferred, withCustomSection(shared.deferred, SPLIT_SECTION, digits));
}

/**
 * Puts alike functions next to each other: Binaryen sorts them by names, which it does not keep.
 *
 * @param {string} file of a module
 * @param {string} programs the folder of Binaryen's
 */
function orderFunctions(file, programs) {
  const module = readFileSync(file);
  const sections = sectionsOf(module);
  const section = (/** @type {number} */ id) => sections.get(id) ?? new Uint8Array([0]);
  const imports = countImports(section(SECTION.import));
  const order = alikeOrder(functionsOf(section(SECTION.code)));
  const names = order.map((at, place) => /** @type {const} */ ([imports + at, nameOfPlace(place)]));
  names.sort(([a], [b]) => a - b);
  writeFileSync(file, withCustomSection(module, 'name', nameSection(new Map(names))));
  capture(join(programs, 'wasm-opt'), [
    ...[...FEATURES, file, '--reorder-functions-by-name', '-o', file],
  ]);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [build, dist, emscripten] = process.argv.slice(2);
  splitModule({ build, dist, programs: binaryenOf(emscripten) });
}
