/**
 * The parts that the WebAssembly module is linked from, read from the linker's map, and their
 * notices.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { chosenEmscripten, repository } from './paths.js';
import { SetupError } from './report.js';

/** @import { Notice } from './notices.js' */
/**
 * @typedef {{clang: string, fmt: string, nlohmann_json: string}} MadeOf versions, as the build
 *   found them
 */

const FOLDER = join(repository, 'build/wasm');

/** The parts of Emscripten's own libraries, by archive. */
const PARTS = {
  'libc.a': ['Emscripten', 'musl'],
  'libc_optz.a': ['Emscripten', 'musl'],
  'libdlmalloc.a': ['dlmalloc'],
  'libembind.a': ['Emscripten'],
  'libclang_rt.builtins.a': ['compiler-rt'],
  'libc++-noexcept.a': ['libc++'],
  'libc++abi-noexcept.a': ['libc++abi'],
  'libnoexit.a': ['Emscripten'],
  'libsockets.a': ['Emscripten', 'musl'],
  'libstubs.a': ['Emscripten'],
};

/**
 * The names of the parts that were linked. The glue is always Emscripten's. Header-only libraries
 * leave no trace in the map.
 *
 * @param {string} map  of the linker
 * @returns {string[]}
 * @throws {SetupError} if it names an archive whose licence is not known here
 */
export function linkedParts(map) {
  const archives = new Set([...map.matchAll(/\/(lib[\w.+-]+\.a)\(/g)].map(([, name]) => name));
  const foreign = [...archives].filter((name) => !name.startsWith('libstowage_'));
  const unknown = foreign.filter((name) => !(name in PARTS));
  if (unknown.length > 0) {
    throw new SetupError(`The module is linked from ${unknown}, whose licence is not known.`);
  }
  const parts = foreign.flatMap((name) => PARTS[/** @type {keyof PARTS} */ (name)]);
  return [...new Set(['Emscripten', 'fmt', 'libc++', 'nlohmann/json', ...parts])].sort();
}

/** The versions of the tools and libraries of the module. */
export function moduleMadeOf() {
  const emscripten = JSON.parse(readBuilt(chosenEmscripten));
  /** @type {MadeOf} */
  const found = JSON.parse(readBuilt(join(FOLDER, 'made-of.json')));
  return { emscripten, ...found };
}

/** @returns {Notice[]} of the module and its glue */
export function moduleNotices() {
  const { emscripten, fmt, nlohmann_json: json } = moduleMadeOf();
  const own = (/** @type {string} */ name) =>
    readFileSync(join(repository, 'wasm/toolchain/licences', name), 'utf8');
  const shipped = `of Emscripten ${emscripten.version}`;
  const llvm = {
    version: shipped,
    licence: 'Apache-2.0 WITH LLVM-exception',
    text: `${readFileSync(join(repository, 'LICENSE'), 'utf8')}\n${own('llvm-exception.txt')}`,
  };
  /** @type {Record<string, Omit<Notice, 'name'>>} */
  const notices = {
    Emscripten: {
      version: emscripten.version,
      licence: 'MIT OR NCSA',
      text: own('emscripten.txt'),
    },
    'compiler-rt': llvm,
    dlmalloc: { version: shipped, licence: 'CC0-1.0', text: own('dlmalloc.txt') },
    fmt: { version: fmt, licence: 'MIT', text: own('fmt.txt') },
    'libc++': llvm,
    'libc++abi': llvm,
    musl: {
      version: shipped,
      licence: 'MIT',
      text: readFileSync(join(emscripten.root, 'system/lib/libc/musl/COPYRIGHT'), 'utf8'),
    },
    'nlohmann/json': { version: json, licence: 'MIT', text: own('json.txt') },
  };
  const map = readBuilt(join(FOLDER, 'stowage.map'));
  return linkedParts(map).map((name) => ({ name, ...notices[name] }));
}

/** @param {string} file */
function readBuilt(file) {
  if (!existsSync(file)) throw new SetupError(`${file} is missing: npm run build makes it.`);
  return readFileSync(file, 'utf8');
}
