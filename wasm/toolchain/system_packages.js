/** The system packages that the builds need, and their installation. */
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

import { capture, run, which } from './commands.js';
import { headerPackages, toolchain } from './paths.js';
import { PrivateApt, unpack } from './private_apt.js';
import { say, SetupError } from './report.js';
import { isAtLeast, parseVersion } from './versions.js';

const CMAKE_MIN = '3.22.0';

/** Chrome serves as well, under these names. */
export const CHROMIUM_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

/** Also the folders where CMake looks (wasm/toolchain/dependencies.cmake). */
const PREFIXES = [join(headerPackages, 'usr'), '/usr', '/usr/local', '/opt/homebrew'];

/** @typedef {'start' | 'test' | 'fuzz'} Command  what `start` needs, the others need too */

/**
 * @typedef {object} Need
 * @property {string} package  Debian's
 * @property {Command} from  the first command that needs it
 * @property {'program' | 'source' | 'speed'} kind source: only files, which may be unpacked
 *   anywhere and which CMake can download; speed: optional
 * @property {string} says its purpose, for users of systems without the package
 * @property {() => boolean} isThere
 */

/** @type {Need[]} */
export const NEEDS = [
  program('cmake', 'start', `CMake ${CMAKE_MIN} or newer`, hasCmake),
  program('ninja-build', 'start', 'Ninja or Make', () => has('ninja') || has('make')),
  program('python3', 'start', 'Python 3', () => has('python3')),
  source('nlohmann-json3-dev', 'start', 'include/nlohmann/json.hpp'),
  source('libfmt-dev', 'start', 'include/fmt/format.h'),
  program('g++', 'test', 'a C++20 compiler', () => has('c++') || has('g++') || has('clang++')),
  source('googletest', 'test', 'src/googletest/googletest/src/gtest-all.cc'),
  program('chromium', 'test', 'Chromium or Chrome', () => CHROMIUM_NAMES.some(has)),
  program('zsh', 'test', 'zsh', () => has('zsh')),
  program('fish', 'test', 'fish', () => has('fish')),
  program('redis-server', 'test', 'Redis', () => has('redis-server')),
  { ...program('ccache', 'test', 'ccache', () => has('ccache')), kind: 'speed' },
  program('clang', 'fuzz', 'Clang', () => has('clang++')),
  program('libclang-rt-dev', 'fuzz', "Clang's libFuzzer", hasFuzzer),
];

/**
 * @param {string} name
 * @param {Command} from
 * @param {string} says
 * @param {() => boolean} isThere
 * @returns {Need}
 */
function program(name, from, says, isThere) {
  return { package: name, from, kind: 'program', says, isThere };
}

/** @param {string} name @param {Command} from @param {string} file @returns {Need} */
function source(name, from, file) {
  const isThere = () => PREFIXES.some((prefix) => existsSync(join(prefix, file)));
  return { package: name, from, kind: 'source', says: file, isThere };
}

/** @param {string} name */
function has(name) {
  return which(name) !== null;
}

function hasCmake() {
  if (!has('cmake')) return false;
  const version = parseVersion(capture('cmake', ['--version']));
  return version !== null && isAtLeast(version, CMAKE_MIN);
}

/** Clang prints the folder of its runtime libraries whether they are installed or not. */
function hasFuzzer() {
  if (!has('clang++')) return false;
  const name = `libclang_rt.fuzzer-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.a`;
  return isAbsolute(capture('clang++', [`-print-file-name=${name}`]).trim());
}

/** The needs of a command. @param {Command} command */
export function needsOf(command) {
  return NEEDS.filter(({ from }) => from === 'start' || from === command);
}

/**
 * The steps to take for the missing packages. On systems other than Debian, CMake downloads the
 * sources.
 *
 * @param {Need[]} missing
 * @param {import('./machine.js').Machine} machine
 * @returns {{install: string[], unpack: string[], fault: string | null}}
 */
export function plan(missing, machine) {
  const named = (/** @type {Need['kind'][]} */ ...kinds) =>
    missing.filter((need) => kinds.includes(need.kind));
  const packages = (/** @type {Need[]} */ needs) => needs.map((need) => need.package);
  if (machine.isDebian && machine.asRoot) {
    const wanted = missing.some((need) => need.kind !== 'speed') ? missing : [];
    return { install: packages(wanted), unpack: [], fault: null };
  }
  const programs = named('program');
  if (machine.isDebian) {
    const command = `apt-get install --no-install-recommends ${packages(programs).join(' ')}`;
    const fault = `Missing, and only root may install it. Please run: ${command}`;
    return {
      install: [],
      unpack: packages(named('source')),
      fault: programs.length > 0 ? fault : null,
    };
  }
  const words = programs.map((need) => need.says).join(', ');
  return {
    install: [],
    unpack: [],
    fault: words ? `Please install, and put on PATH: ${words}` : null,
  };
}

/**
 * Installs the packages that the command needs, or prints what to install.
 *
 * @param {Command} command
 * @param {import('./machine.js').Machine} machine
 */
export async function ensureSystemPackages(command, machine) {
  const wanted = needsOf(command);
  const {
    install,
    unpack: sources,
    fault,
  } = plan(
    wanted.filter((need) => !need.isThere()),
    machine,
  );
  if (fault) throw new SetupError(fault);
  if (install.length > 0) await installPackages(install, machine.asRoot ?? []);
  if (sources.length > 0) await unpackSources(sources, machine);
  const absent = wanted.filter((need) => need.kind === 'program' && !need.isThere());
  if (absent.length > 0) {
    throw new SetupError(`Please install: ${absent.map((need) => need.says).join(', ')}`);
  }
}

/** @param {string[]} names @param {string[]} asRoot */
async function installPackages(names, asRoot) {
  say(`installing ${names.join(' ')}`);
  const options = ['-qq', '-y', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::Retries=3'];
  const [command, ...prefix] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  const aptGet = async (/** @type {string[]} */ ...args) => {
    /** @type {string[]} */
    const lines = [];
    try {
      await run(command, [...prefix, ...options, ...args], {
        onLine: (line) => {
          lines.push(line);
          if (line.startsWith('Setting up ')) say(line);
        },
      });
    } catch (error) {
      throw new SetupError(
        `${lines.join('\n')}\n${error instanceof Error ? error.message : error}`,
      );
    }
  };
  const install = () => aptGet('install', '--no-install-recommends', ...names);
  // A new machine has no package lists; those of an old one may name files that no longer exist.
  try {
    await install();
  } catch {
    say('fetching the package lists first');
    await aptGet('update');
    await install();
  }
}

/** @param {string[]} names @param {import('./machine.js').Machine} machine */
async function unpackSources(names, { codename, architecture }) {
  const folder = join(toolchain, 'sources-apt');
  const apt = new PrivateApt({ folder, suite: codename, architecture });
  await apt.update();
  await unpack(await apt.download(names), headerPackages);
  apt.forget();
}
