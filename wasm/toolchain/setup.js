/**
 * The set-up that `npm start` and `npm test` share: packages, toolchain, module. It leaves finished
 * parts alone, so that a second run takes a moment.
 */
import { pathToFileURL } from 'node:url';

import { buildPreset } from './build.js';
import { bundle } from './bundle.js';
import { allOf } from './commands.js';
import { ensureEmscripten } from './emscripten.js';
import { ensureKubectl } from './kubectl.js';
import { thisMachine } from './machine.js';
import { ensureNpmPackages } from './npm_packages.js';
import { reportPackage } from './package_size.js';
import { runtimes } from './paths.js';
import { exitWith, step } from './report.js';
import { ensureSystemPackages } from './system_packages.js';

/**
 * @param {'start' | 'test'} command the command whose needs are met
 * @param {{ programs?: boolean }} [options] programs: whether to install the programs that tests
 *   start; default: for tests
 * @returns {Promise<import('./emscripten.js').Emscripten>}
 */
export async function setUp(command, { programs = command === 'test' } = {}) {
  const machine = thisMachine();
  const repeat = command === 'test' ? 'npm test -- set-up' : 'npm run build';
  await step('system packages', repeat, () => ensureSystemPackages(command, machine));
  await step('npm packages', repeat, () => ensureNpmPackages({ dev: command === 'test' }));
  if (programs) await step('runtimes and kubectl', repeat, ensurePrograms);
  return step('Emscripten', repeat, () => ensureEmscripten({ isDebian: machine.isDebian }));
}

/** Installs the programs that tests start: the JavaScript runtimes and kubectl. */
export function ensurePrograms() {
  return allOf([ensureNpmPackages({ dev: true, folder: runtimes }), ensureKubectl(thisMachine())]);
}

/**
 * Builds js/dist.
 *
 * @param {import('./emscripten.js').Emscripten} emscripten
 * @param {() => Promise<void>} [beside] work that needs no processor, done while the compiler runs
 */
export async function buildModule(emscripten, beside = async () => {}) {
  await step('WebAssembly module', 'npm run build', () =>
    allOf([buildPreset({ preset: 'wasm', tests: false, emscripten }, ['stowage']), beside()]),
  );
  await step('JavaScript bundle', 'npm run build', bundle);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await buildModule(await setUp('start'));
    await step('what the package costs', 'npm run build', reportPackage);
  } catch (error) {
    exitWith(error);
  }
}
