/** `npm test`: sets up and runs every test. `npm test -- STEP…` runs the named steps alone. */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { buildPreset, testPreset } from './build.js';
import { bundle } from './bundle.js';
import { checkFormat, checkTypes } from './check.js';
import { run } from './commands.js';
import { reportPackage } from './package_size.js';
import { repository } from './paths.js';
import { elapsed, exitWith, SetupError, step } from './report.js';
import { setUp } from './setup.js';
import { buildWeb } from './web.js';

/** @typedef {import('./emscripten.js').Emscripten} Emscripten */

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {boolean} [onRequest]  only run by its name
 * @property {(emscripten: Emscripten) => Promise<void>} run
 */

/** Cheap ones first. @type {Record<string, Step>} */
const STEPS = {
  tidy: { title: 'tidy: the rules of the house', run: () => nodeTests('tests/tidy') },
  format: { title: 'formatting', run: () => checkFormat() },
  addon: {
    title: 'native engine, as a Node addon, and the simulation',
    run: () => buildPreset({ preset: 'native', tests: true }, ['stowage_native', 'stowage_sim']),
  },
  // The same tests as with AddressSanitizer, in a third of the time.
  native: {
    title: 'native build and tests',
    onRequest: true,
    run: () => buildAndTest('native'),
  },
  asan: { title: 'AddressSanitizer build and tests', run: () => buildAndTest('asan') },
  wasm: { title: 'WebAssembly build and tests', run: (found) => buildAndTest('wasm', found) },
  types: { title: 'types and declarations', run: () => checkTypes() },
  js: {
    title: 'JavaScript tests and conformance, native and WebAssembly',
    run: async () => {
      await bundle();
      await nodeTests(
        'tests/toolchain',
        'tests/js',
        'tests/bench',
        'tests/conformance',
        'tests/fuzz',
        'tests/mutations',
        'tests/sim',
      );
    },
  },
  runtimes: {
    title: 'the packed package in runtimes and bundlers',
    run: async () => {
      await bundle();
      await reportPackage();
      // The package has the page in it.
      await buildWeb();
      await nodeTests('tests/runtimes');
    },
  },
  web: {
    title: 'the playground, in Node and in a browser',
    run: async () => {
      await buildWeb();
      await nodeTests('tests/web');
    },
  },
  timed: {
    title: 'what has a limit of time, one after the other',
    run: async () => {
      await buildWeb();
      await runTests(testsIn('tests/timed'), 1);
    },
  },
};

/** @param {'native' | 'asan' | 'wasm'} preset @param {Emscripten} [emscripten] */
async function buildAndTest(preset, emscripten) {
  const build = { preset, tests: true, emscripten };
  await buildPreset(build);
  await testPreset(build);
}

/** As many at once as there are processors: Node's own default leaves one idle. */
function nodeTests(/** @type {string[]} */ ...folders) {
  return runTests(testsIn(...folders), availableParallelism());
}

/** Every *.test.js below the folders. @param {string[]} folders */
function testsIn(...folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => join(folder, name))
      .sort(),
  );
  if (files.length === 0) throw new SetupError(`no tests in ${folders.join(', ')}`);
  return files;
}

/** @param {string[]} files @param {number} atOnce */
async function runTests(files, atOnce) {
  const options = ['--test-reporter=spec', `--test-concurrency=${atOnce}`];
  await run(process.execPath, ['--test', ...options, ...files], { cwd: repository });
}

/** @param {string[]} names */
async function main(names) {
  const started = performance.now();
  const unknown = names.find((name) => !(name in STEPS) && name !== 'set-up');
  if (unknown) {
    throw new SetupError(`no step ${unknown}; there are: set-up ${Object.keys(STEPS).join(' ')}`);
  }
  const emscripten = await setUp('test');
  /** @type {string[]} */
  const failed = [];
  for (const [name, { title, onRequest, run: runStep }] of Object.entries(STEPS)) {
    if (names.length > 0 ? !names.includes(name) : onRequest) continue;
    try {
      await step(title, `npm test -- ${name}`, () => runStep(emscripten));
    } catch (error) {
      exitWith(error);
      failed.push(name);
    }
  }
  if (failed.length > 0) {
    throw new SetupError(`FAILED in ${elapsed(started)}; again: npm test -- ${failed.join(' ')}`);
  }
  console.log(`all passed in ${elapsed(started)}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  exitWith(error);
}
