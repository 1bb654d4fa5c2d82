/**
 * Unpacks a current Emscripten from Debian's own packages into a folder of the project: without
 * root and without installing anything. Debian 12's own Emscripten is too old for C++20's ranges.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { capture, run } from './commands.js';
import { relocate } from './elf.js';
import { PrivateApt, unpack } from './private_apt.js';
import { say, SetupError } from './report.js';

/** Tried in this order: testing has the newer Emscripten, stable does not change. */
export const SUITES = ['forky', 'trixie'];

/** Unpacked with all their dependencies; %N is LLVM's version. */
const WITH_DEPENDENCIES = [
  'binaryen',
  'lld-%N',
  'libclang-common-%N-dev',
  'libclang-cpp%N',
  'libllvm%N',
  'patchelf',
];
/** Unpacked alone: their other dependencies are for other compilation targets. */
const ALONE = ['emscripten', 'node-acorn', 'clang-%N', 'llvm-%N'];

/** @param {string} control  the emscripten package's control fields */
export function llvmVersion(control) {
  const match = /^Depends:.*\bclang-(\d+)/m.exec(control);
  if (!match)
    throw new SetupError("Debian's emscripten package no longer says which clang it needs.");
  return match[1];
}

/**
 * Emscripten's configuration file, which it reads from the folder of its scripts.
 *
 * @param {{root: string, cache: string, llvm: string, node: string, frozen: boolean}} options
 */
export function configuration({ root, cache, llvm, node, frozen }) {
  const text = (/** @type {string} */ value) => JSON.stringify(value);
  return [
    `LLVM_ROOT = ${text(join(root, 'usr/bin'))}`,
    `BINARYEN_ROOT = ${text(join(root, 'usr'))}`,
    `EMSCRIPTEN_ROOT = ${text(join(root, 'usr/share/emscripten'))}`,
    `NODE_JS = ${text(node)}`,
    `LLVM_ADD_VERSION = ${text(llvm)}`,
    `CLANG_ADD_VERSION = ${text(llvm)}`,
    frozen ? 'FROZEN_CACHE = True' : `CACHE = ${text(cache)}`,
    '',
  ].join('\n');
}

/**
 * The finished result of an earlier run in `folder`, or null. Absolute paths are written into the
 * programs, so a project that was moved counts as unfinished.
 *
 * @param {string} folder
 * @returns {{suite: string, root: string, emscripten: string, packages: string[]} | null}
 */
export function finished(folder) {
  const file = join(folder, 'installed.json');
  if (!existsSync(file)) return null;
  const record = JSON.parse(readFileSync(file, 'utf8'));
  return record.root === join(folder, 'root') ? record : null;
}

/**
 * Unpacks the suite's Emscripten into `folder` and checks that it compiles.
 *
 * @param {{suite: string, folder: string}} options
 */
export async function unpackEmscripten({ suite, folder }) {
  if (process.arch !== 'x64') {
    throw new SetupError(
      `Debian's Emscripten is unpacked on amd64 only, and this is ${process.arch}. Install the ` +
        'Emscripten SDK (3.1.69 or newer) and put emcc on PATH.',
    );
  }
  const root = join(folder, 'root');
  const apt = new PrivateApt({ folder: join(folder, 'apt'), suite, architecture: 'amd64' });
  const index = await apt.update();
  const llvm = llvmVersion(apt.show('emscripten'));
  const named = (/** @type {string[]} */ names) => names.map((name) => name.replace('%N', llvm));
  const names = [...new Set([...named(ALONE), ...apt.withDependencies(named(WITH_DEPENDENCIES))])];
  const files = await apt.download(names);

  say(`unpacking ${files.length} packages`);
  rmSync(root, { recursive: true, force: true });
  rmSync(join(folder, 'cache'), { recursive: true, force: true });
  await unpack(files, root);
  const libraries = join(root, 'usr/lib/x86_64-linux-gnu');
  const count = relocate({
    patchelf: join(root, 'usr/bin/patchelf'),
    loader: join(libraries, 'ld-linux-x86-64.so.2'),
    libraries,
    folders: [join(root, 'usr/bin'), join(root, `usr/lib/llvm-${llvm}/bin`)],
  });
  say(`${count} programs and libraries use the loader of ${suite}`);
  configure({ folder, root, llvm });
  await prove(folder, root);

  const packages = files.map((file) => file.replace(/^.*\//, '').replace(/_[^_]*$/, ''));
  const emscripten = emscriptenVersion(root);
  const record = { suite, index, root, emscripten, packages };
  writeFileSync(join(folder, 'installed.json'), `${JSON.stringify(record, null, 2)}\n`);
  apt.forget();
}

/** @param {string} root */
function emscriptenVersion(root) {
  const file = join(root, 'usr/share/emscripten/emscripten-version.txt');
  return readFileSync(file, 'utf8').trim().replaceAll('"', '');
}

/** @param {{folder: string, root: string, llvm: string}} options */
function configure({ folder, root, llvm }) {
  const scripts = join(root, 'usr/share/emscripten');
  // If a suite ships compiled system libraries beside the scripts, they are used.
  const frozen = existsSync(join(scripts, 'cache/sysroot/lib'));
  const cache = join(folder, 'cache');
  const text = configuration({ root, cache, llvm, node: process.execPath, frozen });
  writeFileSync(join(scripts, '.emscripten'), text);
  // Without it, this project's package.json would turn its scripts into ES modules.
  writeFileSync(join(scripts, 'package.json'), '{ "type": "commonjs" }\n');
  // Debian's Node searches for packages in its own folder, other builds of Node do not.
  symlinkSync('nodejs', join(root, 'usr/share/node_modules'));
}

/**
 * Compiles and runs a program that an older Emscripten cannot compile.
 * @param {string} folder
 * @param {string} root
 */
async function prove(folder, root) {
  const probe = join(folder, 'probe');
  mkdirSync(probe, { recursive: true });
  const source = join(probe, 'probe.cc');
  const program = join(probe, 'probe.cjs');
  writeFileSync(
    source,
    `#include <algorithm>
#include <string>
#include <vector>
int main() {
  std::vector<std::string> words{"c", "a", "b"};
  std::ranges::sort(words);
  return words.front() == "a" ? 0 : 1;
}
`,
  );
  say('compiling a first program (the system libraries, once: about a minute)');
  const flags = ['-std=c++20', '-fno-exceptions', '-fno-rtti', '-O2', '-sENVIRONMENT=node'];
  await run(join(root, 'usr/share/emscripten/em++'), [...flags, source, '-o', program], {
    env: emscriptenEnvironment(process.env),
  });
  capture(process.execPath, [program]);
  rmSync(probe, { recursive: true, force: true });
}

/**
 * The environment of our Emscripten: without the settings of another one, which would take
 * precedence, and with the Python that it runs in. `python3` on PATH may be a version manager's
 * script, which takes half a second per compilation.
 *
 * @param {NodeJS.ProcessEnv} env
 */
export function emscriptenEnvironment(env) {
  const foreign = (/** @type {string} */ name) => /^(EM_|EMSDK)/.test(name);
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !foreign(name)));
  const python = capture('python3', ['-c', 'import sys; print(sys.executable)'], { env });
  return { ...own, EMSDK_PYTHON: python.trim() };
}
