/**
 * Chooses the Emscripten that builds the module: the machine's own if it is new enough, otherwise
 * Debian's.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { capture, which } from './commands.js';
import { finished, SUITES, unpackEmscripten } from './debian_emscripten.js';
import { chosenEmscripten, emscriptenRootFile, toolchain } from './paths.js';
import { say, SetupError } from './report.js';
import { isAtLeast, parseVersion } from './versions.js';

export const EMSCRIPTEN_MIN = '3.1.69';

/**
 * @typedef {{root: string, version: string, origin: string, stamp: string}} Emscripten
 *   root: the folder of its scripts; origin: a suite's name or 'machine'; stamp: changes with it
 */

/**
 * The emcc programs to check, the preferred one first.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function candidates(env) {
  const sdk = env.EMSDK ? join(env.EMSDK, 'upstream/emscripten/emcc') : null;
  const files = [sdk && existsSync(sdk) ? sdk : null, which('emcc', env)];
  return [...new Set(files.filter((file) => file !== null))];
}

/**
 * Chooses an Emscripten, unpacks one if necessary, and writes its folder where the build reads it.
 *
 * @param {{isDebian: boolean, env?: NodeJS.ProcessEnv}} options
 * @returns {Promise<Emscripten>}
 */
export async function ensureEmscripten({ isDebian, env = process.env }) {
  const suite = env.STOWAGE_EMSCRIPTEN_SUITE;
  if (suite && !SUITES.includes(suite)) {
    throw new SetupError(`STOWAGE_EMSCRIPTEN_SUITE is ${suite}; it may be ${SUITES.join(' or ')}.`);
  }
  const found = (suite ? null : fromMachine(env)) ?? (await fromDebian(isDebian, suite));
  const text = `${JSON.stringify(found, null, 2)}\n`;
  mkdirSync(toolchain, { recursive: true });
  if (readIfThere(chosenEmscripten) !== text) {
    say(`Emscripten ${found.version} in ${found.root}`);
    writeFileSync(chosenEmscripten, text);
    writeFileSync(emscriptenRootFile, `${found.root}\n`);
  }
  return found;
}

/** @param {NodeJS.ProcessEnv} env @returns {Emscripten | null} */
function fromMachine(env) {
  const earlier = JSON.parse(readIfThere(chosenEmscripten) ?? 'null');
  for (const emcc of candidates(env)) {
    const { size, mtimeMs } = statSync(emcc);
    const stamp = `${emcc} ${size} ${mtimeMs}`;
    if (earlier?.stamp === stamp) return earlier;
    const version = parseVersion(capture(emcc, ['--version'], { env }));
    if (version && isAtLeast(version, EMSCRIPTEN_MIN)) {
      return { root: scriptsOf(emcc, env), version, origin: 'machine', stamp };
    }
    const found = version ? `Emscripten ${version}` : 'of no known version';
    say(`${emcc} is ${found}: too old, ${EMSCRIPTEN_MIN} is needed`);
  }
  return null;
}

/** @param {string} emcc @param {NodeJS.ProcessEnv} env */
function scriptsOf(emcc, env) {
  const config = join(dirname(emcc), 'em-config');
  const named = existsSync(config) ? capture(config, ['EMSCRIPTEN_ROOT'], { env }).trim() : '';
  return existsSync(join(named, 'cmake')) ? named : dirname(realpathSync(emcc));
}

/** @param {boolean} isDebian @param {string | undefined} suite @returns {Promise<Emscripten>} */
async function fromDebian(isDebian, suite) {
  const suites = suite ? [suite] : SUITES;
  const ready = suites.find((name) => finished(join(toolchain, name)));
  if (ready) return asChosen(ready);
  if (!isDebian) {
    throw new SetupError(
      `No Emscripten ${EMSCRIPTEN_MIN} or newer was found. Install its SDK and put emcc on PATH ` +
        '(or set EMSDK); on Debian it would be set up by this command.',
    );
  }
  /** @type {string[]} */
  const faults = [];
  for (const name of suites) {
    try {
      await unpackEmscripten({ suite: name, folder: join(toolchain, name) });
      return asChosen(name);
    } catch (error) {
      faults.push(`Debian ${name}: ${error instanceof Error ? error.message : error}`);
      say(faults[faults.length - 1]);
    }
  }
  throw new SetupError(`No Emscripten could be set up.\n${faults.join('\n')}`);
}

/** @param {string} suite @returns {Emscripten} */
function asChosen(suite) {
  const record = finished(join(toolchain, suite));
  if (!record) throw new SetupError(`The Emscripten of Debian ${suite} was not finished.`);
  const { root, emscripten: version } = record;
  const stamp = `${root} ${version}`;
  return { root: join(root, 'usr/share/emscripten'), version, origin: suite, stamp };
}

/** The folder of Binaryen's programs. @param {string} scripts the folder of Emscripten's */
export function binaryenOf(scripts) {
  return join(capture(join(scripts, 'em-config'), ['BINARYEN_ROOT']).trim(), 'bin');
}

/**
 * A program of Emscripten's LLVM.
 * @param {string} scripts the folder of Emscripten's @param {string} name
 */
export function llvmProgram(scripts, name) {
  const config = (/** @type {string} */ variable) =>
    capture(join(scripts, 'em-config'), [variable]).trim();
  const version = config('LLVM_ADD_VERSION');
  return join(config('LLVM_ROOT'), Number(version) > 0 ? `${name}-${version}` : name);
}

/** @param {string} file */
function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
